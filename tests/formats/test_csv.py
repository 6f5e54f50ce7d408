"""CSV and TSV as users write them."""

from __future__ import annotations

import pytest

import assay
from assay.errors import FormatError

ROWS = [("item", "system", "text"), ("1", "A", 'He said "no", twice'), ("1", "B", "two\nlines"), ("2", "A", "")]


def write(path, separator):
    lines = [separator.join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in ROWS]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(("name", "separator"), [("x.csv", ","), ("x.tsv", "\t")])
def test_quotes_breaks_and_empty_texts_are_kept(tmp_path, name, separator):
    data = assay.read(write(tmp_path / name, separator), allow_missing=True)
    assert [dict(item.outputs) for item in data] == [{"A": 'He said "no", twice', "B": "two\nlines"}, {"A": ""}]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz"])
def test_what_is_written_is_read_again(tmp_path, name):
    data = assay.EvalSet.from_texts({"A": ["=1+1", 'a,b\t"c"'], "B": ["", "é"]})
    assay.write(data, tmp_path / name)
    assert assay.read(tmp_path / name) == data


def test_a_missing_column_is_named_with_those_there_are(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(FormatError, match="'a', 'b'"):
        assay.read(path)


@pytest.mark.parametrize(
    ("cells", "references"),
    [
        (["['ref a', 'ref b']", "['ref c']"], [["ref a", "ref b"], ["ref c"]]),
        (['["ref a", "ref b"]', "ref c"], [["ref a", "ref b"], ["ref c"]]),
        (["ref a", "['ref c', \"it's d\"]"], [["ref a"], ["ref c", "it's d"]]),
        (["['', 'ref a']"], [["", "ref a"]]),
    ],
)
def test_lists_of_references_and_plain_ones_may_mix(tmp_path, cells, references):
    import csv

    with (tmp_path / "x.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["prediction", "references"], *([f"text {i}", c] for i, c in enumerate(cells))])
    read = assay.read(tmp_path / "x.csv")
    assert [[reference.text for reference in item.references] for item in read] == references


@pytest.mark.parametrize("cell", ["['ref a' 'ref b']", "['ref a'\n 'ref b']", "['ref a''ref b']", "['ref a', 'ref b"])
def test_a_list_without_commas_or_end_is_refused(tmp_path, cell):
    """NumPy prints arrays without commas, and Python would read two texts as one."""
    (tmp_path / "x.csv").write_text(f'prediction,references\ntext,"{cell}"\nother,"[\'ref c\']"\n')
    with pytest.raises(FormatError, match=r"without a comma|not a JSON array"):
        assay.read(tmp_path / "x.csv")
