"""Files read as columns: the same items, errors and scores as items one by one, which is the plain twin."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import _core, formats
from assay.data.columns import ItemColumns
from assay.data.item import Item, Reference
from assay.errors import AlignmentError, FormatError
from assay.formats._io import text_file
from assay.formats._io.text_file import LineSource, ReadProgress, read_lines
from assay.formats.jsonl import JsonLines
from assay.formats.parquet import Parquet
from assay.metrics import metric
from assay.scoring.collector import Collector
from assay.scoring.stream import score_stream

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def outcome(path: Path, *, columns: bool, batch: int = 3) -> tuple[list[Any], str, list[str]]:
    """Return all items with their places, or the error, and the warnings; with and without the reading of columns."""
    kind = Parquet if path.suffix == ".parquet" else JsonLines
    read_chunks = kind.read_chunks
    if not columns:
        kind.read_chunks = None  # type: ignore[assignment, method-assign]
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            items = [(item, item.where) for item in formats.stream(path, batch=batch).entries()]
            return items, "", [str(w.message) for w in caught]
    except (FormatError, AlignmentError) as error:
        return [], str(error), []
    finally:
        kind.read_chunks = read_chunks  # type: ignore[method-assign]


def as_columns(path: Path, batch: int = 3) -> list[bool]:
    return [chunk.columns is not None for chunk in formats.stream(path, batch=batch)]


def same(path: Path, batch: int = 3) -> None:
    assert outcome(path, columns=True, batch=batch) == outcome(path, columns=False, batch=batch)


# ---- JSON Lines ----------------------------------------------------------------------------------------------------

text = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["AT&amp;T <t>", "caf\u00e9 \u4e2d\u6587", "\U0001f600", '"\\/', "\n\t\x7f", ""]),
)
item = st.fixed_dictionaries(
    {"id": st.one_of(st.text(max_size=3), st.integers(0, 9)), "outputs": st.fixed_dictionaries({"A": text, "B": text})},
    optional={"references": st.lists(text, min_size=1, max_size=3), "source": text, "group": st.text(max_size=2)},
)
odd = st.sampled_from(
    [
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "judgments": []}',
        b'{"id": "x", "outputs": {"B": "b", "A": "a"}}',
        b'{"id": "x", "outputs": {"A": "a"}}',
        b'{"id": "x", "outputs": {"A": "a", "A": "b"}}',
        b'{"id": "x", "id": "y", "outputs": {"A": "a", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "references": []}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "references": [{"id": "p", "text": "t"}]}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "references": ["r", 1]}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "sources": ["s"]}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "sources": ["s", "t"]}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "source": null}',
        b'{"id": 1.0, "outputs": {"A": "a", "B": "b"}}',
        b'{"id": 007, "outputs": {"A": "a", "B": "b"}}',
        b'{"id": -1, "outputs": {"A": "a", "B": "b"}}',
        b'{"id": "\xff"5, "outputs": {"A": "a", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "\xff", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "\xed\xa0\x80", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "\\ud800", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "\\ud83d\\ude00", "B": "\\u00e9\\u0000"}}',
        b'{"id": "x", "outputs": {"A": "\\q", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "a\tb", "B": "b"}}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"},}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}} 1',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}',
        b'{"outputs": {"A": "a", "B": "b"}}',
        b'{"id": "x"}',
        b'[{"id": "x", "outputs": {"A": "a", "B": "b"}}]',
        b'{"scales": {"rank": {"best": 1}}}',
        b'{"id": "x", "outputs": {"A": "a", "B": "b"}, "more": {"deep": [1, 2]}}',
        b'{"\\u0069d": "x", "outputs": {"A": "a", "B": "b"}}',
        b' { "id" : "x" , "outputs" : { "A" : "a" , "B" : "b" } } \r',
    ]
)


@st.composite
def files(draw):
    lines = []
    for n in range(draw(st.integers(0, 9))):
        if draw(st.integers(0, 7)) == 0:
            lines.append(draw(odd))
        else:
            one = draw(item)
            one["id"] = draw(st.sampled_from([one["id"], f"i{n}"]))
            dumped = json.dumps(one, ensure_ascii=draw(st.booleans()))
            lines.append(dumped.encode("utf-8", "surrogatepass"))
    end = draw(st.sampled_from([b"\n", b"\r\n"]))
    return end.join(lines) + draw(st.sampled_from([b"", end]))


@given(files(), st.sampled_from([1, 3, 100]))
def test_json_lines_as_columns_are_the_items(content, batch):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.jsonl")
        path.write_bytes(content)
        same(path, batch)


@given(files(), st.data())
def test_json_lines_with_a_byte_changed(content, data):
    if not content:
        return
    at = data.draw(st.integers(0, len(content) - 1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.jsonl")
        path.write_bytes(content[:at] + data.draw(st.binary(max_size=2)) + content[at + 1 :])
        same(path)


def lines_of(n: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"i{k}", "outputs": {"A": f"a {k}", "B": "b"}, "references": ["r", f"r {k}"], **more} for k in range(n)
    ]


def put(path: Path, items: list[dict[str, Any]]) -> Path:
    content = "".join(json.dumps(each) + "\n" for each in items).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_plain_lines_are_columns(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / name, lines_of(7, source="s", group="g"))
    assert as_columns(path) == [True, True, True]
    same(path)


def test_one_line_that_is_not_plain_is_read_with_its_neighbours(tmp_path: Path) -> None:
    items = lines_of(9)
    items[4]["judgments"] = [{"system": "A", "rater": "r", "dimension": "d", "score": 1}]
    path = put(tmp_path / "x.jsonl", items)
    assert as_columns(path) == [True, False, True]
    same(path)


def test_blank_lines_are_skipped(tmp_path: Path) -> None:
    path = put(tmp_path / "x.jsonl", lines_of(4))
    path.write_bytes(b"\n \t\n" + path.read_bytes().replace(b"\n", b"\n\r\n\n"))
    assert as_columns(path) == [True] * 4
    same(path, 100)
    same(path)


@pytest.mark.parametrize("first", [1, 2])
def test_a_repeated_id_is_found(tmp_path: Path, first: int) -> None:
    items = lines_of(8)
    items[first + 1]["id"] = items[-1]["id"] = items[0]["id"]  # within the first chunk, or in a later one
    path = put(tmp_path / "x.jsonl", items)
    assert "was already used" in outcome(path, columns=True)[1]
    same(path)


def test_other_systems_in_a_later_chunk(tmp_path: Path) -> None:
    items = [*lines_of(3), {"id": "z", "outputs": {"C": "c"}}]
    path = put(tmp_path / "x.jsonl", items)
    assert "has no output of system 'A'" in outcome(path, columns=True)[1]
    same(path)


def test_a_pipe_is_read_as_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = put(tmp_path / "x.jsonl", lines_of(5)).read_bytes()

    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(content))  # type: ignore[arg-type]

    monkeypatch.setattr("sys.stdin", Stdin)
    chunks = list(formats.stream("-", format="jsonl", batch=2))
    assert [chunk.columns is not None for chunk in chunks] == [True, True, True]
    assert [id for chunk in chunks for id in chunk.items] == [f"i{k}" for k in range(5)]


def test_markup_is_counted(tmp_path: Path) -> None:
    items = lines_of(6)
    items[1]["outputs"]["A"], items[5]["references"] = "<t> tagged </t>", ["a &amp; b", "a < b"]
    path = put(tmp_path / "x.jsonl", items)
    [warning] = outcome(path, columns=True)[2]
    assert "1 of 12 outputs and 1 of 12 references have markup such as <t>" in warning
    same(path)


def test_markup_is_taken_out(tmp_path: Path) -> None:
    path = put(tmp_path / "x.jsonl", lines_of(2, source="<b>s</b>"))
    assert [item.sources for item in formats.stream(path, strip_tags=True).entries()] == [("s",)] * 2


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet"])
@pytest.mark.parametrize("threads", [1, 2])
def test_scores_are_the_same(tmp_path: Path, name: str, threads: int) -> None:
    items = [
        {
            "id": str(k),
            "outputs": {"A": f"the caf\u00e9 {k % 7} sat", "B": " " if k % 5 else ""},
            "references": ["the cafe\u0301 sat"],
        }
        for k in range(50)
    ]
    path = put(tmp_path / "set.jsonl", items)
    if name.endswith(".parquet"):
        data = formats.read(path)
        formats.write(data, path := tmp_path / name)
    names = ["rouge1", "rouge2(stem=true)", "LR-2+F-1+MULT-ALL", "bleu", "chrf", "length"]
    metrics = [metric(each) for each in names]

    def collect(chunks: Any) -> dict[str, Any]:
        collector = Collector(metrics)
        for _ in collector.follow(score_stream(chunks, metrics, threads=threads)):
            pass
        return collector.to_record()

    assert all(as_columns(path, batch=20))
    assert collect(formats.stream(path, batch=20)) == collect([formats.read(path)])


# ---- lines of a file -----------------------------------------------------------------------------------------------


@given(st.binary(max_size=60), st.integers(1, 5), st.integers(0, 20))
def test_blocks_of_lines_are_the_lines(content, most, size):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        path.write_bytes(content)
        if content.startswith((b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
            return  # gzip, or a byte order mark of another encoding
        plain = list(read_lines(path, ReadProgress()))
        assert list(LineSource(path, ReadProgress())) == plain
        source, taken = LineSource(path, progress := ReadProgress()), []
        while (block := source.take_block(most, size))[1]:
            number, text_of = block
            lines = list(enumerate(io.BytesIO(text_of), number))
            assert len(lines) <= most
            assert sum(len(line) for _, line in lines[:-1]) <= size
            taken += lines
        assert taken == plain
        assert progress.size == sum(len(line) for _, line in plain)


def test_lines_longer_than_what_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "BLOCK", 8)
    lines = [b"x" * n + b"\n" for n in (3, 70, 0, 9, 200)]
    (tmp_path / "x").write_bytes(b"".join(lines))
    assert [line for _, line in LineSource(tmp_path / "x", ReadProgress())] == lines
    source = LineSource(tmp_path / "x", ReadProgress())
    assert source.take_block(2, 1000) == (1, lines[0] + lines[1])
    source.put_back([(1, lines[0] + lines[1])])
    assert next(source) == (1, lines[0])
    assert source.take_block(100, 1000) == (2, b"".join(lines[1:]))
    assert source.take_block(100, 1000)[1] == b""


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "LINE_LIMIT", 50)
    (tmp_path / "x").write_bytes(b"short\n" + b"x" * 60 + b"\nshort\n")
    with pytest.raises(FormatError, match=r"x:2: this line is longer than 50 bytes"):
        list(LineSource(tmp_path / "x", ReadProgress()))
    with pytest.raises(FormatError, match=r"x:2: this line is longer than 50 bytes"):
        LineSource(tmp_path / "x", ReadProgress()).take_block(10, 1000)


# ---- Parquet -------------------------------------------------------------------------------------------------------


def table(path: Path, rows: list[tuple[Any, ...]], names: str = "item system text references", **settings: Any) -> Path:
    columns = dict(zip(names.split(), zip(*rows, strict=True), strict=True))
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path, **settings)
    return path


def rows_of(n: int, systems: str = "AB") -> list[tuple[Any, ...]]:
    return [(f"i{k}", s, f"{s} \u00e9 {k}", ["r", f"r {k}"][: k % 3]) for k in range(n) for s in systems]


@pytest.mark.parametrize("systems", ["A", "AB"])
@pytest.mark.parametrize("group", [1, 3, 100])
def test_parquet_tables_are_columns(tmp_path: Path, systems: str, group: int) -> None:
    path = table(tmp_path / "x.parquet", rows_of(11, systems), row_group_size=group)
    assert all(as_columns(path))
    same(path)
    data = formats.read(path)
    assert [tuple(item.outputs) for item in data] == [tuple(systems)] * 11


def test_rows_of_an_item_in_two_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.formats._io.parquet_rows.BATCH_ROWS", 3)
    path = table(tmp_path / "x.parquet", rows_of(7))
    assert all(as_columns(path))
    same(path)


@pytest.mark.parametrize(
    "rows",
    [
        [("1", "A", "a", ["r"]), ("1", "B", "b", ["other"])],
        [("1", "A", "a", ["r"]), ("1", "B", "b", None)],
        [("1", "A", "a", ["r"]), ("1", "B", None, ["r"])],
        [("1", "A", "a", ["r"]), ("1", "A", "b", ["r"])],
        [("1", "A", "a", ["r"]), ("1", None, "b", ["r"])],
        [("1", "A", "a", ["r"]), (None, "A", "b", ["r"])],
        [("1", "A", "a", ["r", None]), ("2", "A", "b", ["r"])],
        [("1", "A", "a", ["r"]), ("2", "A", "b", ["r"]), ("1", "B", "c", ["r"]), ("2", "B", "d", ["r"])],
        [("1", "A", "a", ["r"]), ("1", "B", "b", ["r"]), ("2", "B", "c", ["r"]), ("2", "A", "d", ["r"])],
        [("1", "A", "a", ["r"]), ("2", "B", "b", ["r"])],
    ],
)
def test_rows_that_are_not_plain(tmp_path: Path, rows: list[tuple[Any, ...]]) -> None:
    same(table(tmp_path / "x.parquet", rows))


def test_other_columns_of_tables(tmp_path: Path) -> None:
    names = "item system text group source reference"
    for count, systems in enumerate(("A", "AB")):
        rows = [(f"i{k}", s, f"text {k}", "g", f"s {k}", f"r {k}") for k in range(5) for s in systems]
        path = table(tmp_path / f"{count}.parquet", rows, names)
        assert set(as_columns(path)) == {systems == "A"}
        same(path)
    whole = table(tmp_path / "n.parquet", [(k, "A", "text") for k in range(5)], "item system text")
    assert as_columns(whole) == [True, True]
    same(whole)
    same(table(tmp_path / "o.parquet", [("1", "out", "ref")], "id prediction target"))


# ---- columns of texts ----------------------------------------------------------------------------------------------


def column(texts: list[str]) -> _core.TextColumn:
    lines = "".join(json.dumps({"id": str(k), "outputs": {"A": t}}) + "\n" for k, t in enumerate(texts)).encode()
    items = _core.read_json_items(lines)
    assert items is not None
    return items.outputs


clean = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


@given(st.lists(clean, min_size=1, max_size=8))
def test_a_column_is_like_a_list(texts):
    texts_of = column(texts)
    assert texts_of.tolist() == list(texts_of) == texts
    assert len(texts_of) == len(texts)
    assert texts_of[1:3].tolist() == texts[1:3]
    assert texts_of[len(texts) - 1] == texts[-1]
    assert texts_of.count_blank() == texts.count("") + sum(map(str.isspace, texts))
    assert texts_of.not_ascii() == [k for k, t in enumerate(texts) if not t.isascii()]
    assert texts_of.with_byte("<", "&") == [k for k, t in enumerate(texts) if "<" in t or "&" in t]
    assert texts_of.replaced([0], ["new \u00e9"]).tolist() == ["new \u00e9", *texts[1:]]
    runs = texts_of.run_lengths()
    assert sum(runs) == len(texts)
    assert [t for t, n in zip(texts_of.run_starts(), runs, strict=True) for _ in range(n)] == texts
    seen: set[str] = set()
    assert texts_of.add_to(_core.Seen()) == [k for k, t in enumerate(texts) if t in seen or seen.add(t)]


def test_columns_outlive_what_they_came_from():
    texts_of = column(["a \u00e9 b", "c\n"])[0:1]
    del_me = [bytes(1 << 16) for _ in range(50)]
    assert texts_of.tolist() == ["a \u00e9 b"]
    assert del_me


def test_wrong_places():
    texts_of = column(["a", "b"])
    for call in (lambda: texts_of[2], lambda: texts_of.replaced([2], ["x"])):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(ValueError):
        texts_of.replaced([0], ["x", "y"])
    with pytest.raises(ValueError):
        _core.arrow_column(b"", np.array([0, 9], np.int32), np.zeros(3, np.uint8))
    assert _core.arrow_column(b"", np.array([0, 1], np.int32), np.array([255], np.uint8)) is None


def test_the_items_behind_columns(tmp_path: Path) -> None:
    [chunk] = formats.stream(put(tmp_path / "x.jsonl", lines_of(2)))
    assert isinstance(chunk.columns, ItemColumns)
    assert chunk.columns[1] == Item("i1", (Reference("r"), Reference("r 1")), {"A": "a 1", "B": "b"})
