"""Views as parts of a page: escaped, charts with their tables, nothing loaded."""

from __future__ import annotations

import hashlib
from pathlib import Path

import assay
from assay.data.chart import Chart
from assay.data.view import Column, Table, View
from assay.views._draw.html import Cell, ChartData, draw_chart_page, escape_json, number_view

VEGA = Path(assay.__file__).parent / "views" / "_draw" / "assets" / "vega"
CHART = Chart({"mark": "bar", "data": {"values": []}}, (Column("a", ["<b>"]),), "<i>")


def test_a_chart_alone_is_a_page():
    html = draw_chart_page(CHART)
    assert "<i>" not in html
    assert "&lt;b&gt;" in html
    assert "item-data" not in html


def test_a_chart_without_tables_shows_its_own():
    charts = ChartData()
    part = number_view(View(charts=[CHART]), charts)
    assert part["charts"] == [("chart1", "<i>")]
    assert [(t["summary"], t["rows"]) for t in part["tables"]] == [("Table", [(Cell("<b>"),)])]
    assert charts.specs["chart1"]["mark"] == "bar"


def test_empty_tables_are_left_out():
    tables = [Table([Column("a", [])]), Table([Column("a", ["1"])], summary="Which")]
    assert [t["summary"] for t in number_view(View(tables=tables), ChartData())["tables"]] == ["Which"]


def test_json_ends_no_script():
    assert "</script" not in escape_json({"a": "</script><!--"})


def test_vega_is_what_was_published():
    """The files of vega 6.4.0, vega-lite 6.4.3 and vega-embed 7.3.0 on npm (`make vega` fetches them)."""
    for line in (VEGA / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((VEGA / name).read_bytes()).hexdigest() == digest
        assert b"</script" not in (VEGA / name).read_bytes()
