"""The table of levels: some of its cells with fewer runs, and what makes its rows."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "tools" / "levels.py"
# A cell of each kind, with the share of its runs that takes a second or two; BLEU needs data outside.
SUBSET = {
    "null, lognormal, 20 items": 0.1,
    "null, exponential, 10 clusters of 5 to 20, ICC 0.5": 0.1,
    "null, normal, 40 items each, 0% in common, ICC 0": 0.05,
    "null, exponential, 10 items each, 10% in common, ICC 0.3": 0.1,
    "null, lognormal, 40 items each, 50% in common, ICC 0": 0.05,
    "0/1 null at 0.5, 40 items": 0.05,
    "0/1 coverage of a share of 0.97, 40 items, clusters of 5, ICC .3": 0.3,
    "10 systems, 20 items, unequal spread, all equal": 0.3,
    "power less Tukey's, 10 systems, 20 items, equal spread": 0.05,
    "new raters: 4, 2 systems": 0.1,
    "coverage of pearson r = 0.8, 8 systems": 0.5,
    "coverage of alpha = 0.5, 20 items x 5 outputs x 3 raters": 0.1,
}


@pytest.fixture(scope="module")
def levels():
    spec = importlib.util.spec_from_file_location("levels", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["levels"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SUBSET)
def test_cell_meets_its_goal(levels, name):
    (number,) = (n for n, cell in enumerate(levels.cells()) if cell.name == name)
    measured = levels.measure(number, SUBSET[name])
    assert measured.meets, measured.row()
    assert measured.high - measured.low < 0.12  # it could fail


def test_a_share_outside_its_band_is_bold(levels):
    cell = levels.Cell("flips of a coin", 0.04, 0.06, 1000, lambda rng: float(rng.random() < 0.5))
    shares = np.array([cell.run(np.random.default_rng(r)) for r in range(200)])
    measured = levels.Measured(cell, float(shares.mean()), 0.38, 0.62, 200)
    assert not measured.meets
    assert measured.row() == f"| flips of a coin | **{shares.mean():.4f}** | 0.380–0.620 | 0.04–0.06 | 200 |"


def test_the_page_has_the_cells_of_the_table(levels):
    """Every cell has a row with its goal; none that fails is left plain."""
    text = levels.PAGE.read_text("utf-8")
    rows = dict(
        line[2:].split(" | ", 1) for line in text.splitlines() if line.startswith("| ") and "design" not in line
    )
    assert list(rows) == [cell.name for cell in levels.cells() if cell.name in rows]
    for cell in levels.cells():
        if cell.name in rows:
            share, interval, band, _ = rows[cell.name].strip(" |").split(" | ")
            low, high = map(float, interval.replace(" to ", "–").split("–"))
            meets = low <= cell.high and high >= cell.low
            assert share.startswith("**") != meets, cell.name
            assert band == (f"{cell.low:g}–{cell.high:g}" if cell.low >= 0 else f"from {cell.low:g}")
