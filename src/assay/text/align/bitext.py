"""Word alignment of a bitext: model 1 (Brown et al. 1993), the HMM (Vogel et al. 1996), the refined method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...errors import AlignmentError, InputError, UnknownName
from ..texts import Lexicon, Texts
from ..tokens.reading import Reading

METHODS = ("hmm", "model1", "eflomal")
SYMMETRIZATIONS = ("grow-diag-final-and", "intersection", "union")
_NULL = 0.2  # chance of a word that comes from none (Och and Ney 2003, 2.1.1)
_SMOOTH = 0.2  # share of the uniform distribution in the jumps, as GIZA++


@dataclass(frozen=True)
class Alignment:
    """Which words of source and target lines translate each other, and with what probability words do."""

    sources: Texts
    targets: Texts
    signature: str
    reading: Reading
    aligned: _core.Aligned = field(repr=False, compare=False)

    @cached_property
    def pairs(self) -> list[list[tuple[int, int]]]:
        """Per line the places (source, target) that are linked, counted from 0."""
        links = self.aligned.links
        both = list(zip(links.source.tolist(), links.target.tolist(), strict=True))
        return [both[a:b] for a, b in pairwise(links.ends.tolist())]

    @cached_property
    def skipped(self) -> tuple[int, ...]:
        """The lines that were left unaligned: a side is empty or too long."""
        return tuple(self.aligned.skipped.tolist())

    def translations(self, word: str, *, least: float = 0.01) -> dict[str, float]:
        """p(target word | source word), the most probable first."""
        return self._table(word, least, self.aligned.target_given_source, forward=True)

    def sources_of(self, word: str, *, least: float = 0.01) -> dict[str, float]:
        """p(source word | target word), the most probable first."""
        return self._table(word, least, self.aligned.source_given_target, forward=False)

    def _table(self, word: str, least: float, shares: NDArray[np.float64], *, forward: bool) -> dict[str, float]:
        mine, theirs = self.sources.lexicon.vocab.words(), self.targets.lexicon.vocab.words()
        given, made = self.aligned.table_source, self.aligned.table_target
        if not forward:
            mine, theirs, given, made = theirs, mine, made, given
        if word not in mine:
            return {}
        cells = np.flatnonzero((given == mine.index(word)) & (shares >= least))
        return {theirs[made[c]]: float(shares[c]) for c in cells[np.argsort(-shares[cells], kind="stable")]}


def align(
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    method: str = "hmm",
    iterations: int = 5,
    symmetrize: str = "grow-diag-final-and",
    prior: float = 0.0,
    tokenizer: str = "unicode",
    longest: int = 200,
) -> Alignment:
    """Aligns line with line: `iterations` of model 1, then as many of the HMM (method=model1: none), both directions.

    method=eflomal leaves the directions to that program (Östling and Tiedemann 2016), if installed, with its defaults:
    `iterations` and `prior` have no say, words are compared in lower case, and it samples, so that two runs differ.

    `prior` above 0 is a Dirichlet prior on the translation tables (variational Bayes: Riley and Gildea 2012), which
    keeps rare words from taking in everything; 0 is plain EM. Pairs with an empty side or one of more than `longest`
    words (at most 1000) are left unaligned and named by `skipped`. The same input gives the same output; time grows
    with the number of lines.

    >>> found = align(["das haus", "das buch", "ein buch"], ["the house", "the book", "a book"])
    >>> found.pairs[0], found.translations("buch").keys()
    ([(0, 0), (1, 1)], dict_keys(['book']))
    """
    _check(sources, targets, method, symmetrize, iterations, prior, longest)
    reading = Reading(tokenizer)
    mine, theirs = Texts(list(sources), Lexicon()), Texts(list(targets), Lexicon())
    tokens = mine.tokens(reading), theirs.tokens(reading)
    united = SYMMETRIZATIONS.index(symmetrize)
    if method == "eflomal":
        from .eflomal import directions

        found = directions(mine.words(reading), theirs.words(reading), longest)
        aligned = _core.united(*tokens, *found, longest, united)
        signature = f"align(method=eflomal, symmetrize={symmetrize}, tokenizer={tokenizer}, longest={longest})"
        return Alignment(mine, theirs, signature, reading, aligned)
    hmm = iterations if method == "hmm" else 0
    aligned = _core.align(*tokens, iterations, hmm, _NULL, _SMOOTH, prior, longest, united)
    signature = (
        f"align(method={method}, iterations={iterations}, symmetrize={symmetrize}, prior={prior:g}, "
        f"tokenizer={tokenizer}, longest={longest})"
    )
    return Alignment(mine, theirs, signature, reading, aligned)


def _check(
    sources: Sequence[str],
    targets: Sequence[str],
    method: str,
    symmetrize: str,
    iterations: int,
    prior: float,
    longest: int,
) -> None:
    if len(sources) != len(targets):
        raise AlignmentError(f"{len(sources)} sources but {len(targets)} targets: one line each, please")
    if not sources:
        raise InputError("there are no lines to align")
    for kind, name, known in (("method", method, METHODS), ("symmetrization", symmetrize, SYMMETRIZATIONS)):
        if name not in known:
            raise UnknownName(kind, name, known, hint=f"(there are {', '.join(known)})")
    if iterations < 1:
        raise InputError(f"iterations must be 1 or more; got {iterations}")
    if not 0 <= prior < np.inf:
        raise InputError(f"prior must be 0 (plain EM) or more; got {prior}")
    if not 1 <= longest <= 1000:
        raise InputError(f"longest must be between 1 and 1000 words; got {longest}")
