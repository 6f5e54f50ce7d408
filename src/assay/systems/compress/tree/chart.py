"""Search for the best text that a tree grammar makes of a source tree: a chart with a language model and cube pruning.

From the leaves up, each constituent gets the best texts for it; of texts that begin and end with the same two words
the best is enough, since a trigram model sees no further. A constituent is built from its children, from left to right:
each is deleted, kept (any of its texts), or written by a rule together with those next to it. Where two lists of texts
meet, their pairs are looked at in the order of promise, up to a number (Huang and Chiang 2007). With unlimited width
the search is exact. Under a length limit this is done for each length by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....text.lm.trigrams import END, NONE, START, LanguageModel
from ....text.tokens.offsets import is_punctuation
from .constituents import ConstituentTree
from .rules import Match, Target

FIRST, KEEP, DELETE = range(3)  # what was done with the child before; FIRST: there is none
_NO_WORD, _START, _END = range(3)  # numbers of words in a chart


class ChartText(NamedTuple):
    """A text: its score with what its first words are expected to add, without it, its edge words and its parts."""

    promise: float
    score: float
    left: tuple[int, ...]  # up to two words
    right: tuple[int, ...]
    state: int
    back: Any  # a token, a word, or (step, the item before, the item that was added)


EMPTY = ChartText(0.0, 0.0, (), (), FIRST, None)
Beam = dict[int, list[ChartText]]  # texts by length, the best first; all have length 0 if there is no limit


class Edge(NamedTuple):
    """Texts, one to be put after another, by one step; `scores` is for each state of the first."""

    first: Beam
    second: Beam
    scores: tuple[float, float, float]
    state: int
    step: Any


class Step(NamedTuple):
    """What a derivation does at one child: KEEP or DELETE after a state, and the rule by which, if any."""

    before: int
    action: int
    node: int
    match: Match | None = None


@dataclass(frozen=True)
class TextDerivation:
    """One way to write a text: its score, its steps, and its pieces: tokens of the source (numbers) and new words."""

    score: float
    steps: tuple[Step, ...]
    pieces: tuple[int | str, ...]

    def words(self, tokens: Sequence[str]) -> list[str]:
        """Write the pieces as words."""
        return [tokens[piece] if isinstance(piece, int) else piece for piece in self.pieces]


class WordScores:
    """What a word adds after two others: weight x log p, and further costs of two words next to each other."""

    def __init__(
        self,
        language: LanguageModel | None,
        weight: float,
        bonus: float = 0.0,
        pair_cost: Callable[[str, str], float] | None = None,
        memory: dict[tuple[int, int, int], float] | None = None,
    ) -> None:
        self._log_probs = {} if memory is None else memory  # by the model's numbers; may be shared by several searches
        self.language, self.weight, self.bonus, self.pair_cost = language, weight, bonus, pair_cost
        self.numbers: dict[str, int] = {"": _NO_WORD, "<s>": _START, "</s>": _END}
        self.forms = ["", "<s>", "</s>"]
        self._ids = [NONE, START, END]
        self._values: dict[tuple[int, int, int], float] = {}

    def number(self, word: str) -> int:
        """Return the number of a word, in lower case."""
        form = word.lower()
        number = self.numbers.get(form)
        if number is None:
            number = self.numbers[form] = len(self.forms)
            self.forms.append(form)
            self._ids.append(int(self.language.ids([word])[0]) if self.language is not None else 0)
        return number

    def own(self, word: str) -> float:
        """Return what a word adds wherever it stands."""
        return 0.0 if is_punctuation(word) else self.bonus

    def after(self, a: int, b: int, c: int) -> float:
        """Return what c adds after a and b."""
        key = (a, b, c)
        value = self._values.get(key)
        if value is None:
            value = 0.0
            if self.language is not None and self.weight:
                value = self.weight * self._log_prob(self._ids[a], self._ids[b], self._ids[c])
            if self.pair_cost is not None and b != _NO_WORD:
                value += self.pair_cost(self.forms[b], self.forms[c])
            self._values[key] = value
        return value

    def _log_prob(self, a: int, b: int, c: int) -> float:
        value = self._log_probs.get((a, b, c))
        if value is None:
            assert self.language is not None
            context = (np.array([k], dtype=np.uint32) for k in (a, b, c))
            value = self._log_probs[a, b, c] = float(self.language.grams.log_probs(*context)[0])
        return value

    def expect(self, left: tuple[int, ...]) -> float:
        """Return what the first words of a text are expected to add, for want of the words before them."""
        if not left:
            return 0.0
        first = self.after(_NO_WORD, _NO_WORD, left[0])
        return first if len(left) == 1 else first + self.after(_NO_WORD, left[0], left[1])

    def word(self, text: str, back: int | str, score: float = 0.0) -> ChartText:
        """Build the text of one word."""
        edge = (self.number(text),)
        total = score + self.own(text)
        return ChartText(total + self.expect(edge), total, edge, edge, FIRST, back)

    def join(self, a: ChartText, b: ChartText, score: float, state: int, step: Any) -> ChartText:
        """Put a text after another."""
        back = (step, a, b)
        total = a.score + b.score + score
        if not b.left:
            return ChartText(total + self.expect(a.left), total, a.left, a.right, state, back)
        if not a.left:
            return ChartText(total + self.expect(b.left), total, b.left, b.right, state, back)
        first, last = b.left[0], a.right[-1]
        if len(a.right) == 2:
            total += self.after(a.right[0], last, first)
        if len(b.left) == 2:
            total += self.after(last, first, b.left[1])
        left = a.left if len(a.left) == 2 else (a.left[0], first)
        right = b.right if len(b.right) == 2 else (last, first)
        return ChartText(total + self.expect(left), total, left, right, state, back)

    def finish(self, item: ChartText) -> float:
        """Return the score of a whole text: with the words of its beginning, and its end."""
        before, total = (_NO_WORD, _START), item.score
        for word in item.left:
            total += self.after(*before, word)
            before = (before[1], word)
        last = item.right if len(item.right) == 2 else (_START, *item.right)
        return total + self.after(last[0], last[1], _END)


def merge(
    edges: Sequence[Edge], words: WordScores, width: int | None, longest: int | None = None, *, empty: bool = True
) -> Beam:
    """Return the best joined texts of all edges for each length up to the longest; without `empty`, no empty one."""
    groups: dict[int, list[_Pairs]] = {}
    for edge in edges:
        for a, first in edge.first.items():
            for b, second in edge.second.items():
                if longest is None or a + b <= longest:
                    groups.setdefault(a + b, []).append(_Pairs(first, second, edge))
    beam = {size: _merge_pairs(group, words, width, empty) for size, group in groups.items()}
    return {size: items for size, items in beam.items() if items}


class _Pairs(NamedTuple):
    """The texts of one length on either side of an edge."""

    first: list[ChartText]
    second: list[ChartText]
    edge: Edge


def _merge_pairs(groups: Sequence[_Pairs], words: WordScores, width: int | None, empty: bool) -> list[ChartText]:
    """Return the best joined texts, the best first: cube pruning; all of them if there is no width."""
    heap: list[tuple[float, int, ChartText, int, int, int]] = []
    reached: set[tuple[int, int, int]] = set()

    def push(e: int, i: int, j: int) -> None:
        first, second, edge = groups[e]
        if i < len(first) and j < len(second) and (e, i, j) not in reached:
            reached.add((e, i, j))
            a = first[i]
            item = words.join(a, second[j], edge.scores[a.state], edge.state, edge.step)
            heappush(heap, (-item.promise, len(reached), item, e, i, j))  # ties go to what came first

    for e in range(len(groups)):
        push(e, 0, 0)
    best: dict[tuple[Any, ...], ChartText] = {}
    most = 0 if width is None else 2 * width + 3  # there are at most three empty texts, one for each state
    while heap and (width is None or (len(best) < width and most)):
        most -= 1
        _, _, item, e, i, j = heappop(heap)
        key = (item.left, item.right, item.state)
        if (empty or item.left) and (key not in best or item.score > best[key].score):
            best[key] = item
        push(e, i + 1, j)
        push(e, i, j + 1)
    return sorted(best.values(), key=lambda item: -item.promise)


@dataclass(frozen=True)
class LocalScores:
    """What the model says of a tree before any words meet.

    `delete` is for each node, `copy` for each token, `step[before, action, node]` for a child after what was done with
    the one before, `rules[node, place]` the rules that fit from a child on, with their targets and scores.
    """

    delete: Sequence[float]
    copy: Sequence[float]
    step: NDArray[np.float64]
    rules: dict[tuple[int, int], list[tuple[Match, Target, float]]]


class TextChart:
    """The best texts for each constituent of a tree; `width` of them, or all.

    With a longest length, `sizes` gives that of each token, `size` that of a new word, and the best texts of each
    length are found.
    """

    def __init__(
        self,
        tree: ConstituentTree,
        tokens: Sequence[str],
        local: LocalScores,
        words: WordScores,
        width: int | None = 20,
        *,
        longest: int | None = None,
        sizes: Sequence[int] = (),
        size: Callable[[str], int] = lambda word: 0,
    ) -> None:
        self.tree, self.tokens, self.local, self.words, self.width = tree, tokens, local, words, width
        self.longest, self.sizes, self.size = longest, sizes or [0] * len(tokens), size
        self.cells: list[Beam] = [{} for _ in tree.nodes]
        for n in range(len(tree.nodes) - 1, -1, -1):  # preorder backwards: children first
            self.cells[n] = self._cell(n)
        self.top = self._row((0,), -1)

    def _cell(self, n: int) -> Beam:
        node = self.tree.nodes[n]
        if not node.children:
            item = self.words.word(self.tokens[node.start], node.start, self.local.copy[node.start])
            return {self.sizes[node.start]: [item]}
        return self._row(node.children, n)

    def _merge(self, edges: Sequence[Edge], *, empty: bool = True) -> Beam:
        return merge(edges, self.words, self.width, self.longest, empty=empty)

    def _row(self, children: Sequence[int], parent: int) -> Beam:
        """Return the texts for a row of sibling constituents that are not empty."""
        into: list[list[Edge]] = [[] for _ in range(len(children) + 1)]
        items: Beam = {0: [EMPTY]}
        for place, child in enumerate(children):
            if place:
                items = self._merge(into[place])
            step = self.local.step[:, :, child]
            keep: tuple[float, float, float] = (float(step[0, 0]), float(step[1, 0]), float(step[2, 0]))
            into[place + 1].append(Edge(items, self.cells[child], keep, KEEP, (KEEP, child, None)))
            if parent >= 0:
                cost = self.local.delete[child]
                drop = (float(step[0, 1]) + cost, float(step[1, 1]) + cost, float(step[2, 1]) + cost)
                into[place + 1].append(Edge(items, {0: [EMPTY]}, drop, DELETE, (DELETE, child, None)))
            for match, target, score in self.local.rules.get((parent, place), ()):
                write = (keep[0] + score, keep[1] + score, keep[2] + score)
                edge = Edge(items, self._write(target, match), write, KEEP, (KEEP, child, match))
                into[place + match.width].append(edge)
        return {size: _without_state(row) for size, row in self._merge(into[-1], empty=False).items()}

    def _write(self, target: Target, match: Match) -> Beam:
        """Return the texts of a rule's target side, the variables being the constituents that they stand for."""
        items: Beam = {0: [EMPTY]}
        for part in target:
            if isinstance(part, str):
                parts = {self.size(part): [self.words.word(part, part)]}
            else:
                parts = self.cells[match.variables[part]]
            items = self._merge([Edge(items, parts, (0.0, 0.0, 0.0), FIRST, None)])
        return items

    def best(self, most: int | None = 1) -> list[TextDerivation]:
        """Return the best texts of any length, the best first."""
        ranked = [pair for size in self.top for pair in self._rank(size)]
        ranked.sort(key=lambda pair: -pair[0])
        return [read_derivation(item, score) for score, item in ranked[:most]]

    def of_size(self, size: int, most: int | None = 1) -> list[TextDerivation]:
        """Return the best texts of one length, the best first."""
        return [read_derivation(item, score) for score, item in self._rank(size)[:most]]

    def _rank(self, size: int) -> list[tuple[float, ChartText]]:
        values = [(self.words.finish(item), item) for item in self.top.get(size, ())]
        return sorted(values, key=lambda pair: -pair[0])


def _without_state(items: Sequence[ChartText]) -> list[ChartText]:
    """Return the best of the texts with the same edges: what was done with the last child matters no more."""
    best: dict[tuple[Any, ...], ChartText] = {}
    for item in items:
        key = (item.left, item.right)
        if key not in best or item.score > best[key].score:
            best[key] = item
    return sorted(best.values(), key=lambda item: -item.promise)


def read_derivation(item: ChartText, score: float) -> TextDerivation:
    """Read off what an item was made of."""
    steps: list[Step] = []
    pieces: list[int | str] = []
    todo: list[ChartText] = [item]
    while todo:
        item = todo.pop()
        if isinstance(item.back, int | str):
            pieces.append(item.back)
        elif item.back is not None:
            step, before, added = item.back
            if step is not None:
                steps.append(Step(before.state, *step))
            todo += [added, before]  # what stands before is read first
    return TextDerivation(score, tuple(steps), tuple(pieces))


def count_words(pieces: Iterable[int | str], tokens: Sequence[str]) -> int:
    """Count the pieces that are words."""
    return sum(not is_punctuation(tokens[p] if isinstance(p, int) else p) for p in pieces)
