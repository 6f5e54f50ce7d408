"""Patterns: regular expressions of the tokenizer as programs for the core's matcher (src/core/parse/pattern.hpp)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

# The order is that of enum Op in pattern.cpp. An instruction is four numbers: the operation and up to three arguments.
OPS = [
    "match",
    "char",
    "set",
    "split",
    "jump",
    "start",
    "end",
    "ahead",
    "behind",
    "not_ahead",
    "not_behind",
    "repeat",
    "branch",
]
CODE = {name: number for number, name in enumerate(OPS)}
_ALL = "".join(map(chr, range(sys.maxunicode + 1)))
_FOREVER = 2**31 - 1
_NOTHING = -1  # no set: an alternative that may begin with anything, or be empty

Ranges = tuple[tuple[int, int], ...]


def ranges(characters: list[int]) -> Ranges:
    """Return sorted code points as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for c in characters:
        if found and found[-1][1] == c - 1:
            found[-1] = (found[-1][0], c)
        else:
            found.append((c, c))
    return tuple(found)


def characters(holds: Callable[[str], bool]) -> Ranges:
    """Return the code points for which something holds."""
    return ranges([ord(c) for c in _ALL if holds(c)])


class Compiler:
    """Compiles patterns; they share their sets of characters."""

    def __init__(self) -> None:
        self.sets: dict[Ranges, int] = {}

    def compile(self, pattern: re.Pattern[str]) -> list[int]:
        """Return the program of a pattern."""
        parsed = _parser.parse(pattern.pattern, pattern.flags)
        program: list[list[int]] = []
        self._sequence(parsed, parsed.state.flags, program)
        program.append([CODE["match"], 0, 0, 0])
        return [number for instruction in program for number in instruction]

    def _set(self, found: Ranges) -> int:
        return self.sets.setdefault(found, len(self.sets))

    def _one(self, op: Any, value: Any, flags: int) -> Ranges:
        """Return the characters that an item of one character takes: the re module is asked about each."""
        item = _parser.SubPattern(_parser.State(), [(op, value)])
        compiled = _compiler.compile(item, flags)
        return ranges([match.start() for match in compiled.finditer(_ALL)])

    def _sequence(self, items: Any, flags: int, program: list[list[int]]) -> None:
        for op, value in items:
            getattr(self, f"_{str(op).lower()}")(op, value, flags, program)

    def _literal(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        if flags & re.IGNORECASE:
            self._in(op, value, flags, program)
        else:
            program.append([CODE["char"], value, 0, 0])

    def _in(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        program.append([CODE["set"], self._set(self._one(op, value, flags)), 0, 0])

    _not_literal = _any = _in

    def _at(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        program.append([CODE[{"AT_BEGINNING": "start", "AT_END": "end"}[str(value)]], 0, 0, 0])

    def _subpattern(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        _, added, removed, items = value
        self._sequence(items, (flags | added) & ~removed, program)

    def _assert(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        direction, items = value
        name = "ahead" if direction > 0 else "behind"
        self._look(name, items, flags, program)

    def _assert_not(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        direction, items = value
        name = "not_ahead" if direction > 0 else "not_behind"
        self._look(name, items, flags, program)

    def _look(self, name: str, items: Any, flags: int, program: list[list[int]]) -> None:
        low, high = items.getwidth()
        if name.endswith("behind") and low != high:
            raise ValueError("a look behind has one width")
        instruction = [CODE[name], 0, low, 0]  # where to go on, how far back
        program.append(instruction)
        self._sequence(items, flags, program)
        program.append([CODE["match"], 0, 0, 0])
        instruction[1] = len(program)

    def _max_repeat(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        low, high, items = value
        endless = high == _parser.MAXREPEAT
        while len(items) == 1 and str(items[0][0]) == "SUBPATTERN" and not items[0][1][1] and not items[0][1][2]:
            items = items[0][1][3]
        if len(items) == 1 and str(items[0][0]) in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            number = self._set(self._one(*items[0], flags))
            program.append([CODE["repeat"], number, low, _FOREVER if endless else high])
            return
        if not items.getwidth()[0]:
            raise ValueError("what is repeated must not be empty")
        for _ in range(low):
            self._sequence(items, flags, program)
        if endless:
            split = [CODE["split"], 0, 0, 0]
            start = len(program)
            program.append(split)
            self._sequence(items, flags, program)
            program.append([CODE["jump"], start, 0, 0])
            split[1], split[2] = start + 1, len(program)
            return
        splits = []
        for _ in range(high - low):
            splits.append([CODE["split"], len(program) + 1, 0, 0])
            program.append(splits[-1])
            self._sequence(items, flags, program)
        for split in splits:
            split[2] = len(program)

    def _branch(self, op: Any, value: Any, flags: int, program: list[list[int]]) -> None:
        """Write the alternatives; each has the set of characters it may begin with."""
        _, alternatives = value
        program.append([CODE["branch"], len(alternatives), 0, 0])
        table = [[0, self._first(items, flags), 0, 0] for items in alternatives]
        program += table
        jumps = []
        for row, items in zip(table, alternatives, strict=True):
            row[0] = len(program)
            self._sequence(items, flags, program)
            jumps.append([CODE["jump"], 0, 0, 0])
            program.append(jumps[-1])
        for jump in jumps:
            jump[1] = len(program)

    def _first(self, items: Any, flags: int) -> int:
        found = self._beginnings(items, flags)
        return _NOTHING if found is None else self._set(ranges(sorted(found)))

    def _beginnings(self, items: Any, flags: int) -> set[int] | None:
        """Return the code points that a match may begin with; None if it may be empty."""
        found: set[int] = set()
        for op, value in items:
            name = str(op)
            if name in ("AT", "ASSERT", "ASSERT_NOT"):
                if value == _parser.AT_END:
                    return None
                continue
            below: set[int] | None
            if name == "SUBPATTERN":
                below = self._beginnings(value[3], (flags | value[1]) & ~value[2])
            elif name == "BRANCH":
                parts = [self._beginnings(part, flags) for part in value[1]]
                below = None if None in parts else set().union(*(part for part in parts if part is not None))
            elif name == "MAX_REPEAT":
                below = self._beginnings(value[2], flags)
                if below is not None and value[0] == 0:
                    found |= below
                    continue
            else:
                below = {c for low, high in self._one(op, value, flags) for c in range(low, high + 1)}
            return None if below is None else found | below
        return None
