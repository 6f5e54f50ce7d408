"""Compression: systems that make a text shorter by deleting words, to an exact length if asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import InputError
from .._budget import Budget
from .._texts import check_texts
from ._base import Compression, Source, System, compression
from .spec import families, system

__all__ = ["DEFAULT", "Budget", "Compression", "Source", "System", "compress", "compression", "families", "system"]

DEFAULT = "tagger-tree"


def compress(
    texts: Sequence[str],
    system: str | System = DEFAULT,
    *,
    ratio: float | None = None,
    words: int | None = None,
    chars: int | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    context: Sequence[Sequence[str]] | None = None,
) -> list[Compression]:
    """A shorter text for each text, each with the tokens it keeps and where they stand.

    `ratio` is a share of each text's words (what stands between white space), `words` and `chars` are most numbers;
    without any the system chooses. `keep` and `drop` are regular expressions whose matches stay or go. `context` gives
    the other sentences of each text's document, for systems that weigh words by their frequency in it.

    >>> compress(["The cat sat on the mat."], "lead", words=3)[0].text
    'The cat sat.'
    """
    if isinstance(texts, str):
        raise InputError("compress takes a list of texts, not one text: compress([text])")
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise InputError(f"compress takes a list of texts; got {type(texts).__name__}")
    texts = list(texts)
    from .spec import system as named

    chosen = named(system)
    budget = Budget(ratio, words, chars)
    texts = check_texts(texts, "texts", "text")
    check_patterns(chosen, [*keep, *drop])
    if context is not None and len(context) != len(texts):
        raise InputError(f"context must give the sentences of each text's document: {len(texts)} texts, {len(context)}")
    around = [
        check_texts(sentences, f"context of text {n}", f"context of text {n}: sentence")
        for n, sentences in enumerate(context or [()] * len(texts), 1)
    ]
    return chosen.compress([Source(t, budget, c, tuple(keep), tuple(drop)) for t, c in zip(texts, around, strict=True)])


def check_patterns(chosen: System, patterns: Sequence[str]) -> None:
    """Refuses patterns that cannot be read, or that the system would not obey."""
    from .._system import check_patterns as check

    check(chosen, patterns, families())
