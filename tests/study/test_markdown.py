"""Instructions cannot do harm, whatever is in them."""

from __future__ import annotations

import pytest

from assay.study.markdown import render_markdown


def test_markdown_is_rendered():
    html = render_markdown("# Task\n\nRate *meaning*:\n\n| 1 | 2 |\n|---|---|\n| bad | good |\n")
    assert "<h1>Task</h1>" in html
    assert "<em>meaning</em>" in html
    assert "<td>bad</td>" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://example.org/a.png)",
        '<a href="data:text/html,x" onclick="x">y</a>',
        "<style>body{display:none}</style>",
        "<iframe src='https://example.org'></iframe>",
    ],
)
def test_nothing_harmful_is_left(text):
    html = render_markdown(text).lower()
    for mark in ("<script", "<img", "<style", "<iframe", '<a href="javascript', '<a href="data'):
        assert mark not in html


def test_nothing_is_nothing():
    assert render_markdown("  \n") == ""
