"""Which means differ: the marks beside the tables of Owczarzak and Dang (2009), by Tukey's test after an ANOVA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import tables

from assay import meta
from assay.stats import tukey

SYMBOLS = "*†‡§¶#"
LONG = ("", "", "", "", "", "*", "*†", "*†‡", "*†‡§")
# By table and metric, a mark for each size; the last is that of all models or topics (bootstr).
PUBLISHED = {
    "Table 1": {"ROUGE-2": ("", "", "", ""), "ROUGE-SU4": ("", "", "*", "*"), "BE": ("", "", "", "")},
    "Table 3": {"ROUGE-2": ("", "", "", ""), "ROUGE-SU4": ("", "", "", ""), "BE": ("", "", "", "")},
    "Table 7": {
        "Pyramid": (*LONG, "*†‡§"),
        "ROUGE-2": (*LONG, "*†‡§"),
        "ROUGE-SU4": (*LONG, "†‡§"),
        "BE": (*LONG[:8], "†‡§", "†‡§"),
    },
    "Table 9": {"ROUGE-2": (*LONG, "†‡§"), "ROUGE-SU4": (*LONG, "†‡§"), "BE": (*LONG[:7], "†‡", "†‡§", "†‡§")},
}
# Metrics that do not differ in a row, by table and size.
SAME = {
    "Table 1": set(),
    "Table 3": {(4, "BE", "ROUGE-2")},
    "Table 7": {
        (1, "BE", "ROUGE-2"),
        (1, "BE", "ROUGE-SU4"),
        *((size, "ROUGE-2", "ROUGE-SU4") for size in (1, 3, 6)),
    },
    "Table 9": {(6, "ROUGE-2", "ROUGE-SU4"), (39, "BE", "ROUGE-2"), (48, "BE", "ROUGE-2")},
}
NOTE = """\
Pairwise tests: in each column, the first value with a symbol does not differ significantly from later ones with the
same symbol (ANOVA of the 1000 correlations of each size, then Tukey's test at .05; the paper does not name its pairwise
test). In each cell: published, then ours. In the available text of the paper all symbols but the first look alike; they
are read in their order."""


def differ(samples: Sequence[meta.SampledCorrelation]) -> np.ndarray:
    """Return which means differ. The test needs only mean, deviation and number: any numbers with these will do."""
    groups = [s.mean + s.sd * _unit(s.draws) for s in samples]
    return tukey(groups).pvalue < 0.05


def _unit(n: int) -> np.ndarray:
    """Return n numbers with mean 0 and deviation 1."""
    numbers = np.linspace(-1, 1, n)
    return numbers / numbers.std()


def column(stability: meta.Stability) -> list[meta.SampledCorrelation]:
    """Return the samples of every size, with systems drawn anew for the largest, as in the paper."""
    assert stability.resampled is not None
    return [*(s for s in stability.sizes if s.size < stability.n), stability.resampled]


def marks(different: np.ndarray) -> list[str]:
    """Return the marks of a column: a symbol begins at a value that some later value does not differ from.

    >>> marks(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool))
    ['', '*', '*']
    """
    found, left = [""] * len(different), list(SYMBOLS)
    for i in range(len(different)):
        same = [j for j in range(i + 1, len(different)) if not different[i, j]]
        for j in [i, *same] if same else []:
            found[j] += left[0]
        left = left[1:] if same else left
    return found


def pairs_that_differ(column: Sequence[str]) -> set[tuple[int, int]]:
    """Return the pairs of values that marks call different: no symbol begins at the first and is beside the second.

    >>> pairs_that_differ(["", "*", "*"])
    {(0, 1), (0, 2)}
    """
    begins: dict[str, int] = {}
    for place, cell in enumerate(column):
        for symbol in cell:
            begins.setdefault(symbol, place)
    same = {(begins[symbol], place) for place, cell in enumerate(column) for symbol in cell}
    return set(combinations(range(len(column)), 2)) - same


def column_marks(made: Mapping[str, Mapping[str, meta.Stability]]) -> Iterator[str]:
    """Yield what the marks are, how many pairs agree, and a table for each table of the paper that has any."""
    ours = {t: {name: marks(differ(column(s))) for name, s in by.items()} for t, by in made.items()}
    agreed = total = 0
    for table, columns in ours.items():
        for name, own in columns.items():
            mine, theirs = pairs_that_differ(own), pairs_that_differ(PUBLISHED[table][name])
            pairs = len(own) * (len(own) - 1) // 2
            agreed, total = agreed + pairs - len(mine ^ theirs), total + pairs
    yield f"{' '.join(NOTE.split())} Of {total} pairs of sizes, {agreed} have the same verdict."
    for table, columns in ours.items():
        sizes = [s.size for s in column(next(iter(made[table].values())))]
        rows = [
            [str(size), *(f"{PUBLISHED[table][name][k] or '–'} {own[k] or '–'}" for name, own in columns.items())]
            for k, size in enumerate(sizes)
        ]
        yield tables.grid([table, *columns], rows)


def row_marks(made: Mapping[str, Mapping[str, meta.Stability]]) -> Iterator[str]:
    """Yield where metrics do not differ at the same size, and how often this is as published."""
    lines, agreed, total = [], 0, 0
    for table, by in made.items():
        names = sorted(by)
        same = set()
        for k, sample in enumerate(column(by[names[0]])):
            different = differ([column(by[name])[k] for name in names])
            pairs = list(combinations(range(len(names)), 2))
            same |= {(sample.size, names[i], names[j]) for i, j in pairs if not different[i, j]}
            total += len(pairs)
        agreed -= len(same ^ SAME[table])
        lines.append(f"- {table}: published {_list(SAME[table])}; ours {_list(same)}.")
    yield (
        f"Metrics that do not differ at the same size (Tukey's test of the metrics of a row). Of {total} pairs, "
        f"{total + agreed} have the same verdict."
    )
    yield "\n".join(lines)


def _list(same: set[tuple[int, str, str]]) -> str:
    return ", ".join(f"{a} and {b} ({size})" for size, a, b in sorted(same)) or "none"
