"""The command line as a person meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay.cli import main as main_module
from assay.cli.main import commands, load, main, overview

ITEM = {"id": "1", "references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": "a dog"}}


def write(folder: Path, *items: dict, name: str = "set.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return str(path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_version_help_and_no_command(capsys):
    assert run(capsys, "--version")[:2] == (0, f"assay {assay.__version__}\n")
    assert "Which system is better?" in run(capsys, "--help")[1]
    assert run(capsys)[0] == 2


def test_every_command_is_in_the_overview_and_has_help(capsys):
    files = Path(main_module.__file__).parent.glob("[!_]*.py")
    assert commands() == sorted(file.stem for file in files if file.stem != "main")
    for name in commands():
        assert f"assay {name}" in overview()
        assert load(name).SUMMARY
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        assert "--json" in capsys.readouterr().out


def test_unknown_command(capsys):
    code, _, err = run(capsys, "scroe")
    assert code == 2
    assert err == "assay: unknown command 'scroe'; did you mean 'score'? (assay --help lists them)\n"


def test_unknown_option_is_one_line(capsys):
    code, out, err = run(capsys, "score", "--nonsense")
    assert (code, out) == (2, "")
    assert err == "assay: unrecognized arguments: --nonsense (see assay score --help)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score"], "no input: give a file"),
        (["score", "no-such.jsonl"], "no-such.jsonl"),
        (["score", "{set}", "-m", "rogue1"], "did you mean 'rouge1'"),
        (["score", "{set}", "--threads", "0"], "--threads must be 1 or more"),
        (["score", "{set}", "--outputs", "A=x"], "not both"),
        (["score", "--refs", "x"], "--refs needs outputs"),
        (["score", "--outputs", "x"], "--outputs takes NAME=FILE"),
        (["score", "{set}", "--human", "x"], "--human is now --dimension"),
        (["score", "--outputs", "A=x", "--outputs", "A=y", "--refs", "r"], "same name"),
        (["score", "{set}", "-m", "rate"], "rate needs sources, and no item has any"),
        (["metrics", "nonsense"], "unknown metric 'nonsense'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path, capsys, arguments, message):
    path = write(tmp_path, ITEM)
    code, _, err = run(capsys, *(a.replace("{set}", path) for a in arguments))
    assert code == 2
    assert message in err
    assert err.startswith("assay: ")
    assert err.count("\n") == 1


def test_standard_input_and_a_closed_pipe(tmp_path):
    code = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "score", "-", "-m", "rouge1", "--json"]
    done = subprocess.run(command, input=json.dumps(ITEM), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[0])["system"] == "A"


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "assay", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"assay {assay.__version__}\n"
