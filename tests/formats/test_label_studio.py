"""Label Studio: tasks with annotations, read and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, Reference, read, write
from assay.errors import FormatError, SkippedWarning
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "label-studio/export.json"


def test_an_export():
    assert format_of(SAMPLE) == "label-studio"
    with pytest.warns(SkippedWarning, match=r"type textarea, which are not numbers \(1\); cancelled annotations"):
        data = read(SAMPLE)
    assert data.items == ("1",)
    assert data.systems == ("online-A", "online-B")
    assert [r.text for r in data["1"].references] == ["Es regnete den ganzen Tag."]
    assert data.assessors == (("10", "human"), ("bob@example.org", "human"), ("rater-model", "metric"))
    assert data.human("fluency").values[:, 0].tolist() == [4.5, 2.0]  # the prediction and the cancelled 1 do not count
    assert data.human("adequacy", rater="10").values[0].tolist() == [3.0]


def test_round_trip(tmp_path):
    judgments = (
        Judgment("A", "ann", "fluency", 4.0),
        Judgment("A", "ann", "fluency", 2.5, 2),
        Judgment("B", "ann", "fluency", -1.0),
        Judgment("A", "gpt", "fluency", 5.0, kind="llm"),
        Judgment("B", "bleu", "overlap", 0.25, kind="metric"),
    )
    data = EvalSet([Item("x", (Reference("r"), Reference("s")), {"A": "a", "B": "b"}, ("src",), "g", judgments)])
    write(data, tmp_path / "a.json", format="label-studio")
    other = read(tmp_path / "a.json")
    assert other["x"].outputs == data["x"].outputs
    assert (other["x"].references, other["x"].sources, other["x"].group) == (data["x"].references, ("src",), "g")
    assert set(other["x"].judgments) == set(judgments)


def changed(tmp_path: Path, change) -> Path:
    tasks = json.loads(SAMPLE.read_text())
    change(tasks)
    (tmp_path / "a.json").write_text(json.dumps(tasks))
    return tmp_path / "a.json"


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda t: t[0]["data"].pop("output"), r"task 11: no output in its data .*label-studio\(output=FIELD\)"),
        (lambda t: t[0]["data"].update(output=7), "the output must be a text; got a number"),
        (lambda t: t[0].update(data=[1]), "task 1: data must be a JSON object; got an array"),
        (lambda t: t[0]["annotations"][0]["result"][0]["value"].update(rating="2-Mar"), "a date"),
        (lambda t: t[0]["annotations"][0].update(result={}), None),
        (lambda t: t[0]["annotations"][0].update(result="x"), "result must be a JSON array; got a text"),
    ],
)
def test_bad_exports(tmp_path, change, match):
    path = changed(tmp_path, change)
    if match is None:
        assert read(path, format="label-studio").raters
        return
    with pytest.raises(FormatError, match=match):
        read(path, format="label-studio")


def test_a_field_is_named(tmp_path):
    path = changed(tmp_path, lambda tasks: [t["data"].update(text=t["data"].pop("output")) for t in tasks])
    other = changed(tmp_path, lambda tasks: [t["data"].update(draft="x") for t in tasks])
    assert read(path, format="label-studio").systems == ("online-A", "online-B")
    assert read(other, format="label-studio(output=draft)")["1"].outputs["online-A"] == "x"
