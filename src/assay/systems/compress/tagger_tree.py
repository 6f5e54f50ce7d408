"""Tagger and tree: delete the words that a neural tagger finds unlikely and keep the parse tree whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UnknownName
from ...text.cache import default_cache
from ...text.parse.flat import flatten
from ...text.parse.parser import nbest
from .._budget import Limit
from .._parsed_text import ParsedText, parse_texts
from ._base import Compression, Compressor, Source, build_compression
from ._length import note_excess, shorten
from ._protected import parse_kinds
from ._word_choice import Laws, WordChoice
from ._word_groups import CONSTRAINTS
from ._written import written_marginals

Floats = NDArray[np.float64]
WRITTEN = "written"
MOST_PARSES = 50
_CAREFUL = 0.6  # share of the text from which on people's careful deletions are the model
_ADJACENCY = 1.0  # in logits; on held-back MSR training texts 1 and 2 are alike, and better than 0
# Thresholds of the written regression, faithful and not, at which held-back MSR training texts keep .71.
_OWN = {True: 0.816, False: 0.786}


def find_marginals(tagger: str, texts: Sequence[ParsedText]) -> list[Floats]:
    """Compute p(keep) of each token of some texts."""
    from ._tagger import Tagger

    parses = [a.parse for a in texts]
    if tagger != WRITTEN:
        return Tagger.load(tagger).marginals(parses)
    both = [Tagger.load(name).marginals(parses) for name in ("headline", "conservative")]
    return [written_marginals(a, first, second) for a, first, second in zip(texts, *both, strict=True)]


def find_own_threshold(tagger: str, faithful: bool) -> float:
    """Return the threshold of a tagger for texts without a limit."""
    from ._tagger import Tagger

    return _OWN[faithful] if tagger == WRITTEN else Tagger.load(tagger).threshold


@dataclass(frozen=True)
class TaggerTree(Compressor):
    """Neural tagger with constraints from the parse tree, protected words and exact length limits.

    Maximizes the sum of logit p(keep) - logit threshold over the kept words; with a length limit, the sum of logit
    p(keep) over as many words as it allows. `tagger`: headline (keeps two words in five), conservative (three in
    four), written (what people keep of written sentences), or the file of one; auto uses headline for limits below 60%
    of the text, else written. `keep`: protected words (all, none, or some of negation, numbers, names, code, quotes,
    joined by +); auto is all, but negation for headlines without a limit. `constraints`: which words stay together
    (all, none, or some of tree, function, negation, arguments, unspaced, joined by +). `adjacency`: what two neighbours
    that are both kept add, in logits; below 0 it is 1 with written, else 0. `parses`: of how many of the best parses
    each must allow what is deleted.
    """

    name: ClassVar[str] = "tagger-tree"
    honours_patterns: ClassVar[bool] = True
    is_faithful: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    has_threshold: ClassVar[bool] = True
    tagger: str = "auto"
    keep: str = "auto"
    constraints: str = "all"
    threshold: float = 0.0  # 0: the tagger's own
    parser: str = "en"
    adjacency: float = -1.0
    parses: int = 1

    def __post_init__(self) -> None:
        if self.keep != "auto":
            parse_kinds(self.keep)
        self.parse_constraints()
        if not 1 <= self.parses <= MOST_PARSES:
            raise InputError(f"parses must be from 1 to {MOST_PARSES}; got {self.parses}")

    def parse_constraints(self) -> frozenset[str]:
        """Return the names in `constraints` as a set."""
        if self.constraints in ("all", "none"):
            return frozenset(CONSTRAINTS if self.constraints == "all" else ())
        names = frozenset(part.strip() for part in self.constraints.split("+"))
        for name in names - set(CONSTRAINTS):
            hint = f"(all, none, or some of {', '.join(CONSTRAINTS)} joined by +)"
            raise UnknownName("constraint", name, CONSTRAINTS, hint=hint)
        return names

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        choices = self._choices(sources)
        return [self._shorten(choice) if choice else build_compression(a.text, a.tokens, ()) for a, choice in choices]

    def trace(self, sources: Sequence[Source]) -> list[list[list[tuple[float, float]]]]:
        return [
            [choice.trace(level) for level in range(choice.levels)] if choice else []
            for _, choice in self._choices(sources)
        ]

    def _choices(self, sources: Sequence[Source]) -> list[tuple[ParsedText, WordChoice | None]]:
        """Parse and tag the texts; one without words has no choice."""
        several = self._parse([source.text for source in sources])
        names = [self._tagger(source) for source in sources]
        marginals: list[Floats] = [np.zeros(0)] * len(sources)
        for name in sorted(set(names)):
            members = [i for i, other in enumerate(names) if other == name]
            for i, value in zip(members, find_marginals(name, [several[i][0] for i in members]), strict=True):
                marginals[i] = value
        return [
            (parses[0], self._choice(source, parses, p, name))
            for source, parses, p, name in zip(sources, several, marginals, names, strict=True)
        ]

    def _parse(self, texts: Sequence[str]) -> list[list[ParsedText]]:
        """Parse each text, as often as `parses` says, best first."""
        if self.parses == 1:
            return [[a] for a in parse_texts(texts, self.parser)]
        several = nbest(texts, self.parser, self.parses, cache=default_cache())
        return [
            [flatten(text, parse, self.parser) for parse in parses] for text, parses in zip(texts, several, strict=True)
        ]

    def _tagger(self, source: Source) -> str:
        if self.tagger != "auto":
            return self.tagger
        if source.threshold is not None:
            return "written" if source.threshold.ratio >= _CAREFUL else "headline"
        limit = source.limit
        short = limit is not None and limit.most < _CAREFUL * limit.size(source.text)
        return "headline" if short else "written"

    def _choice(self, source: Source, parses: Sequence[ParsedText], p: Floats, tagger: str) -> WordChoice | None:
        if all(parses[0].punctuation):
            return None
        limited = source.limit is not None or source.threshold is not None
        kinds = self.keep if self.keep != "auto" else "all" if limited or tagger != "headline" else "negation"
        adjacency = self.adjacency if self.adjacency >= 0 else _ADJACENCY if tagger == WRITTEN else 0.0
        threshold = self.threshold or find_own_threshold(tagger, source.faithful)
        return WordChoice(source, parses, p, threshold, Laws(parse_kinds(kinds), self.parse_constraints(), adjacency))

    def choose(self, source: Source, a: ParsedText, p: Floats, tagger: str) -> Compression:
        """Compress a parsed text whose words have these probabilities, by the rules of a tagger."""
        choice = self._choice(source, [a], p, tagger)
        return self._shorten(choice) if choice else build_compression(source.text, a.tokens, ())

    def _shorten(self, choice: WordChoice) -> Compression:
        """Compress a text to its limit, at the threshold that it shares with others, or at the tagger's own."""
        source, limit = choice.source, choice.source.limit
        if source.threshold is not None:
            compression = choice.build(choice.at_charge(source.threshold.charge, source.threshold.level))
            return choice.label(replace(compression, notes=choice.note_lost(compression)))
        if limit is None:
            return choice.label(choice.free())
        compression = shorten(source, choice.a.tokens, lambda most: choice.within(Limit(most, limit.unit)), limit)
        if not compression.text:  # no word is short enough: the shortest text, with a note
            compression = build_compression(source.text, choice.a.tokens, choice.within(Limit(1, "words")))
        notes = (*choice.note_lost(compression), *note_excess(compression.text, limit))
        return choice.label(replace(compression, notes=notes))
