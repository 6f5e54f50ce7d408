"""Tables in CSV and Parquet: one flat table, several files, a folder; in any order of rows."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import AlignmentError, AssayError, FormatError
from assay.formats._io import disk_sort


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def put_parquet(folder: Path, name: str, **columns: object) -> Path:
    pq.write_table(pa.table(columns), folder / name)
    return folder / name


FULL = EvalSet(
    [
        Item(
            "i1",
            (Reference("r, 1", "P"), Reference('say "r2"')),
            {"A": "a\nb", "B": ""},
            ("s\r\n",),
            "g",
            (Judgment("A", "r1", "d", 2.0), Judgment("B", "r1", "d", 0.1)),
            {"year": 2016},
        ),
        Item("i0", (), {"A": "x", "B": "\ufeffy"}, ("",)),
    ]
)
FLAT = EvalSet.from_texts({"A": ["a\rb", ""], "B": ["c,d", 'e"f']}, [["r1", "r2"], ["", "r4"]], ["s1", "s2"])


@pytest.mark.parametrize("format", ["csv", "parquet", "tables"])
def test_a_folder_holds_everything(format: str, tmp_path: Path) -> None:
    formats.write(FULL, tmp_path / "set", format=format)
    assert formats.read(tmp_path / "set") == FULL
    assert [len(chunk) for chunk in formats.stream(tmp_path / "set", batch=1)] == [1, 1]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz", "x.parquet"])
def test_one_table_holds_the_plain_ones(name: str, tmp_path: Path) -> None:
    formats.write(FLAT, tmp_path / name)
    assert formats.read(tmp_path / name) == FLAT


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
@pytest.mark.parametrize(
    ("item", "what"),
    [
        (Item("1", outputs={"A": ""}, judgments=(Judgment("A", "r", "d", 1.0),)), "judgments"),
        (Item("1", (Reference("r", "P"),), {"A": ""}), "ids of references"),
        (Item("1", outputs={"A": ""}, extra={"x": 1}), "extra keys"),
        (Item("1", (Reference("r"),)), "items without outputs"),
    ],
)
def test_one_table_loses_nothing_silently(name: str, item: Item, what: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"one table has no place for {what}"):
        formats.write(EvalSet([item]), tmp_path / name)


@pytest.mark.parametrize(
    "header",
    [
        "item,system,text",
        "id,model,output",
        "Item_ID,System,prediction",
        "doc_id, model ,summary",
        "item,system,hypothesis",
    ],
)
def test_names_of_columns(header: str, tmp_path: Path) -> None:
    data = formats.read(put(tmp_path, "x.csv", f"{header}\n1,A,hello\n"))
    assert data["1"].outputs == {"A": "hello"}


def test_references_beside_the_outputs(tmp_path: Path) -> None:
    text = (
        "item,system,text,ref_2,reference_1,src,group\n1,A,a,two,one,s,g\n1,B,b,,,,\n2,A,a,,three,t,\n2,B,b,,three,t,\n"
    )
    data = formats.read(put(tmp_path, "x.csv", text))
    assert [r.text for r in data["1"].references] == ["one", "two"]
    assert (data["1"].sources, data["1"].group) == (("s",), "g")
    assert (data["2"].references, data["2"].group) == ((Reference("three"),), None)
    path = put_parquet(tmp_path, "x.parquet", item=[1], system=["A"], text=["a"], references=[["one", "two"]])
    assert [r.text for r in formats.read(path)["1"].references] == ["one", "two"]


def test_rows_of_an_item_must_agree(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "item,system,text,reference\n1,A,a,one\n1,B,b,other\n")
    with pytest.raises(AlignmentError, match=r"x\.csv:3: item '1' has another 'reference' here than in .*x\.csv:2"):
        formats.read(path)


def test_separate_files(tmp_path: Path) -> None:
    outputs = put(tmp_path, "outputs.csv", "item,system,text\n1,A,a\n2,A,b\n3,A,c\n")
    for n, references in enumerate(("id,text\n1,x\n1,y\n3,z\n", "item,id,text\n3,,z\n1,,x\n1,,y\n")):
        other = put(tmp_path, f"references{n}.csv", references)
        judged = put(tmp_path, "judgments.csv", "item,system,annotator,criterion,rating\n2,A,r,d,1e-3\n")
        listed = put(tmp_path, "items.csv", "item,source,year\n3,s3,\n2,s2,1999\n1,s1,\n")
        data = formats.read(outputs, references=other, judgments=judged, items=listed)
        assert data.items == ("3", "2", "1")
        assert [[r.text for r in item.references] for item in data] == [["z"], [], ["x", "y"]]
        assert data["2"].judgments == (Judgment("A", "r", "d", 0.001),)
        assert data["2"].extra == {"year": "1999"}
    assert formats.read(outputs, references=other).items == ("1", "2", "3")


def test_the_same_table_of_references_under_three_headers(tmp_path: Path) -> None:
    outputs = put(tmp_path, "outputs.csv", "item,system,text\n1,A,a\n")
    for header, row, expected in (
        ("item,reference", "1,x", Reference("x")),
        ("item,reference,text", "1,P,x", Reference("x", "P")),
        ("id,author,ref", "1,P,x", Reference("x", "P")),
    ):
        other = put(tmp_path, "references.csv", f"{header}\n{row}\n")
        assert formats.read(outputs, references=other)["1"].references == (expected,)


def by_system(n: int) -> dict[str, list[str]]:
    rows = [(f"i{k}", system, f"{system}{k}") for system in "AB" for k in range(n)]
    return dict(zip(("item", "system", "text"), map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_rows_in_any_order(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    columns = by_system(100)
    path = put_parquet(tmp_path, "x.parquet", **columns)
    if suffix == "csv":
        rows = zip(*columns.values(), strict=True)
        path = put(tmp_path, "x.csv", "item,system,text\n" + "".join(",".join(row) + "\n" for row in rows))
    shuffled = [(f"i{k * 37 % 100}", f"r{k * 37 % 100}") for k in range(100)]
    other = put(tmp_path, "r.csv", "item,text\n" + "".join(f"{i},{r}\n" for i, r in shuffled))
    stream = formats.stream(path, batch=30, references=other)
    items = list(stream.entries())
    assert [item.id for item in items] == [f"i{k}" for k in range(100)]
    assert all(item.outputs == {"A": f"A{k}", "B": f"B{k}"} for k, item in enumerate(items))
    assert all(item.references == (Reference(f"r{k}"),) for k, item in enumerate(items))
    assert stream.fraction() == 1.0
    assert os.listdir(tmp_path / "temp") == []


def test_the_temporary_file_goes_away_on_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    columns = by_system(50)
    path = put_parquet(tmp_path, "x.parquet", **{name: [*column, column[60]] for name, column in columns.items()})
    with pytest.raises(AlignmentError, match=r"row 101: item 'i10' has an output of system 'B' already in .*row 61"):
        formats.read(path)
    path = put_parquet(tmp_path, "x.parquet", **columns)
    stopped = formats.stream(path, batch=5).entries()
    next(stopped)
    assert os.listdir(tmp_path / "temp") != []
    stopped.close()  # type: ignore[attr-defined]
    monkeypatch.setattr(disk_sort, "SETTINGS", ("nonsense (",))
    with pytest.raises(AssayError, match=r"x\.parquet: sorting its rows on disk failed"):
        formats.read(path)
    assert os.listdir(tmp_path / "temp") == []


BAD = [
    ("", r"x\.csv: there are no items in it: the file is empty"),
    ("item,system,text\n", r"x\.csv: there are no items in it"),
    (
        "item,text\n1,a\n",
        r"no column 'system' \(or model, .*\) in this table of outputs; its columns are 'item', 'text'",
    ),
    ("item,item,text\n1,2,a\n", r"x\.csv: two columns are called 'item'"),
    ("item,system,text\n1,A,a,b\n", r"x\.csv:2: 4 fields where the header has 3; put texts that hold commas in quotes"),
    ("item,system,text\n1,A\n", r"x\.csv:2: 2 fields where the header has 3"),
    ('item,system,text\n1,A,"a\nb"\n2,A,"open\n\n', r"x\.csv:4: this row is not valid CSV \(unexpected end of data\)"),
    ('item,system,text\n1,A,"a"b\n', r"x\.csv:2: this row is not valid CSV"),
    ("item,system,text\r1,A,a\r2,A,b", r"x\.csv:1: this row is not valid CSV"),
    ("item,system,text\n,A,a\n", r"x\.csv:2: no item id in column 'item'"),
    ("item,system,text\n1,,a\n", r"x\.csv:2: nothing in column 'system'"),
    ("item,system,text\n1,A,a\n1,A,b\n", r"x\.csv:3: item '1' has an output of system 'A' already in .*x\.csv:2"),
    (
        "item,system,text\n1,A,a\n2,A,b\n1,A,c\n",
        r"x\.csv:4: item '1' has an output of system 'A' already in .*x\.csv:2",
    ),
    ("item,system,text\n1,A,a\n2,B,b\n", r"x\.csv:2: item '1' has no output of system 'B'"),
    (
        b"item,system,text\n1,A,\xe9\n",
        r"x\.csv:2: invalid UTF-8: byte 0xe9 at byte 4 of the line \(byte 21 of the text\)",
    ),
    (b"item,system,text\n1,A,a\0b\n", r"x\.csv:2: a NUL byte \(at byte 5 of the line\)"),
    ("item,system,text,references\n1,A,a,oops\n", r"x\.csv:2: 'oops' is not a JSON array of texts"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_csv(content: str | bytes, message: str, tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", content)
    with pytest.raises(AssayError, match=message):
        formats.read(path)
    with pytest.raises(AssayError, match=message):
        list(formats.stream(path))


def test_quoted_newlines_keep_the_line_numbers_right(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", b'\xef\xbb\xbfitem,system,text\r\n1,A,"a\r\nb"\r\n\r\n2,A,c\r\n')
    data = formats.read(path)
    assert data["1"].outputs["A"] == "a\r\nb"
    assert [item.where[-2:] for item in data] == [":2", ":5"]


def test_a_field_of_fifty_megabytes(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "item,system,text\n1,A," + "word " * 10_000_000 + "\n")
    assert len(formats.read(path)["1"].outputs["A"]) == 50_000_000


@pytest.mark.parametrize(
    ("role", "content", "message"),
    [
        (
            "references",
            "item,text\n1,x\n9,y\n",
            r"references\.csv:3: item '9' of the references is not in .*outputs\.csv",
        ),
        ("judgments", "item,system,rater,dimension,score\n9,A,r,d,1\n", r"judgments\.csv:2: item '9' of the judgments"),
        ("judgments", "item,system,rater,dimension,score\n1,Z,r,d,1\n", r"a judgment names system 'Z'"),
        ("judgments", "item,system,rater,dimension,score\n1,A,r,d,good\n", r"judgments\.csv:2: 'good' is not a number"),
        ("judgments", "item,system,rater,dimension,score\n1,A,r,d,inf\n", r"judgments\.csv:2: 'inf' is not a number"),
        ("judgments", "item,system,rater,dimension,score\n1,A,r,d,\n", r"judgments\.csv:2: nothing in column 'score'"),
        ("judgments", "item,system,rater,dimension,score\n1,A,,d,1\n", r"judgments\.csv:2: nothing in column 'rater'"),
        ("judgments", "item,system,score\n1,A,1\n", r"judgments\.csv: no column 'rater'"),
        ("items", "item,extra\n1,oops\n", r"items\.csv:2: column 'extra' is not a JSON object"),
        ("items", "item,group\n1,g\n1,h\n", r"items\.csv:3: item '1' has a row of its own already in .*items\.csv:2"),
        ("items", "item\n2\n", r"outputs\.csv:2: item '1' of the outputs is not in .*items\.csv"),
    ],
)
def test_bad_companions(role: str, content: str, message: str, tmp_path: Path) -> None:
    outputs = put(tmp_path, "outputs.csv", "item,system,text\n1,A,a\n")
    other = put(tmp_path, f"{role}.csv", content)
    with pytest.raises(AssayError, match=message):
        formats.read(outputs, **{role: other})
    with pytest.raises(AssayError, match=message):
        formats.read(tmp_path)


def test_two_tables_of_one_kind(tmp_path: Path) -> None:
    put(tmp_path, "outputs.csv", "item,system,text\n1,A,a\n")
    put(tmp_path, "outputs.tsv", "item\tsystem\ttext\n1\tA\ta\n")
    with pytest.raises(FormatError, match=r"two tables of outputs: outputs\.csv and outputs\.tsv"):
        formats.read(tmp_path)


def test_parquet_types(tmp_path: Path) -> None:
    category = pa.array(["A", "A"]).dictionary_encode()
    path = put_parquet(
        tmp_path, "x.parquet", item=[1, 2], system=category, text=pa.array(["a", "b"], pa.large_string())
    )
    assert formats.read(path).items == ("1", "2")
    path = put_parquet(tmp_path, "x.parquet", item=[1.5], system=["A"], text=["a"])
    with pytest.raises(FormatError, match=r"x\.parquet: column 'item' holds double; it should hold string"):
        formats.read(path)
    path = put_parquet(tmp_path, "x.parquet", item=["1"], system=["A"], text=[3])
    with pytest.raises(FormatError, match=r"column 'text' holds int64"):
        formats.read(path)
    path = put_parquet(tmp_path, "x.parquet", item=["1", None], system=["A", "A"], text=["a", "b"])
    with pytest.raises(FormatError, match=r"x\.parquet: row 2: no item id"):
        formats.read(path)


def test_a_null_output_is_a_missing_one(tmp_path: Path) -> None:
    path = put_parquet(tmp_path, "x.parquet", item=["1", "2"], system=["A", "A"], text=["", None])
    with pytest.raises(AlignmentError, match=r"row 2: item '2' has no output of system 'A'"):
        formats.read(path)
    assert [dict(item.outputs) for item in formats.read(path, allow_missing=True)] == [{"A": ""}, {}]


def test_not_parquet(tmp_path: Path) -> None:
    for content in (b"", b"PAR1", b"hello" * 100, b"PAR1" + b"\0" * 100 + b"PAR1"):
        with pytest.raises(FormatError, match=r"x\.parquet: not a readable Parquet file"):
            formats.read(put(tmp_path, "x.parquet", content))
    whole = put_parquet(tmp_path, "y.parquet", item=["1"], system=["A"], text=["a"]).read_bytes()
    with pytest.raises(FormatError, match=r"not a readable Parquet file"):
        formats.read(put(tmp_path, "x.parquet", whole[:-20]))


def test_what_csv_cannot_hold(tmp_path: Path) -> None:
    for item, message in (
        (Item("1", outputs={"A": "a\0"}), "a NUL character has no place in CSV"),
        (Item("1", outputs={"A": "a"}, group=""), "CSV cannot tell an empty text from none"),
        (Item("1", outputs={"A": "\ud800"}), "a lone surrogate"),
    ):
        with pytest.raises(FormatError, match=message):
            formats.write(EvalSet([item]), tmp_path / "x.csv")
    with pytest.raises(FormatError, match="a lone surrogate"):
        formats.write(EvalSet([item]), tmp_path / "x.parquet")
    assert os.listdir(tmp_path) == []


def test_occasions_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "outputs.csv").write_text("item,system,text\n1,A,x\n")
    judgments = tmp_path / "judgments.csv"
    head, row = "item,system,rater,dimension,score,occasion\n", "1,A,r,d,2,"
    judgments.write_text(f"{head}{row}\n{row}2\n")
    assert [j.occasion for j in formats.read(tmp_path)["1"].judgments] == [1, 2]
    judgments.write_text(f"{head}{row}\n{row}1\n")
    with pytest.raises(AlignmentError, match="rater 'r' judged system 'A' twice for 'd'"):
        formats.read(tmp_path)
    judgments.write_text(f"{head}{row}1.5\n")
    with pytest.raises(FormatError, match=r"judgments\.csv:2: the occasion is 1\.5, not a whole number"):
        formats.read(tmp_path)
