"""Decision-based compression (Knight and Marcu 2002; Clarke and Lapata 2006, 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import ClassVar

from ...text.parse.flat import ParsedText, parse_texts
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from .length._limit import cut_to_limit
from .tree._cart import Cart, find_shipped, load_cart
from .tree._decision_features import Case, features
from .tree._trees import build_tree
from .tree.shift_reduce import ASSIGN, DROP, REDUCE, SHIFT, Action, State, action, begin

_STEEPEST = 12.0  # a DROP seen once in 160,000 is as good as any
_HALVINGS = 8
_SWITCHES = 16  # at most twice as many places are tried
_NEAR = 0.85  # of the budget: below it the end is cut off rather than so much left unused
_UNSEEN = 0.05  # cases
_SHIFT = Action(SHIFT)


@dataclass(frozen=True)
class DecisionTree(Compressor):
    """Decision tree of Knight and Marcu: shift, reduce or drop constituents, greedily.

    model: google, which comes with Assay, or the path of one made by training/systems/compress/train_tree.py.
    trees: dependencies (phrases are made of the dependency parse), or a file of trees in Penn brackets that holds one
    for each text. If an action is impossible, the next best at the same leaf is taken. With a length limit, DROP gets
    the weight, above or below 1, with which the text is longest within the limit, and from some word on the next
    higher weight.
    """

    name: ClassVar[str] = "decision-tree"
    english_only: ClassVar[bool] = True
    model: str = "google"
    trees: str = "dependencies"
    parser: str = "en"

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        cart = load_cart(find_shipped("decision-tree", self.model))
        analyses = parse_texts([source.text for source in sources], self.parser)
        return [self._one(cart, s, a) for s, a in zip(sources, analyses, strict=True)]

    def _one(self, cart: Cart, source: Source, analysis: ParsedText) -> Compression:
        if not analysis.tokens:
            return build_compression(source.text, (), ())
        case = Case.of(build_tree(analysis, self.trees), analysis)
        decoder = Decoder(cart, case)
        if source.limit is None:
            return build_compression(source.text, analysis.tokens, decoder.decode(0.0))
        return self._within(source, analysis, decoder, source.limit)

    def _within(self, source: Source, analysis: ParsedText, decoder: Decoder, limit: Limit) -> Compression:
        """Find the longest text within the limit: one weight for all words, then a lower one for the first."""

        def compress_with(before: float, after: float, switch: int) -> Compression:
            return build_compression(source.text, analysis.tokens, decoder.decode(before, after, switch))

        whole = len(analysis.tokens)
        best = compress_with(-_STEEPEST, -_STEEPEST, whole)
        if limit.holds(best.text):
            return best
        low, high = -_STEEPEST, _STEEPEST
        tried = [compress_with(high, high, 0)]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            tried.append(compress_with(middle, middle, 0))
            low, high = (low, middle) if limit.holds(tried[-1].text) else (middle, high)
        switches = range(1, whole, max(1, whole // _SWITCHES))
        tried += [compress_with(low, high, switch) for switch in switches]
        fitting = [c for c in tried if limit.holds(c.text)]
        if max((limit.size(c.text) for c in fitting), default=0) < _NEAR * limit.most:
            fitting += [c for switch in switches if limit.holds((c := compress_with(low, _STEEPEST, switch)).text)]
        if fitting:
            return max(fitting, key=lambda c: limit.size(c.text))
        return cut_to_limit(source, analysis.tokens, tried[0].kept_tokens, limit)


class Decoder:
    """Greedy search over one text; a leaf once found is remembered, as several weights on DROP are tried."""

    def __init__(self, cart: Cart, case: Case) -> None:
        self._cart, self._case = cart, case
        self._actions = [action(label) for label in cart.labels]
        self._after: dict[tuple[int, Action], int] = {}  # numbers of states: what follows a state after an action
        self._leaves: dict[int, int] = {}

    def decode(self, before: float, after: float | None = None, switch: int = 0) -> list[int]:
        """Return the tokens that are kept if the counts of DROP are multiplied by exp(before).

        From the token `switch` on, exp(after) times.
        """
        state, number = begin(self._case.tree), 0
        first, then = exp(before), exp(before if after is None else after)
        while not state.finished:
            if number not in self._leaves:
                self._leaves[number] = self._cart.leaf(features(state, self._case))
            act = self._choose(state, self._leaves[number], first if state.at < switch else then)
            number = self._after.setdefault((number, act), len(self._after) + 1)
            state.do(act)
        return state.kept_tokens

    def _choose(self, state: State, leaf: int, weight: float) -> Action:
        """Choose the best legal action; if the leaf has none, one that is always possible."""
        best: Action | None = None
        most = 0.0
        if weight != 1 and state.legal(_SHIFT):  # a length limit may need an action that was never seen at this leaf
            best, most = _SHIFT, _UNSEEN
            drop = Action(DROP, state.tree.nodes[self._largest(state)].label)
            if _UNSEEN * weight > most and state.legal(drop):
                best, most = drop, _UNSEEN * weight
        for k, count in self._cart.choices(leaf):
            act = self._actions[k]
            value = count * weight if act.kind == DROP else count
            if value > most and state.legal(act):
                best, most = act, value
        return best or fallback_action(state)

    def _largest(self, state: State) -> int:
        """Return the largest constituent at the first word of the input that is not the whole text."""
        starting = state.tree.starting[state.at]
        return starting[1] if len(starting) > 1 and state.tree.nodes[starting[0]].parent < 0 else starting[0]


def fallback_action(state: State) -> Action:
    """Return an action that is always possible: the word's own type, SHIFT, or a tree of all that is on the stack."""
    nodes = state.tree.nodes
    if state.untyped:
        return Action(ASSIGN, nodes[state.tree.leaves[state.at - 1]].label)
    if state.at < state.words:
        return Action(SHIFT)
    return Action(REDUCE, nodes[0].label, len(state.stack))
