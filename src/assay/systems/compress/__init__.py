"""Compression: systems that make a text shorter, to an exact length if asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...component import Folder
from ...errors import InputError
from ..budget import Budget
from ..system import LanguageGate, System, check_patterns, check_texts
from ._base import Compression, Compressor, Source, build_compression

__all__ = [
    "COMPRESSORS",
    "DEFAULT",
    "Budget",
    "Compression",
    "Compressor",
    "Source",
    "build_compression",
    "compress",
]

DEFAULT = "tagger-tree"
COMPRESSORS = Folder(
    __name__,
    Compressor,
    kind="compressor",
    example="ilp(lambda=1.4)",
    hint="`assay compress --list` shows them",
    group="assay.systems",
    group_base=System,
)


def compress(
    texts: Sequence[str],
    system: str | Compressor = DEFAULT,
    *,
    ratio: float | None = None,
    words: int | None = None,
    chars: int | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    context: Sequence[Sequence[str]] | None = None,
    faithful: bool = True,
    average_ratio: float | None = None,
    language: str | None = None,
) -> list[Compression]:
    """Shorten each text; each result has the tokens it keeps and where they are in the source.

    `ratio` is a share of each text's words (separated by white space), `words` and `chars` are upper limits; without
    any the system chooses the length. `keep` and `drop` are regular expressions: their matches are kept or deleted.
    `context` gives the other sentences of each text's document, for systems that use word frequencies in it.
    `faithful`: systems that can (tagger-tree, ilp, edit) make no deletion that changes what is said while the limit
    allows, and a note names each that they had to make. `average_ratio`: one threshold for all texts, at which their
    mean token rate is as near below this as it goes; each has the length that suits it (tagger-tree).
    `language`: en takes texts as English; without it, what is not English is refused by systems for English, or left
    as it is among English texts.

    >>> compress(["The cat sat on the mat."], "lead", words=3)[0].text
    'The cat sat.'
    """
    if isinstance(texts, str):
        raise InputError("compress takes a list of texts, not one text: compress([text])")
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise InputError(f"compress takes a list of texts; got {type(texts).__name__}")
    texts = list(texts)
    compressor = COMPRESSORS.build(system)
    budget = Budget(ratio, words, chars)
    texts = check_texts(texts, "texts", "text")
    check_patterns(compressor, [*keep, *drop], COMPRESSORS)
    contexts = _check_context(context, len(texts))
    gate = LanguageGate(compressor, language)
    sources = [Source(t, budget, c, tuple(keep), tuple(drop), faithful) for t, c in zip(texts, contexts, strict=True)]
    if average_ratio is not None:
        from .length.average import check_average, share_threshold

        check_average(compressor, average_ratio, bool(budget))
        sources = share_threshold(compressor, sources, average_ratio, gate)
    return compress_through(gate, compressor, sources)


def compress_through(gate: LanguageGate, compressor: Compressor, sources: Sequence[Source]) -> list[Compression]:
    """Compress each source that passes the gate; the others are left as they are, with a note."""

    def leave(source: Source, reason: str) -> Compression:
        from .edits.rewrite import leave_text

        return leave_text(source, reason)

    return gate.run(sources, [source.text for source in sources], compressor.compress, leave)


def _check_context(context: Sequence[Sequence[str]] | None, texts: int) -> list[tuple[str, ...]]:
    if context is None:
        return [()] * texts
    if len(context) != texts:
        raise InputError(f"context must give the sentences of each text's document: {texts} texts, {len(context)}")
    return [
        check_texts(sentences, f"context of text {n}", f"context of text {n}: sentence")
        for n, sentences in enumerate(context, 1)
    ]
