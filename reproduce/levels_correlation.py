"""Coverage of the intervals of correlations and of agreement, by simulation with fixed seeds.

python reproduce/levels_correlation.py             # 2,000 runs a cell
python reproduce/levels_correlation.py --runs 10000
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import tables
from scipy.stats import binomtest

from assay import stats

SEED = 20_261
SYSTEMS = (6, 8, 12, 20, 50, 200)


class Cell(NamedTuple):
    """One design: how often the interval holds the true value, the band it should be in, and if it is."""

    what: str
    design: str
    runs: int
    hits: int
    band: tuple[float, float]

    @property
    def rate(self) -> float:
        """Return the share of runs."""
        return self.hits / self.runs

    @property
    def passes(self) -> bool:
        """Whether the 99.9 % binomial interval of the rate meets the band."""
        interval = binomtest(self.hits, self.runs).proportion_ci(0.999)
        return bool(interval.high >= self.band[0] and interval.low <= self.band[1])


def draw_systems(
    rng: np.random.Generator, n: int, r: tuple[float, ...], between: float = 0.0, bad: float = 0.0
) -> list[np.ndarray]:
    """Draw people's and metrics' means of n systems, correlated with people by r and among metrics by `between`.

    Some systems are `bad`: 3 standard deviations below the others on every side.
    """
    k = len(r) + 1
    matrix = np.full((k, k), between)
    matrix[0, 1:] = matrix[1:, 0] = r
    np.fill_diagonal(matrix, 1.0)
    points = rng.normal(size=(n, k)) @ np.linalg.cholesky(matrix).T
    points -= 3.0 * (rng.random(n) < bad)[:, None]
    return [column[:, None] for column in points.T]


def true_value(r: float, bad: float, method: str) -> float:
    """Return the coefficient in the population (of ranks, without bad systems)."""
    added = 9.0 * bad * (1 - bad)
    if method == "pearson":
        return (r + added) / (1 + added)
    return float(2 / np.pi * np.arcsin(r) if method == "kendall" else 6 / np.pi * np.arcsin(r / 2))


def correlations(runs: int) -> Iterator[Cell]:
    """Yield the coverage of a correlation over systems."""
    plain = (("pearson", n, r, 0.0, (0.93, 0.98)) for n in SYSTEMS for r in (0.0, 0.5, 0.8, 0.95))
    outliers = (("pearson", n, r, 0.05, (0.91, 1.0)) for n in SYSTEMS for r in (0.5, 0.8, 0.95))
    ranks = ((m, n, r, 0.0, (0.93, 1.0)) for m in ("spearman", "kendall") for n in (8, 20, 50) for r in (0.5, 0.9))
    for method, n, r, bad, band in (*plain, *outliers, *ranks):
        rng = np.random.default_rng([SEED, n, int(100 * r), int(100 * bad), len(method)])
        true, hits = true_value(r, bad, method), 0
        for _ in range(runs):
            interval = stats.jackknife(*draw_systems(rng, n, (r,), bad=bad), method=method)
            hits += interval.low <= true <= interval.high
            assert interval.low <= interval.value <= interval.high
        yield Cell(method, f"{n} systems, r = {r:g}{', 5 % bad' if bad else ''}", runs, hits, band)


def differences(runs: int) -> Iterator[Cell]:
    """Yield how often two equal metrics are said to differ, and the coverage of a true difference."""
    for n in SYSTEMS:
        for r, between in (((0.8, 0.8), 0.7), ((0.8, 0.8), 0.98), ((0.9, 0.7), 0.6)):
            rng = np.random.default_rng([SEED, n, int(100 * r[1]), int(100 * between)])
            hits = 0
            for _ in range(runs):
                h, *metrics = draw_systems(rng, n, r, between)
                contrast = stats.contrast_correlations([stats.jackknife(h, m) for m in metrics])[1]
                hits += contrast.low <= r[1] - r[0] <= contrast.high
            yield Cell("difference", f"{n} systems, r = {r[0]:g} and {r[1]:g}", runs, hits, (0.93, 0.99))


def best_of_ten(runs: int) -> Iterator[Cell]:
    """Yield how often one of ten equal metrics is said to be worse than the one that looks best."""
    for n in (8, 20, 50):
        rng = np.random.default_rng([SEED, n])
        hits = 0
        for _ in range(runs):
            h, *metrics = draw_systems(rng, n, (0.8,) * 10, 0.7)
            parts = [stats.jackknife(h, m) for m in metrics]
            best = int(np.argmax([part.value for part in parts]))
            hits += min(c.pvalue for c in stats.contrast_correlations(parts, best=best)) > 0.05
        yield Cell("none of 10 equal metrics differs", f"{n} systems, r = 0.8", runs, hits, (0.94, 1.0))


def agreement(runs: int) -> Iterator[Cell]:
    """Yield the coverage of alpha where outputs share an item; `item` and `output` are their parts of the variance."""
    for items in (20, 50):
        for outputs in (1, 5, 16):
            for item, output in ((0.1, 0.1), (0.25, 0.25), (0.4, 0.4)):
                rng = np.random.default_rng([SEED, items, outputs, int(100 * item)])
                hits = 0
                for _ in range(runs):
                    of_items = np.sqrt(item) * np.repeat(rng.normal(size=(items, 1)), outputs, axis=0)
                    of_outputs = np.sqrt(output) * rng.normal(size=(items * outputs, 1))
                    error = np.sqrt(1 - item - output) * rng.normal(size=(items * outputs, 3))
                    units = np.repeat(np.arange(items), outputs).tolist()
                    alpha = stats.krippendorff_alpha(of_items + of_outputs + error, interval=True, units=units)
                    hits += alpha.low <= item + output <= alpha.high
                design = f"{items} items x {outputs} outputs x 3 raters, alpha = {item + output:g}"
                yield Cell("alpha", design, runs, hits, (0.92, 1.0))


QUESTIONS: dict[str, Callable[[int], Iterator[Cell]]] = {
    "correlations": correlations,
    "differences": differences,
    "best of ten": best_of_ten,
    "agreement": agreement,
}


def draw_table(cells: list[Cell]) -> str:
    """Draw the cells as a table."""
    rows = [
        [c.what, c.design, f"{c.rate:.3f}", f"{c.band[0]:g} to {c.band[1]:g}", "" if c.passes else "outside"]
        for c in cells
    ]
    return tables.grid(["quantity", "design", "coverage", "goal", ""], rows)


def main() -> None:
    """Print the table of each question."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    warnings.simplefilter("ignore")
    for question in QUESTIONS.values():
        print(draw_table(list(question(runs if question is not best_of_ten else max(1, runs // 4)))), flush=True)


if __name__ == "__main__":
    main()
