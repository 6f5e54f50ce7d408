"""The likelihood of choices under the Plackett-Luce model with ties, for many weightings of the items at once.

Every (row of weights, set of alternatives) that was chosen from is a column; columns are sorted by the size of the set,
so that the i-th members of all sets stand in the first `widths[i]` columns and nothing is computed for members that a
set does not have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._choices import Choices
from .checks import Array, Ints


@dataclass(frozen=True)
class _Columns:
    """What one evaluation needs of its rows of weights: by column the row, the members (slots x columns), the total."""

    row: Ints
    members: Ints
    total: Array
    widths: list[int]


class Likelihood:
    """The log-likelihood of choices with `prior` wins and losses of each system against one of log worth 0.

    Parameters are the log worths of the systems, then the log tie parameters of the orders 2 and above that occur.
    """

    def __init__(self, choices: Choices, prior: float) -> None:
        self.choices, self.prior = choices, prior
        count = choices.systems
        pseudo = np.hstack([np.eye(count, dtype=bool), np.ones((count, 1), dtype=bool)])
        real = np.hstack([choices.sets, np.zeros((len(choices.sets), 1), dtype=bool)])
        sets = np.vstack([real, pseudo])
        self._by_size = np.argsort(-sets.sum(axis=1), kind="stable")
        self._sizes = sets.sum(axis=1)[self._by_size]
        slots = np.arange(self._sizes.max(initial=1))
        first = np.argsort(~sets[self._by_size], axis=1, kind="stable")[:, : len(slots)]  # members, then the others
        self._members = np.where(slots < self._sizes[:, None], first, count + 1).T  # count: hypothetical; + 1: no one
        size = choices.winners.sum(axis=1)
        order = size[:, None] == np.array(choices.orders[1:], dtype=np.int64)
        self._statistics = np.hstack([choices.winners / size[:, None], order])

    def maximize(self) -> Array:
        """Return the parameters of the highest likelihood, by L-BFGS."""
        from scipy.optimize import minimize

        totals, observed = self._weights(np.ones((1, self.choices.items)), self.prior)
        unit, columns = totals.sum(), self._columns(totals)

        def loss(parameters: Array) -> tuple[float, Array]:
            value, slope = self._evaluate(parameters[None], columns, observed)
            return -float(value[0]) / unit, -slope[0] / unit

        options = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 20}
        start = np.zeros(observed.shape[1])
        return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)

    def maximize_many(self, weights: Array, start: Array, inverse: Array, *, steps: int = 100) -> Array:
        """Return the best parameters for each row of item weights: BFGS on all rows at once, from their common start.

        `inverse` is the inverse curvature at the start. A row is done when its next step would be .01 standard errors;
        resampling needs no more.
        """
        totals, observed = self._weights(weights, self.prior)
        inverses, points = np.tile(inverse, (len(weights), 1, 1)), np.tile(start, (len(weights), 1))
        value, slope = self._evaluate(points, self._columns(totals), observed)
        length, open_rows = np.ones(len(weights)), np.arange(len(weights))
        columns = None
        for _ in range(steps):
            step = np.einsum("bij,bj->bi", inverses[open_rows], slope[open_rows])
            going = (step * slope[open_rows]).sum(axis=1) > 1e-4
            if not going.all() or columns is None:
                open_rows, step = open_rows[going], step[going]
                columns = self._columns(totals[open_rows])
            if not len(open_rows):
                break
            moved = length[open_rows, None] * step
            new_value, new_slope = self._evaluate(points[open_rows] + moved, columns, observed[open_rows])
            better = new_value > value[open_rows]
            rows, moved = open_rows[better], moved[better]
            length[open_rows] = np.where(better, 1.0, length[open_rows] / 2)
            inverses[rows] = _update(inverses[rows], moved, slope[rows] - new_slope[better])
            points[rows] += moved
            value[rows], slope[rows] = new_value[better], new_slope[better]
        return points

    def loglik(self, parameters: Array) -> float:
        """Return the log-likelihood of the choices themselves, without the prior."""
        totals, observed = self._weights(np.ones((1, self.choices.items)), 0.0)
        return float(self._evaluate(parameters[None], self._columns(totals), observed)[0][0])

    @property
    def cost(self) -> int:
        """How many numbers one evaluation holds, per row of parameters."""
        return int(2 * self._sizes.sum() * max(self.choices.orders))

    def inverse_curvature(self, parameters: Array) -> Array:
        """Return the inverse of the negative second derivatives, by differences of the gradient."""
        totals, observed = self._weights(np.ones((1, self.choices.items)), self.prior)
        columns, step = self._columns(totals), 1e-4 * np.eye(len(parameters))
        above, below = (
            np.stack([self._evaluate(point[None], columns, observed)[1][0] for point in parameters + sign * step])
            for sign in (1, -1)
        )
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

    def _columns(self, totals: Array) -> _Columns:
        """Return the columns of the sets that were chosen from, the largest sets first."""
        sorted_totals = totals.T[self._by_size]
        of_set, row = np.nonzero(sorted_totals)
        sizes = self._sizes[of_set]
        slots = int(sizes.max(initial=1))
        widths = [int(np.searchsorted(-sizes, -slot)) for slot in range(slots)]  # columns with more members than `slot`
        return _Columns(row, self._members[:slots, of_set], sorted_totals[of_set, row], widths)

    def _evaluate(self, parameters: Array, columns: _Columns, observed: Array) -> tuple[Array, Array]:
        """Return the log-likelihood of each row of parameters and its gradient: observed less expected statistics."""
        rows, systems = len(parameters), self.choices.systems
        row, members, total = columns.row, columns.members, columns.total
        edge = np.tile([0.0, -np.inf], (rows, 1))  # the hypothetical system, and no one
        log_worth = np.hstack([parameters[:, :systems], edge])[row, members]
        top = log_worth.max(axis=0)
        log_worth -= top  # f is homogeneous: divide by the top worth
        ties = np.exp(np.hstack([np.zeros((rows, 1)), parameters[:, systems:]]))
        sums, shares = [], np.zeros(members.shape)
        for order, tie in zip(self.choices.orders, ties.T, strict=True):
            width = columns.widths[order - 1] if order <= len(members) else 0
            widths = [min(w, width) for w in columns.widths]
            amount, parts = symmetric_sums(np.exp(log_worth[:, :width] / order), order, widths)
            weight = tie[row[:width]]
            sums.append(weight * amount)
            shares[:, :width] += (weight / order) * parts
        norm = np.zeros(len(row))
        for amount in sums:
            norm[: len(amount)] += amount
        ratio = total / norm
        cells = row * (systems + 2) + members
        expected = np.bincount(cells.ravel(), weights=(ratio * shares).ravel(), minlength=rows * (systems + 2))
        tied = [np.bincount(row[: len(t)], weights=ratio[: len(t)] * t, minlength=rows) for t in sums[1:]]
        spent = np.bincount(row, weights=total * (np.log(norm) + top), minlength=rows)
        value = (observed * parameters).sum(axis=1) - spent
        return value, observed - np.column_stack([expected.reshape(rows, -1)[:, :systems], *tied])


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


def symmetric_sums(x: Array, order: int, widths: list[int]) -> tuple[Array, Array]:
    """Return for each column the sum over subsets of `order` entries of their product, and each entry's part in it.

    Entry i stands in the first widths[i] columns; the others have 0 there. The elementary symmetric polynomial by its
    recurrence, from both ends; an entry's part is the sum over the subsets that hold it, so parts add up to order times
    the sum.

    >>> total, parts = symmetric_sums(np.array([[1.0], [2.0], [3.0]]), 2, [1, 1, 1])
    >>> total, parts.T
    (array([11.]), array([[5., 8., 9.]]))
    """
    if order == 1:
        return x.sum(axis=0), x
    before, parts = _running_sums(x, order, widths), np.zeros_like(x)
    after = np.zeros((order, x.shape[1]))  # polynomials of orders order - 1 to 0 of the entries from i + 1 on
    after[-1] = 1.0
    for i in range(len(x) - 1, -1, -1):
        width = widths[i]
        own, rest = x[i, :width], after[:, :width]
        parts[i, :width] = own * np.einsum("kc,kc->c", before[i][:, :width], rest)
        rest[:-1] += own * rest[1:]
    return parts.sum(axis=0) / order, parts


def _running_sums(x: Array, order: int, widths: list[int]) -> list[Array]:
    """Return the polynomials of orders 0 to order - 1 of the first 0, 1, ... entries, each order x columns."""
    sums = [np.zeros((order, x.shape[1]))]
    sums[0][0] = 1.0
    for i in range(len(x) - 1):
        width = widths[i + 1]  # of columns with a next entry: its part needs this sum
        new = sums[i][:, :width].copy()
        new[1:] += x[i, :width] * sums[i][:-1, :width]
        sums.append(new)
    return sums
