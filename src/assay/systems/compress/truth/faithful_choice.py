"""Faithful choice: of the texts within a length limit, the one that changes the meaning least."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .faithful import GRAVE, FaithfulGroups
from .word_groups import WordGroups

Floats = NDArray[np.float64]
_MIN_SHARE = 0.75  # of the limit: a text that changes nothing is taken if it is at least so long
# Of the limit: where something must be lost, how long a text is at least; shorter ones only if they lose nothing grave.
_SHARES = (0.5, 0.4, 0.3)


class Wishes(NamedTuple):
    """Scores of the tokens, those that must stay, those that should, and those that must not."""

    scores: Callable[[bool], Floats]  # of the tokens, where protected ones are forced and where they are not
    protected: set[int]
    forced: set[int]
    unwanted: set[int]


class FaithfulText(NamedTuple):
    """The words that are kept, the groups that they were chosen from, and how much is lost."""

    words: list[int]
    groups: WordGroups
    loss: float


def choose_faithfully(
    faithful: FaithfulGroups,
    join: Callable[[str], WordGroups],
    wishes: Wishes,
    costs: NDArray[np.int64],
    most: int,
    adjacency: float = 0.0,
) -> FaithfulText | None:
    """Choose words that cost at most so much; None if each text is longer.

    A text that changes nothing is taken if it has three quarters of the length that the limit allows, with all
    protected words if possible. Else it is, of those with half of it, the one that changes least; where this is grave
    (a lost *not* or *if*), a shorter one, or one without a complement that may be left out, if it changes less.
    `join` gives the word groups by name: loose, short, bare, split, plain.
    """

    def search(level: str, share: float, protected: bool, lossless: bool) -> FaithfulText | None:
        groups = join(level)
        states = groups.group_states(wishes.forced | (wishes.protected if protected else set()), wishes.unwanted)
        values = groups.spread(wishes.scores(protected))
        group_costs = groups.spread(costs.astype(np.float64)).astype(np.int64)
        least = max(1, math.ceil(share * most))
        choice = faithful.choose(groups, values, group_costs, states, least, most, lossless, adjacency)
        return None if choice is None else FaithfulText(choice[0], groups, choice[1])

    for protected in (True, False):
        if (choice := search("loose", _MIN_SHARE, protected, lossless=True)) is not None:
            return choice
    best: FaithfulText | None = None
    for share in _SHARES:
        for level in ("loose", "short"):
            choice = search(level, share, protected=False, lossless=False)
            if choice is not None and (best is None or choice.loss < best.loss):
                best = choice
            if best is not None and best.loss < GRAVE:
                return best
    for level in ("loose", "bare"):
        if best is None:
            best = search(level, 0.0, protected=False, lossless=False)
    if best is None and (plain := search("plain", 0.0, protected=False, lossless=False)) is not None:
        # Half of a name, or a number without its bound: rather no subject or object.
        best = search("split", 0.0, protected=False, lossless=False) or plain
    return best
