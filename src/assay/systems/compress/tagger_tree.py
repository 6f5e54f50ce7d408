"""Tagger and tree: delete the words that a neural tagger finds unlikely and keep the parse tree whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownName
from .._budget import Limit
from .._parsed_text import ParsedText, parse_texts
from ._base import Compression, Compressor, Source, build_compression
from ._length import note_excess, shorten
from ._protected import parse_kinds
from ._word_choice import Laws, WordChoice
from ._word_groups import CONSTRAINTS

Floats = NDArray[np.float64]
_CAREFUL = 0.6  # share of the text from which on the conservative tagger is used


@dataclass(frozen=True)
class TaggerTree(Compressor):
    """Neural tagger with constraints from the parse tree, protected words and exact length limits.

    Maximizes the sum of logit p(keep) - logit threshold over the kept words; with a length limit, the sum of logit
    p(keep) over as many words as it allows. `tagger`: headline (keeps two words in five), conservative (three in
    four), or the file of one; auto uses conservative for limits of 60% of the text or more. `keep`: protected words
    (all, none, or some of negation, numbers, names, code, quotes, joined by +). `constraints`: which words stay
    together (all, none, or some of tree, function, negation, arguments, unspaced, joined by +).
    """

    name: ClassVar[str] = "tagger-tree"
    honours_patterns: ClassVar[bool] = True
    is_faithful: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    has_threshold: ClassVar[bool] = True
    tagger: str = "auto"
    keep: str = "all"
    constraints: str = "all"
    threshold: float = 0.0  # 0: the tagger's own
    parser: str = "en"
    adjacency: float = 0.0

    def __post_init__(self) -> None:
        parse_kinds(self.keep)
        self.parse_constraints()

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
        return [
            self._shorten(choice) if choice else build_compression(a.text, a.tokens, ()) for a, choice in choices
        ]

    def trace(self, sources: Sequence[Source]) -> list[list[list[tuple[float, float]]]]:
        return [
            [choice.trace(level) for level in range(choice.levels)] if choice else []
            for _, choice in self._choices(sources)
        ]

    def _choices(self, sources: Sequence[Source]) -> list[tuple[ParsedText, WordChoice | None]]:
        """Parse and tag the texts; one without words has no choice."""
        from ._tagger import Tagger

        parsed_texts = parse_texts([source.text for source in sources], self.parser)
        names = [self._tagger(source) for source in sources]
        marginals: list[Floats] = [np.zeros(0)] * len(sources)
        for name in sorted(set(names)):
            members = [i for i, other in enumerate(names) if other == name]
            values = Tagger.load(name).marginals([parsed_texts[i].parse for i in members])
            for i, value in zip(members, values, strict=True):
                marginals[i] = value
        return [
            (a, self._choice(source, a, p, self.threshold or Tagger.load(name).threshold))
            for source, a, p, name in zip(sources, parsed_texts, marginals, names, strict=True)
        ]

    def _tagger(self, source: Source) -> str:
        if self.tagger != "auto":
            return self.tagger
        if source.threshold is not None:
            return "conservative" if source.threshold.ratio >= _CAREFUL else "headline"
        limit = source.limit
        careful = limit is not None and limit.most >= _CAREFUL * limit.size(source.text)
        return "conservative" if careful else "headline"

    def _choice(self, source: Source, a: ParsedText, p: Floats, threshold: float) -> WordChoice | None:
        if all(a.punctuation):
            return None
        laws = Laws(parse_kinds(self.keep), self.parse_constraints(), self.adjacency)
        return WordChoice(source, [a], p, threshold, laws)

    def _shorten(self, choice: WordChoice) -> Compression:
        """Compress a text to its limit, at the threshold that it shares with others, or at the tagger's own."""
        source, limit = choice.source, choice.source.limit
        if source.threshold is not None:
            compression = choice.build(choice.at_charge(source.threshold.charge, source.threshold.level))
            return choice.label(replace(compression, notes=choice.note_lost(compression)))
        if limit is None:
            return choice.label(choice.free())
        compression = shorten(source, choice.a.tokens, lambda most: choice.within(Limit(most, limit.unit)), limit)
        notes = (*choice.note_lost(compression), *note_excess(compression.text, limit))
        return choice.label(replace(compression, notes=notes))
