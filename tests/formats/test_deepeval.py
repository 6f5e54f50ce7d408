"""Test runs of deepeval: its own files, what `evaluate` returns, older names, and a folder of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import read, write
from assay.errors import AlignmentError, FormatError, SkippedWarning
from assay.formats import format_of

SAMPLE = Path(__file__).parent / "samples" / "deepeval" / "run.json"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")


def run() -> dict:
    return json.loads(SAMPLE.read_text())


def test_a_run():
    assert format_of(SAMPLE) == "deepeval"
    with pytest.warns(SkippedWarning, match=r"metrics with an error or without a score \(1\)"):
        data = read(SAMPLE)
    assert data.items == ("test_case_0", "test_case_1")
    assert data.systems == ("small-summarizer",)
    assert data["test_case_0"].sources[0].startswith("It rained")
    assert data["test_case_1"].references[0].text == "After 20 years the mayor resigned."
    assert data.assessors == (("gpt-4o", "llm"), ("Exact Match", "metric"))
    assert data.use_assessors("llm").human("Coherence [GEval]").values.tolist() == [[0.8, 0.9]]
    assert data.dimensions == ()  # no person judged


def test_what_evaluate_returns(tmp_path):
    cases = [
        {"name": c["name"], "input": c["input"], "actual_output": c["actualOutput"], "metrics_data": c["metricsData"]}
        for c in run()["testCases"]
    ]
    path = tmp_path / "large.json"
    path.write_text(json.dumps({"test_results": cases, "confident_link": None}))
    assert format_of(path) == "deepeval"
    assert read(path).systems == ("large",)


def test_older_names_and_the_latest_run(tmp_path):
    old = run()
    for case in old["testCases"]:
        case["metricsMetadata"] = [{"metric": m.pop("name"), **m} for m in case.pop("metricsData")]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"testRunData": old}))
    data = read(path)
    assert data.use_assessors("llm").dimensions == ("Coherence [GEval]", "Summarization")


def test_a_folder_of_runs(tmp_path):
    other = run()
    other["hyperparameters"]["model"] = "large-summarizer"
    (tmp_path / "b.json").write_text(json.dumps(other))
    (tmp_path / "a.json").write_bytes(SAMPLE.read_bytes())
    assert format_of(tmp_path) == "deepeval"
    data = read(tmp_path)
    assert data.systems == ("small-summarizer", "large-summarizer")
    other["testCases"][0]["input"] = "Another text"
    (tmp_path / "b.json").write_text(json.dumps(other))
    with pytest.raises(AlignmentError, match="item 'test_case_0' has another source here than before"):
        read(tmp_path)


def test_cases_of_one_name_and_without_output(tmp_path):
    changed = run()
    for case in changed["testCases"]:
        case["name"] = "test_all"
    changed["testCases"].append({"name": "talk", "metricsData": [], "turns": []})
    (tmp_path / "a.json").write_text(json.dumps(changed))
    with pytest.warns(SkippedWarning, match="test cases without an output"):
        assert read(tmp_path / "a.json").items == ("test_all", "test_all@2")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda r: r.update(testCases={}), "testCases must be a JSON array; got an object"),
        (lambda r: r["testCases"].append(3), "test case 3 must be a JSON object; got a number"),
        (lambda r: r["testCases"][0]["metricsData"][0].update(score="x"), "must be a number"),
        (lambda r: r["testCases"][0]["metricsData"][0].update(name=None), "the name of a metric must be a name"),
        (lambda r: r["testCases"][0]["metricsData"][0].update(evaluationModel=[1]), "the evaluation model of"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, change, match):
    changed = run()
    change(changed)
    (tmp_path / "a.json").write_text(json.dumps(changed))
    with pytest.raises(FormatError, match=match):
        read(tmp_path / "a.json", format="deepeval")


def test_it_is_read_only(tmp_path):
    with pytest.raises(FormatError, match="files of deepeval are read and not written"):
        write(read(SAMPLE), tmp_path / "x.json", format="deepeval")
