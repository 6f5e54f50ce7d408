"""Tagger and tree: delete the words that a neural tagger finds unlikely and keep the parse tree whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UnknownName
from ...text.cache import default_cache
from ...text.parse.flat import ParsedText, flatten, parse_texts
from ...text.parse.parser import nbest
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from .length._limit import note_excess, shorten
from .truth._protected import parse_kinds
from .truth.word_choice import Laws, WordChoice
from .truth.word_groups import CONSTRAINTS

if TYPE_CHECKING:
    from .neural.tagger import Tagger

Floats = NDArray[np.float64]
AUTO, HEADLINE = "auto", "headline"
MAX_PARSES = 50


@dataclass(frozen=True)
class TaggerTree(Compressor):
    """Neural tagger with constraints from the parse tree, protected words and exact length limits.

    Maximizes the sum of logit p(keep) - logit threshold over the kept words; with a length limit, the sum of logit
    p(keep) over as many words as it allows. `tagger`: headline, conservative (trained on data for research only), or
    the file of one; auto is headline, but protects all kinds of words without a limit too: it then keeps four words in
    five of news, tagger=headline two in five. `keep`: protected words (all, none, or some of negation, numbers, names,
    code, quotes, joined by +); auto is all, but negation for tagger=headline without a limit. `constraints`: which
    words stay together (all, none, or some of tree, function, negation, arguments, unspaced, joined by +).
    `threshold`: probability from which on a word is kept without a limit (0: the tagger's own, .41 for headline, which
    has the best token F1 on the validation part of its training set). `adjacency`: what two neighbours that are both
    kept add, in logits. `parses`: of how many of the best parses each must allow what is deleted.
    """

    name: ClassVar[str] = "tagger-tree"
    honours_patterns: ClassVar[bool] = True
    is_faithful: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    has_threshold: ClassVar[bool] = True
    tagger: str = "auto"
    keep: str = "auto"
    constraints: str = "all"
    threshold: float = 0.0
    parser: str = "en"
    adjacency: float = 0.0
    parses: int = 1

    def __post_init__(self) -> None:
        if self.keep != "auto":
            parse_kinds(self.keep)
        self.parse_constraints()
        if not 1 <= self.parses <= MAX_PARSES:
            raise InputError(f"parses must be from 1 to {MAX_PARSES}; got {self.parses}")

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
        tagger = self._load_tagger()  # first: without the models, the error then names all that is missing
        several = self._parse([source.text for source in sources])
        marginals = tagger.marginals([parses[0].parse for parses in several])
        return [
            (parses[0], self._choice(source, parses, p, self.tagger))
            for source, parses, p in zip(sources, several, marginals, strict=True)
        ]

    def _load_tagger(self) -> Tagger:
        from .neural.tagger import Tagger

        return Tagger.load(HEADLINE if self.tagger == AUTO else self.tagger)

    def _parse(self, texts: Sequence[str]) -> list[list[ParsedText]]:
        """Parse each text, as often as `parses` says, best first."""
        if self.parses == 1:
            return [[a] for a in parse_texts(texts, self.parser)]
        several = nbest(texts, self.parser, self.parses, cache=default_cache())
        return [
            [flatten(text, parse, self.parser) for parse in parses] for text, parses in zip(texts, several, strict=True)
        ]

    def _choice(self, source: Source, parses: Sequence[ParsedText], p: Floats, tagger: str) -> WordChoice | None:
        if all(parses[0].punctuation):
            return None
        limited = source.limit is not None or source.threshold is not None
        kinds = self.keep if self.keep != "auto" else "all" if limited or tagger != HEADLINE else "negation"
        laws = Laws(parse_kinds(kinds), self.parse_constraints(), self.adjacency)
        return WordChoice(source, parses, p, self.threshold or self._load_tagger().threshold, laws)

    def choose(self, source: Source, a: ParsedText, p: Floats, tagger: str) -> Compression:
        """Compress a parsed text with these probabilities of words, by the rules of a tagger."""
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
