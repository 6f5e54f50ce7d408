"""Shorten a text to a length that the program enforces (Toutanova et al. 2016, 3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, ClassVar

from ...data.item import Item
from ...errors import InputError
from ..settings import RatingScale
from ..task import Task
from ..text_edits import apply_deltas, is_text_edit
from ..text_length import collapse, count_characters, count_words
from ._protocol import Answer, Protocol, Row, Screen, read_field, refuse

MODES = ("rewrite", "delete")
UNITS = ("characters", "words")
MAX_CHARS = 1_000_000  # characters of an answer


@dataclass(frozen=True)
class ShortenProtocol(Protocol):
    """Shorten the source: at most 75 % of its characters, unless at_most, at_least and unit (words) say otherwise.

    Visible: the source, all of it, from the start. mode=delete lets words be deleted only. An answer is {"text": ...};
    every keystroke comes before as `edited` events. Several sources are joined by a line break.
    """

    name: ClassVar[str] = "shorten"
    writes_texts: ClassVar[bool] = True
    keeps_edits: ClassVar[bool] = True
    takes_dimensions: ClassVar[bool] = False
    at_most: float = 0.75
    at_least: float = 0.0
    unit: str = "characters"
    mode: str = "rewrite"

    def __post_init__(self) -> None:
        if self.unit not in UNITS or self.mode not in MODES:
            raise InputError(f"shorten: unit is one of {', '.join(UNITS)}, mode one of {', '.join(MODES)}")
        if not 0 <= self.at_least <= self.at_most <= 1 or not self.at_most:
            raise InputError("shorten: at_most and at_least are shares of the source's length, at_least the smaller")

    def check_item(self, item: Item) -> None:
        if not item.sources or not count_words(source_text(item)):
            raise InputError(f"{item.place} has no source; shorten needs one")
        low, high = self.bounds(item)
        if high < max(low, 1):
            raise InputError(f"{item.place}: no text of this source can have {low} to {high} {self.unit}")

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return [()]

    def needs_all(self) -> bool:
        return False

    def bounds(self, item: Item) -> tuple[int, int]:
        """Return the least and the greatest length of an answer."""
        length = self.measure(source_text(item))
        # Rounded first: 0.7 * 10 is 7.000000000000001 in binary, and 0.29 * 100 is 28.999999999999996.
        return ceil(round(self.at_least * length, 9)), floor(round(self.at_most * length, 9))

    def measure(self, text: str) -> int:
        """Return the length of a text in the protocol's unit."""
        return count_characters(text) if self.unit == "characters" else count_words(text)

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        low, high = self.bounds(item)
        limit = {"least": low, "most": high, "unit": self.unit, "source": self.measure(source_text(item))}
        return {"source": [source_text(item)], "limit": limit, "mode": self.mode}

    def start_draft(self, item: Item) -> str:
        return source_text(item)

    def edit_draft(self, draft: Any, deltas: Sequence[Any], item: Item, task: Task) -> str:
        if not all(map(is_text_edit, deltas)):
            raise ValueError("an edit is a list of milliseconds, start, characters deleted and text inserted")
        return apply_deltas(draft, deltas)

    def is_draft_of(self, draft: Any, answer: Answer) -> bool:
        return bool(collapse(draft) == answer.get("text"))

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        text = read_field(answer, "text", str)
        if len(text) > MAX_CHARS:
            refuse(f"the text has more than {MAX_CHARS:,} characters")
        text, (low, high) = collapse(text), self.bounds(item)
        if not text:
            refuse("the text is empty", code="incomplete_answer")
        if (length := self.measure(text)) > high:
            refuse(f"too long: {length} {self.unit}, at most {high}", code="too_long")
        if length < low:
            refuse(f"too short: {length} {self.unit}, at least {low}", code="too_short")
        if self.mode == "delete" and not is_deletion(source_text(item), text):
            refuse("words may only be deleted here: something was added, changed or moved", code="not_deleted_only")
        return {"text": text}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        return iter(())


def source_text(item: Item) -> str:
    """Return the source; several are joined by a line break."""
    return "\n".join(item.sources)


def is_deletion(source: str, text: str) -> bool:
    """Check if a text is the source with words deleted.

    >>> is_deletion("the old cat slept", "the cat slept"), is_deletion("the old cat", "cat the")
    (True, False)
    """
    words = iter(collapse(source).split(" "))
    return all(word in words for word in collapse(text).split(" "))
