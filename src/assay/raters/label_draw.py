"""Draw the items that people should judge next: more often where judges disagree, never with certainty by choice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..data.evalset import EvalSet
from ..data.ratings import Floats
from ..data.result import Result
from ..errors import InputError, UnknownName
from ..stats.checks import at_least, choice
from ..stats.label_sampling import FLOOR, draw_systematic, inclusion_probabilities

WAYS = ("disagreement", "gain", "uniform")
PROBABILITY, DRAWN = "label_probability", "label_drawn"  # keys of an item


@dataclass(frozen=True)
class DrawnItem:
    """An item that was drawn: with which probability, and how far judges disagree about it."""

    kind: ClassVar[str] = "drawn_item"
    item: str
    probability: float
    disagreement: float
    labelled: bool


@dataclass(frozen=True)
class LabelDraw(Result, question="label_draw", kind="label_draw", shared=("dimension",)):
    """Items drawn for people to judge. `probabilities` are of all items, in order.

    `efficiency`: variance that is expected of a corrected mean with this draw over that with a uniform one, if a judge
    errs as much as judges disagree.
    """

    dimension: str
    by: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    items: int
    new: int
    floor: float
    earlier: int
    efficiency: float
    drawn: tuple[DrawnItem, ...]
    probabilities: tuple[float, ...]
    seed: int


def draw_labels(
    data: EvalSet,
    dimension: str,
    n: int,
    *,
    by: str = "disagreement",
    systems: tuple[str, str] | None = None,
    floor: float = FLOOR,
    labelled: str | None = None,
    seed: int = 0,
) -> LabelDraw:
    """Draw n items for people to judge, all systems of each.

    `by`: "disagreement" (the spread between LLM judges over systems, each judge centred), "gain" (the spread between
    judges of the difference between two `systems`: where a label says most about that comparison), or "uniform". Every
    item keeps `floor` of the uniform probability. A draw after an earlier one is independent of it, and probabilities
    are those of being drawn in either. Items that people judged without a draw are an error, unless `labelled="random"`
    states that chance alone chose them.
    """
    choice(by, "by", WAYS)
    at_least(n, "n", 1)
    judges = tuple(name for name, kind in data.assessors if kind == "llm" and _has_judged(data, name, dimension))
    size = _disagreement(data, dimension, judges, by, systems)
    before = _earlier_probabilities(data, dimension, labelled)
    now = inclusion_probabilities(np.ones(len(data)) if by == "uniform" else size, n, floor=floor)
    hits = draw_systematic(now, seed)
    probabilities = 1 - (1 - before) * (1 - now)
    known = _labelled_items(data, dimension)
    rows = tuple(
        DrawnItem(item, float(p), float(s), bool(k))
        for item, p, s, k, hit in zip(data.items, probabilities, size, known, hits, strict=True)
        if hit
    )
    return LabelDraw(
        dimension=dimension,
        by=by,
        systems=systems or (),
        judges=judges,
        items=len(data),
        new=sum(not row.labelled for row in rows),
        floor=floor,
        earlier=int(known.sum()),
        efficiency=_efficiency(size, now),
        drawn=rows,
        probabilities=tuple(probabilities.tolist()),
        seed=seed,
    )


def write_draw(data: EvalSet, draw: LabelDraw) -> EvalSet:
    """Return the set with the probability of each item, and whether it was drawn, now or earlier."""
    picks = {row.item for row in draw.drawn}
    items = []
    for item, p in zip(data.entries, draw.probabilities, strict=True):
        earlier = bool(item.extra.get(DRAWN)) or any(
            j.dimension == draw.dimension and j.rater in set(data.raters) for j in item.judgments
        )
        items.append(replace(item, extra={**item.extra, PROBABILITY: p, DRAWN: earlier or item.id in picks}))
    return EvalSet(items, allow_missing=data.allow_missing, people=data.people)


def _has_judged(data: EvalSet, rater: str, dimension: str) -> bool:
    return any(j.rater == rater and j.dimension == dimension for item in data for j in item.judgments)


def _disagreement(
    data: EvalSet, dimension: str, judges: tuple[str, ...], by: str, systems: tuple[str, str] | None
) -> Floats:
    """Return how far judges disagree about each item: the root mean variance between them."""
    if by == "uniform" and len(judges) < 2:
        return np.full(len(data), np.nan)
    if len(judges) < 2:
        raise InputError(
            f"two LLM judges of {dimension!r} are needed to see where they disagree; got {len(judges)} "
            '(name them with --llm "gpt*", or draw with --draw-by uniform)'
        )
    stack = np.stack([data.human(dimension, rater=judge).values for judge in judges])
    if by == "gain":
        stack = _difference(stack, data, systems)
    present = ~np.isnan(stack)
    means = np.where(present, stack, 0.0).sum(axis=2, keepdims=True) / np.maximum(present.sum(axis=2, keepdims=True), 1)
    centred = np.where(present, stack - means, np.nan)  # a severe judge does not disagree more
    counts = present.sum(axis=0)
    both = counts >= 2
    mean = np.where(present, centred, 0.0).sum(axis=0) / np.maximum(counts, 1)
    spread = np.where(present, (centred - mean) ** 2, 0.0).sum(axis=0) / np.maximum(counts - 1, 1)
    per_item = np.where(both, spread, 0.0).sum(axis=0) / np.maximum(both.sum(axis=0), 1)
    return np.asarray(np.sqrt(per_item))


def _difference(stack: Floats, data: EvalSet, systems: tuple[str, str] | None) -> Floats:
    if systems is None or len(systems) != 2 or systems[0] == systems[1]:
        raise InputError("the gain is for a comparison of two systems: name both (--between A,B)")
    for name in systems:
        if name not in data.systems:
            raise UnknownName("system", name, data.systems)
    first, second = (data.systems.index(name) for name in systems)
    return stack[:, [first]] - stack[:, [second]]


def _labelled_items(data: EvalSet, dimension: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    people = frozenset(data.raters)
    return np.array([any(j.dimension == dimension and j.rater in people for j in item.judgments) for item in data])


def _earlier_probabilities(data: EvalSet, dimension: str, labelled: str | None) -> Floats:
    """Return the probabilities of an earlier draw; 0 where there was none."""
    known = _labelled_items(data, dimension)
    stated = [item.extra.get(PROBABILITY) for item in data.entries]
    if any(p is not None for p in stated):
        for item, p in zip(data.entries, stated, strict=True):
            if isinstance(p, bool) or not isinstance(p, int | float) or not 0 < p <= 1:
                raise InputError(f"{item.place}: {PROBABILITY} must be above 0 and at most 1; got {p!r}")
        return np.array(stated, dtype=np.float64)
    if labelled == "random":
        return np.full(len(data), known.mean())
    if known.any():
        raise InputError(
            f"people judged {int(known.sum())} of {len(data)} items already, and no one stated how these were chosen: "
            "state --labelled random if chance alone chose them, or leave their labels out"
        )
    return np.zeros(len(data))


def _efficiency(size: Floats, p: Floats) -> float:
    """Return the sum of s^2 / p over that of a uniform draw of as many."""
    squares = size**2
    uniform = squares.sum() / (p.sum() / len(p))
    return float((squares / p).sum() / uniform) if uniform > 0 else float("nan")
