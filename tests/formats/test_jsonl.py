"""JSON Lines: what comes in comes out, and what is wrong is said."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import AlignmentError, FormatError, InputError

SETS = (
    "tac2008",
    "summeval",
    "broadcast-news",
    "google-compression-9k",
    "simplicity-da",
    "wmt17-de-en",
    "wmt17-cs-en",
    "pyrxsum-content-units",
    "fusion-french-clusters",
    "msr-compression/train-text",
)
MISSING = {"simplicity-da"}


def put(folder: Path, text: str | bytes, name: str = "x.jsonl") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def parsed(path: Path) -> list[object]:
    open_ = gzip.open if path.suffix == ".gz" else open
    with open_(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("name", SETS)
def test_shared_files_come_back_as_they_were(name: str, data: Path, tmp_path: Path) -> None:
    path = data / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path}")
    before = formats.read(path, allow_missing=name in MISSING)
    out = tmp_path / "out.jsonl"
    formats.write(before, out)
    assert formats.read(out, allow_missing=name in MISSING) == before
    assert parsed(out) == parsed(path)


def test_lines_without_outputs_are_no_evaluation_set(data: Path) -> None:
    for path in (data / "compounds").glob("*.jsonl.gz"):
        with pytest.raises(FormatError, match="no column of outputs"):
            formats.read(path)


def test_everything_an_item_can_have(tmp_path: Path) -> None:
    line = {
        "id": "i",
        "group": "g",
        "source": "s",
        "references": ["plain", {"id": "P", "text": "by P"}],
        "outputs": {"A": "a", "P": "by P"},
        "judgments": [{"system": "A", "rater": "r", "dimension": "d", "score": 3}],
        "year": 2016,
    }
    (item,) = formats.read(put(tmp_path, json.dumps(line)))
    assert item == Item(
        "i",
        (Reference("plain"), Reference("by P", "P")),
        {"A": "a", "P": "by P"},
        ("s",),
        "g",
        (Judgment("A", "r", "d", 3.0),),
        {"year": 2016},
    )
    assert item.where.endswith("x.jsonl:1")


@pytest.mark.parametrize(
    "line",
    [
        {"id": 7},
        {"id": "a", "references": [], "outputs": {}, "judgments": []},
        {"id": "a", "sources": ["one"]},
        {"id": "a", "sources": []},
        {"id": "a", "sources": ["one", "two"], "group": ""},
        {"id": "a", "source": None, "group": None, "references": None},
        {"id": "a", "references": [{"text": "x"}, {"id": None, "text": "y"}, {"id": 3, "text": "z", "when": "now"}]},
        {"id": "a", "group": 5, "outputs": {"A": "x"}, "source": ""},
        {
            "id": "a",
            "outputs": {"A": "x"},
            "judgments": [{"system": "A", "rater": 4, "dimension": "d", "score": -0.5, "seconds": 12}],
        },
        {"id": "\x00", "outputs": {"": "\u2028 😀 é שלום"}, "x": {"deep": [None, True, 1e300]}},
    ],
)
def test_other_spellings_come_back_to_the_letter(line: dict[str, object], tmp_path: Path) -> None:
    before = formats.read(put(tmp_path, json.dumps(line)))
    formats.write(before, tmp_path / "out.jsonl")
    assert parsed(tmp_path / "out.jsonl") == [line]
    assert formats.read(tmp_path / "out.jsonl") == before


def test_a_spelling_that_no_longer_fits_is_not_used(tmp_path: Path) -> None:
    item = Item("a", outputs={"A": "new"}, extra={"outputs": {}, "id": 7, "kept": 1})
    formats.write(EvalSet([item]), tmp_path / "out.jsonl")
    assert parsed(tmp_path / "out.jsonl") == [{"id": "a", "outputs": {"A": "new"}, "kept": 1}]


def test_gzip_is_known_by_its_bytes(tmp_path: Path) -> None:
    line = b'{"id": "a", "outputs": {"A": "x"}}\n'
    plain = formats.read(put(tmp_path, line))
    assert formats.read(put(tmp_path, gzip.compress(line), "packed.jsonl")) == plain
    assert formats.read(put(tmp_path, line, "plain.jsonl.gz")) == plain
    formats.write(plain, tmp_path / "out.jsonl.gz")
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).startswith(b'{"id":"a"')
    assert formats.read(tmp_path / "out.jsonl.gz") == plain


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BufferedReader(io.BytesIO(b'{"id": "a"}\n{"id": "b"}\n'))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    assert formats.read("-").items == ("a", "b")


def test_an_array_is_read_too(tmp_path: Path) -> None:
    path = put(
        tmp_path, '[\n  {"id": "a",\n   "outputs": {"A": "x"}},\n  {"id": "b", "outputs": {"A": "y"}}\n]', "x.json"
    )
    data = formats.read(path)
    assert data.items == ("a", "b")
    assert [item.where[-2:] for item in data] == [":2", ":4"]
    path = put(tmp_path, '[\n{"id": "a"},\n{"id": []}]', "x.json")
    with pytest.raises(FormatError, match=r"x\.json:3: Expected"):
        formats.read(path)


def test_blank_lines_and_byte_order_mark(tmp_path: Path) -> None:
    path = put(tmp_path, b'\xef\xbb\xbf{"id": "a"}\r\n\n  \n{"id": "b"}')
    assert [item.where[-2:] for item in formats.read(path)] == [":1", ":4"]


def test_a_line_of_fifty_megabytes(tmp_path: Path) -> None:
    path = put(tmp_path, json.dumps({"id": "a", "outputs": {"A": "word " * 10_000_000}}))
    assert len(formats.read(path)["a"].outputs["A"]) == 50_000_000


BAD = [
    (
        b'{"id": "a"}\n{"id": "\xff"}',
        r"x\.jsonl:2: invalid UTF-8: byte 0xff at byte 8 of the line \(byte 20 of the text\)",
    ),
    (b'{"id": "a\x00"}', r":1: a NUL byte \(at byte 9 of the line\); JSON writes it as"),
    (b"\x00\x00\x00", r":1: a NUL byte"),
    (b"\xff\xfe{\x00}", r"invalid UTF-16 \(truncated data\); save the file as UTF-8"),
    (rb'{"id": "\ud800"}', r":1: a lone surrogate"),
    (rb'{"id": "a", "more": "\udc00 \ud83d"}', r":1: a lone surrogate"),
    (b'{"id": "a"', r":1: not one whole JSON object"),
    (b'{"id": "a"} {"id": "b"}', r":1: not one whole JSON object .*one item a line"),
    (b"hello", r":1: not one whole JSON object"),
    (b'"a"', r":1: Expected `object`, got `str`"),
    (b"{}", r":1: Object missing required field `id`"),
    (b'{"id": 1.5}', r":1: Expected .* got `float` - at `\$\.id`"),
    (b'{"id": "a", "references": "text"}', r":1: Expected `array.*`, got `str` - at `\$\.references`"),
    (b'{"id": "a", "references": [{"id": "b"}]}', r"missing required field `text` - at `\$\.references\[0\]`"),
    (b'{"id": "a", "outputs": {"A": 3}}', r"got `int` - at `\$\.outputs"),
    (b'{"id": "a", "source": "s", "sources": ["s"]}', r":1: both `source` and `sources`"),
    (
        b'{"id": "a", "judgments": [{"system": "A", "rater": "r", "dimension": "d", "score": "good"}]}',
        r"Expected `float`",
    ),
    (b'{"id": "a", "judgments": [{"system": "A", "dimension": "d", "score": 1}]}', r"missing required field `rater`"),
    (
        b'{"id": "a", "judgments": [{"system": "A", "rater": "r", "dimension": "d", "score": NaN}]}',
        r":1: not one whole",
    ),
    (b'{"id": "a", "more": ' + b"[" * 100_000, r":1: nested too deeply"),
    (b"[" * 100_000, r":1: nested too deeply|:1: not one whole|:1: Expected"),
    (b"", r"x\.jsonl: there are no items in it"),
    (b"\n\n", r"x\.jsonl: there are no items in it"),
    (b"[]", r"x\.jsonl: there are no items in it"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_lines(content: bytes, message: str, tmp_path: Path) -> None:
    path = put(tmp_path, content)
    with pytest.raises(FormatError, match=message):
        formats.read(path)
    with pytest.raises(FormatError, match=message):
        list(formats.stream(path))


def test_truncated_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(b'{"id": "%d", "x": "%d"}\n' % (n, n * n) for n in range(5000)))
    path = put(tmp_path, packed[:-2000], "x.jsonl.gz")
    with pytest.raises(FormatError, match=r"x\.jsonl\.gz:\d+: the gzip data is cut off or broken"):
        formats.read(path)
    path = put(tmp_path, packed[:300] + b"\0" * 50 + packed[350:], "x.jsonl.gz")
    with pytest.raises(FormatError, match=r"the gzip data is cut off or broken|not one whole|NUL|invalid UTF-8"):
        formats.read(path)


def test_alignment(tmp_path: Path) -> None:
    path = put(tmp_path, '{"id": "a", "outputs": {"A": "x"}}\n{"id": "a", "outputs": {"A": "y"}}')
    with pytest.raises(AlignmentError, match=r"x\.jsonl:2: item 'a' was already used \(.*x\.jsonl:1\)"):
        formats.read(path)
    path = put(tmp_path, '{"id": "a", "outputs": {"A": "x"}}\n{"id": "b", "outputs": {}}')
    with pytest.raises(AlignmentError, match=r"x\.jsonl:2: item 'b' has no output of system 'A' \(1 of 2"):
        formats.read(path)
    judged = '{"id": "a", "judgments": [{"system": "Z", "rater": "r", "dimension": "d", "score": 1}]}'
    with pytest.raises(AlignmentError, match=r"x\.jsonl:1: item 'a': a judgment names system 'Z'"):
        formats.read(put(tmp_path, judged))


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (Item("a", outputs={"A": "\ud800"}), "item 'a' cannot be written as JSON: .*surrogates"),
        (Item("a", extra={"x": object()}), "item 'a' cannot be written as JSON"),
        (Item("a", outputs={"A": ""}, judgments=(Judgment("A", "r", "d", float("nan")),)), "a judgment of .* is nan"),
    ],
)
def test_what_cannot_be_written(item: Item, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        formats.write(EvalSet([item]), tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_occasions(tmp_path: Path) -> None:
    judgment = '{"system": "A", "rater": "r", "dimension": "d", "score": 2'
    line = f'{{"id": "1", "outputs": {{"A": "x"}}, "judgments": [{judgment}}}, {judgment}, "occasion": %s}}]}}\n'
    path = tmp_path / "x.jsonl"
    path.write_text(line % 2)
    assert [j.occasion for j in formats.read(path)["1"].judgments] == [1, 2]
    path.write_text(line % 1)
    with pytest.raises(AlignmentError, match=r"x\.jsonl:1: item '1': rater 'r' judged system 'A' twice for 'd'"):
        formats.read(path)
    for wrong in ("1.5", '"2"', "null", "true", "0"):
        path.write_text(line % wrong)
        with pytest.raises(InputError, match=r"x\.jsonl:1:.*occasion|x\.jsonl:1:.*int"):
            formats.read(path)
    alone = f'{{"id": "1", "outputs": {{"A": "x"}}, "judgments": [{judgment}, "occasion": %s}}]}}\n'
    path.write_text(alone % 0)
    with pytest.raises(InputError, match=r"x\.jsonl:1: .*must be a whole number from 1 on; got int 0"):
        formats.read(path)
    path.write_text(alone % 1)
    formats.write(formats.read(path), tmp_path / "out.jsonl")
    assert parsed(tmp_path / "out.jsonl") == parsed(path)  # said where we would leave it out


JUDGED = {
    "outputs": {"A": "a", "B": "b"},
    "judgments": [{"system": "A", "rater": "r", "dimension": "rank", "score": 1}],
}
HEADER = '{"scales": {"rank": {"best": 1}}}'


def write_judged(path, *, header=False, key=False):
    lines = [json.dumps({"id": str(i), **JUDGED}) for i in range(3)]
    if key:
        lines[0] = json.dumps({"id": "0", **JUDGED, "scales": {"rank": {"best": 1}}})
    path.write_text("\n".join([HEADER, *lines] if header else lines))
    return path


@pytest.mark.parametrize("where", ["header", "key"])
def test_scales_are_stated_in_a_first_line_or_by_an_item_and_written_back(where, tmp_path):
    data = formats.read(write_judged(tmp_path / "set.jsonl", **{where: True}))
    assert not data.human("rank").higher_is_better
    assert all("rank" in item.extra["scales"] for item in data)
    for name, options in (("again.jsonl", {}), ("folder", {"format": "tables"}), ("csv", {"format": "csv"})):
        formats.write(data, tmp_path / name, **options)
        assert formats.read(tmp_path / name, format=options.get("format")) == data


def test_without_scales_nothing_is_added(tmp_path):
    data = formats.read(write_judged(tmp_path / "set.jsonl"))
    assert data.scales == {}
    assert all(not item.extra for item in data)


def test_scales_are_a_first_line_only(tmp_path):
    path = write_judged(tmp_path / "set.jsonl")
    path.write_text(path.read_text() + "\n" + HEADER)
    with pytest.raises(FormatError, match=r"set\.jsonl:4"):
        formats.read(path)
