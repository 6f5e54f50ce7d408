"""Measure how often tests of systems err, how often intervals cover, and what is found: the table of docs/levels.md.

python tools/levels.py                     all cells: 10,000 runs for two systems, 2,000 for many; an hour of one core
python tools/levels.py --share 0.02        a fiftieth of the runs
python tools/levels.py --only "0/1"        cells with these words in their names
python tools/levels.py --jobs 4            four processes
python tools/levels.py --write             puts the rows that ran into docs/levels.md

Run r of a cell draws from the seed (SEED, number of the cell, r). A cell fails if the 99.9 % interval of its share
(Clopper-Pearson) lies outside the band.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tarfile
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # matrices are small: more threads only wait for each other

import numpy as np
from numpy.typing import NDArray

from assay import stats
from assay.stats.rating_contrasts import rating_contrasts

Array = NDArray[np.float64]
SEED, RESAMPLES, TWO, MANY = 20_251, 399, 10_000, 2_000
DATA = Path(__file__).parents[2] / "shared" / "data"
PAGE = Path(__file__).parents[1] / "docs" / "levels.md"
SHAPES: dict[str, Callable[..., Array]] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "exponential": lambda rng, size: rng.exponential(size=size) - 1,
    "lognormal": lambda rng, size: rng.lognormal(size=size) - np.exp(0.5),
    "rare failures": lambda rng, size: 0.3 * rng.normal(size=size) - 3 * (rng.random(size) < 0.05) + 0.15,
}


@dataclass(frozen=True)
class Cell:
    """A design: its name, the band of the share, how many runs, and one run, which gives 0 or 1 (or a share)."""

    name: str
    low: float
    high: float
    runs: int
    run: Callable[[np.random.Generator], float]


def differs(values: Array, clusters: Array | None, rng: np.random.Generator) -> float:
    """Compare two systems; 1 if the difference is significant."""
    result = stats.compare_all(values, clusters, resamples=RESAMPLES, seed=rng)
    return float(result.adjusted[0, 1] <= 0.05)


def null_of_shape(shape: str, items: int, rng: np.random.Generator) -> float:
    return differs(0.5 * rng.normal(size=items) + SHAPES[shape](rng, (2, items)), None, rng)


def null_in_clusters(groups: int, icc: float, shape: str, rng: np.random.Generator) -> float:
    codes = np.repeat(np.arange(groups), rng.integers(5, 21, size=groups))
    shared = np.sqrt(icc) * SHAPES[shape](rng, (2, groups))[:, codes]
    return differs(shared + np.sqrt(1 - icc) * SHAPES[shape](rng, (2, len(codes))), codes, rng)


def overlap(items: int, share: float, rng: np.random.Generator, draw: Callable[..., Array]) -> Array:
    """Return scores of two systems with so many items each, of which a share is in common."""
    common = round(items * share)
    total = 2 * items - common
    values = 0.7 * draw(rng, total) + draw(rng, (2, total))
    values[0, items:] = np.nan
    values[1, : items - common] = np.nan
    return values


def null_of_overlap(items: int, share: float, shape: str, icc: float, rng: np.random.Generator) -> float:
    values = overlap(items, share, rng, SHAPES[shape])
    if not icc:
        return differs(values, None, rng)
    groups = max(values.shape[1] // 10, 8)
    codes = rng.permutation(np.arange(values.shape[1]) % groups)
    more = np.sqrt(1.5 * icc / (1 - icc))
    return differs(
        values + more * (rng.normal(size=groups)[codes] + rng.normal(size=(2, groups))[:, codes]), codes, rng
    )


@cache
def bleu_rows() -> tuple[Array, Callable[[Array], Array]]:
    """Return the statistics of BLEU of two systems of WMT 2017, Czech to English."""
    import assay

    data = assay.read(DATA / "wmt17-cs-en.jsonl.gz")
    statistics = assay.score(data, "bleu").statistics
    return statistics.rows[:2], statistics.finish


def null_of_bleu(items: int, rng: np.random.Generator) -> float:
    rows, finish = bleu_rows()
    drawn = rows[:, rng.choice(rows.shape[1], items, replace=False)]
    turned = rng.random(items) < 0.5
    drawn[:, turned] = drawn[::-1, turned]
    return float(stats.compare_corpora(drawn, finish, resamples=RESAMPLES, seed=rng).adjusted[0, 1] <= 0.05)


@cache
def topic_scores() -> tuple[Array, NDArray[np.int64]]:
    """Return ROUGE-2 of the systems of DUC 2007's update task: items of ten topics, three of each."""
    import assay

    with tempfile.TemporaryDirectory() as folder, tarfile.open(DATA / "duc2007.tar.xz") as archive:
        archive.extractall(folder, filter="data")
        data = assay.read(Path(folder) / "duc2007" / "updateEval")
        scores = assay.score(data, "rouge2")
    systems = [place for place, system in enumerate(scores.systems) if system not in scores.people]
    return scores.values[systems], np.unique(np.asarray(scores.clusters), return_inverse=True)[1]


def null_of_topics(rng: np.random.Generator) -> float:
    """Two systems that swap topics."""
    values, topics = topic_scores()
    pair = values[rng.choice(len(values), 2, replace=False)]
    turned = (rng.random(topics.max() + 1) < 0.5)[topics]
    pair[:, turned] = pair[::-1, turned]
    return differs(pair, topics, rng)


def unequal_shapes(first: str, items: int, rng: np.random.Generator) -> float:
    base = rng.normal(size=items)
    return differs(np.stack([base + SHAPES[first](rng, items), base + 0.5 * rng.normal(size=items)]), None, rng)


def binary(
    share: float, items: int, rng: np.random.Generator, *, gain: float = 0.0, icc: float = 0.0
) -> tuple[Array, NDArray[np.int64]]:
    """Return right or wrong answers of two systems; half of the items have one answer for both (or for a cluster)."""
    codes = np.arange(items) // 5
    kept = rng.random((1, items)) < 0.5
    both = (rng.random((1, items)) < share) | np.zeros((2, 1), dtype=bool)
    own = rng.random((2, items)) < np.array([[share + 2 * gain], [share]])
    values = np.where(kept, both, own)
    if icc:
        values = np.where(rng.random((2, items)) < np.sqrt(icc), (rng.random((2, items)) < share)[:, codes * 5], values)
    return values.astype(np.float64), codes


def null_of_shares(share: float, items: int, icc: float, rng: np.random.Generator) -> float:
    values, codes = binary(share, items, rng, icc=icc)
    return differs(values, codes if icc else None, rng)


def share_covers(share: float, items: int, icc: float, rng: np.random.Generator) -> float:
    values, codes = binary(share, items, rng, icc=icc)
    _, low, high = stats.mean_intervals(values[:1], codes if icc else None)
    return float(low[0] <= share <= high[0])


def difference_covers(share: float, items: int, rng: np.random.Generator) -> float:
    gain = min(0.1, (1 - share) / 2)
    result = stats.compare_all(binary(share, items, rng, gain=gain)[0], resamples=RESAMPLES, seed=rng)
    return float(result.low[0, 1] <= gain <= result.high[0, 1])


def mcnemar_lead(items: int, rng: np.random.Generator) -> float:
    """Return 1, 0 or -1: found here and not by mid-p McNemar, the same, or the other way round."""
    values = binary(0.5, items, rng, gain=0.6 / np.sqrt(items))[0]
    b, c = ((values[0] > values[1]).sum(), (values[0] < values[1]).sum())
    return differs(values, None, rng) - float(stats.mcnemar(int(b), int(c)) <= 0.05)


def draw_systems(systems: int, items: int, spread: str, means: Array, rng: np.random.Generator) -> Array:
    deviation = np.ones(systems) if spread == "equal" else rng.permutation(np.linspace(0.5, 2, systems))
    return means[:, None] + rng.normal(size=items) + deviation[:, None] * rng.normal(size=(systems, items))


def family_error(systems: int, items: int, spread: str, half: bool, rng: np.random.Generator) -> float:
    """Return 1 if any two equal systems are called different."""
    means = np.zeros(systems)
    if half:
        means[: systems // 2] = 4 / np.sqrt(items) * np.arange(1, systems // 2 + 1)
    result = stats.compare_all(draw_systems(systems, items, spread, means, rng), resamples=RESAMPLES, seed=rng)
    equal = means[:, None] == means
    np.fill_diagonal(equal, False)
    return float((result.adjusted[equal] <= 0.05).any())


def disjoint_family_error(systems: int, items: int, rng: np.random.Generator) -> float:
    values = np.full((systems, systems * items), np.nan)
    for s in range(systems):
        values[s, s * items : (s + 1) * items] = rng.normal(size=items)
    result = stats.compare_all(values, resamples=RESAMPLES, seed=rng)
    return float((result.adjusted[~np.eye(systems, dtype=bool)] <= 0.05).any())


@cache
def range_point(systems: int, df: float) -> float:
    """Return the 95 % point of the studentized range over sqrt 2, by simulation: SciPy's takes minutes."""
    rng = np.random.default_rng(SEED)
    ranges = np.ptp(rng.normal(size=(200_000, systems)), axis=1)
    return float(np.quantile(ranges / np.sqrt(rng.chisquare(df, 200_000) / df), 0.95) / np.sqrt(2))


def power_lead(systems: int, items: int, spread: str, rng: np.random.Generator) -> float:
    """Return the share of different pairs found here less that of Tukey's (unequal: Games and Howell's) test.

    Half of the systems are better, by the difference that Tukey's test finds with power .8.
    """
    point = range_point(systems, (systems - 1) * (items - 1.0))
    wide = 1.0 if spread == "equal" else 1.35
    means = np.where(np.arange(systems) < systems // 2, (point + 0.84) * wide * np.sqrt(2 / items), 0.0)
    values = draw_systems(systems, items, spread, means, rng)
    i, k = np.nonzero(np.triu(means[:, None] != means))
    found = stats.compare_all(values, resamples=RESAMPLES, seed=rng).adjusted[i, k] <= 0.05
    if spread == "equal":
        rest = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + values.mean()
        error = np.sqrt(2 * (rest**2).sum() / ((systems - 1) * (items - 1)) / items)
    else:
        point = range_point(systems, items - 1.0)
        error = (values[i] - values[k]).std(axis=1, ddof=1) / np.sqrt(items)
    peer = np.abs(values[i].mean(axis=1) - values[k].mean(axis=1)) / error > point
    return float(found.mean() - peer.mean())


def new_raters(raters: int, systems: int, rng: np.random.Generator) -> float:
    """Test two equal systems by ratings, with leanings of raters to systems."""
    items = 40
    s, i, r = np.indices((systems, items, raters)).reshape(3, -1)
    values = rng.normal(size=items)[i] + rng.normal(size=raters)[r] + 0.5 * rng.normal(size=(systems, raters))[s, r]
    values = values + 0.5 * rng.normal(size=(systems, items))[s, i] + rng.normal(size=len(s))
    return float(rating_contrasts(values, s, i, r).pvalue[0, 1] <= 0.05)


def draw_quality(
    rng: np.random.Generator, n: int, r: tuple[float, ...], between: float = 0.0, bad: float = 0.0
) -> list[Array]:
    """Draw people's and metrics' means of n systems, correlated with people by r and among metrics by `between`.

    Some systems are `bad`: 3 standard deviations below the others on every side.
    """
    matrix = np.full((len(r) + 1, len(r) + 1), between)
    matrix[0, 1:] = matrix[1:, 0] = r
    np.fill_diagonal(matrix, 1.0)
    points = rng.normal(size=(n, len(matrix))) @ np.linalg.cholesky(matrix).T
    points -= 3.0 * (rng.random(n) < bad)[:, None]
    return [column[:, None] for column in points.T]


def true_correlation(r: float, bad: float, method: str) -> float:
    """Return the coefficient in the population (of ranks, without bad systems)."""
    added = 9.0 * bad * (1 - bad)
    if method == "pearson":
        return (r + added) / (1 + added)
    return float(2 / np.pi * np.arcsin(r) if method == "kendall" else 6 / np.pi * np.arcsin(r / 2))


def correlation_covers(method: str, n: int, r: float, bad: float, rng: np.random.Generator) -> float:
    interval = stats.jackknife(*draw_quality(rng, n, (r,), bad=bad), method=method)
    if not interval.low <= interval.value <= interval.high:
        raise ValueError(f"a correlation outside its own interval: {interval}")
    return float(interval.low <= true_correlation(r, bad, method) <= interval.high)


def correlations_cover(n: int, r: tuple[float, float], between: float, rng: np.random.Generator) -> float:
    human, *metrics = draw_quality(rng, n, r, between)
    contrast = stats.contrast_correlations([stats.jackknife(human, m) for m in metrics])[1]
    return float(contrast.low <= r[1] - r[0] <= contrast.high)


def equal_metrics_differ(n: int, rng: np.random.Generator) -> float:
    """Return 1 if one of ten equal metrics is said to be worse than the one that looks best."""
    human, *metrics = draw_quality(rng, n, (0.8,) * 10, 0.7)
    parts = [stats.jackknife(human, m) for m in metrics]
    best = int(np.argmax([part.value for part in parts]))
    return float(min(c.pvalue for c in stats.contrast_correlations(parts, best=best)) <= 0.05)


def alpha_covers(items: int, outputs: int, share: float, rng: np.random.Generator) -> float:
    """Cover alpha of three raters; items and their outputs each have a share of the variance."""
    of_items = np.repeat(rng.normal(size=(items, 1)), outputs, axis=0)
    of_outputs = rng.normal(size=(items * outputs, 1))
    error = np.sqrt(1 - 2 * share) * rng.normal(size=(items * outputs, 3))
    units = np.repeat(np.arange(items), outputs).tolist()
    ratings = np.sqrt(share) * (of_items + of_outputs) + error
    alpha = stats.krippendorff_alpha(ratings, interval=True, units=units)
    return float(alpha.low <= 2 * share <= alpha.high)


def cells() -> Iterator[Cell]:
    """Yield all cells; their order is part of the seeds."""
    for shape in SHAPES:
        for items in (10, 20, 40, 100, 400):
            yield Cell(f"null, {shape}, {items} items", 0.04, 0.06, TWO, partial(null_of_shape, shape, items))
    for shape in ("normal", "exponential"):
        for groups in (10, 20, 40):
            for icc in (0.0, 0.2, 0.5):
                run = partial(null_in_clusters, groups, icc, shape)
                yield Cell(f"null, {shape}, {groups} clusters of 5 to 20, ICC {icc:g}", 0.04, 0.06, TWO, run)
    for share in (0.0, 0.1, 0.5):
        for shape in ("normal", "exponential", "lognormal"):
            for items in (10, 40, 100):
                for icc in (0.0, 0.3):
                    name = f"null, {shape}, {items} items each, {share:.0%} in common, ICC {icc:g}"
                    yield Cell(name, 0.04, 0.06, TWO, partial(null_of_overlap, items, share, shape, icc))
    for items in (10, 20, 40, 100):
        yield Cell(f"null, BLEU of real outputs, {items} items", 0.04, 0.06, TWO, partial(null_of_bleu, items))
    for first in ("exponential", "lognormal", "rare failures"):
        for items in (40, 100, 400):
            most = 0.08 if first == "exponential" else 1.0
            yield Cell(
                f"equal means, {first} and normal, {items} items", 0, most, TWO, partial(unequal_shapes, first, items)
            )
    for share in (0.03, 0.5, 0.97):
        for items in (10, 20, 40, 100):
            for icc in (0.0, 0.3):
                place = f"{share:g}, {items} items{', clusters of 5, ICC .3' if icc else ''}"
                if items // 5 >= 8 or not icc:
                    yield Cell(f"0/1 null at {place}", 0, 0.06, TWO, partial(null_of_shares, share, items, icc))
                    yield Cell(
                        f"0/1 coverage of a share of {place}", 0.93, 1, TWO, partial(share_covers, share, items, icc)
                    )
        yield Cell(
            f"0/1 coverage of a difference at {share:g}, 40 items", 0.93, 1, TWO, partial(difference_covers, share, 40)
        )
    for items in (20, 40, 100):
        yield Cell(f"0/1 power less mid-p McNemar's, {items} items", 0, 1, TWO, partial(mcnemar_lead, items))
    for systems in (10, 50):
        for items in (10, 20, 100):
            for spread in ("equal", "unequal"):
                for half in (False, True):
                    name = f"{systems} systems, {items} items, {spread} spread, {'half' if half else 'all'} equal"
                    yield Cell(name, 0, 0.06, MANY, partial(family_error, systems, items, spread, half))
    for systems, items in ((10, 20), (10, 100)):
        yield Cell(
            f"{systems} systems, {items} items each, none in common",
            0,
            0.06,
            MANY,
            partial(disjoint_family_error, systems, items),
        )
    for systems in (2, 10, 50):
        for items in (20, 100):
            for spread, least in (("equal", -0.05), ("unequal", -0.03)):
                peer = "Tukey" if spread == "equal" else "Games and Howell"
                name = f"power less {peer}'s, {systems} systems, {items} items, {spread} spread"
                yield Cell(name, least, 1, MANY, partial(power_lead, systems, items, spread))
    for raters in (3, 4, 5):
        for systems in (2, 4):
            most = 0.08 if raters == 3 else 0.065
            yield Cell(f"new raters: {raters}, {systems} systems", 0, most, TWO, partial(new_raters, raters, systems))
    yield from correlation_cells()
    for items in (20, 50):
        for outputs in (1, 5, 16):
            for share in (0.1, 0.25, 0.4):
                name = f"coverage of alpha = {2 * share:g}, {items} items x {outputs} outputs x 3 raters"
                yield Cell(name, 0.92, 1, MANY, partial(alpha_covers, items, outputs, share))
    yield Cell("null, ROUGE-2 of DUC 2007, 10 topics of 3 items", 0.04, 0.06, TWO, null_of_topics)


def correlation_cells() -> Iterator[Cell]:
    """Yield the cells of correlations over systems and of their differences."""
    sizes = (6, 8, 12, 20, 50, 200)
    plain = (("pearson", n, r, 0.0, (0.93, 0.98)) for n in sizes for r in (0.0, 0.5, 0.8, 0.95))
    outliers = (("pearson", n, r, 0.05, (0.91, 1.0)) for n in sizes for r in (0.5, 0.8, 0.95))
    ranks = ((m, n, r, 0.0, (0.93, 1.0)) for m in ("spearman", "kendall") for n in (8, 20, 50) for r in (0.5, 0.9))
    for method, n, r, bad, band in (*plain, *outliers, *ranks):
        name = f"coverage of {method} r = {r:g}, {n} systems{', 5% of them bad' if bad else ''}"
        yield Cell(name, *band, MANY, partial(correlation_covers, method, n, r, bad))
    for n in sizes:
        for pair, between in (((0.8, 0.8), 0.7), ((0.8, 0.8), 0.98), ((0.9, 0.7), 0.6)):
            name = f"coverage of r = {pair[0]:g} less {pair[1]:g}, {n} systems, metrics at {between:g}"
            yield Cell(name, 0.93, 0.99, MANY, partial(correlations_cover, n, pair, between))
    for n in (8, 20, 50):
        yield Cell(f"10 equal metrics, {n} systems", 0, 0.06, MANY // 4, partial(equal_metrics_differ, n))


@dataclass(frozen=True)
class Measured:
    """The mean of the runs of a cell, its 99.9 % interval, and how many runs there were."""

    cell: Cell
    mean: float
    low: float
    high: float
    runs: int

    @property
    def meets(self) -> bool:
        """Whether some of the interval lies in the band."""
        return self.low <= self.cell.high and self.high >= self.cell.low

    def row(self) -> str:
        """Return the row of the table; a share outside the band is bold."""
        share = f"{self.mean:.4f}" if self.meets else f"**{self.mean:.4f}**"
        band = f"{self.cell.low:g}–{self.cell.high:g}" if self.cell.low >= 0 else f"from {self.cell.low:g}"
        between = "–" if self.low >= 0 else " to "
        return f"| {self.cell.name} | {share} | {self.low:.3f}{between}{self.high:.3f} | {band} | {self.runs:,} |"


def measure(number: int, share: float) -> Measured:
    """Run a share of the runs of a cell."""
    warnings.simplefilter("ignore")  # notes of the reader, undefined values
    cell = list(cells())[number]
    runs = max(int(cell.runs * share), 20)
    results = np.array([cell.run(np.random.default_rng([SEED, number, r])) for r in range(runs)])
    mean = float(results.mean())
    if np.isin(results, (0, 1)).all():
        from scipy.stats import binomtest

        interval = binomtest(int(results.sum()), runs).proportion_ci(0.999)
        low, high = interval.low, interval.high
    else:
        half = 3.29 * float(results.std()) / np.sqrt(runs)
        low, high = mean - half, mean + half
    return Measured(cell, mean, float(low), float(high), runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="cells with this text in their names")
    parser.add_argument("--share", type=float, default=1.0, help="share of the runs (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default: 1)")
    parser.add_argument("--write", action="store_true", help="put the rows into docs/levels.md")
    args = parser.parse_args()
    numbers = [number for number, cell in enumerate(cells()) if args.only in cell.name]
    start = time.perf_counter()
    with Pool(args.jobs) as pool:
        for measured in pool.imap(partial(measure, share=args.share), numbers):
            print(measured.row(), f"{time.perf_counter() - start:.0f} s", flush=True)
            if args.write:
                write_row(measured.cell.name, measured.row())


def write_row(name: str, row: str) -> None:
    """Replace the row of a cell in the page, or put it where it belongs."""
    text = PAGE.read_text(encoding="utf-8")
    head, body, tail = re.split(r"(?<=<!-- levels -->\n)|(?=<!-- /levels -->)", text)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in body.splitlines()[2:] if line.startswith("| ")}
    rows[name] = row
    order = [cell.name for cell in cells() if cell.name in rows]
    table = [*body.splitlines()[:2], *(rows[each] for each in order)]
    PAGE.write_text(head + "\n".join(table) + "\n" + tail, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
