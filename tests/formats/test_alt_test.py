"""The JSON of the alternative annotator test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, read, write
from assay.errors import AssayError, FormatError
from assay.formats import format_of, read_judged
from assay.formats.alt_test import AltTestJson

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "alt-test/ratings.json"


def test_ratings():
    assert format_of(SAMPLE) == "alt-test"
    data = read(SAMPLES / "outputs.jsonl", judgments=SAMPLE)
    assert data.raters == ("ann", "gpt-4o")  # the file does not say what they are
    assert len(data["2"].judgments) == 1  # null is no rating
    assert data.with_kinds({"gpt*": "llm"}).human("fluency").values[:, 0].tolist() == [4.0, 2.0]


def test_written_and_read_again(tmp_path):
    data = read(SAMPLES / "outputs.jsonl", judgments=SAMPLE)
    write(data, tmp_path / "a.json", format="alt-test")
    rows = {row[:5] for row in AltTestJson().read_judgments(tmp_path / "a.json")}
    assert rows == {row[:5] for row in AltTestJson().read_judgments(SAMPLE)}


def test_an_item_with_underscores(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"ann": {"a__b__sys__dim": 1}}))
    row = next(AltTestJson().read_judgments(tmp_path / "a.json"))
    assert row[:4] == ("a__b", "sys", "ann", "dim")


def test_keys_that_are_ids(tmp_path):
    ratings = {"annotator_1": {"7": 3, "q__8": 1}, "gpt-4o": {"7": 2, "q__8": None}}
    (tmp_path / "a.json").write_text(json.dumps(ratings))
    assert format_of(tmp_path / "a.json") == "alt-test"
    data = read_judged(tmp_path / "a.json")
    assert (data.items, data.raters, data.judged_dimensions) == (("7", "q__8"), ("annotator_1", "gpt-4o"), ("score",))
    assert [j.score for j in data["7"].judgments] == [3.0, 2.0]
    (tmp_path / "b.json").write_text(json.dumps({"latency": {"7": 3}, "cost": {"7": 2}}))
    assert format_of(tmp_path / "b.json") != "alt-test"


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ({"ann": {"1__fluency": 3, "1__A__fluency": 3}}, "a key is item__system__dimension; got '1__fluency'"),
        ({"ann": {"1__online-A__fluency": "2-Mar"}}, "a date"),
        ({"ann": [3]}, "the ratings of 'ann' must be a JSON object; got an array"),
        ([3], "the file must be a JSON object; got an array"),
    ],
)
def test_bad_files(tmp_path, content, match):
    (tmp_path / "a.json").write_text(json.dumps(content))
    with pytest.raises(AssayError, match=match):
        list(AltTestJson().read_judgments(tmp_path / "a.json"))


def test_a_key_must_tell_apart(tmp_path):
    item = Item("1", outputs={"a__b": "x"}, judgments=(Judgment("a__b", "ann", "d", 1.0),))
    with pytest.raises(FormatError, match="cannot be told apart"):
        write(EvalSet([item]), tmp_path / "a.json", format="alt-test")
