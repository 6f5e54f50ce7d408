"""assay check: how a file is read."""

from __future__ import annotations

import json
import shlex

from assay.cli.main import main


def test_check_prints_roles_and_commands_that_run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [(i, s, r) for i in range(8) for s in ("x", "yy", "zzz") for r in ("ann", "bob")]
    rows = [f"{i},{s},a {i} b,a {s} b,{(i + len(s) + len(r + s)) % 5 + 1},{r}" for i, s, r in cells]
    (tmp_path / "t.csv").write_text("\n".join(["nr,model,gold,hyp,fluency,annotator", *rows]))
    assert main(["check", "t.csv", "--columns", "id=nr", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["role"] for r in records if r["kind"] == "read_column"] == [
        "id",
        "system",
        "reference",
        "output",
        "rater",
        "judgment",
    ]
    commands = [r["command"] for r in records if r["kind"] == "answerable"]
    assert len(commands) == 7
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command


def test_what_is_saved_is_used_and_never_overwrites_the_input(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,kurz,ref\n1,a b,a c\n")
    assert main(["check", "t.csv", "--columns", "output=kurz,reference=ref", "--save", "r.toml"]) == 0
    assert main(["score", "t.csv", "--columns", "@r.toml", "-m", "rouge1"]) == 0
    assert main(["check", "t.csv", "--save", "t.csv"]) == 2
    assert "t.csv is the same file as the input" in capsys.readouterr().err
    assert main(["check", "t.csv", "--columns", "@absent.toml"]) == 2
