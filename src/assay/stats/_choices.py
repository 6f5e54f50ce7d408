"""Rankings as sequences of choices, and the likelihood of those choices under the Plackett-Luce model with ties."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._connectivity import connected_groups
from .checks import Array, Bools, Ints


@dataclass(frozen=True)
class Choices:
    """Choice c takes the systems `winners[c]` from `sets[of_set[c]]`, `weight[c]` times, for item `of_item[c]`."""

    sets: Bools
    of_set: Ints
    winners: Bools
    weight: Array
    of_item: Ints
    items: int
    n: int

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.sets.shape[1])

    @cached_property
    def orders(self) -> list[int]:
        """The sizes of chosen sets that occur; 1 is always among them, for its parameter is fixed."""
        return sorted({1, *self.winners.sum(axis=1).tolist()})

    def groups(self, weight: Array, *, strict: bool) -> list[list[int]]:
        """Split systems into groups never ranked together; strict: into groups without chains of wins both ways."""
        some = weight[self.of_item] > 0
        winners = self.winners[some].astype(np.float64)
        alternatives = self.sets[self.of_set[some]]
        others = alternatives & ~self.winners[some] if strict else alternatives
        return connected_groups(winners.T @ others, strong=strict)


def ranking_choices(ranks: Array, of_item: Ints) -> Choices:
    """Split rankings (rows, 1 best, NaN not ranked) into choices: those at a rank, from those at it or below it."""
    ranked = (~np.isnan(ranks)).sum(axis=1) > 1
    ranks, of_item = ranks[ranked], of_item[ranked]
    alternatives, winners, owner = [], [], []
    for row, item in zip(ranks, of_item, strict=True):
        for rank in np.unique(row[~np.isnan(row)]):
            if (row >= rank).sum() > 1:
                alternatives.append(row >= rank)
                winners.append(row == rank)
                owner.append(item)
    return _collect(np.array(alternatives), np.array(winners), np.ones(len(owner)), np.array(owner), ranks.shape)


def table_choices(wins: Array, ties: Array) -> Choices:
    """Turn tables of pairs (items x systems x systems) into choices from sets of two."""
    count = wins.shape[1]
    won, tied = np.nonzero(wins * ~np.eye(count, dtype=bool)), np.nonzero(np.triu(ties, 1))
    item, first, second = (np.concatenate(pair) for pair in zip(won, tied, strict=True))
    unit = np.eye(count, dtype=bool)
    winners = unit[first]
    winners[len(won[0]) :] |= unit[tied[2]]
    weight = np.concatenate([wins[won], ties[tied]])
    return _collect(unit[first] | unit[second], winners, weight, item, (int(weight.sum()), count))


def _collect(alternatives: Bools, winners: Bools, weight: Array, owner: Ints, shape: tuple[int, ...]) -> Choices:
    """Number the different sets of alternatives; their normalizing sums are computed once."""
    empty = np.zeros((0, shape[1]), dtype=bool)
    if not len(owner):
        return Choices(empty, np.zeros(0, np.int64), empty, weight, np.zeros(0, np.int64), 0, 0)
    sets, of_set = np.unique(alternatives, axis=0, return_inverse=True)
    items, of_item = np.unique(owner, return_inverse=True)
    return Choices(sets, of_set.ravel(), winners, weight, of_item, len(items), shape[0])


class Likelihood:
    """The log-likelihood of choices with `prior` wins and losses of each system against one of log worth 0.

    Parameters are the log worths of the systems, then the log tie parameters of the orders 2 and above that occur.
    """

    def __init__(self, choices: Choices, prior: float) -> None:
        self.choices, self.prior = choices, prior
        count = choices.systems
        pseudo = np.hstack([np.eye(count, dtype=bool), np.ones((count, 1), dtype=bool)])
        real = np.hstack([choices.sets, np.zeros((len(choices.sets), 1), dtype=bool)])
        self._sets = np.vstack([real, pseudo])
        size = choices.winners.sum(axis=1)
        order = size[:, None] == np.array(choices.orders[1:], dtype=np.int64)
        self._statistics = np.hstack([choices.winners / size[:, None], order])

    def maximize(self) -> Array:
        """Return the parameters of the highest likelihood, by L-BFGS."""
        from scipy.optimize import minimize

        totals, observed = self._weights(np.ones((1, self.choices.items)), self.prior)
        unit = totals.sum()

        def loss(parameters: Array) -> tuple[float, Array]:
            value, slope = self._evaluate(parameters[None], totals, observed)
            return -float(value[0]) / unit, -slope[0] / unit

        options = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 20}
        start = np.zeros(observed.shape[1])
        return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)

    def maximize_many(self, weights: Array, start: Array, *, steps: int = 100) -> Array:
        """Return the best parameters for each row of item weights: BFGS on all rows at once, from their common start.

        A row is done when its next step would be .01 standard errors; resampling needs no more.
        """
        totals, observed = self._weights(weights, self.prior)
        inverse = np.tile(self._inverse_curvature(start), (len(weights), 1, 1))
        points = np.tile(start, (len(weights), 1))
        value, slope = self._evaluate(points, totals, observed)
        length = np.ones(len(weights))
        for _ in range(steps):
            step = np.einsum("bij,bj->bi", inverse, slope)
            open_rows = (step * slope).sum(axis=1) > 1e-4
            if not open_rows.any():
                break
            moved = np.where(open_rows, length, 0.0)[:, None] * step
            new_value, new_slope = self._evaluate(points + moved, totals, observed)
            better = open_rows & (new_value > value)
            length = np.where(better, 1.0, length / 2)
            inverse[better] = _update(inverse[better], moved[better], (slope - new_slope)[better])
            points[better] += moved[better]
            value, slope = np.where(better, new_value, value), np.where(better[:, None], new_slope, slope)
        return points

    def loglik(self, parameters: Array) -> float:
        """Return the log-likelihood of the choices themselves, without the prior."""
        return float(self._evaluate(parameters[None], *self._weights(np.ones((1, self.choices.items)), 0.0))[0][0])

    @property
    def cost(self) -> int:
        """How many numbers one evaluation holds, per row of parameters."""
        return int(self._sets.size * 2 * max(self.choices.orders))

    def _inverse_curvature(self, parameters: Array) -> Array:
        """Return the inverse of the negative second derivatives, by differences of the gradient."""
        totals, observed = self._weights(np.ones((1, self.choices.items)), self.prior)
        step = 1e-4 * np.eye(len(parameters))
        above = self._evaluate(parameters + step, totals, observed)[1]
        below = self._evaluate(parameters - step, totals, observed)[1]
        values, vectors = np.linalg.eigh((below - above + (below - above).T) / 4e-4)
        return np.asarray((vectors / np.maximum(values, 1e-3 * values.max())) @ vectors.T)

    def _weights(self, weights: Array, prior: float) -> tuple[Array, Array]:
        """Return how often each set was chosen from, and the sums of the sufficient statistics, per row of weights."""
        choices = self.choices
        times = weights[:, choices.of_item] * choices.weight
        real = np.stack([np.bincount(choices.of_set, weights=row, minlength=len(choices.sets)) for row in times])
        observed = times @ self._statistics
        observed[:, : choices.systems] += prior
        return np.hstack([real, np.full((len(weights), choices.systems), 2 * prior)]), observed

    def _evaluate(self, parameters: Array, totals: Array, observed: Array) -> tuple[Array, Array]:
        """Return the log-likelihood of each row of parameters and its gradient: observed less expected statistics."""
        rows, systems, sets = len(parameters), self.choices.systems, self._sets
        log_worth = np.hstack([parameters[:, :systems], np.zeros((rows, 1))])[:, None]
        top = np.where(sets, log_worth, -np.inf).max(axis=2, keepdims=True)
        relative = np.where(sets, log_worth - top, -np.inf).reshape(-1, systems + 1)  # f is homogeneous: divide by top
        sums, shares = [], np.zeros((rows, *sets.shape))
        for order, tie in zip(self.choices.orders, np.exp(self._ties(parameters)).T, strict=True):
            total, parts = symmetric_sums(np.exp(relative / order), order)
            sums.append(tie[:, None] * total.reshape(rows, -1))
            shares += (tie / order)[:, None, None] * parts.reshape(shares.shape)
        norm = np.sum(sums, axis=0)
        ratio = totals / norm
        expected = np.einsum("bu,bun->bn", ratio, shares)[:, :systems]
        ties = [(ratio * total).sum(axis=1) for total in sums[1:]]
        value = (observed * parameters).sum(axis=1) - (totals * (np.log(norm) + top[:, :, 0])).sum(axis=1)
        return value, observed - np.column_stack([expected, *ties])

    def _ties(self, parameters: Array) -> Array:
        """Return the log tie parameters of all orders that occur; that of order 1 is 0."""
        return np.hstack([np.zeros((len(parameters), 1)), parameters[:, self.choices.systems :]])


def _update(inverse: Array, moved: Array, change: Array) -> Array:
    """Update inverse curvatures (rows x p x p) by BFGS from steps and the fall of the gradient along them."""
    along = (moved * change).sum(axis=1)
    sound = along > 1e-12
    along = np.where(sound, along, 1.0)[:, None, None]
    turned = np.einsum("bij,bj->bi", inverse, change)
    cross = turned[:, :, None] * moved[:, None]
    outer = moved[:, :, None] * moved[:, None]
    size = (change * turned).sum(axis=1)[:, None, None]
    new = inverse + (1 + size / along) * outer / along - (cross + cross.transpose(0, 2, 1)) / along
    return np.where(sound[:, None, None], new, inverse)


def symmetric_sums(x: Array, order: int) -> tuple[Array, Array]:
    """Return for each row the sum over subsets of `order` entries of their product, and each entry's part in it.

    The elementary symmetric polynomial by its recurrence, from both ends; an entry's part is the sum over the subsets
    that hold it, so parts add up to order times the sum.

    >>> total, parts = symmetric_sums(np.array([[1.0, 2.0, 3.0]]), 2)
    >>> total, parts
    (array([11.]), array([[5., 8., 9.]]))
    """
    if order == 1:
        return x.sum(axis=1), x
    before, after = _running_sums(x, order), _running_sums(x[:, ::-1], order)[::-1]
    parts = np.empty_like(x)
    for i in range(x.shape[1]):
        parts[:, i] = x[:, i] * (before[i] * after[i + 1][::-1]).sum(axis=0)
    return parts.sum(axis=1) / order, parts


def _running_sums(x: Array, order: int) -> Array:
    """Return the polynomials of orders 0 to order - 1 of the first 0, 1, ... entries: entries + 1 x order x rows."""
    rows, count = x.shape
    sums = np.zeros((count + 1, order, rows))
    sums[:, 0] = 1.0
    for i in range(count):
        sums[i + 1, 1:] = sums[i, 1:] + x[:, i] * sums[i, :-1]
    return sums
