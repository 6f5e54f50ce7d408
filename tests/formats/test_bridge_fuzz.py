"""Files of other tools with bytes changed: whatever they hold, only Assay's own errors come out."""

from __future__ import annotations

import json
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.formats import FORMATS

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    **{
        name: name.split("/")[0]
        for name in ("mqm/google.tsv", "mqm/marot.tsv", "wmt-da/da.csv", "mturk-da/ratings.tsv")
    },
    **{f"appraise/{name}.csv": "appraise" for name in ("direct", "document", "media")},
    "label-studio/export.json": "label-studio",
    "pearmut/annotations.jsonl": "pearmut",
    "factgenie/files/campaign.jsonl": "factgenie",
    "lite-pyramid/realsumm.csv": "lite-pyramid",
    "promptfoo/results.json": "promptfoo",
    "deepeval/run.json": "deepeval",
    "inspect-ai/log.json": "inspect-ai",
    "alt-test/ratings.json": "alt-test",
}
DOCUMENTS = [name for name in FILES if name.endswith(".json")]
quick = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
VALUES: list[Any] = [None, True, -1, 1e308, "", "x", "2-Mar", "\0", [], {}, [None], {"": None}, [[]], {"a": {"b": 0}}]
ODD = st.sampled_from(VALUES)


def read_all(data: bytes, name: str) -> None:
    """Read a file as its format does, items and judgments; nothing but an AssayError may come out."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, Path(name).name)
        path.write_bytes(data)
        file_format = FORMATS.build(FILES[name])
        for read in (file_format.read_items, file_format.read_judgments):
            with suppress(AssayError):
                list(read(path))


@pytest.mark.parametrize("name", FILES)
@quick
@given(st.data())
def test_changed_bytes(name, data):
    content = bytearray((SAMPLES / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    read_all(bytes(content[: data.draw(st.integers(1, len(content)))]), name)


def replace_somewhere(value: Any, at: list[int], new: Any) -> Any:
    """Return the JSON value with another one in the place that the numbers lead to."""
    if not at or not isinstance(value, dict | list) or not value:
        return new
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[at[0] % len(keys)]
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = replace_somewhere(value[key], at[1:], new)
    return copy


@pytest.mark.parametrize("name", DOCUMENTS)
@quick
@given(at=st.lists(st.integers(0, 20), max_size=8), new=ODD)
def test_values_of_other_types(name, at, new):
    document = json.loads((SAMPLES / name).read_text("utf-8"))
    read_all(json.dumps(replace_somewhere(document, at, new)).encode(), name)


@pytest.mark.parametrize("name", ["pearmut/annotations.jsonl", "factgenie/files/campaign.jsonl"])
@quick
@given(at=st.lists(st.integers(0, 20), max_size=8), new=ODD)
def test_lines_with_values_of_other_types(name, at, new):
    first, *rest = (SAMPLES / name).read_text("utf-8").splitlines()
    changed = json.dumps(replace_somewhere(json.loads(first), at, new))
    read_all("\n".join([changed, *rest]).encode(), name)
