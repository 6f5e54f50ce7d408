"""How much better is each system by rankings? Plackett-Luce for rankings with ties, Bradley-Terry for pairs.

A ranking is a sequence of choices: the best from all ranked systems A, then the best from the rest. With the tie
parameters of Davidson (1970), extended to ties of any order by Turner, van Etten, Firth and Kosmidis (2020), Eq. 1,

    P(choose the set C from A) = f(C) / sum of f(S) over subsets S of A,
    f(S) = delta_|S| (product of the worths in S)^(1 / |S|),

where delta_1 = 1 and orders of ties that never occur have delta = 0. For pairs this is Davidson's Bradley-Terry model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ._choice_likelihood import Likelihood
from ._choices import Choices, ranking_choices, table_choices
from ._connectivity import check_connected, check_names, format_groups
from .checks import Array, at_least, floats, fraction, warn_undefined
from .intervals import percentiles
from .resampling import Seed, batches, generator, indices, seed_number, weights

INFINITE = 15.0  # log tie parameter above which all choices of that size were ties: its estimate grows without limit


@dataclass(frozen=True)
class PlackettLuce:
    """Worths that sum to 1 with their intervals; `ties[k - 1]` is the tie parameter of order k.

    worth[i] / (worth[i] + worth[k]) is how often i is put before k, where the two do not tie. `samples` holds the log
    worths of the resamples (resamples x systems, mean 0 in each row), so that differences of two systems can be tested.
    """

    worth: Array
    low: Array
    high: Array
    ties: Array
    loglik: float
    n: int
    items: int
    prior: float
    confidence: float
    samples: Array
    resamples: int
    undefined: int
    seed: int | None

    @property
    def log_worth(self) -> Array:
        """Log worths with mean 0: the scale on which differences are log odds."""
        return np.asarray(np.log(self.worth) - np.log(self.worth).mean())


def plackett_luce(
    ranks: ArrayLike,
    *,
    items: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    prior: float = 0.5,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> PlackettLuce:
    """Fit worths to rankings (rows) of systems (columns): 1 is best, equal ranks are ties, NaN is not ranked.

    `items` names the item each row belongs to (default: each row its own). The interval is the percentile bootstrap
    over items: the rankings of one item are drawn together, for they are not independent. At a nominal 95 % it covers
    93 % with 50 items of 3 rankings; drawing single rankings there would cover 86 %. `prior` is how many wins and
    how many losses against a hypothetical system of fixed worth are added to each system (npseudo of the R package
    PlackettLuce, default .5): a system that always wins stays finite, and worths shrink a little towards each other.
    prior = 0 is plain maximum likelihood, which needs a chain of strict wins from each system to each other.

    Systems that were never ranked together, not even through others, are refused by name: their order would come from
    the prior alone. A resample in which that happens is left out and counted in `undefined`. If all are, or with
    resamples = 0 or one item, the interval is NaN. If every choice from k or more systems is a tie of k, `ties` is
    infinite there. A row with fewer than two ranks says nothing and is not counted in `n`.

    >>> fit = plackett_luce([[1, 2, 3], [1, 3, 2], [2, 1, 2], [1, 1, np.nan]], resamples=0)
    >>> fit.worth.round(3), fit.ties.round(3)
    (array([0.551, 0.287, 0.162]), array([1.   , 0.423]))
    """
    table = floats(ranks, "ranks", ndim=2)
    labels = check_names(names, table.shape[1])
    rows = np.arange(len(table)) if items is None else np.unique(np.asarray(items), return_inverse=True)[1]
    if rows.shape != (len(table),):
        raise InputError(f"items must name one item per ranking, got {rows.shape} for {len(table)} rankings")
    return _fit(ranking_choices(table, rows), labels, prior, resamples, confidence, seed)


def bradley_terry(
    wins: ArrayLike,
    ties: ArrayLike | None = None,
    *,
    names: Sequence[str] | None = None,
    prior: float = 0.5,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> PlackettLuce:
    """Fit worths to pairs: wins[i, k] is how often i was preferred to k, ties[i, k] how often they were equal.

    P(i > k) = w_i / (w_i + w_k + delta sqrt(w_i w_k)), Davidson (1970); a tie has the last term of the three. `ties` is
    symmetric. With a leading axis of items (items x systems x systems) the interval is the bootstrap over items;
    without one it is NaN. Otherwise as in `plackett_luce`, which a table of pairs is a special case of.

    >>> fit = bradley_terry([[0, 7, 5], [3, 0, 6], [4, 2, 0]], [[0, 2, 1], [2, 0, 2], [1, 2, 0]])
    >>> fit.worth.round(3), fit.ties.round(3), fit.low
    (array([0.459, 0.325, 0.216]), array([1.   , 0.344]), array([nan, nan, nan]))
    """
    won = floats(wins, "wins", ndim=(2, 3))
    tied = np.zeros_like(won) if ties is None else floats(ties, "ties", ndim=(2, 3))
    if won.shape != tied.shape or won.shape[-1] != won.shape[-2]:
        raise InputError(f"wins and ties must be systems x systems tables of one shape, got {won.shape}, {tied.shape}")
    if not ((won >= 0).all() and (tied >= 0).all()):
        raise InputError("wins and ties must be counts of at least 0, without NaN")
    if not np.array_equal(tied, np.swapaxes(tied, -1, -2)):
        raise InputError("ties must be symmetric: ties[i, k] and ties[k, i] count the same judgments")
    count = won.shape[-1]
    choices = table_choices(won.reshape(-1, count, count), tied.reshape(-1, count, count))
    return _fit(choices, check_names(names, count), prior, resamples, confidence, seed)


def _fit(
    choices: Choices, names: list[str], prior: float, resamples: int, confidence: float, seed: Seed
) -> PlackettLuce:
    if not 0 <= prior < np.inf:
        raise InputError(f"prior must be a number of at least 0, got {prior!r}")
    fraction(confidence, "confidence")
    at_least(resamples, "resamples", 0)
    _check_groups(choices, names, prior)
    model = Likelihood(choices, prior)
    best = model.maximize()
    count = resamples if choices.items > 1 else 0
    samples = _bootstrap(choices, model, best, count, seed)
    undefined = int(np.isnan(samples[:, 0]).sum())
    if count and undefined == count:
        warn_undefined(f"interval of worths: in all {count} resamples some systems are not ranked together")
    shares = np.exp(samples) / np.exp(samples).sum(axis=1, keepdims=True)
    low, high = percentiles(shares, confidence, drawn=choices.items) if count else (np.full(len(names), np.nan),) * 2
    worth = np.exp(best[: len(names)])
    return PlackettLuce(
        worth=worth / worth.sum(),
        low=low,
        high=high,
        ties=_tie_parameters(choices, best[len(names) :]),
        loglik=model.loglik(best),
        n=choices.n,
        items=choices.items,
        prior=prior,
        confidence=confidence,
        samples=samples,
        resamples=count,
        undefined=undefined,
        seed=seed_number(seed),
    )


def _check_groups(choices: Choices, names: list[str], prior: float) -> None:
    """Refuse systems in an order that the rankings do not tell."""
    if len(names) < 2:
        raise InputError(f"worths compare at least two systems, got {len(names)}")
    every = np.ones(choices.items)
    check_connected(choices.groups(every, strict=False), names)
    groups = choices.groups(every, strict=True)
    if prior == 0 and len(groups) > 1:
        raise InputError(
            "worths are infinite without a prior, as no chain of strict wins leads both ways between these groups: "
            f"{format_groups(groups, names)}; set prior above 0"
        )


def _bootstrap(choices: Choices, model: Likelihood, best: Array, resamples: int, seed: Seed) -> Array:
    """Draw items with replacement and fit again, from the estimate; NaN where a resample falls into groups."""
    rng, samples = generator(seed), [np.empty((0, choices.systems))]
    inverse = model.inverse_curvature(best) if resamples else np.empty(0)
    for count in batches(resamples, model.cost):
        drawn = weights(indices(rng, choices.items, count), choices.items)
        joined = np.array([len(choices.groups(weight, strict=model.prior == 0)) == 1 for weight in drawn])
        log_worth = np.full((count, choices.systems), np.nan)
        if joined.any():
            log_worth[joined] = model.maximize_many(drawn[joined], best, inverse)[:, : choices.systems]
        samples.append(log_worth - log_worth.mean(axis=1, keepdims=True))
    return np.concatenate(samples)


def _tie_parameters(choices: Choices, logs: Array) -> Array:
    ties = np.zeros(max(choices.orders))
    ties[0] = 1.0
    for order, value in zip(choices.orders[1:], logs, strict=True):
        ties[order - 1] = np.exp(value) if value < INFINITE else np.inf
    return ties
