"""Markup: what is markup and what is text, the warning that counts it, and that it can be taken out everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import kendalltau

import assay
from assay.cli.main import _QUESTIONS, load, main, make_parser
from assay.errors import InputError, MarkupWarning
from assay.formats._io.markup import find_markup, strip_item, strip_markup
from assay.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("<t> it rains . </t> <t> we stay . </t>", "it rains .\nwe stay ."),
        ("<s>It rains.</s><s>We stay.</s>", "It rains.\nWe stay."),
        ("one<br/>two <P class='x'>three", "one\ntwo\nthree"),
        ("a <b>bold</b> word, <a href='x'>linked</a>", "a bold word, linked"),
        ("AT&amp;T &quot;up&quot; &#39;3&#x27; &nbsp;%", "AT&T \"up\" '3' \xa0%"),
        ("&lt;t&gt; is a tag", "<t> is a tag"),
        ("a < b and c > d, <unk> <3 <john@site.org> R&D; &c; <File: x.doc>", None),
        ("no markup\nat all ", None),
    ],
)
def test_what_is_taken_out(text, stripped):
    assert strip_markup(text) == (text if stripped is None else stripped)
    assert bool(find_markup(text)) == (stripped is not None)


@pytest.fixture
def marked(tmp_path):
    """Two systems, of which one has sentence marks; one reference of two has an entity."""
    items = [
        {
            "id": "1",
            "source": "s <t> t",
            "references": ["it rains", "a &amp; b"],
            "outputs": {"A": "<t> it rains </t>"},
        },
        {"id": "2", "source": "s", "references": ["we stay"], "outputs": {"A": "we stay"}},
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join(map(json.dumps, items)))
    return SimpleNamespace(file=file, folder=tmp_path)


def test_reading_counts_markup(marked):
    with pytest.warns(
        MarkupWarning, match="1 of 2 outputs and 1 of 3 references have markup such as <t>.*--strip-tags"
    ):
        data = assay.read(marked.file)
    assert data["1"].outputs["A"] == "<t> it rains </t>"


def test_reading_can_take_it_out(marked, recwarn):
    data = assay.read(marked.file, strip_tags=True)
    assert data["1"].outputs["A"] == "it rains"
    assert [reference.text for reference in data["1"].references] == ["it rains", "a & b"]
    assert data["1"].sources == ("s\nt",)
    assert not [w for w in recwarn if w.category is MarkupWarning]


def test_two_passes_warn_once(marked):
    chunks = assay.formats.stream(marked.file)
    with pytest.warns(MarkupWarning) as warned:
        assert [len(list(chunks)) for _ in range(2)] == [1, 1]
    assert len(warned) == 1


def test_a_stray_entity_is_not_worth_a_warning(tmp_path, recwarn):
    file = tmp_path / "set.jsonl"
    texts = ["AT&amp;T", *["a"] * 150]
    file.write_text("\n".join(json.dumps({"id": str(n), "outputs": {"A": t}}) for n, t in enumerate(texts)))
    assay.read(file)
    assert not list(recwarn)


def test_alternatives_are_refused_where_they_would_move(tmp_path):
    item = {"id": "1", "references": [{"text": "<t> a b", "alternatives": [[4, 5, "c"]]}], "outputs": {"A": "a"}}
    file = tmp_path / "set.jsonl"
    file.write_text(json.dumps(item))
    with pytest.raises(InputError, match="item '1': --strip-tags cannot change a reference with alternatives"):
        assay.read(file, strip_tags=True)


def run(capsys, *arguments) -> tuple[str, str]:
    assert main([str(argument) for argument in arguments]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_score_warns_and_strips(marked, capsys):
    out, err = run(capsys, "score", marked.file, "-m", "rouge1", "--json")
    assert "1 of 2 outputs and 1 of 3 references have markup such as <t>" in err
    stripped, err = run(capsys, "score", marked.file, "-m", "rouge1", "--json", "--strip-tags")
    assert "markup" not in err
    assert json.loads(out.splitlines()[-1])["score"] < json.loads(stripped.splitlines()[-1])["score"]


def test_lines_and_pairs(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("<t> it rains </t>\n")
    (tmp_path / "r.txt").write_text("it rains\n")
    options = ("--outputs", f"A={tmp_path / 'a.txt'}", "--refs", tmp_path / "r.txt", "-m", "rouge1", "--json")
    assert json.loads(run(capsys, "score", *options, "--strip-tags")[0].splitlines()[-1])["score"] == 1
    plain, _ = run(capsys, "align", "it rains", "it rains")
    assert run(capsys, "align", "<t> it rains </t>", "it rains", "--strip-tags")[0] == plain
    (tmp_path / "p.tsv").write_text("<s>it rains</s>\tit rains\n")
    assert "<s>" not in run(capsys, "align", tmp_path / "p.tsv", "--strip-tags")[0]
    assert "t>" not in run(capsys, "compress", tmp_path / "a.txt", "--words", "5", "--strip-tags")[0]


READ_NO_TEXTS = {
    "judge",
    "agree",
    "cache",
    "completion",
    "demo",
    "example",
    "metrics",
    "plan",
    "pyramid",
    "schema",
    "split",
    "study",
}


def test_every_command_that_reads_texts_has_the_option():
    commands = [name for _, names in _QUESTIONS for name in names]
    without = {name for name in commands if "--strip-tags" not in make_parser(name, load(name)).format_help()}
    assert without == READ_NO_TEXTS


def planted(data: assay.EvalSet, systems: set[str]) -> assay.EvalSet:
    """Put <t> and </t> around the sentences of some systems, as summaries of some systems are released."""
    return assay.EvalSet(
        [
            replace(item, outputs={s: _mark(text) if s in systems else text for s, text in item.outputs.items()})
            for item in data
        ]
    )


def _mark(text: str) -> str:
    return " ".join(f"<t> {sentence} </t>" for sentence in split_sentences(text))


def tau(data: assay.EvalSet, human: assay.Scores) -> tuple[float, float]:
    """ROUGE-2 over all systems, and Kendall's tau of the systems with their mean relevance."""
    means = assay.score(data, "rouge2").means().ravel()
    return means.mean(), kendalltau(means, np.nanmean(human.values, axis=1)).statistic


def test_planted_marks_in_summeval(shared):
    """What <t> costs ROUGE-2, and that nothing of it is left after stripping (docs/defaults.md)."""
    data = shared("summeval.jsonl.gz")
    human = data.human("relevance")
    every, first, second = (
        planted(data, set(systems)) for systems in (data.systems, data.systems[::2], data.systems[1::2])
    )
    assert tau(data, human) == pytest.approx((0.1105, 0.567), abs=6e-4)
    assert tau(every, human) == pytest.approx((0.1031, 0.617), abs=6e-4)
    assert tau(first, human) == pytest.approx((0.1069, 0.567), abs=6e-4)
    assert tau(second, human) == pytest.approx((0.1067, 0.283), abs=6e-4)
    clean = assay.score(data, "rouge2").values
    for marked in (every, first, second):
        stripped = assay.EvalSet([strip_item(item) for item in marked])
        np.testing.assert_allclose(assay.score(stripped, "rouge2").values, clean)
