"""Results of promptfoo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import read, write
from assay.errors import FormatError, InputError, SkippedWarning
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "promptfoo/results.json"


def test_results():
    assert format_of(SAMPLE) == "promptfoo"
    with pytest.warns(SkippedWarning, match="tests that failed with an error and have no output"):
        data = read(SAMPLE, allow_missing=True)
    assert data.items == ("q0", "q1")
    assert data.systems == ("small", "large")
    assert data["q0"].sources == ("Question 0?",)
    assert data["q0"].references[0].text == "Answer 0."
    assert json.loads(data["q1"].outputs["small"]) == {"answer": 1}
    assert data.assessors == (("openai:gpt-4o", "llm"), ("contains", "metric"), ("human", "human"))
    assert data.human("helpful").values[0].tolist()[0] == 1.0  # the person's, not the model's 0.8
    assert data.use_assessors("metric").dimensions == ("contains", "contains 2")
    with pytest.raises(InputError, match=r"no person judged 'contains', only contains \(metric\)"):
        data.human("contains")


def test_several_prompts_are_several_systems(tmp_path):
    results = json.loads(SAMPLE.read_text())
    for entry in [dict(e) for e in results["results"]["results"][:2]]:
        results["results"]["results"].append({**entry, "promptIdx": 1, "response": {"output": "other"}})
    (tmp_path / "a.json").write_text(json.dumps(results))
    systems = read(tmp_path / "a.json", allow_missing=True).systems
    assert set(systems) == {f"{s} [prompt {n}]" for s in ("small", "large") for n in (0, 1)}


def test_repeated_tests(tmp_path):
    results = json.loads(SAMPLE.read_text())
    first = results["results"]["results"][0]
    results["results"]["results"] += [first, {**first, "response": {"output": "another"}}]
    (tmp_path / "a.json").write_text(json.dumps(results))
    data = read(tmp_path / "a.json", allow_missing=True)
    assert data.items == ("q0", "q1", "q0@2")
    assert sorted(j.occasion for j in data["q0"].judgments if j.dimension == "helpful" and j.kind == "llm") == [1, 1, 2]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda r: r["results"].update(results={}), "results.results must be a JSON array; got an object"),
        (lambda r: r["results"]["results"][0].update(provider=None), "its provider must be a name; got null"),
        (lambda r: r["results"]["results"][0]["gradingResult"]["componentResults"][0].update(score="x"), "be a number"),
        (lambda r: r["results"]["results"].append(3), "result 5 must be a JSON object; got a number"),
    ],
)
def test_bad_results(tmp_path, change, match):
    results = json.loads(SAMPLE.read_text())
    change(results)
    (tmp_path / "a.json").write_text(json.dumps(results))
    with pytest.raises(FormatError, match=match):
        read(tmp_path / "a.json", format="promptfoo", allow_missing=True)


def test_results_are_not_written(tmp_path):
    with pytest.raises(FormatError, match="files of promptfoo are read and not written"):
        write(read(SAMPLES / "outputs.jsonl"), tmp_path / "a.json", format="promptfoo")
