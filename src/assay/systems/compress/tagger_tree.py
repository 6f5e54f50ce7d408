"""Tagger and tree: delete the words that a neural tagger finds unlikely and keep the parse tree whole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownName
from .._budget import Limit
from .._parsed_text import ParsedText, parse_texts
from ._base import Compression, Compressor, Source, build_compression
from ._constraints import base
from ._costs import room, token_costs
from ._faithful import FaithfulGroups
from ._length import note_excess, shorten
from ._protected import find_protected, match_patterns, parse_kinds
from ._word_groups import CONSTRAINTS, WordGroups, group_words

Floats = NDArray[np.float64]
_CAREFUL = 0.6  # share of the text from which on the conservative tagger is used
_BONUS = 1.0  # in logits, for a protected word where the limit has no room for all of them
_ENOUGH = 0.75  # of the limit: a text that loses nothing is taken if it is at least so long
_SHORTEST = 0.5  # of the limit: a text that loses less is taken if it is at least so long
_FORCED = 0.6  # of the limit: how long a text is at least where something is lost in any case
_EDGE = 1e-6
_SEPARATORS = (",", ";", ":", "—", "--")
_SHOWN = 8  # words in a note


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
    tagger: str = "auto"
    keep: str = "all"
    constraints: str = "all"
    threshold: float = 0.0  # 0: the tagger's own
    parser: str = "en"

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
            self.choose(source, a, p, self.threshold or Tagger.load(name).threshold)
            for source, a, p, name in zip(sources, parsed_texts, marginals, names, strict=True)
        ]

    def _tagger(self, source: Source) -> str:
        if self.tagger != "auto":
            return self.tagger
        limit = source.limit
        careful = limit is not None and limit.most >= _CAREFUL * limit.size(source.text)
        return "conservative" if careful else "headline"

    def choose(self, source: Source, a: ParsedText, p: Floats, threshold: float) -> Compression:
        """Compress a parsed text whose words have these probabilities."""
        if all(a.punctuation):
            return build_compression(source.text, a.tokens, ())
        choice = WordChoice(source, a, p, threshold, parse_kinds(self.keep), self.parse_constraints())
        limit = source.limit
        if limit is None:
            return choice.label(choice.free())
        compression = shorten(source, a.tokens, lambda most: choice.within(Limit(most, limit.unit)), limit)
        if not compression.text:  # no word is short enough: the shortest text, with a note
            compression = build_compression(source.text, a.tokens, choice.within(Limit(1, "words")))
        notes = (*choice.note_lost(compression), *note_excess(compression.text, limit))
        return choice.label(replace(compression, notes=notes))


class WordChoice:
    """Which words of one text to keep: scores, word groups, protected, requested and unwanted words."""

    def __init__(
        self,
        source: Source,
        a: ParsedText,
        p: Floats,
        threshold: float,
        keep: frozenset[str],
        constraints: frozenset[str],
    ) -> None:
        self.source, self.a = source, a
        self.faithful = FaithfulGroups(a, constraints) if source.faithful else None
        self.groups: WordGroups = self.faithful.strict if self.faithful else group_words(a, constraints)
        odds = np.clip(p, _EDGE, 1 - _EDGE)
        self.logit = np.log(odds / (1 - odds))
        self.bias = float(np.log(threshold / (1 - threshold)))
        self.marks = [i for i, mark in enumerate(a.punctuation) if mark and p[i] >= threshold]
        self.between = [i for i, mark in enumerate(a.punctuation) if mark and 0 < i < len(p) - 1]
        requested = match_patterns(source, a.tokens)
        self.requested = {i for i, yes in requested.items() if yes}
        self.unwanted = {i for i, yes in requested.items() if not yes}
        self.protected = find_protected(a, keep) - self.unwanted

    def free(self) -> Compression:
        """Keep the words above the threshold, and the protected ones."""
        values = self._values(self.groups, self.logit - self.bias)
        states = self.groups.group_states(self.protected | self.requested, self.unwanted)
        words = self._costs(self.groups, "words")
        words_kept, _ = self.groups.best(values, words, states, 0, -1)
        if not words_kept:  # nothing is above the threshold: keep the best
            words_kept, _ = self.groups.best(values, words, states, 1, int(words.sum()))
        return build_compression(self.source.text, self.a.tokens, [*words_kept, *self._marks(words_kept)])

    def within(self, limit: Limit) -> list[int]:
        """Keep as many of the likeliest words as a limit allows.

        Protected words weigh more if not all of them fit. What would change what is said is kept if there is a text
        without such a loss that has three quarters of the length the limit allows.
        """
        most = room(self.a.tokens, limit)
        least = most if limit.unit == "words" else max(1, most - 7)
        shorter: list[tuple[float, int, list[int], WordGroups]] = []  # loss, length, words and their groups
        for groups, protected, enough in self._levels(most):
            costs = self._costs(groups, limit.unit)
            forced = self.requested | (self.protected if protected else set()) | (self._main() if enough else set())
            bonus = np.zeros(len(self.logit))
            if not protected:
                bonus[sorted(self.protected)] = _BONUS
            values = self._values(groups, self.logit + bonus)
            states = groups.group_states(forced, self.unwanted)
            strict = self.faithful is None or groups is self.faithful.strict
            low = least if strict else min(least, math.ceil(_FORCED * most))  # a shorter text may lose less
            words_kept, met = groups.best(values, costs, states, low, most)
            length = self._length(words_kept, limit.unit)
            if met and strict and length >= enough:
                break
            if met and (length >= _SHORTEST * most or not enough):
                shorter.append((self._loss(words_kept), -length, words_kept, groups))
        else:
            if shorter:
                _, _, words_kept, groups = min(shorter, key=lambda each: each[:2])
        self.groups = groups
        return sorted([*words_kept, *self._marks(words_kept)])

    def _loss(self, words_kept: list[int]) -> float:
        return 0.0 if self.faithful is None else self.faithful.loss(words_kept)

    def _levels(self, most: int) -> Iterator[tuple[WordGroups, bool, float]]:
        """Yield word groups, whether protected words are forced, and the least length to accept, best level first."""
        if self.faithful is None:
            if self.protected:
                yield self.groups, True, 0
            yield self.groups, False, 0
            return
        enough = _ENOUGH * most
        if self.protected:
            yield self.faithful.strict, True, enough
        yield self.faithful.strict, False, enough
        yield self.faithful.tight, False, enough
        yield self.faithful.loose, False, enough
        yield self.faithful.plain, False, 0

    def _main(self) -> set[int]:
        """Return the main verb of a text of one sentence, without which nothing is said; one that reports may go."""
        reporting = set() if self.faithful is None else self.faithful.reporting
        roots = {i for i, head in enumerate(self.a.heads) if head < 0 and not self.a.punctuation[i]} - reporting
        return roots - self.unwanted if len(roots) == 1 and not self.requested else set()

    def _values(self, groups: WordGroups, scores: Floats) -> Floats:
        values = groups.spread(scores)
        return values if self.faithful is None else values + self.faithful.penalties(groups)

    def _length(self, words_kept: list[int], unit: str) -> int:
        return int(token_costs(self.a.tokens, unit)[words_kept].sum())

    def label(self, compression: Compression) -> Compression:
        """Add the labels of deletions where the text was to be faithful."""
        return compression if self.faithful is None else self.faithful.label(compression)

    def _costs(self, groups: WordGroups, unit: str) -> NDArray[np.int64]:
        return groups.spread(token_costs(self.a.tokens, unit).astype(np.float64)).astype(np.int64)

    def _marks(self, words_kept: list[int]) -> list[int]:
        """Find punctuation to keep: by the tagger, between kept neighbours, or protected."""
        selected = set(words_kept)
        between = [i for i in self.between if i - 1 in selected and i + 1 in selected]
        protected = (i for i in self.protected | self.requested if self.a.punctuation[i])
        marks = {*self.marks, *between, *self._separators(words_kept)}
        if self.faithful is not None:
            marks -= self._dangling_commas(words_kept)
        return [*marks, *protected]

    def _dangling_commas(self, words_kept: list[int]) -> set[int]:
        """Find commas that enclosed what was deleted between a subject and its verb."""
        dangling: set[int] = set()
        for left, right in pairwise(words_kept):
            commas = [i for i in range(left + 1, right) if self.a.tokens[i].text == ","]
            if len(commas) >= 2 and any(self._is_subject(i, right) for i in words_kept if i <= left):
                dangling.update(commas)
        return dangling

    def _is_subject(self, i: int, start: int) -> bool:
        """Tell whether a word is the subject of a verb that stands after a place."""
        return base(self.a.words[i].relation) == "nsubj" and self.a.heads[i] >= start

    def _separators(self, words_kept: list[int]) -> Iterator[int]:
        """Find the comma or semicolon before a clause that follows another independent one."""
        tops = self.groups.tops
        for left, right in pairwise(words_kept):
            if tops[left] != tops[right]:
                separators = [i for i in range(left + 1, right) if self.a.tokens[i].text in _SEPARATORS]
                yield from separators[-1:]

    def note_lost(self, compression: Compression) -> tuple[str, ...]:
        """Return the note on protected words that the length limit removed."""
        lost = sorted(i for i in self.protected - set(compression.kept_tokens) if not self.a.punctuation[i])
        if not lost:
            return ()
        words = ", ".join(f'"{self.a.tokens[i].text}"' for i in lost[:_SHOWN]) + (", …" if len(lost) > _SHOWN else "")
        return (f"the length limit removed {len(lost)} protected {'word' if len(lost) == 1 else 'words'}: {words}",)
