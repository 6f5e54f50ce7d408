"""Files made to fill memory or the stack end in one line of error."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from assay import formats
from assay.errors import AssayError, FormatError
from assay.formats import documents, read_scores, read_units, text_lines, text_pairs
from assay.formats._io import text_file
from assay.metrics import metric

DEEP = 100_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of a megabyte, so that a small bomb is enough to pass them."""
    monkeypatch.setattr(text_file, "LINE_LIMIT", 1 << 20)
    monkeypatch.setattr(text_file, "WHOLE_LIMIT", 1 << 20)


def bomb(path: Path, head: bytes, fill: bytes, size: int = 64 << 20) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(head)
        block = fill * ((1 << 20) // len(fill))
        for _ in range(size // len(block)):
            file.write(block)
    return path


READERS = {
    "x.jsonl": (formats.read, b'{"id": "', b"a"),
    "array.jsonl": (formats.read, b'[{"id": "1"}', b',{"id": "1"}\n'),
    "x.csv": (formats.read, b"item,system,text\n1,A,", b"a"),
    "quotes.csv": (formats.read, b'item,system,text\n1,A,"', b"a\n"),
    "fields.csv": (formats.read, b'item,system,text\n1,A,"a', b'\n","\n'),
    "x.tsv": (formats.read, b"item\tsystem\ttext\n1\tA\t", b"a"),
    "x.txt": (formats.read, b"", b"a"),
    "scores.jsonl": (read_scores, b'{"system": "', b"a"),
    "scores.csv": (read_scores, b"system,item,metric,score\n", b"a"),
    "units.jsonl": (read_units, b'{"id": "', b"a"),
    "units.csv": (read_units, b"unit,A\n", b"a"),
    "pairs.tsv": (lambda path: list(text_pairs(path)), b"a\t", b"b"),
    "plain.txt": (lambda path: list(text_lines(str(path))), b"", b"b"),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", READERS)
def test_a_small_file_that_unpacks_to_a_large_one(name: str, tmp_path: Path) -> None:
    read, head, fill = READERS[name]
    path = bomb(tmp_path / f"{name}.gz", head, fill)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"longer than 1 MiB|larger than 1 MiB when unpacked") as error:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("small")
def test_a_document_is_read_whole(tmp_path: Path) -> None:
    bomb(tmp_path / "a.doc.gz", b"", b"word ", 8 << 20)
    (tmp_path / "a.abstract").write_text("words")
    with pytest.raises(FormatError, match=r"a\.doc\.gz: is larger than 1 MiB when unpacked"):
        list(documents(tmp_path))


@pytest.mark.usefixtures("small")
def test_what_is_within_the_bound_is_read(tmp_path: Path) -> None:
    text = "a" * ((1 << 20) - 100)
    (tmp_path / "x.jsonl").write_text(f'{{"id": "1", "outputs": {{"A": "{text}"}}}}\n' * 1)
    assert formats.read(tmp_path / "x.jsonl")["1"].outputs["A"] == text
    rows = "".join(f"{i},A,{text}\n" for i in range(4))
    (tmp_path / "x.csv").write_text("item,system,text\n" + rows)
    assert len(formats.read(tmp_path / "x.csv")) == 4


def test_the_bounds_are_those_that_are_documented() -> None:
    assert (text_file.LINE_LIMIT, text_file.WHOLE_LIMIT) == (256 << 20, 1 << 30)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
def test_deep_json(opening: str, closing: str, tmp_path: Path) -> None:
    nest = opening * DEEP + ("1" if opening != "[" else "") + closing * DEEP
    quoted = '"' + nest.replace('"', '""') + '"'
    files = {
        "bare.jsonl": (formats.read, nest),
        "extra.jsonl": (formats.read, f'{{"id": "1", "more": {nest}}}'),
        "outputs.jsonl": (formats.read, f'{{"id": "1", "outputs": {nest}}}'),
        "array.json": (formats.read, f'[{{"id": "1", "more": {nest}}}]'),
        "open.jsonl": (formats.read, opening * DEEP),
        "x.csv": (formats.read, f"item,system,text,references\n1,A,x,{quoted}\n"),
        "scores.jsonl": (read_scores, nest),
        "score.jsonl": (read_scores, f'{{"system": "A", "item": "1", "metric": "m", "score": 1, "more": {nest}}}'),
        "units.jsonl": (read_units, f'{{"id": "1", "units": {nest}}}'),
        "weights.json": (lambda path: metric(f"depeval(weights={path})"), nest),
    }
    for name, (read, text) in files.items():
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(AssayError) as error:
            read(path)
        assert "\n" not in str(error.value), name
        assert name in str(error.value)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "outputs.csv").write_text("item,system,text\n1,A,x\n")
    (tmp_path / "folder" / "items.csv").write_text(f"item,extra\n1,{quoted}\n")
    with pytest.raises(FormatError, match="column 'extra' is not a JSON object"):
        formats.read(tmp_path / "folder")
