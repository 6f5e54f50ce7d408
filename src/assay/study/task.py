"""Task: one screen of one rater: an item, the systems in the order of the outputs on it, and the occasion."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..data.item import Item, output_of

LETTERS = "abcdefghijklmnopqrst"  # what a screen calls its texts, so that no name of a system leaves the server
Role = Literal["main", "qualification", "check"]


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a rater is asked once. Of identical outputs that are judged once, `A+B` is the name of both.

    `occasion` is 2 where the same was asked before; `role` tells practice with known answers and attention checks.
    """

    item: str
    systems: tuple[str, ...] = ()
    occasion: int = 1
    role: Role = "main"

    def letter(self, number: int) -> str:
        """Return what the screen calls the text at this place."""
        return LETTERS[number]

    def system_of(self, letter: object) -> str | None:
        """Return the system behind a letter, or None if there is none.

        >>> Task("1", ("B", "A")).system_of("a")
        'B'
        """
        place = LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
        return self.systems[place] if 0 <= place < len(self.systems) else None

    def texts(self, item: Item) -> list[str]:
        """Return the outputs in the order of the screen."""
        return [output_of(item, system) for system in self.systems]

    def to_payload(self) -> dict[str, Any]:
        """Return what the log holds of it."""
        payload: dict[str, Any] = msgspec.to_builtins(self)
        return payload
