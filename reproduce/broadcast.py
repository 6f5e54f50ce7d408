"""Broadcast News with the published outputs put back beside their own sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from common import data

from assay import EvalSet, Item
from assay.text.tokens.subsequence import kept_places

NAME = "broadcast-news.jsonl.gz"


def broadcast() -> EvalSet:
    """The 1,370 sentences of 50 stories."""
    return EvalSet(realigned(data(NAME).entries))


def realigned(items: Sequence[Item]) -> list[Item]:
    """The file holds the sentences in the order of their ids as text (0, 1, 10, 11, ..., 2) but the outputs of the
    published compressors in the order of their run: stories by name without punctuation, sentences by number. That
    order is proved by what it gives: each output is part of its source. Where it is not, nothing is moved.
    """
    run = sorted(range(len(items)), key=lambda k: _place(items[k].id))
    outputs = {run[j]: items[j].outputs for j in range(len(items))}
    moved = [replace(item, outputs=outputs[k]) for k, item in enumerate(items)]
    return moved if fitting(moved) > fitting(items) else list(items)


def fitting(items: Sequence[Item]) -> float:
    """The share of outputs that can be had by deleting words of their source."""
    found = [
        len(kept_places(item.sources[0].split(), text.split())) == len(text.split())
        for item in items
        for text in item.outputs.values()
    ]
    return sum(found) / max(1, len(found))


def _place(item: str) -> tuple[str, int]:
    story, _, sentence = item.rpartition(".")
    return re.sub(r"[._]", "", story), int(sentence)
