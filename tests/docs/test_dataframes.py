"""The chart with matplotlib on the page about DataFrames."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import assay

ROOT = Path(__file__).parents[2]


def test_the_ranking_is_drawn_with_its_intervals():
    figure = pytest.importorskip("matplotlib.figure")
    page = (ROOT / "docs" / "dataframes.md").read_text("utf-8")
    code = next(block for block in re.findall(r"```python\n(.*?)```", page, re.S) if "def plot_ranking" in block)
    names: dict[str, Any] = {}
    exec(code, names)
    data = assay.read(ROOT / "src" / "assay" / "examples" / "compressions.jsonl")
    comparison = assay.compare(assay.score(data, "rouge2"))
    axes = figure.Figure().subplots()
    names["plot_ranking"](comparison, axes)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["alder", "elm", "cedar", "birch"]
    assert axes.lines[0].get_xdata().tolist() == [r.score for r in reversed(comparison.ranking)]
