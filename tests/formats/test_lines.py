"""Line-aligned text files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import AlignmentError, FormatError, InputError, UnknownName


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_one_file_each(tmp_path: Path) -> None:
    a, b = put(tmp_path, "a.txt", "a1\na2\n"), put(tmp_path, "b.txt", "b1\r\nb2")
    refs = [put(tmp_path, "r0.txt", "r01\nr02\n"), put(tmp_path, "r1.txt.gz", gzip.compress(b"r11\nr12\n"))]
    source = put(tmp_path, "s.txt", " s1 \n\ts2\x0c\u2028\n")
    data = formats.from_lines({"A": a, "B": b}, refs, source)
    assert data == EvalSet.from_texts(
        {"A": ["a1", "a2"], "B": ["b1", "b2"]}, [["r01", "r11"], ["r02", "r12"]], [" s1 ", "\ts2\x0c\u2028"]
    )
    assert data["2"].where.endswith("a.txt:2")
    stream = formats.stream_lines({"A": a, "B": b}, refs, source, batch=1)
    assert [len(chunk) for chunk in stream] == [1, 1]
    assert stream.fraction() == 1.0
    assert formats.read(a, references=refs, sources=source).systems == ("a",)
    assert formats.read(a, references=refs[0])["1"].references == (Reference("r01"),)


def test_ids_from_a_file(tmp_path: Path) -> None:
    a, ids = put(tmp_path, "a.txt", "x\ny\n"), put(tmp_path, "ids.txt", "first\nsecond\n")
    assert formats.from_lines({"A": a}, ids=ids).items == ("first", "second")
    again = put(tmp_path, "ids.txt", "same\nsame\n")
    with pytest.raises(AlignmentError, match=r"a\.txt:2: item 'same' was already used \(.*a\.txt:1\)"):
        formats.from_lines({"A": a}, ids=again)


def test_different_numbers_of_lines(tmp_path: Path) -> None:
    a, b = put(tmp_path, "a.txt", "1\n2\n3"), put(tmp_path, "b.txt", "1\n2\n")
    c = put(tmp_path, "c.txt", "1\n2\n3\n")
    message = r"b\.txt is short: .*\(.*a\.txt has 3, .*c\.txt has 3, .*b\.txt has 2\)"
    with pytest.raises(AlignmentError, match=message):
        formats.from_lines({"A": a, "C": c}, [b])
    with pytest.raises(AlignmentError, match=message):
        next(iter(formats.stream_lines({"A": a, "C": c}, [b], batch=1)))


def test_bad_files(tmp_path: Path) -> None:
    good = put(tmp_path, "good.txt", "a\nb\n")
    with pytest.raises(FormatError, match=r"bad\.txt:2: invalid UTF-8: byte 0xff at byte 1 of the line \(byte 3 of"):
        formats.from_lines({"A": good}, [put(tmp_path, "bad.txt", b"a\nb\xff\n")])
    with pytest.raises(FormatError, match=r"bad\.txt:1: a NUL byte"):
        formats.from_lines({"A": put(tmp_path, "bad.txt", b"a\0\nb\n")})
    with pytest.raises(FormatError, match=r"bad\.txt\.gz: the gzip data is cut off"):
        formats.from_lines({"A": put(tmp_path, "bad.txt.gz", gzip.compress(b"a\nb\n" * 999)[:-12])})
    with pytest.raises(FormatError, match=r"empty\.txt: there are no items in it"):
        formats.from_lines({"A": put(tmp_path, "empty.txt", "")})
    with pytest.raises(FormatError, match=r"none\.txt: there is no such file"):
        formats.from_lines({"A": good}, [tmp_path / "none.txt"])
    with pytest.raises(InputError, match=r"no files: give at least one"):
        formats.from_lines({})
    with pytest.raises(UnknownName, match=r"unknown option of format lines 'reference'; did you mean 'references'\?"):
        formats.read(good, reference=good)


def test_a_folder_of_lines(tmp_path: Path) -> None:
    data = EvalSet(
        [
            Item("x", (Reference("\ufeffr"), Reference("")), {"a/b": " a ", "é%.": "1\r2"}, ("s",)),
            Item("y", (Reference("r"), Reference("q")), {"é%.": "", "a/b": "b"}, ("t",)),
        ]
    )
    formats.write(data, tmp_path / "set", format="lines")
    names = {str(p.relative_to(tmp_path / "set")) for p in (tmp_path / "set").rglob("*.txt")}
    assert names == {"out/a%2Fb.txt", "out/%C3%A9%25..txt", "ref0.txt", "ref1.txt", "source.txt", "ids.txt"}
    assert formats.read(tmp_path / "set") == data


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([Item("1", outputs={"A": "a\nb"})], "item '1' has a newline in a text"),
        ([Item("1", outputs={"A": "a\r"})], "item '1' has a newline in a text"),
        ([Item("1", outputs={"A": "a\0"})], "item '1' has a NUL character in a text"),
        ([Item("1", outputs={"A": "\ud800"})], "item '1' has a lone surrogate"),
        ([Item("1", outputs={"A": ""}, judgments=(Judgment("A", "r", "d", 1.0),))], "no place for judgments"),
        ([Item("1", outputs={"A": ""}, group="g")], "no place for groups"),
        ([Item("1", outputs={"A": ""}, extra={"k": 1})], "no place for extra keys"),
        ([Item("1", (Reference("r", "P"),), {"A": ""})], "no place for ids of references"),
        ([Item("1", outputs={"A": ""}, sources=("a", "b"))], "no place for more than one source"),
        ([Item("1", (Reference("r"),), {"A": ""}), Item("2", outputs={"A": ""})], "different numbers of references"),
        ([Item("1", outputs={"A": ""}), Item("2", outputs={})], r"missing outputs \(item '2'\)"),
        ([Item("1")], "neither outputs nor references"),
    ],
)
def test_what_lines_cannot_hold(items: list[Item], message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        formats.write(EvalSet(items, allow_missing=True), tmp_path / "set", format="lines")
    assert list(tmp_path.iterdir()) == []
