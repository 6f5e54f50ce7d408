"""Streams: chunk by chunk the same set, with the same checks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay import formats
from assay.data.evalset import Item
from assay.errors import AlignmentError, InputError
from assay.formats._io import chunks
from assay.formats._io.chunks import Stream
from assay.formats._io.text_file import ReadProgress


def made(folder: Path, items: list[dict[str, object]]) -> Path:
    path = folder / "x.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return path


def plain(n: int, **outputs: str) -> dict[str, object]:
    return {"id": f"i{n}", "outputs": outputs or {"A": f"text {n}"}}


def test_chunks_hold_the_whole_in_order(tmp_path: Path) -> None:
    path = made(tmp_path, [plain(n) for n in range(25)])
    stream = formats.stream(path, batch=10)
    assert [len(chunk) for chunk in stream] == [10, 10, 5]
    assert tuple(item.id for item in stream.entries()) == formats.read(path).items
    assert stream.fraction() == 1.0


def test_fraction_grows(tmp_path: Path) -> None:
    path = made(tmp_path, [plain(n, A="word " * 1000) for n in range(2000)])
    stream = formats.stream(path, batch=100)
    seen = [stream.fraction() for _ in stream]
    assert seen == sorted(seen)  # type: ignore[type-var]
    assert 0 < seen[0] < 0.5 < seen[-1] <= 1  # type: ignore[operator]


def test_long_texts_close_a_chunk_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "TEXT_LIMIT", 5000)
    path = made(tmp_path, [plain(n, A="x" * 2000) for n in range(9)])
    assert [len(chunk) for chunk in formats.stream(path)] == [3, 3, 3]


def test_ids_are_unique_across_chunks(tmp_path: Path) -> None:
    path = made(tmp_path, [*(plain(n) for n in range(8)), plain(2)])
    with pytest.raises(AlignmentError, match=r"x\.jsonl:9: item 'i2' was already used \(.*x\.jsonl:3\)"):
        list(formats.stream(path, batch=3))


def test_equal_hashes_are_no_duplicates(monkeypatch: pytest.MonkeyPatch) -> None:
    class Colliding:
        def add(self, string: str) -> bool:
            return False

    monkeypatch.setattr(chunks, "Seen", Colliding)

    def items(progress: ReadProgress) -> Iterator[Item]:
        return (Item(str(n), outputs={"A": "x"}) for n in range(5))

    assert sum(len(chunk) for chunk in Stream(items, path="x", batch=2)) == 5


def test_systems_are_the_same_in_all_chunks(tmp_path: Path) -> None:
    path = made(tmp_path, [plain(0, A="x", B="y"), plain(1, A="x", B="y"), plain(2, A="x"), plain(3, A="x")])
    with pytest.raises(AlignmentError, match=r"x\.jsonl:3: item 'i2' has no output of system 'B', unlike"):
        list(formats.stream(path, batch=2))
    assert len(list(formats.stream(path, batch=2, allow_missing=True))) == 2
    path = made(tmp_path, [plain(0, A="x"), plain(1, A="x"), plain(2, A="x", C="z"), plain(3, A="x", C="z")])
    with pytest.raises(
        AlignmentError, match=r"x\.jsonl:3: item 'i2' has an output of system 'C', which .* before lack"
    ):
        list(formats.stream(path, batch=2))


def test_people_may_come_and_go(tmp_path: Path) -> None:
    def by(n: int, who: str) -> dict[str, object]:
        return plain(n, A="x", **{who: "own"}) | {"references": [{"id": who, "text": "own"}]}

    path = made(tmp_path, [by(0, "P"), by(1, "P"), by(2, "Q"), by(3, "Q")])
    assert len(list(formats.stream(path, batch=2))) == 2


def test_batch_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="batch must be at least 1; got 0"):
        formats.stream(made(tmp_path, [plain(0)]), batch=0)


def test_a_stream_can_be_written(tmp_path: Path) -> None:
    path = made(tmp_path, [plain(n) for n in range(25)])
    for name in ("out.jsonl", "out.csv", "out.parquet"):
        formats.write(formats.stream(path, batch=4), tmp_path / name)
        assert formats.read(tmp_path / name) == formats.read(path)
