"""Folders of tables."""

from __future__ import annotations

import pytest

import assay
from assay.errors import FormatError


def test_a_folder_of_tables_is_recognized_and_read(tmp_path):
    (tmp_path / "outputs.csv").write_text("item,system,text\n1,A,x\n1,B,y\n")
    (tmp_path / "references.csv").write_text("item,reference,text\n1,r1,z\n")
    (item,) = assay.read(tmp_path)
    assert dict(item.outputs) == {"A": "x", "B": "y"}
    assert [r.text for r in item.references] == ["z"]


def test_what_is_written_is_read_again(tmp_path):
    data = assay.EvalSet.from_texts({"A": ["x", ""]}, [["r", "s"], ["t"]], sources=["p", "q"])
    assay.write(data, tmp_path / "set", format="tables")
    assert assay.read(tmp_path / "set") == data


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "x.csv").write_text("item,system,text\n1,A,x\n")
    with pytest.raises(FormatError, match="is a folder of tables"):
        assay.read(tmp_path / "x.csv", format="tables")
