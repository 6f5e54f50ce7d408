"""Numbers and parameters out of range, everywhere that one may be typed."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields

import pytest

from assay.cli import _numbers as numbers
from assay.cli.main import commands, load, main
from assay.metrics import METRICS
from assay.systems.compress import COMPRESSORS
from assay.systems.fuse import FUSERS

WRONG = ("99999999999999999999", "nan", "true", "")


@pytest.mark.parametrize("command", commands())
def test_every_number_has_a_range(command):
    parser = argparse.ArgumentParser()
    load(command).arguments(parser)
    for action in parser._actions:
        if action.type is not None:
            assert getattr(action.type, "__module__", "") == "assay.cli._numbers", action.option_strings
            if action.default is not None:
                values = action.default if isinstance(action.default, list) else [action.default]
                assert [action.type(str(value)) for value in values] == values


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (numbers.threads, ["1", "64"], ["0", "-1", "1e9", "1000000000", "nan", "", "1.0", "x", "9" * 10_000]),
        (numbers.resamples, ["1", "1000"], ["0", "1e12", "1000000000000", "-5"]),
        (numbers.seed, ["0", "7"], ["-1", str(2**63)]),
        (numbers.words, ["1"], ["0", "1e12", "1000000000000"]),
        (numbers.share, ["0", "1", ".5"], ["7", "-0.1", "nan", "inf", "-inf", "x", "1e400"]),
        (numbers.level, ["0.05"], ["0", "1", "nan", "nonsense"]),
        (numbers.ratio, ["1", "0.43"], ["0", "1.5"]),
    ],
)
def test_ranges(kind, good, bad):
    for text in good:
        assert kind(text) == float(text)
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=r"^must be ") as error:
            kind(text)
        assert len(str(error.value)) < 150


def run(arguments: list[str], capsys) -> None:
    """Done, or refused in one line; never a fault of Assay's own."""
    code = main([*arguments, "--quiet"])
    err = capsys.readouterr().err
    assert code in (0, 2), (arguments, err)
    assert err.count("\n") == (code == 2), arguments


def test_parameters_of_metrics(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", "off")
    item = {"id": "1", "source": "a cat sat there", "references": ["the cat sat"], "outputs": {"A": "the cat"}}
    (tmp_path / "set.jsonl").write_text(json.dumps(item))
    for cls in METRICS.classes:
        for field in fields(cls):
            for value in WRONG:
                name = f"{cls.examples[0]}({field.name.rstrip('_')}={value})"
                run(["score", str(tmp_path / "set.jsonl"), "-m", name], capsys)


@pytest.mark.parametrize(("command", "folder"), [("compress", COMPRESSORS), ("fuse", FUSERS)])
def test_parameters_of_systems(tmp_path, command, folder, capsys, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", "off")
    (tmp_path / "texts.tsv").write_text("The cat sat down.\tThe old cat sat.\n")
    for cls in folder.classes:
        for field in fields(cls):
            for value in WRONG:
                name = f"{cls.name}({field.name.rstrip('_')}={value})"
                run([command, str(tmp_path / "texts.tsv"), "--system", name], capsys)


@pytest.mark.parametrize("score", [1e200, 1e308, 1e-318])
def test_ratings_too_large_or_too_small_are_one_line(score, tmp_path, capsys):
    lines = [
        {
            "id": str(item),
            "references": ["a text"],
            "outputs": {"A": "a text", "B": "text"},
            "judgments": [
                {"system": s, "rater": r, "dimension": "q", "score": score * (1 + (item + n) % 2 * 0.5)}
                for n, s in enumerate("AB")
                for r in ("ann", "bob")
            ],
        }
        for item in range(6)
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for command in (["plan"], ["agree"], ["report", "--out", str(tmp_path / "report.html")]):
        assert main([command[0], str(file), *command[1:]]) == 2
        error = capsys.readouterr().err
        assert error.startswith("assay: ratings of 'q' must be 0 or between")
        assert error.count("\n") == 1
