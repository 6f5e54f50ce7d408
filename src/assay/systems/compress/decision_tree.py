"""Decision-based compression (Knight and Marcu 2002; Clarke and Lapata 2006, 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import ClassVar

from ..budget import Limit
from .analysis import Analysis, analyse
from .base import Compression, Source, System, compression
from .cart import MODELS, Cart, load_cart
from .decisions import Case, features
from .fitting import shortened
from .shift_reduce import ASSIGN, DROP, REDUCE, SHIFT, Action, State, action, begin
from .trees import trees

_STEEPEST = 12.0  # a DROP seen once in 160,000 is as good as any
_HALVINGS = 9


@dataclass(frozen=True)
class DecisionTree(System):
    """Decision tree of Knight and Marcu: shift, reduce or drop constituents, greedily.

    model: google, which comes with Assay, or the path of one made by training/compress/train_tree.py.
    trees: dependencies (phrases are made of the dependency parse), or a file of trees in Penn brackets that holds one
    for each text. An action that cannot be done gives way to the next best at the same leaf. A budget is a length
    to reach: DROP is given the weight, above or below 1, with which the text is longest within it.
    """

    name: ClassVar[str] = "decision-tree"
    english_only: ClassVar[bool] = True
    model: str = "google"
    trees: str = "dependencies"
    parser: str = "en"

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        cart = load_cart(MODELS / "decision-tree" if self.model == "google" else Path(self.model).with_suffix(""))
        analyses = analyse([source.text for source in sources], self.parser)
        return [self._one(cart, s, a) for s, a in zip(sources, analyses, strict=True)]

    def _one(self, cart: Cart, source: Source, analysis: Analysis) -> Compression:
        if not analysis.tokens:
            return compression(source.text, (), ())
        case = Case.of(trees(analysis, self.trees), analysis)
        decoder = Decoder(cart, case)
        if source.limit is None:
            return compression(source.text, analysis.tokens, decoder.kept(0.0))
        return self._within(source, analysis, decoder, source.limit)

    def _within(self, source: Source, analysis: Analysis, decoder: Decoder, limit: Limit) -> Compression:
        """The longest text within the limit that some weight on DROP gives; the rest is cut at the end."""
        low, high = -_STEEPEST, _STEEPEST
        best = compression(source.text, analysis.tokens, decoder.kept(high))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            made = compression(source.text, analysis.tokens, decoder.kept(middle))
            if limit.holds(made.text):
                high = middle
                if limit.size(made.text) > limit.size(best.text) or not limit.holds(best.text):
                    best = made
            else:
                low = middle
        return best if limit.holds(best.text) else shortened(source, analysis.tokens, best.kept, limit)


class Decoder:
    """Greedy search over one text; a leaf once found is remembered, as several weights on DROP are tried."""

    def __init__(self, cart: Cart, case: Case) -> None:
        self._cart, self._case = cart, case
        self._actions = [action(label) for label in cart.labels]
        self._after: dict[tuple[int, Action], int] = {}  # numbers of states: what follows a state after an action
        self._leaves: dict[int, int] = {}

    def kept(self, drop: float) -> list[int]:
        """The tokens that are kept when exp(drop) times the counts of DROP compete with those of other actions."""
        state, number = begin(self._case.tree), 0
        weight = exp(drop)
        while not state.done:
            if number not in self._leaves:
                self._leaves[number] = self._cart.leaf(features(state, self._case))
            act = self._choose(state, self._leaves[number], weight)
            number = self._after.setdefault((number, act), len(self._after) + 1)
            state.do(act)
        return state.kept

    def _choose(self, state: State, leaf: int, weight: float) -> Action:
        """The best legal action; if the leaf knows none, what can always be done."""
        best, most = None, 0.0
        for k, count in self._cart.choices(leaf):
            act = self._actions[k]
            value = count * weight if act.kind == DROP else count
            if value > most and state.legal(act):
                best, most = act, value
        return best or forced(state)


def forced(state: State) -> Action:
    """What can always be done: the word's own type, SHIFT, or a tree of all that is on the stack."""
    nodes = state.tree.nodes
    if state.untyped:
        return Action(ASSIGN, nodes[state.tree.leaves[state.at - 1]].label)
    if state.at < state.words:
        return Action(SHIFT)
    return Action(REDUCE, nodes[0].label, len(state.stack))
