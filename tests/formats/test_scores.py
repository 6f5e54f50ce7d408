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
from assay.errors import AssayError, FormatError
from assay.formats import ScoreRecord, ScoreWriter, read_scores, score_records

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
        ("s.csv", "system,item,score\nA,1,1\n", r"no column 'metric'"),
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
