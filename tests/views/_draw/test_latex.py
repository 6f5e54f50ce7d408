"""LaTeX: every brace is closed, every special character is escaped, and words are comments."""

from __future__ import annotations

import re

import pytest

from assay.data.view import Column, Table, View, text_column
from assay.views import draw_text
from assay.views._draw.latex import draw_latex_table, escape_latex

HOSTILE = ["50%", "a & b", "x_1^2", "\\input{/etc/passwd}", "{", "#1 $y$ ~", "a\nb", "<x>", '"', "[2em]", "*"]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_left_that_latex_would_obey(text):
    """After the escapes are taken out, no character with a meaning is left."""
    drawn = escape_latex(text)
    rest = re.sub(r"\\text\w+\{\}|\\dots\{\}|\\[&%$#_{}]|\$[<>|-]\$|\\[nt]", "", drawn)
    assert not set(rest) & set("&%$#_{}~^\\")


def test_a_table_has_as_many_cells_in_every_row():
    drawn = draw_latex_table([text_column("a & b", HOSTILE), Column("n", ["1"] * len(HOSTILE), best=(0,))])
    rows = [line for line in drawn.split("\n") if line.endswith("\\\\")]
    assert len(rows) == 1 + len(HOSTILE)
    assert all(len(re.findall(r"(?<!\\)&", row)) == 1 for row in rows)
    assert not re.search(r"^[\[*]", drawn, re.MULTILINE)  # would be read as an argument of the row before
    assert "\\textbf{1}" in rows[1]


def test_words_are_comments():
    view = View(["A is\nbest.", "50%"], [Table([Column("n", ["-1", "–"])])], notes=["note"], text="x\ny", title="T")
    drawn = draw_text(view, form="latex")
    inside = re.sub(r"(?s)\\begin\{tabular\}.*?\\end\{tabular\}", "", drawn)
    assert all(line.startswith("%") for line in inside.split("\n") if line)
    assert "$-$1 \\\\\n-- \\\\" in drawn


def test_a_negative_number_has_a_minus():
    drawn = draw_latex_table([Column("95% CI", ["-0.200 to -0.100"])])
    assert "$-$0.200 to $-$0.100" in drawn
