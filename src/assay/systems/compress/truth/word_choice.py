"""Word choice: which words of one text to keep, within a length limit, at a charge for each word, or at a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....text.parse.flat import ParsedText
from ...budget import Limit
from .._base import Compression, Source, build_compression
from ..length._costs import room, token_costs
from ._protected import find_protected, match_patterns
from .constraints import base
from .faithful import FaithfulGroups
from .faithful_choice import Wishes, choose_faithfully
from .word_groups import WordGroups, group_words, join_groups

Floats = NDArray[np.float64]
_BONUS = 1.0  # in logits, for a protected word where the limit has no room for all of them
_EDGE = 1e-6
_DISCOUNT = 1 / 250  # of the penalties where all texts share one charge: a loss is worth 4 to 64 logits
CHARGES = 64.0  # the highest charge for a word, in logits
_SEPARATORS = (",", ";", ":", "—", "--")
_ASIDES = frozenset({"acl", "advcl", "appos", "parataxis", "obl", "nmod"})  # what commas enclose
_CLAUSES = frozenset({"acl", "advcl", "appos", "parataxis"})  # what a comma sets off at the start or end
_SHOWN = 8  # words in a note
_MARK = 0.6  # the probability from which on punctuation is kept, where the threshold for words is not lower


class Laws(NamedTuple):
    """What a choice of words must obey, whatever the text."""

    keep: frozenset[str]  # kinds of protected words
    constraints: frozenset[str]  # which words stay together
    adjacency: float = 0.0  # in logits, for two neighbouring words that are both kept


class Terms(NamedTuple):
    """What a choice at a charge for each word is made of, by groups."""

    groups: WordGroups
    values: Floats
    states: NDArray[np.int64]
    sizes: Floats  # in tokens, which are charged
    words: NDArray[np.int64]


class Line(NamedTuple):
    """A choice of groups, and what it is worth as a function of the charge."""

    key: bytes
    value: float
    size: float

    def at(self, charge: float) -> float:
        """Return its worth at a charge."""
        return self.value - charge * self.size


class WordChoice:
    """Which words of one text to keep: scores, word groups, protected, requested and unwanted words.

    Of several parses the first is the best; what is kept is allowed by each.
    """

    def __init__(self, source: Source, parses: Sequence[ParsedText], p: Floats, threshold: float, laws: Laws) -> None:
        a = parses[0]
        self.source, self.a, self.parses, self.laws = source, a, parses, laws
        self.every = [FaithfulGroups(parse, laws.constraints) for parse in parses] if source.faithful else []
        self.faithful = self.every[0] if self.every else None
        self._joined: dict[str, WordGroups] = {}
        self._cached_terms: dict[int, Terms] = {}
        self.groups = self.join("strict")
        odds = np.clip(p, _EDGE, 1 - _EDGE)
        self.logit = np.log(odds / (1 - odds))
        self.bias = float(np.log(threshold / (1 - threshold)))
        self.marks = [i for i, mark in enumerate(a.punctuation) if mark and p[i] >= min(threshold, _MARK)]
        self.between = [i for i, mark in enumerate(a.punctuation) if mark and 0 < i < len(p) - 1]
        requested = match_patterns(source, a.tokens)
        self.requested = {i for i, yes in requested.items() if yes}
        self.unwanted = {i for i, yes in requested.items() if not yes}
        self.protected = find_protected(a, laws.keep) - self.unwanted

    def join(self, level: str) -> WordGroups:
        """Return the word groups of a level of faithfulness in all parses; without it there is one level."""
        level = level if self.every else "plain"
        if level not in self._joined:
            several: list[WordGroups] = (
                [getattr(faithful, level) for faithful in self.every]
                if self.every
                else [group_words(parse, self.laws.constraints) for parse in self.parses]
            )
            self._joined[level] = join_groups(several)
        return self._joined[level]

    def free(self) -> Compression:
        """Keep the words above the threshold, and the protected ones."""
        return self.build(self.at_charge(self.bias, 0))

    def build(self, words_kept: list[int]) -> Compression:
        """Build the compression of these words."""
        return build_compression(self.source.text, self.a.tokens, [*words_kept, *self._marks(words_kept)])

    @property
    def levels(self) -> int:
        """How many ways there are to choose at a charge: the later the shorter, and the less is protected."""
        return 3 if self.every else 2

    def at_charge(self, charge: float, level: int) -> list[int]:
        """Keep the words that are worth what each of them is charged, in logits, and at least one.

        Level 0 keeps all protected words and breaks no bond, 1 gives protected words a bonus, 2 may break bonds.
        """
        bits = self._choose_groups(charge, self._terms(level))
        return self.groups.tokens_of(bits, self._terms(level).states)

    def _choose_groups(self, charge: float, terms: Terms) -> NDArray[np.uint8]:
        self.groups = terms.groups
        net = terms.values - charge * terms.sizes
        bits, _ = terms.groups.best_groups(net, terms.words, terms.states, 0, -1, self.laws.adjacency)
        if not bits.any():  # nothing is worth it: keep the best
            most = int(terms.words.sum())
            bits, _ = terms.groups.best_groups(net, terms.words, terms.states, 1, most, self.laws.adjacency)
        return bits

    def _terms(self, level: int) -> Terms:
        if level not in self._cached_terms:
            groups = self.join("strict" if level < 2 else "plain")
            forced = self.requested | (self.protected if level == 0 else set())
            values = groups.spread(self.logit + (self._bonus() if level else 0.0))
            if self.faithful is not None:
                values = values + self.faithful.penalties(groups) * (1.0 if level < 2 else _DISCOUNT)
                forced |= self._main()
            states = groups.group_states(forced, self.unwanted)
            sizes = groups.spread(np.ones(len(self.logit)))
            self._cached_terms[level] = Terms(groups, values, states, sizes, self._costs(groups, "words"))
        return self._cached_terms[level]

    def trace(self, level: int) -> list[tuple[float, float]]:
        """Return the charges at which the choice changes, in order, each with the token rate from there on.

        The best value as a function of the charge is the upper hull of lines, one for each choice: where two of them
        cross, a third is above, or the choice changes there (Eisner and Severance 1976).
        """
        terms = self._terms(level)
        rates: dict[bytes, float] = {}

        def find_line(charge: float) -> Line:
            bits = self._choose_groups(charge, terms)
            key = bits.tobytes()
            if key not in rates:
                rates[key] = self.build(terms.groups.tokens_of(bits, terms.states)).token_rate
            neighbours = self.laws.adjacency * terms.groups.count_neighbours(bits)
            return Line(key, float(terms.values @ bits) + neighbours, float(terms.sizes @ bits))

        first = find_line(-CHARGES)
        steps: list[tuple[float, float]] = []
        stack = [(first, find_line(CHARGES))]
        while stack:
            left, right = stack.pop()
            if left.size <= right.size:
                continue
            cross = (left.value - right.value) / (left.size - right.size)
            middle = find_line(cross)
            if middle.at(cross) <= left.at(cross) + _EDGE:
                steps.append((cross, rates[right.key]))
            else:
                stack += [(left, middle), (middle, right)]
        return [(-CHARGES, rates[first.key]), *sorted(steps)]

    def within(self, limit: Limit) -> list[int]:
        """Keep as many of the likeliest words as a limit allows; protected words weigh more if not all of them fit."""
        most = room(self.a.tokens, limit)
        if self.faithful is not None:
            wishes = Wishes(self._scores, self.protected, self.requested | self._main(), self.unwanted)
            costs = token_costs(self.a.tokens, limit.unit).astype(np.int64)
            choice = choose_faithfully(self.faithful, self.join, wishes, costs, most, self.laws.adjacency)
            self.groups = choice.groups if choice is not None else self.join("plain")
            if choice is not None:
                return sorted([*choice.words, *self._marks(choice.words)])
        least = most if limit.unit == "words" else max(1, most - 7)
        for groups, protected in self._levels():
            self.groups = groups
            costs = self._costs(groups, limit.unit)
            states = groups.group_states(self.requested | (self.protected if protected else set()), self.unwanted)
            values = groups.spread(self._scores(protected))
            words_kept, met = groups.best(values, costs, states, least, most, self.laws.adjacency)
            if met and 0 < self._length(words_kept, limit.unit) <= most:
                break
        return sorted([*words_kept, *self._marks(words_kept)])

    def _levels(self) -> Iterator[tuple[WordGroups, bool]]:
        """Yield word groups and whether protected words are forced, for texts that need not be faithful."""
        if self.protected and self.faithful is None:
            yield self.groups, True
        yield self.groups, False
        yield group_words(self.a, self.laws.constraints, whole=False), False

    def _scores(self, protected: bool) -> Floats:
        """Return the scores of words; protected ones weigh more where they are not forced."""
        return self.logit if protected else self.logit + self._bonus()

    def _bonus(self) -> Floats:
        bonus = np.zeros(len(self.logit))
        bonus[sorted(self.protected)] = _BONUS
        return bonus

    def _main(self) -> set[int]:
        """Return the main verb of a text of one sentence, without which nothing is said; one that reports may go."""
        reporting = set() if self.faithful is None else self.faithful.reporting
        roots = {i for i, head in enumerate(self.a.heads) if head < 0 and not self.a.punctuation[i]} - reporting
        return roots - self.unwanted if len(roots) == 1 and not self.requested else set()

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
        owners = [i for i, word in enumerate(self.a.words) if word.tag == "POS" and i - 1 in selected]
        marks = {*self.marks, *between, *owners, *self._separators(words_kept), *self._enclosing_commas(words_kept)}
        if self.faithful is not None:
            marks -= self._dangling_commas(words_kept)
        return [*marks, *protected]

    def _enclosing_commas(self, words_kept: list[int]) -> Iterator[int]:
        """Find the commas around a phrase or clause of which a part is kept, between words that are.

        A clause at the start of its sentence has one after it, a clause at the end one before it.
        """
        commas = {i for i, token in enumerate(self.a.tokens) if token.text == ","}
        if not commas or not words_kept:
            return
        selected, sentence = set(words_kept), self.a.sentence
        for head, word in enumerate(self.a.words):
            if head not in selected or base(word.relation) not in _ASIDES:
                continue
            words = [i for i in self.a.subtree(head) if not self.a.punctuation[i]]
            before, after = words[0] - 1, words[-1] + 1
            opens, closes = before in commas and words_kept[0] < before, after in commas and words_kept[-1] > after
            if opens and closes:
                yield from (before, after)
            elif base(word.relation) in _CLAUSES:
                if closes and (before < 0 or sentence[before] != sentence[head]):
                    yield after
                if opens and (after >= len(sentence) - 1 or sentence[after + 1] != sentence[head]):
                    yield before

    def _dangling_commas(self, words_kept: list[int]) -> set[int]:
        """Find commas that enclosed what was deleted between a subject and its verb."""
        dangling: set[int] = set()
        for left, right in pairwise(words_kept):
            commas = [i for i in range(left + 1, right) if self.a.tokens[i].text == ","]
            if len(commas) >= 2 and any(self._is_subject(i, right) for i in words_kept if i <= left):
                dangling.update(commas)
        return dangling

    def _is_subject(self, i: int, start: int) -> bool:
        """Check if a word is the subject of a verb that stands after a place."""
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
