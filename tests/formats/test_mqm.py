"""MQM ratings: weights, raters, and the same rows written again."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, read, write
from assay.errors import AssayError, FormatError
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")


def test_google():
    data = read(SAMPLES / "mqm/google.tsv")
    assert format_of(SAMPLES / "mqm/google.tsv") == "mqm"
    assert data.items == ("1", "2")
    assert (data["1"].cluster, data["1"].group) == ("weather", None)
    assert data["1"].outputs["online-B"] == 'Es hat den ganzen Tag "geregnet".'  # a quotation mark is a character
    assert data["1"].sources == ("It rained all day.",)
    scores = {(item.id, j.system, j.rater): j.score for item in data for j in item.judgments}
    assert scores == {
        ("1", "online-A", "rater1"): -1.0,
        ("1", "online-A", "rater2"): 0.0,  # no error is a score; a rater who is absent has none
        ("1", "online-B", "rater1"): -0.1,
        ("2", "online-A", "rater1"): -25.0,
        ("2", "online-B", "rater1"): -6.0,
    }


def test_marot_knows_its_machine():
    data = read(SAMPLES / "mqm/marot.tsv")
    assert data.assessors == (("rater1", "human"), ("AutoMQM-x", "llm"))
    assert data.human("mqm").values.tolist() == [[-1.0, 0.0]]


@pytest.mark.parametrize("name", ["google.tsv", "marot.tsv"])
def test_round_trip(tmp_path, name):
    data = read(SAMPLES / "mqm" / name)
    write(data, tmp_path / "b.tsv", format="mqm")
    assert read(tmp_path / "b.tsv") == data
    rows = (SAMPLES / "mqm" / name).read_text().splitlines()
    assert sorted((tmp_path / "b.tsv").read_text().splitlines()) == sorted(rows)


def test_without_a_header(tmp_path):
    rows = (SAMPLES / "mqm/google.tsv").read_text().split("\n", 1)[1]
    (tmp_path / "a.tsv").write_text(rows)
    assert read(tmp_path / "a.tsv", format="mqm") == read(SAMPLES / "mqm/google.tsv")


def test_numbers_of_segments_that_begin_anew_in_each_document(tmp_path):
    text = (SAMPLES / "mqm/google.tsv").read_text().replace("\t1\t2\trater1", "\t1\t1\trater1")
    (tmp_path / "a.tsv").write_text(text)
    assert read(tmp_path / "a.tsv").items == ("weather:1", "traffic:1")


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("\tMajor\n", "\tCritical\n", r"a.tsv:5: severity 'Critical' has no weight .*mqm\(critical=25\)"),
        ("\tMinor\n", "\tbad\n", "a.tsv:2: severity 'bad' has no weight"),
        ("\tMinor\n", "\n", "a.tsv:2: 8 fields where there are 9 columns"),
        ("It rained all day.\tEs regnete ganzen", "It snowed.\tEs regnete ganzen", "a.tsv:3: .*another source"),
        ("Es regnete ganzen Tag.\tNo", "Es schneite.\tNo", "a.tsv:3: .*another output of system 'online-A'"),
    ],
)
def test_bad_files(tmp_path, old, new, match):
    (tmp_path / "a.tsv").write_text((SAMPLES / "mqm/google.tsv").read_text().replace(old, new, 1))
    with pytest.raises(AssayError, match=match):
        read(tmp_path / "a.tsv")


def test_a_weight_for_critical_errors(tmp_path):
    (tmp_path / "a.tsv").write_text((SAMPLES / "mqm/google.tsv").read_text().replace("\tMajor\n", "\tCritical\n"))
    data = read(tmp_path / "a.tsv", format="mqm(critical=10)")
    assert data["2"].judgments[0].score == -10.0


def test_scores_that_no_error_explains_are_not_written(tmp_path):
    data = EvalSet([Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "r", "mqm", -1.0),))])
    with pytest.raises(FormatError, match="that no marked error explains"):
        write(data, tmp_path / "a.tsv", format="mqm")
    assert not (tmp_path / "a.tsv").exists()
