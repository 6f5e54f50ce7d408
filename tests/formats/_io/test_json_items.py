"""Lines of JSON as items: judgments, and the strings that they share."""

from __future__ import annotations

import msgspec
import pytest

from assay.data.item import Item, Judgment
from assay.formats._io.json_items import item_reader, item_to_json


def line(judgments: list[Judgment]) -> bytes:
    return msgspec.json.encode(item_to_json(Item("1", outputs={"A": "a", "B": "b"}, judgments=tuple(judgments))))


LISTS = [
    [Judgment("A", "r1", "d", 1.5), Judgment("B", "r1", "d", 2.0)],
    [Judgment("A", "r1", "d", 3.5), Judgment("B", "r1", "d", -1.0)],
    [Judgment("A", "r2", "e", 1.0, 2, "llm"), Judgment("A", "r2", "e", 1.0, 3), Judgment("B", "r2", "d", 0.0)],
    [],
    [Judgment("A", "r1", "d", 1.5)],
]


def test_judgments_come_back_whatever_the_item_before_held() -> None:
    read = item_reader("x.jsonl")
    for number, judgments in enumerate(LISTS * 2, 1):
        item = read(line(judgments), number)
        assert item.judgments == tuple(judgments)
        assert all(type(j) is Judgment for j in item.judgments)


def test_items_share_the_names_of_raters_and_systems() -> None:
    read = item_reader("x.jsonl")
    first, second = (read(line(judgments), 1).judgments for judgments in LISTS[:2])
    for place in range(3):
        assert first[0][place] is second[0][place]
    assert first[0].rater is first[1].rater


@pytest.mark.parametrize("occasion", ["1", "2"])
def test_a_stated_first_occasion_is_written_back(occasion: str) -> None:
    raw = (
        b'{"id":"1","outputs":{"A":"a"},"judgments":[{"system":"A","rater":"r","dimension":"d","score":1.0,"occasion":'
    )
    raw += occasion.encode() + b"}]}"
    item = item_reader("x.jsonl")(raw, 1)
    assert item.judgments == (Judgment("A", "r", "d", 1.0, int(occasion)),)
    assert msgspec.json.encode(item_to_json(item)) == raw
