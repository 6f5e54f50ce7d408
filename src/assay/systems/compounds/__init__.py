"""Split compounds (Owczarzak et al. 2014): a lexicon, a model that ranks and refuses, and a guesser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import overload

from ...errors import InputError
from ...text.compounds.splitter import CompoundPart, CompoundSplit, CompoundSplitter, load_splitter

__all__ = ["CompoundPart", "CompoundSplit", "CompoundSplitter", "load_splitter", "split"]


@overload
def split(
    words: str,
    *,
    language: str,
    parts: int = 0,
    force: bool = False,
    guess: bool = True,
    lexicon: str | os.PathLike[str] | None = None,
) -> CompoundSplit: ...


@overload
def split(
    words: list[str] | tuple[str, ...],
    *,
    language: str,
    parts: int = 0,
    force: bool = False,
    guess: bool = True,
    lexicon: str | os.PathLike[str] | None = None,
) -> list[CompoundSplit]: ...


def split(
    words: str | Sequence[str],
    *,
    language: str,
    parts: int = 0,
    force: bool = False,
    guess: bool = True,
    lexicon: str | os.PathLike[str] | None = None,
) -> CompoundSplit | list[CompoundSplit]:
    """Split a word, or each of several; what is not a compound stays whole.

    `force` splits words that are known to be compounds, `parts` limits the number of parts, `guess=False` allows only
    parts that the lexicon has.

    >>> import assay
    >>> print(assay.split("Bundesverfassungsgericht", language="de"))
    Bundes|verfassungs|gericht
    >>> [(p.text, p.lemma) for p in assay.split("Prüfungsprogramme", language="de").parts]
    [('Prüfung', 'Prüfung'), ('programm', 'Programm')]
    """
    if parts < 0 or parts == 1:
        raise InputError(f"parts must be 2 or more, or 0 for no limit; got {parts}")
    path = None if lexicon is None else os.fspath(lexicon)
    splitter = load_splitter(language, lexicon=path, parts=parts, force=force, guess=guess)
    if isinstance(words, str):
        return splitter.split([words])[0]
    if not all(isinstance(word, str) for word in words):
        wrong = next(word for word in words if not isinstance(word, str))
        raise InputError(f"words must be texts; got {type(wrong).__name__}")
    return splitter.split(words)
