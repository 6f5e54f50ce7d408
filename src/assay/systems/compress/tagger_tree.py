"""Tagger and tree: delete the words that a neural tagger finds unlikely and keep the parse tree whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from ._faithful_choice import Wishes, choose_faithfully
from ._length import note_excess, shorten
from ._protected import find_protected, match_patterns, parse_kinds
from ._word_groups import CONSTRAINTS, WordGroups, group_words

Floats = NDArray[np.float64]
_CAREFUL = 0.6  # share of the text from which on the conservative tagger is used
_BONUS = 1.0  # in logits, for a protected word where the limit has no room for all of them
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
        values = self.groups.spread(self.logit - self.bias)
        if self.faithful is not None:
            values = values + self.faithful.penalties(self.groups)
        states = self.groups.group_states(self.protected | self.requested, self.unwanted)
        words = self._costs(self.groups, "words")
        words_kept, _ = self.groups.best(values, words, states, 0, -1)
        if not words_kept:  # nothing is above the threshold: keep the best
            words_kept, _ = self.groups.best(values, words, states, 1, int(words.sum()))
        return build_compression(self.source.text, self.a.tokens, [*words_kept, *self._marks(words_kept)])

    def within(self, limit: Limit) -> list[int]:
        """Keep as many of the likeliest words as a limit allows; protected words weigh more if not all of them fit."""
        most = room(self.a.tokens, limit)
        if self.faithful is not None:
            wishes = Wishes(self._scores, self.protected, self.requested | self._main(), self.unwanted)
            costs = token_costs(self.a.tokens, limit.unit).astype(np.int64)
            choice = choose_faithfully(self.faithful, partial(getattr, self.faithful), wishes, costs, most)
            self.groups = choice.groups if choice is not None else self.faithful.plain
            if choice is not None:
                return sorted([*choice.words, *self._marks(choice.words)])
        least = most if limit.unit == "words" else max(1, most - 7)
        costs = self._costs(self.groups, limit.unit)
        for protected in (True, False) if self.protected and self.faithful is None else (False,):
            forced = self.requested | (self.protected if protected else set())
            states = self.groups.group_states(forced, self.unwanted)
            values = self.groups.spread(self._scores(protected))
            words_kept, met = self.groups.best(values, costs, states, least, most)
            if met:
                break
        return sorted([*words_kept, *self._marks(words_kept)])

    def _main(self) -> set[int]:
        """Return the main verb of a text of one sentence, without which nothing is said; one that reports may go."""
        reporting = set() if self.faithful is None else self.faithful.reporting
        roots = {i for i, head in enumerate(self.a.heads) if head < 0 and not self.a.punctuation[i]} - reporting
        return roots - self.unwanted if len(roots) == 1 and not self.requested else set()

    def _scores(self, protected: bool) -> Floats:
        """Return the scores of words; protected ones weigh more where they are not forced."""
        bonus = np.zeros(len(self.logit))
        if not protected:
            bonus[sorted(self.protected)] = _BONUS
        return self.logit + bonus

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
