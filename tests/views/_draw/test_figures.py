"""Charts as pictures, made without a browser."""

from __future__ import annotations

import re

import pytest

import assay
from assay.data.chart import Chart
from assay.data.view import Column
from assay.errors import InputError
from assay.page.sections import list_charts
from assay.views._draw.figures import write_figures

pytest.importorskip("vl_convert", reason="needs vl-convert-python: pip install 'assay-eval[figures]'")


def bar(description: str = "Bars") -> Chart:
    spec = {
        "data": {"values": [{"n": 3, "system": "<A> & $ink"}]},
        "mark": {"type": "bar", "color": "$accent"},
        "width": "container",
        "encoding": {"x": {"field": "n", "type": "quantitative"}, "y": {"field": "system", "type": "nominal"}},
    }
    return Chart(spec, (Column("n", ["3"]),), description)


def test_a_chart_is_saved_as_a_picture(tmp_path):
    bar().save(tmp_path / "a.svg")
    bar().save(tmp_path / "a.png")
    svg = (tmp_path / "a.svg").read_text("utf-8")
    assert svg.startswith("<svg")
    assert "#0b6b63" in svg
    assert "&lt;A&gt; &amp; $ink" in svg
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_charts_of_one_name_are_numbered(tmp_path):
    paths = write_figures([bar(), bar("../Bars")], tmp_path / "figures")
    assert [path.name for path in paths] == ["Bars.svg", "Bars.png", "Bars-2.svg", "Bars-2.png"]
    assert {path.parent for path in paths} == {tmp_path / "figures"}


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError, match="is a file: give a folder"):
        write_figures([bar()], tmp_path / "x")


def test_every_chart_of_the_page_is_drawn(judged, tmp_path):
    """As many as the page has, none empty: each has marks of its data."""
    report = assay.report(judged, assay.score(judged, ["rouge1", "bleu"]), resamples=50)
    charts = list_charts(report)
    assert len(charts) > 8
    for path in write_figures(charts[:4], tmp_path):
        if path.suffix == ".svg":
            assert re.search(r'aria-roledescription="[^"]*mark container"', path.read_text("utf-8")), path
