"""Markdown: what a reader of it makes of the tables, with texts that look like markup."""

from __future__ import annotations

import pytest

from assay.data.view import Column, Table, View, text_column
from assay.views import draw_text
from assay.views._draw.markdown import draw_markdown_table, escape_markdown

HOSTILE = [
    "a|b",
    "**bold**",
    "<script>x</script>",
    "[x](javascript:y)",
    "a_b_c",
    "`x`",
    "\\|",
    "&lt;",
    "# x",
    "a\nb",
    "$x$",
]


def render(text: str) -> str:
    markdown = pytest.importorskip("markdown_it")
    return str(markdown.MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


def test_texts_are_texts():
    """Each cell is read back as it was; a line break is written as in JSON."""
    html = render(draw_markdown_table([text_column("text", HOSTILE), Column("n", ["1"] * len(HOSTILE))]))
    from html.parser import HTMLParser

    cells: list[str] = []
    tags: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.add(tag)
            if tag == "td":
                cells.append("")

        def handle_data(self, data):
            if cells:
                cells[-1] += data

    Reader().feed(html)
    assert [c.strip() for c in cells[::2]] == [t.replace("\n", "\\n") for t in HOSTILE]
    assert tags == {"table", "thead", "tr", "th", "tbody", "td"}


def test_a_whole_view():
    table = Table([text_column("system", ["A", "B"]), Column("p", ["0.5 ", "0.01*"], best=(1,))], title="Tests")
    view = View(["1. A is best."], [table], notes=["# x"], text="a ``` b")
    assert draw_text(view, form="markdown", rows=1) == (
        "1\\. A is best.\n\n````text\na ``` b\n````\n\n#### Tests\n\n| system | p |\n|:--|--:|\n| A | 0.5 |\n\n"
        "The first 1 of 2 rows; --rows N prints more.\n\n\\# x"
    )


def test_the_best_are_bold():
    html = render(draw_markdown_table([Column("r", ["0.1", "0.01*"], best=(1,))]))
    assert "<strong>0.01*</strong>" in html


def test_nothing_hides_in_a_line():
    assert escape_markdown("a\u202eb") == "a\\u202eb"
