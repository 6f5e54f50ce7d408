"""Annotations made with Potato, beside the instances."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assay import read
from assay.errors import FormatError, SkippedWarning
from assay.formats import format_of
from assay.formats.potato import Potato

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "potato"


@pytest.mark.parametrize("name", ["", "annotation_output"])
def test_states_of_users(name):
    assert format_of(SAMPLE / name) == "potato"
    with pytest.warns(SkippedWarning, match=r"labels of style that are not numbers \(1\); instances with spans \(1\)"):
        data = read(SAMPLE / "outputs.jsonl", judgments=SAMPLE / name)
    assert data.assessors == (("ann", "human"), ("judge", "llm"))
    assert data.human("fluency").values.tolist() == [[4.0, 2.0]]
    assert data.human("adequacy").values[0, 0] == 72.0


@pytest.mark.parametrize(
    ("labels", "match"),
    [
        (
            {"1": [[{"schema": "x", "name": "3"}, "true"], [{"schema": "x", "name": "4"}, "true"]]},
            "has 2 scores for 'x'",
        ),
        ({"1": [["x", "true"]]}, "a label must be a JSON object; got a text"),
        ({"1": 3}, "the labels of an instance must be a JSON array; got a number"),
        ([1], "the labels must be a JSON object; got an array"),
    ],
)
def test_bad_states(tmp_path, labels, match):
    shutil.copytree(SAMPLE, tmp_path / "a")
    (tmp_path / "a/annotation_output/ann/user_state.json").write_text(
        json.dumps({"instance_id_to_label_to_value": labels})
    )
    with pytest.raises(FormatError, match=match):
        list(Potato().read_judgments(tmp_path / "a"))
