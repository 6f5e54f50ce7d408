"""Which format a file has, and what is said when there is none."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay import formats
from assay.data.evalset import EvalSet
from assay.errors import FormatError, UnknownName

DATA = EvalSet.from_texts({"A": ["a b", "c"]}, ["a", "c d"])


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.ndjson", "x.JSONL", "x.csv", "x.tsv.gz", "x.parquet"])
def test_the_name_tells(name: str, tmp_path: Path) -> None:
    formats.write(DATA, tmp_path / name)
    assert formats.read(tmp_path / name) == DATA
    assert formats.read(str(tmp_path / name)) == DATA


def test_the_format_can_be_given(tmp_path: Path) -> None:
    for format in ("jsonl", "csv", "parquet"):
        formats.write(DATA, tmp_path / format, format=format)
        assert formats.read(tmp_path / format, format=format) == DATA


def test_every_module_that_is_a_format_is_whole() -> None:
    for cls in formats.FORMATS.classes:
        assert cls.name
        assert isinstance(cls.endings, tuple)
        assert callable(cls.read_items)
        assert callable(cls.write_items)
        assert cls.__doc__
    assert {"csv", "excel", "json", "jsonl", "lines", "msr", "parquet", "tables", "tsv", "xlsx"} <= {*formats.names()}


def test_every_name_that_is_listed_is_known() -> None:
    assert {formats.FORMATS.build(name).name for name in formats.names()} == {*formats.FORMATS.names}


def test_unknown_names(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "a"}')
    with pytest.raises(UnknownName, match=r"unknown format 'jsnl'; did you mean 'jsonl'\? \(known: .*, excel, "):
        formats.read(tmp_path / "x.jsonl", format="jsnl")
    with pytest.raises(UnknownName, match=r"unknown option of format jsonl 'references' \(this format takes columns\)"):
        formats.read(tmp_path / "x.jsonl", references="r.csv")
    (tmp_path / "x.docx").write_text("")
    with pytest.raises(FormatError, match=r"x\.docx: the name does not tell the format; use one of \.csv"):
        formats.read(tmp_path / "x.docx")
    with pytest.raises(FormatError, match=r"x\.docx: the name does not tell the format"):
        formats.write(DATA, tmp_path / "x.docx")


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.jsonl: there is no such file"):
        formats.read(tmp_path / "none.jsonl")
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match=r"there is no such file: a part of the path is not a folder"):
        formats.read(tmp_path / "file" / "x.jsonl")
    with pytest.raises(FormatError, match=r"is a folder that holds no tables"):
        formats.read(tmp_path)
    (tmp_path / "x.jsonl").mkdir()
    with pytest.raises(FormatError, match=r"x\.jsonl: is a folder, not a file"):
        formats.read(tmp_path / "x.jsonl")
    for format in ("csv", "parquet", "tables"):
        with pytest.raises(FormatError, match=r"the folder holds no outputs"):
            formats.read(tmp_path, format=format)
    with pytest.raises(FormatError, match=r"the folder holds no out/<system>\.txt"):
        formats.read(tmp_path, format="lines")
    with pytest.raises(FormatError, match=r"its name holds a NUL byte"):
        formats.read("a\0.jsonl")


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.parquet", "x.txt"])
def test_permission_denied(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_text("")
    if os.geteuid() == 0:  # root may read everything, so the system's answer is played
        if name.endswith(".parquet"):
            pytest.skip("Arrow opens files by itself")
        real = builtins.open

        def refusing(file: Any, *args: Any, **rest: Any) -> Any:
            if str(file) == str(path):
                raise PermissionError(13, "Permission denied")
            return real(file, *args, **rest)

        monkeypatch.setattr(builtins, "open", refusing)
    path.chmod(0)
    with pytest.raises(FormatError, match=f"{name}: permission denied: it cannot be read"):
        formats.read(path)


def test_import_is_light() -> None:
    code = (
        "import sys, assay.formats; print([m for m in ('pyarrow', 'msgspec', 'sqlite3', 'scipy') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
