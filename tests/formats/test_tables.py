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


@pytest.mark.parametrize(("best", "higher"), [("1", False), ("low", False), ("high", True)])
def test_a_column_of_judgments_says_which_end_is_best(best, higher, tmp_path):
    (tmp_path / "outputs.csv").write_text("item,system,text\n1,A,a\n1,B,b\n")
    judgments = tmp_path / "judgments.csv"
    judgments.write_text(
        f"item,system,rater,dimension,score,occasion,best\n1,A,r,rank,1,1,{best}\n1,B,r,rank,2,1,\n1,B,r,rank,2,2,\n"
    )
    data = assay.read(tmp_path / "outputs.csv", judgments=judgments)
    assert data.human("rank").higher_is_better is higher
    assert data.scales["rank"].best is not None
    assert [j.occasion for j in data["1"].judgments] == [1, 1, 2]


def test_two_ends_of_one_dimension_are_an_error(tmp_path):
    (tmp_path / "outputs.csv").write_text("item,system,text\n1,A,a\n1,B,b\n")
    for cells, message in ((("low", "high"), "another end of 'rank' is best here"), (("top", ""), "best must be high")):
        rows = [f"1,{s},r,rank,1,{best}" for s, best in zip("AB", cells, strict=True)]
        (tmp_path / "judgments.csv").write_text("item,system,rater,dimension,score,best\n" + "\n".join(rows))
        with pytest.raises(FormatError, match=message):
            assay.read(tmp_path)
