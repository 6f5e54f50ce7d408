"""`assay cache`: what is kept, and clearing it."""

from __future__ import annotations

import json

import pytest

from assay.cli import cache as command
from assay.cli.main import make_parser
from assay.text.cache import Cache


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))

    def call(*arguments: str) -> str:
        assert command.run(make_parser("cache", command).parse_args(list(arguments))) == 0
        return capsys.readouterr().out

    return call


def test_shows_and_clears(run, tmp_path):
    assert "cache.sqlite is empty." in " ".join(run().split())
    assert not (tmp_path / "cache.sqlite").exists()
    Cache(tmp_path).put("en", "abc-1", [(f"{i}", b"x" * 1000) for i in range(1234)])
    text = run()
    assert "1,234 entries, 1." in " ".join(text.split())
    assert "MB of at most 1,074 MB." in " ".join(text.split())
    assert text.splitlines()[-1].split() == ["en", "abc-1", "1,234", "1.3", "MB"]
    assert max(map(len, text.splitlines())) <= 100 + len(str(tmp_path))
    record, model = map(json.loads, run("--json").splitlines())
    assert (record["entries"], record["path"]) == (1234, str(tmp_path / "cache.sqlite"))
    assert model == {"kind": "model", "model": "en", "version": "abc-1", "entries": 1234, "bytes": 1234 * 1024}
    assert run("--clear").split()[:4] == ["Deleted", "1,234", "entries", "from"]
    assert json.loads(run("--json"))["entries"] == 0
    assert json.loads(run("--clear", "--json"))["deleted"] == 0


def test_off(run, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", "off")
    assert run() == "Nothing is stored: ASSAY_CACHE is off.\n"
    record = json.loads(run("--json"))
    assert (record["path"], record["bytes"], record["entries"]) == (None, 0, 0)
