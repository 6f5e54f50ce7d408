"""Calls: a name and its parameters as text, `rouge2(measure=recall)`, taken apart and spelled again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from .errors import InputError, UnknownName

MOST = 2**31 - 1  # of a number among the parameters: what the core counts with
_CALL = re.compile(r"\s*(?P<name>[^()\s][^()]*?)\s*(?:\((?P<args>.*)\)\s*)?", re.DOTALL)


def split_call(text: str, kind: str, example: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a call, as they were typed.

    >>> split_call("rouge2(measure=recall, stem='true')", "metric", "rouge2(measure=recall)")
    ('rouge2', {'measure': 'recall', 'stem': 'true'})
    """
    if not isinstance(text, str):
        raise InputError(f"a {kind} is named by a text, as {example!r}; got {type(text).__name__}")
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a {kind}: write a name and its parameters, as {example}")
    return match["name"], dict(_arguments(match["args"] or "", text))


def _arguments(text: str, whole: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, (p.strip() for p in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"{part!r} in {whole!r} is not a parameter: write name=value")
        yield key.strip(), value.strip().strip("'\"")


def plain_name(name: str) -> str:
    """ROUGE-2, rouge_2 and rouge2 are one name.

    >>> plain_name("ROUGE-2")
    'rouge2'
    """
    return re.sub(r"[-_\s]", "", name.lower())


def typed_arguments(cls: type, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    """The parameters as the types of the dataclass's defaults; a trailing underscore keeps Python's own words free."""
    known = {f.name.rstrip("_"): f for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, text in arguments.items():
        if key not in known:
            raise UnknownName(f"parameter of {name}", key, known, hint=f"(there are {', '.join(known)})")
        field = known[key]
        either = "bool" in str(field.type)  # str | bool: true and false mean yes and no, not a name
        values[field.name] = typed_value(text, field.default, f"{key} of {name}", either=either)
    return values


def typed_value(text: str, default: Any, what: str, *, either: bool = False) -> Any:
    """The text as the type of the default; `either`: true and false are taken as well."""
    lowered = text.lower()
    if (either and lowered in ("true", "false")) or isinstance(default, bool):
        if lowered in ("true", "yes", "1"):
            return True
        if lowered in ("false", "no", "0"):
            return False
        raise InputError(f"{what} must be true or false; got {text!r}")
    try:
        value = type(default)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[type(default)]
        raise InputError(f"{what} must be {kind}; got {_cut(text)!r}") from None
    if isinstance(value, (int, float)) and not abs(value) <= MOST:  # NaN too
        raise InputError(f"{what} must be a number between -{MOST} and {MOST}; got {_cut(text)!r}")
    return value


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def spell(value: Any) -> str:
    """A parameter's value as it is typed.

    >>> spell(True), spell(1.0), spell(1.2), spell("max")
    ('true', '1', '1.2', 'max')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
