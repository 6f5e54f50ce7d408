"""Chart: the specification with colours, the formats it is saved in, and what a notebook gets."""

from __future__ import annotations

import json

import pytest

from assay.data.chart import COLOURS, Chart
from assay.data.view import Column
from assay.errors import InputError

CHART = Chart({"mark": {"type": "bar", "color": "$accent"}}, (Column("n", ["3"]),), "A bar")


def test_it_is_saved_by_the_ending_of_the_name(tmp_path):
    CHART.save(tmp_path / "bar.json")
    spec = json.loads((tmp_path / "bar.json").read_text("utf-8"))
    assert spec["mark"]["color"] == COLOURS["$accent"]
    CHART.save(tmp_path / "bar.html")
    assert "A bar" in (tmp_path / "bar.html").read_text("utf-8")
    with pytest.raises(InputError, match=r"saved as .svg, .png, .html or .json; got 'bar.pdf'"):
        CHART.save(tmp_path / "bar.pdf")


def test_a_notebook_gets_the_chart_and_its_table():
    bundle = CHART._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"]["$schema"].endswith("v5.json")
    assert "<td" in bundle["text/html"]
    assert bundle["text/plain"] == "n\n─\n3"
