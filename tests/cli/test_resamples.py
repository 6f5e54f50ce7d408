"""Resampling on an engine as a person meets it: the same words and numbers, and errors that say what to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.main import main
from assay.engines.run import ThreadsEngine

EXAMPLE = str(Path(__file__).parents[1] / "three-systems.jsonl")


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def open_here(name, *, threads=1):
    """Stand for a cluster: what the workers would do is done in this process."""
    return ThreadsEngine()


@pytest.mark.parametrize("test", ["permutation", "randomization", "bootstrap"])
def test_compare_says_the_same_on_a_cluster(capsys, monkeypatch, tmp_path, test):
    monkeypatch.setattr("assay.engines.run.open_engine", open_here)
    asked = ("compare", EXAMPLE, "-m", "rouge2", "-m", "bleu", "--test", test, "--json")
    here = run(capsys, *asked)
    there = run(capsys, *asked, "--engine", "dask://scheduler:8786", "--out", str(tmp_path))
    assert here == there
    assert here[0] == 0
    assert list(tmp_path.glob("round-*/manifest.json"))


@pytest.mark.parametrize("question", ["correlate", "accuracy", "differences"])
def test_meta_says_the_same_on_a_cluster(capsys, monkeypatch, tmp_path, question):
    monkeypatch.setattr("assay.engines.run.open_engine", open_here)
    assert main(["example", "compressions", "--out", str(tmp_path / "set.jsonl")]) == 0
    capsys.readouterr()
    asked = ("meta", str(tmp_path / "set.jsonl"), "-m", "rouge2", "-m", "chrf", "--question", question, "--json")
    options = ("--resamples", "50", "--level", "item") if question != "differences" else ("--resamples", "50")
    here = run(capsys, *asked, *options)
    assert here == run(capsys, *asked, *options, "--engine", "dask", "--out", str(tmp_path / "parts"))
    assert here[0] == 0
    assert list(tmp_path.glob("parts/round-*/manifest.json"))


def test_workers_elsewhere_need_a_folder(capsys):
    code, _, err = run(capsys, "compare", EXAMPLE, "-m", "rouge2", "--engine", "dask://scheduler:8786")
    assert code == 2
    assert "workers of other machines need a folder that all see: give --out" in err


def test_a_folder_without_a_cluster_is_refused(capsys, tmp_path):
    code, _, err = run(capsys, "compare", EXAMPLE, "--engine", "threads", "--out", str(tmp_path / "x"))
    assert code == 2
    assert "--out is the folder for resamples of --engine dask" in err


@pytest.mark.slow
def test_compare_on_processes_of_this_machine(capsys):
    pytest.importorskip("distributed")
    asked = ("compare", EXAMPLE, "-m", "rouge2", "--test", "permutation", "--resamples", "20000")
    assert run(capsys, *asked) == run(capsys, *asked, "--engine", "dask", "--threads", "2")
