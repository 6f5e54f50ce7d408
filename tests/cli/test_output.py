"""No command replaces what it reads, under whatever name."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from assay.cli._output import INPUTS, OUTPUTS, refuse_overwrite
from assay.cli.main import commands, load, main, make_parser
from assay.errors import InputError

LINE = '{"id": "1", "source": "the cat sat down", "references": ["the cat"], "outputs": {"A": "the cat sat"}}\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.jsonl").write_text(LINE)
    (tmp_path / "a.txt").write_text("the cat\n")
    (tmp_path / "ref.txt").write_text("the dog\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "outputs.csv").write_text("item,system,text\n1,A,the cat\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "set.jsonl")
    os.link(tmp_path / "set.jsonl", tmp_path / "hard.jsonl")
    return tmp_path


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("name", ["set.jsonl", "./set.jsonl", "../{}/set.jsonl", "link.jsonl", "hard.jsonl", "{abs}"])
def test_score_does_not_replace_its_input(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = bytes_of(files)
    out = str(files / "set.jsonl") if name == "{abs}" else name.format(files.name)
    assert main(["score", "set.jsonl", "-m", "rouge1", "--out", out]) == 2
    assert f"--out {out} is the same file as the input set.jsonl" in capsys.readouterr().err
    assert bytes_of(files) == before


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["--outputs", "A=a.txt", "--refs", "ref.txt", "--out", "a.txt"], "--outputs"),
        (["--outputs", "A=a.txt", "--refs", "a.txt", "ref.txt", "--out", "ref.txt"], "--refs"),
        (["--outputs", "A=a.txt", "--refs", "ref.txt", "--source", "ref.txt", "--out", "./ref.txt"], "ref.txt"),
        (["folder/outputs.csv", "--refs", "ref.txt", "--out", "ref.txt"], "--refs"),
        (["set.jsonl", "--scores", "a.txt", "--out", "a.txt"], "--scores"),
        (["folder", "--out", "folder/outputs.csv"], "the input folder"),
    ],
)
def test_nor_any_other_file_it_reads(
    files: Path, arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = bytes_of(files)
    assert main(["score", *arguments]) == 2
    assert option in capsys.readouterr().err
    assert bytes_of(files) == before


def writing() -> list[str]:
    writers = [c for c in commands() if "out" in {a.dest for a in make_parser(c, load(c))._actions}]
    return [c for c in writers if c not in ("demo", "example")]  # which read no file


@pytest.mark.parametrize("command", writing())
def test_every_command_with_out_refuses(files: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = bytes_of(files)
    needed = {"learn": ["--dimension", "d"], "probe": ["-m", "rouge1"]}.get(command, [])
    first = {"lm": ["train"], "pyramid": ["score"]}.get(command, [])
    assert main([command, *first, "set.jsonl", *needed, "--out", "hard.jsonl"]) == 2
    assert "is the same file as the input set.jsonl" in capsys.readouterr().err
    assert bytes_of(files) == before


def test_every_option_that_names_a_file_is_known_as_input_or_output() -> None:
    """A new option with FILE or DIR must be classified: forgetting it could lose a user's data."""
    for command in commands():
        for action in make_parser(command, load(command))._actions:
            names_a_file = any(word in str(action.metavar) for word in ("FILE", "DIR"))
            if names_a_file and action.dest != "cache":  # which is read and written by design
                assert action.dest in (*INPUTS, *OUTPUTS), f"{command}: {action.dest}"


def test_other_names_pass(files: Path) -> None:
    refuse_overwrite(argparse.Namespace(file="set.jsonl", out="new.jsonl"))
    refuse_overwrite(argparse.Namespace(file="set.jsonl", out="ref.txt"))  # an old result may be replaced
    refuse_overwrite(argparse.Namespace(file="folder", out="folder/scores.csv"))
    refuse_overwrite(argparse.Namespace(file="set.jsonl", out=None))
    refuse_overwrite(argparse.Namespace(file="set.jsonl"))
    with pytest.raises(InputError, match=r"^hard\.jsonl is the same file"):
        refuse_overwrite(argparse.Namespace(file="set.jsonl", to="hard.jsonl"))
