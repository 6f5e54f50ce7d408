"""The items as the page holds them: every text once, scores as numbers, packed small."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.evalset import EvalSet, Item
from ..data.scores import Floats, Scores
from ..text import Lexicon, TextReading, Texts

LIMIT = 11_000_000  # bytes of packed texts: with scores and scripts a page stays under 15 MB
MAX_SOURCE = 20_000  # characters of a source that are shown
_BLOCK = 400_000  # characters unpacked at a time: one block is read in a few milliseconds
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class PackedItems:
    """What goes into the page as JSON, and how many items went without their texts."""

    payload: dict[str, Any]
    without_text: int


def pack_items(
    data: EvalSet, metrics: Mapping[str, Scores], humans: Sequence[Scores], *, stem: bool = False, limit: int = LIMIT
) -> PackedItems:
    """Pack a set. Where the texts would be larger than the limit, items on which metric and people agree go first."""
    listed = [*((name, s, False) for name, s in metrics.items()), *((s.name, s, True) for s in humans)]
    tables = [_table(s, data) for _, s, _ in listed]
    turned = [t if s.higher_is_better else -t for t, (_, s, _) in zip(tables, listed, strict=True)]
    order = _priority(turned, len(metrics), len(data))
    blocks, place = _texts(data, order, limit)
    groups = list(dict.fromkeys(item.group for item in data if item.group is not None))
    number = {group: k for k, group in enumerate(groups)}
    payload: dict[str, Any] = {
        "systems": data.systems,
        "people": data.people,
        "items": data.items,
        "groups": groups,
        "group": [-1 if item.group is None else number[item.group] for item in data],
        "scores": [{"name": n, "people": p, "higher": s.higher_is_better} for n, s, p in listed],
        "values": _pack(np.stack(tables).astype("<f4").tobytes()) if tables else "",
        "there": _pack(_there(data)),
        "blocks": blocks,
        "place": place,
    }
    if stem:
        payload["stems"] = _pack(json.dumps(_stems(data), ensure_ascii=False, separators=(",", ":")).encode())
    return PackedItems(payload, sum(p is None for p in place))


def _table(scores: Scores, data: EvalSet) -> Floats:
    """In the order of the set, whatever the order of the scores."""
    if scores.systems == data.systems and scores.items == data.items:
        return scores.values
    row, column = {s: i for i, s in enumerate(scores.systems)}, {i: k for k, i in enumerate(scores.items)}
    padded = np.pad(scores.values, ((0, 1), (0, 1)), constant_values=np.nan)
    table: Floats = padded[np.ix_([row.get(s, -1) for s in data.systems], [column.get(i, -1) for i in data.items])]
    return table


def _there(data: EvalSet) -> bytes:
    """A byte per system and item: is there an output?"""
    table = np.zeros((len(data.systems), len(data)), dtype=np.uint8)
    row = {s: i for i, s in enumerate(data.systems)}
    for column, item in enumerate(data):
        table[[row[s] for s in item.outputs], column] = 1
    return table.tobytes()


def _priority(tables: Sequence[Floats], metrics: int, items: int) -> list[int]:
    """Items from the largest disagreement between the first metric and people (or the second metric) to the least."""
    if len(tables) < 2:
        return list(range(items))
    a, b = tables[0], tables[metrics if 0 < metrics < len(tables) else 1]
    gap = np.abs(_ranks(a) - _ranks(b))
    worst = np.where(np.isnan(gap), -1.0, gap).max(axis=0, initial=-1.0)
    return [int(i) for i in np.argsort(-worst, kind="stable")]


def _ranks(values: Floats) -> Floats:
    """Each value's place among all, from 0 to 1; NaN stays."""
    flat = values.ravel()
    some = np.flatnonzero(~np.isnan(flat))
    out = np.full(flat.shape, np.nan)
    out[some[np.argsort(flat[some], kind="stable")]] = np.linspace(0, 1, len(some)) if len(some) else 0
    return out.reshape(values.shape)


def _texts(data: EvalSet, order: Sequence[int], limit: int) -> tuple[list[str], list[list[int] | None]]:
    """Blocks of packed texts, and for each item its block and its place in it; None if it did not fit."""
    place: list[list[int] | None] = [None] * len(data)
    blocks: list[str] = []
    room, start = limit, 0
    while start < len(order):
        stop, size = start, 0
        while stop < len(order) and size < _BLOCK:
            size += _size(data.entries[order[stop]])
            stop += 1
        places = sorted(order[start:stop]) if stop - start < len(order) else list(range(len(order)))
        block = _block(data, [data.entries[i] for i in places])
        if len(block) > room and blocks:
            break
        room -= len(block)
        for k, i in enumerate(places):
            place[i] = [len(blocks), k]
        blocks.append(block)
        start = stop
    return blocks, place


def _size(item: Item) -> int:
    return (
        sum(map(len, item.outputs.values())) + sum(len(r.text) for r in item.references) + sum(map(len, item.sources))
    )


def _block(data: EvalSet, items: Iterable[Item]) -> str:
    """Texts of some items, each kept once: [texts, per item [sources, [id, reference], output by system or -1]]."""
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    rows = [
        [
            [number(_cut(s)) for s in item.sources],
            [[r.id, number(r.text)] for r in item.references],
            [number(item.outputs[s]) if s in item.outputs else -1 for s in data.systems],
        ]
        for item in items
    ]
    return _pack(json.dumps([list(texts), rows], ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def _cut(text: str) -> str:
    if len(text) <= MAX_SOURCE:
        return text
    return f"{text[:MAX_SOURCE]} … [{len(text) - MAX_SOURCE:,} more characters are not in this page]"


def _stems(data: EvalSet) -> dict[str, str]:
    """Words of the set with another word as Porter stem: what stemming metrics match, the page shows as matched."""
    texts = {*data.flat[0], *data.flat[1]}
    words = sorted({word for text in texts for word in _WORD.findall(text.lower())})
    stems = Texts(words, Lexicon()).words(TextReading(tokenizer="rouge", stem=True))
    return {word: stem[0] for word, stem in zip(words, stems, strict=True) if len(stem) == 1 and stem[0] != word}


def _pack(raw: bytes) -> str:
    """Deflated, in letters that stand in a page as they are."""
    # Level 6: 9 takes three times as long for 1 % less.
    return base64.b64encode(zlib.compress(raw, 6)).decode("ascii")
