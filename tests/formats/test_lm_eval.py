"""Samples of lm-evaluation-harness, as it wrote them, and its own aggregates."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assay import read, score
from assay.errors import FormatError, SkippedWarning, UnknownName
from assay.formats import format_of, read_scores

FOLDER = Path(__file__).parent / "samples/lm-eval"
HEADLINES = next(FOLDER.glob("samples_invented_headlines_*"))
CHOICE = next(FOLDER.glob("samples_invented_choice_*"))
RESULTS = json.loads(next(FOLDER.glob("results_*.json")).read_text())
MODEL = RESULTS["model_name"]
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")


def test_a_task_that_generates():
    assert format_of(HEADLINES) == "lm-eval"
    with pytest.warns(SkippedWarning, match=r"values of bleu, which the harness computes over the whole corpus \(4\)"):
        data = read(HEADLINES)
    assert (data.items, data.systems) == (("0", "1", "2", "3"), (MODEL,))
    item = data["1"]
    assert item.sources == ("Shorten: A grey cat slept on the warm stone all morning.",)
    assert [reference.text for reference in item.references] == ["A cat slept on the stone."]
    assert item.outputs == {MODEL: "lol"}
    assert data.assessors == (("exact_match", "metric"),)
    assert data.dimensions == ()  # no person judged


def test_the_harness_own_aggregates_are_reproduced():
    own = RESULTS["results"]["invented_headlines"]
    (exact,) = read_scores(HEADLINES)
    assert exact.means().tolist() == [own["exact_match,none"]]
    assert score(read(HEADLINES), "chrf").means()[0] == pytest.approx(own["chrf,none"], abs=1e-9)
    choice = {scores.name: scores.means()[0] for scores in read_scores(CHOICE)}
    own = RESULTS["results"]["invented_choice"]
    assert choice == {"acc": pytest.approx(own["acc,none"]), "acc_norm": pytest.approx(own["acc_norm,none"])}


def test_of_a_choice_the_likeliest_option_is_the_output():
    data = read(CHOICE)
    assert [reference.text for item in data for reference in item.references] == ["wren", "oak", "trout"]
    right = [float(item.outputs[MODEL] == item.references[0].text) for item in data]
    assert right == [j.score for item in data for j in item.judgments if j.dimension == "acc"]


def test_a_filter_is_chosen():
    with pytest.warns(SkippedWarning, match=r"rows of filter lower .* reads them\) \(4\)"):
        read(HEADLINES)
    assert len(read(HEADLINES, format="lm-eval(filter=lower)")) == 4
    with pytest.raises(UnknownName, match="unknown filter 'strict'"):
        read(HEADLINES, format="lm-eval(filter=strict)")


def test_a_folder_is_of_one_task(tmp_path):
    assert format_of(FOLDER) == "lm-eval"
    with pytest.raises(FormatError, match=r"samples of 2 tasks; choose one as .*lm-eval\(task=invented_choice\)"):
        read(FOLDER)
    assert read(FOLDER, format="lm-eval(task=invented_headlines)") == read(HEADLINES)
    for model in ("small", "large"):
        (tmp_path / model).mkdir()
        shutil.copy(HEADLINES, tmp_path / model)
    assert read(tmp_path).systems == ("large", "small")  # without results, the folder is the model


def test_older_files(tmp_path):
    sample = json.loads(HEADLINES.read_text().splitlines()[0])
    del sample["metrics"], sample["filter"], sample["bleu"], sample["chrf"]
    sample["arguments"] = [["Shorten: this.", {"until": ["."]}]]
    (tmp_path / "run.jsonl").write_text(json.dumps(sample))
    item = next(iter(read(tmp_path / "run.jsonl")))
    assert item.sources == ("Shorten: this.",)
    assert [j.dimension for j in item.judgments] == ["exact_match"]


def test_a_response_that_is_no_text(tmp_path):
    sample = {**json.loads(HEADLINES.read_text().splitlines()[0]), "resps": [], "filtered_resps": []}
    (tmp_path / "run.jsonl").write_text(json.dumps(sample))
    with pytest.raises(FormatError, match=r"run.jsonl:1: no response of the model is a text"):
        read(tmp_path / "run.jsonl")
