"""Processes that parse."""

from __future__ import annotations

import sys

import pytest

from assay.text.parse.engines import engine
from assay.text.parse.workers import parse_chunks


@pytest.mark.parametrize("here", [False, True], ids=["", "with the current folder on the path"])
def test_modules_in_the_current_folder_are_not_imported(tmp_path, monkeypatch, here):
    """A msgspec.py or numpy.py that happens to lie where Assay is started does not run."""
    for name in ("msgspec", "numpy", "spacy"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if here:
        monkeypatch.setattr(sys, "path", ["", *sys.path])
    chunks = [["Cats sleep."], ["Dogs bark."]]
    assert list(parse_chunks("en", chunks, 2)) == [engine("en").parse(chunk) for chunk in chunks]
    assert not (tmp_path / "was-run").exists()
