"""Weights of relations: a small table as text or as a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path

from ..errors import InputError, UnknownName
from ..units.lfg import ATOMIC, RELATIONS

_NAMES = sorted({*RELATIONS.values(), *ATOMIC, "topicrel", "obl_ag", "*"} - {""})


def read_weights(text: str) -> Mapping[str, float]:
    """Read a table of relation weights; "none" is the empty table, in which every relation counts 1.

    >>> read_weights("subj:2;obj:1.5")
    {'subj': 2.0, 'obj': 1.5}
    """
    if text in ("", "none"):
        return {}
    return _check_weights(_from_file(Path(text)) if text.endswith(".json") else _from_text(text))


def _from_text(text: str) -> Iterable[tuple[str, object]]:
    for part in filter(None, (p.strip() for p in text.split(";"))):
        name, colon, value = part.partition(":")
        if not colon:
            raise InputError(f"weights must be written as subj:2;obj:1 or name a .json file; got {part!r}")
        yield name.strip(), value.strip()


def _from_file(path: Path) -> Iterable[tuple[str, object]]:
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"weights: {path} cannot be read as JSON ({error})") from None
    if not isinstance(table, dict):
        raise InputError(f'weights: {path} must hold one object, as {{"subj": 2, "obj": 1}}')
    return list(table.items())


def _check_weights(pairs: Iterable[tuple[str, object]]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, value in pairs:
        if name not in _NAMES:
            raise UnknownName("relation", name, _NAMES, hint=f"(there are {', '.join(_NAMES)})")
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = float("nan")
        if not (isfinite(number) and number >= 0):
            raise InputError(f"the weight of {name} must be a number of 0 or more; got {value!r}")
        weights[name] = number
    return weights
