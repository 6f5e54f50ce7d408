"""Word alignment of a bitext: model 1 (Brown et al. 1993), the HMM (Vogel et al. 1996), the refined method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...component import Component, Folder
from ...errors import AlignmentError, InputError, UnknownName
from ..texts import Lexicon, Texts
from ..tokens.tokenizers import TextReading

SYMMETRIZATIONS = ("grow-diag-final-and", "intersection", "union")
_NULL = 0.2  # chance of a word that comes from none (Och and Ney 2003, 2.1.1)
_SMOOTH = 0.2  # share of the uniform distribution in the jumps, as GIZA++


@dataclass(frozen=True)
class Alignment:
    """A word-aligned bitext: which words translate each other, and with what probability."""

    sources: Texts
    targets: Texts
    signature: str
    reading: TextReading
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
        """Return p(target word | source word), the most probable first."""
        return self._table(word, least, self.aligned.target_given_source, forward=True)

    def sources_of(self, word: str, *, least: float = 0.01) -> dict[str, float]:
        """Return p(source word | target word), the most probable first."""
        return self._table(word, least, self.aligned.source_given_target, forward=False)

    def _table(self, word: str, least: float, shares: NDArray[np.float64], *, forward: bool) -> dict[str, float]:
        words, others = self.sources.lexicon.vocab.words(), self.targets.lexicon.vocab.words()
        word_ids, other_ids = self.aligned.table_source, self.aligned.table_target
        if not forward:
            words, others, word_ids, other_ids = others, words, other_ids, word_ids
        if word not in words:
            return {}
        cells = np.flatnonzero((word_ids == words.index(word)) & (shares >= least))
        return {others[other_ids[c]]: float(shares[c]) for c in cells[np.argsort(-shares[cells], kind="stable")]}


@dataclass(frozen=True)
class WordAligner(Component):
    """A word aligner for bitexts."""

    def link(
        self, sources: Texts, targets: Texts, reading: TextReading, longest: int, symmetrization: int
    ) -> _core.Aligned:
        """Align line with line in both directions and combine the two."""
        raise NotImplementedError


@dataclass(frozen=True)
class Model1(WordAligner):
    """Model 1 (Brown et al. 1993), by EM.

    `prior` above 0 is a Dirichlet prior on the translation tables (variational Bayes: Riley and Gildea 2012), which
    keeps rare words from being linked to everything; 0 is plain EM.
    """

    name: ClassVar[str] = "model1"
    iterations: int = 5
    prior: float = 0.0

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise InputError(f"iterations must be 1 or more; got {self.iterations}")
        if not 0 <= self.prior < np.inf:
            raise InputError(f"prior must be 0 (plain EM) or more; got {self.prior}")

    def link(
        self, sources: Texts, targets: Texts, reading: TextReading, longest: int, symmetrization: int
    ) -> _core.Aligned:
        tokens = sources.tokens(reading), targets.tokens(reading)
        hmm = self._hmm_iterations()
        return _core.align(*tokens, self.iterations, hmm, _NULL, _SMOOTH, self.prior, longest, symmetrization)

    def _hmm_iterations(self) -> int:
        return 0


@dataclass(frozen=True)
class Hmm(Model1):
    """Model 1, then as many iterations of the HMM (Vogel et al. 1996)."""

    name: ClassVar[str] = "hmm"

    def _hmm_iterations(self) -> int:
        return self.iterations


@dataclass(frozen=True)
class Eflomal(WordAligner):
    """The program eflomal (Östling and Tiedemann 2016), if installed, with its defaults.

    Words are compared in lower case. It samples, so that two runs differ.
    """

    name: ClassVar[str] = "eflomal"

    def link(
        self, sources: Texts, targets: Texts, reading: TextReading, longest: int, symmetrization: int
    ) -> _core.Aligned:
        from .eflomal import directions

        links = directions(sources.words(reading), targets.words(reading), longest)
        return _core.united(sources.tokens(reading), targets.tokens(reading), *links, longest, symmetrization)


ALIGNERS = Folder(
    __name__, WordAligner, kind="aligner", example="hmm(iterations=5)", hint="(there are hmm, model1, eflomal)"
)


def align(
    sources: Sequence[str],
    targets: Sequence[str],
    aligner: str | WordAligner = "hmm",
    *,
    symmetrize: str = "grow-diag-final-and",
    tokenizer: str = "unicode",
    longest: int = 200,
) -> Alignment:
    """Align line with line in both directions, and combine the two.

    `aligner` is hmm, model1 or eflomal with its parameters: `hmm(iterations=3)`. Pairs with an empty side or one of
    more than `longest` words (at most 1000) are left unaligned and named by `skipped`. The same input gives the same
    output (but for eflomal); time grows with the number of lines.

    >>> alignment = align(["das haus", "das buch", "ein buch"], ["the house", "the book", "a book"])
    >>> alignment.pairs[0], alignment.translations("buch").keys()
    ([(0, 0), (1, 1)], dict_keys(['book']))
    """
    _check(sources, targets, symmetrize, longest)
    built = ALIGNERS.build(aligner)
    reading = TextReading(tokenizer)
    left, right = Texts(list(sources), Lexicon()), Texts(list(targets), Lexicon())
    aligned = built.link(left, right, reading, longest, SYMMETRIZATIONS.index(symmetrize))
    settings = f"symmetrize={symmetrize}, tokenizer={tokenizer}, longest={longest}"
    return Alignment(left, right, f"align(aligner={built.signature()}, {settings})", reading, aligned)


def _check(sources: Sequence[str], targets: Sequence[str], symmetrize: str, longest: int) -> None:
    if len(sources) != len(targets):
        raise AlignmentError(f"there are {len(sources)} sources but {len(targets)} targets; give one line each")
    if not sources:
        raise InputError("there are no lines to align")
    if symmetrize not in SYMMETRIZATIONS:
        hint = f"(there are {', '.join(SYMMETRIZATIONS)})"
        raise UnknownName("symmetrization", symmetrize, SYMMETRIZATIONS, hint=hint)
    if not 1 <= longest <= 1000:
        raise InputError(f"longest must be between 1 and 1000 words; got {longest}")
