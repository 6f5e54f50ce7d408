"""The result of systems that write words of their own."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.cli.main import main
from assay.systems.budget import Budget
from assay.systems.compress import Source, compress
from assay.systems.compress.baselines import Lead
from assay.systems.compress.edits.rewrite import (
    Rewrite,
    TextEdit,
    build_rewrite,
    draw_diff,
    join_edits,
    leave_text,
    list_edits,
    refuse_reason,
)

WORDS = st.lists(st.sampled_from(["a", "b", "c", "the", "12", ",", "."]), min_size=1, max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_edits_lead_from_the_source_to_the_text(source, text):
    rewrite = build_rewrite(Source(source), text)
    assert " ".join(e.text for e in rewrite.edits if e.text) == text
    assert "".join(source[e.start : e.end] for e in rewrite.edits).replace(" ", "") == source.replace(" ", "")
    assert [e.start for e in rewrite.edits] == sorted(e.start for e in rewrite.edits)
    kept = [rewrite.tokens[i].text for i in rewrite.kept_tokens]
    assert kept == [w for e in rewrite.edits if e.kind == "keep" for w in e.text.split()]


def test_kinds_and_places():
    rewrite = build_rewrite(Source("Officials said that they arrived."), "It seems they came.")
    assert [(e.kind, e.text) for e in rewrite.edits] == [
        ("replace", "It seems"),
        ("keep", "they"),
        ("replace", "came"),
        ("keep", "."),
    ]
    assert rewrite.edits[0][1:3] == (0, 19)
    assert rewrite.word_rate == 0.8
    assert rewrite.token_rate == 5 / 6
    assert draw_diff(rewrite) == "[-Officials said that-]{+It seems+} they [-arrived-]{+came+}."


def test_an_insertion_stands_between_two_places():
    rewrite = build_rewrite(Source("He came and left."), "He came soon and left.")
    assert rewrite.edits[1] == TextEdit("insert", 7, 7, "soon")
    assert draw_diff(rewrite) == "He came {+soon+} and left."
    assert draw_diff(build_rewrite(Source("He left."), "Then He left.")) == "{+Then+} He left."


def test_a_text_over_the_limit_has_the_note_of_every_compressor():
    rewrite = build_rewrite(Source("One two three four.", Budget(words=2)), "One two five.", notes=("x",))
    assert rewrite.notes == ("x", "longer than the limit of 2 words: the shortest possible text has 3")


@pytest.mark.parametrize("text", ["", "  ", "...", "Yes"])
def test_nothing_is_never_the_answer(text):
    rewrite = build_rewrite(Source(text), "")
    assert rewrite.text == text
    assert bool(rewrite.notes) == bool(text.strip())
    assert math.isnan(rewrite.token_rate) == (not rewrite.tokens)
    assert "".join(e.text for e in rewrite.edits) == text.strip()


def test_a_text_that_is_left_says_why_and_that_it_is_too_long():
    rewrite = leave_text(Source("One two three.", Budget(words=2)), "no reason")
    assert rewrite.notes == (
        "left as it is: no reason",
        "longer than the limit of 2 words: the text as it is has 3",
    )


def test_reasons_to_refuse():
    known = {"the", "cat", "sat", "on", "a", "mat"}
    assert refuse_reason("The cat sat on a mat.", known) == ""
    assert refuse_reason("Le chat est sur un mat.", known).startswith("83% of its words are unknown")
    assert refuse_reason("12 % !", known) == "it has no words"
    assert refuse_reason("Zzz yyy", known) == ""  # too few to tell


def test_a_compression_that_deletes_has_edits_too():
    [c] = compress(["The cat sat, on the mat."], "lead", words=3)
    assert [(e.kind, e.text) for e in list_edits(c)] == [("keep", "The cat sat"), ("delete", ""), ("keep", ".")]
    assert draw_diff(c) == "The cat sat[-, on the mat-]."


def test_reasons_keep_deletions_apart():
    edits = [TextEdit("delete", 0, 1, "", "x"), TextEdit("delete", 2, 3, "", "y"), TextEdit("delete", 4, 5, "", "y")]
    assert join_edits("a b c", edits) == (edits[0], TextEdit("delete", 2, 5, "", "y"))


@pytest.fixture
def rewriting(monkeypatch):
    """Let the first words be rewritten, as a system that generates would."""

    def rewrite(self, sources):
        return [build_rewrite(source, "Some cat sat.") for source in sources]

    monkeypatch.setattr(Lead, "compress", rewrite)
    monkeypatch.setattr(Lead, "rewrites", True)


def test_the_command_line_lists_the_edits(rewriting, tmp_path, capsys):
    (tmp_path / "in.txt").write_text("The cat sat there.\n")
    assert main(["compress", str(tmp_path / "in.txt"), "--system", "lead", "--json"]) == 0
    [record] = map(json.loads, capsys.readouterr().out.splitlines())
    assert record["edits"][0] == {"kind": "replace", "source": "The", "text": "Some", "place": [0, 3], "reason": ""}
    assert [e["kind"] for e in record["edits"]] == ["replace", "keep", "delete", "keep"]


def test_the_command_line_shows_a_diff(rewriting, tmp_path, capsys):
    (tmp_path / "in.txt").write_text("The cat sat there.\n")
    assert main(["compress", str(tmp_path / "in.txt"), "--system", "lead"]) == 0
    assert capsys.readouterr().out == "Some cat sat.\n"  # no terminal
    assert main(["compress", str(tmp_path / "in.txt"), "--system", "lead", "--diff"]) == 0
    assert capsys.readouterr().out == "[-The-]{+Some+} cat sat [-there-].\n"


def test_a_set_stores_the_edits(rewriting, tmp_path):
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "source": "The cat sat there."}) + "\n")
    out = tmp_path / "out.jsonl"
    assert main(["compress", str(tmp_path / "in.jsonl"), "--system", "lead", "--out", str(out)]) == 0
    [item] = assay.read(out)
    assert item.outputs["lead"] == "Some cat sat."
    assert item.extra["compressions"]["lead"]["edits"][0]["text"] == "Some"
    assert isinstance(compress(["The cat."], "lead")[0], Rewrite)
