"""Files of scores."""

from __future__ import annotations

import json
import os
from math import nan
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import assay
from assay.data.scores import Scores
from assay.errors import AlignmentError, AssayError, FormatError, InputError, SkippedWarning
from assay.formats import ScoreRecord, ScoreWriter, join_scores, read_scores, score_records

SCORES = Scores(
    np.array([[0.5, 1.0], [1 / 3, np.nan]]), ("A", "B"), ("1", "2"), name="r1", signature='rouge1(x="é, y")'
)


@pytest.mark.parametrize("name", ["s.jsonl", "s.json", "s.jsonl.gz", "s.csv", "s.tsv", "s.csv.gz", "s.parquet"])
def test_scores_come_back(name: str, tmp_path: Path) -> None:
    with ScoreWriter(tmp_path / name, per_item=True) as out:
        for record in score_records(SCORES, per_item=True):
            out.add([record])
        out.add(ScoreRecord(s, "other", 1.0, None, "1") for s in "AB")
        out.add(score_records(SCORES))
    first, second = read_scores(tmp_path / name)
    assert (first.systems, first.items, first.signature) == (SCORES.systems, SCORES.items, SCORES.signature)
    np.testing.assert_array_equal(first.values, SCORES.values)
    np.testing.assert_array_equal(first.corpus, SCORES.means())
    assert second.name == "other"
    assert second.corpus is None


def test_the_form_of_a_record(tmp_path: Path) -> None:
    for name in ("s.jsonl", "s.csv", "s.parquet"):
        with ScoreWriter(tmp_path / name) as out:
            out.add([ScoreRecord("A", "m(x=1)", 2 / 3, 48), ScoreRecord("B", "m(x=1)", nan, 0)])
    lines = (tmp_path / "s.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"system": "A", "metric": "m(x=1)", "score": 2 / 3, "n": 48}
    assert json.loads(lines[1])["score"] is None
    assert (tmp_path / "s.csv").read_text() == f"system,metric,score,n\nA,m(x=1),{2 / 3!r},48\nB,m(x=1),,0\n"
    assert pq.read_table(tmp_path / "s.parquet").to_pylist()[1] == {
        "system": "B",
        "metric": "m(x=1)",
        "score": None,
        "n": 0,
    }


@pytest.mark.parametrize("name", ["s.jsonl", "s.csv", "s.parquet"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_nothing_is_left_of_a_failed_run(name: str, error: type[BaseException], tmp_path: Path) -> None:
    (tmp_path / name).write_text("old")

    def fail() -> None:
        with ScoreWriter(tmp_path / name) as out:
            out.add([ScoreRecord("A", "m", 1.0, 1)] * 50_000)
            assert (tmp_path / name).read_text() == "old"
            raise error

    with pytest.raises(error):
        fail()
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "old"


def test_writer_errors(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"s\.xlsx: scores are written to \.jsonl"):
        ScoreWriter(tmp_path / "s.xlsx")
    with (
        pytest.raises(FormatError, match=r"the folder to write into does not exist"),
        ScoreWriter(tmp_path / "no" / "s.csv"),
    ):
        pass
    with pytest.raises(FormatError, match=r"need ScoreWriter\(per_item=True\)"), ScoreWriter(tmp_path / "s.csv") as out:
        out.add([ScoreRecord("A", "m", 1.0, item="1")])
    with pytest.raises(RuntimeError, match="with statement"):
        ScoreWriter(tmp_path / "s.csv").add([])
    for name in ("s.jsonl", "s.csv", "s.parquet"):
        with pytest.raises(FormatError, match="lone surrogate"), ScoreWriter(tmp_path / name) as out:
            out.add([ScoreRecord("\ud800", "m", 1.0)])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "s.csv",
            "system,item,metric,score\nA,1,m,1\nA,1,m,2\n",
            r"s\.csv:3: a second score of system 'A' for item '1'",
        ),
        ("s.csv", "system,metric,score\nA,m,1\n", r"no scores of single items by 'm'; write them with --per-item"),
        ("s.csv", "system,score\nA,1\n", r"a table of scores has one column of items; it has none"),
        ("s.csv", "system,item,metric,score\nA,1,m,x\n", r"s\.csv:2: 'x' is not a number"),
        ("s.csv", "system,item,metric,score\n,1,m,1\n", r"s\.csv:2: a score needs a system and a metric"),
        ("s.csv", "system,item,metric,score\n", r"there are no scores in it"),
        ("s.jsonl", '{"system": "A"}', r"s\.jsonl:1: not a score"),
        ("s.jsonl", "", r"there are no scores in it"),
    ],
)
def test_bad_score_files(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(AssayError, match=message):
        read_scores(tmp_path / name)


@pytest.mark.parametrize("name", ["scores.jsonl", "scores.csv", "scores.parquet"])
def test_statistics_come_back_with_the_corpus_score(tmp_path, name):
    texts = {"A": ["the cat sat", "a b"], "B": ["the dog", "a c"]}
    data = assay.EvalSet.from_texts(texts, [["the cat sat"], ["a b c"]])
    scores = assay.score(data, "bleu")
    with ScoreWriter(tmp_path / name, per_item=True, statistics=True) as out:
        out.add(score_records(scores, per_item=True))
    (again,) = read_scores(tmp_path / name, lambda signature: assay.metric(signature).corpus)
    assert again.corpus == pytest.approx(scores.corpus)
    assert again.statistics.rows == pytest.approx(scores.statistics.rows)
    (without,) = read_scores(tmp_path / name)
    assert without.statistics is None
    assert without.corpus is None


def test_statistics_that_are_no_numbers_are_refused(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("system,item,metric,score,statistics\nA,1,bleu,0.5,1 two\n")
    with pytest.raises(FormatError, match="statistics must be numbers"):
        read_scores(path)


WIDE = """item,system,comet,rouge1,latency_ms,fluency
1,A,0.5,0.25,120,4
1,B,0.75,0.5,90,3
2,A,,0.0,80,5
2,B,1.0,1.0,70,1
"""


@pytest.mark.parametrize("name", ["wide.csv", "wide.tsv", "wide.jsonl", "wide.parquet", "wide.xlsx"])
def test_a_wide_table_of_metrics(name: str, tmp_path: Path) -> None:
    import io

    import pandas as pd

    frame = pd.read_csv(io.StringIO(WIDE))
    write = {
        "csv": lambda path: frame.to_csv(path, index=False),
        "tsv": lambda path: frame.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda path: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda path: frame.to_parquet(path),
        "xlsx": lambda path: frame.to_excel(path, index=False),
    }
    write[name.partition(".")[2]](tmp_path / name)
    with pytest.warns(SkippedWarning, match="not read as scores of metrics: latency_ms, fluency"):
        comet, rouge = read_scores(tmp_path / name)
    assert (comet.name, comet.systems, comet.items) == ("comet", ("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(comet.values, [[0.5, nan], [0.75, 1.0]])
    np.testing.assert_array_equal(rouge.values, [[0.25, 0.0], [0.5, 1.0]])


def test_one_column_of_scores_is_called_after_the_file(tmp_path: Path) -> None:
    (tmp_path / "bleurt.csv").write_text("id,model,score\n1,A,0.5\n2,A,0.25\n")
    (scores,) = read_scores(tmp_path / "bleurt.csv")
    assert (scores.name, scores.values.tolist()) == ("bleurt", [[0.5, 0.25]])


def test_segment_scores_of_wmt(tmp_path: Path) -> None:
    path = tmp_path / "MetricX-refA.seg.score"
    path.write_text("A\t0.5\nA\tNone\nB\t0.25\nB\t1\n")
    (scores,) = read_scores(path)
    assert (scores.name, scores.systems, scores.items) == ("MetricX-refA", ("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(scores.values, [[0.5, nan], [0.25, 1.0]])
    path.write_text("YiSi\tde-en\tnewstest\tA\t7\t0.5\nYiSi\tde-en\tnewstest\tB\t7\t0.75\n")
    (scores,) = read_scores(path)
    assert (scores.name, scores.items, scores.values.tolist()) == ("YiSi", ("7",), [[0.5], [0.75]])
    path.write_text("A 1 2\n")
    with pytest.raises(FormatError, match="a line is SYSTEM SCORE; got 3 fields"):
        read_scores(path)


def test_files_of_several_systems_are_joined() -> None:
    def make(values: list[float], system: str, items: str = "12", name: str = "m") -> Scores:
        return Scores(np.array([values]), (system,), tuple(items), name=name)

    v1, v2 = make([0.5, 1.0], "A"), make([0.0, 0.25], "B", "21")
    (joined,) = join_scores([("v1.csv", [v1]), ("v2.csv", [v2])])
    assert (joined.systems, joined.items, joined.values.tolist()) == (("A", "B"), ("1", "2"), [[0.5, 1.0], [0.25, 0.0]])
    (joined,) = join_scores([("v1.csv", [v1]), ("v2.csv", [make([0.0, 0.5], "A")])])
    assert joined.systems == ("v1", "v2")
    assert len(join_scores([("v1.csv", [v1]), ("v2.csv", [make([0.0, 0.5], "A", name="n")])])) == 2
    with pytest.raises(AlignmentError, match=r"for other items: 2 are in one of them only \('2', '3'\)"):
        join_scores([("v1.csv", [v1]), ("v2.csv", [make([0.0, 0.5], "B", "13")])])
    both = Scores(np.zeros((2, 2)), ("A", "B"), ("1", "2"), name="m")
    with pytest.raises(InputError, match="scores of system 'A' by 'm' are there already"):
        join_scores([("v1.csv", [both]), ("v2.csv", [v1])])


def test_joined_corpus_scores_are_those_of_one_run() -> None:
    texts = {"A": ["the cat sat on a mat", "a dog"], "B": ["the cat", "a dog ran home today"]}
    references = ["the cat sat on the mat", "a dog ran home"]
    whole = assay.score(assay.EvalSet.from_texts(texts, references), "bleu")
    parts = [assay.score(assay.EvalSet.from_texts({s: texts[s]}, references), "bleu") for s in texts]
    (joined,) = join_scores([(f"{system}.jsonl", [scores]) for system, scores in zip(texts, parts, strict=True)])
    assert joined.means().tolist() == whole.means().tolist()
    assert joined.statistics is not None
    assert joined.statistics.scores().tolist() == whole.means().tolist()


def test_an_item_that_comes_again_with_another_run_is_a_repeat(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"q{q},{run},{s},acc,{q % 2}" for q in range(2) for run in (1, 2) for s in "AB"]
    path.write_text("\n".join(["item,run,system,metric,score", *rows]) + "\n")
    (scores,) = read_scores(path)
    assert (scores.items, scores.runs) == (("q0", "q0@2", "q1", "q1@2"), ("1", "2", "1", "2"))
    assert scores.clusters == ("q0", "q0", "q1", "q1")
    path.write_text("item,run,system,metric,score\nq0,1,A,acc,1\nq0,1,A,acc,0\n")
    with pytest.raises(FormatError, match="a second score of system 'A' for item 'q0'"):
        read_scores(path)
