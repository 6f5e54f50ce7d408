"""From the text of a metric, `rouge2(measure=recall, stem=true)`, to the metric."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from ..errors import InputError, UnknownName
from .base import Metric

_CALL = re.compile(r"\s*(?P<name>[^()\s][^()]*?)\s*(?:\((?P<args>.*)\)\s*)?", re.DOTALL)


@lru_cache(maxsize=1)
def families() -> tuple[type[Metric], ...]:
    """Every metric class in this folder, in file order: the folder is the list."""
    package = importlib.import_module(__package__)
    found: dict[type[Metric], None] = {}
    for module in pkgutil.iter_modules(package.__path__):
        for value in vars(importlib.import_module(f"{__package__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Metric) and "name" in vars(value):
                found[value] = None
    return tuple(sorted(found, key=lambda cls: (cls.__module__, cls.name)))


def listed() -> Iterator[tuple[str, type[Metric]]]:
    """The names worth listing, with their class; families with a number in the name accept others too."""
    for cls in families():
        for name in cls.examples:
            yield name, cls


def metric(text: str | Metric) -> Metric:
    """The metric that a text stands for.

    >>> metric("ROUGE-2(measure=recall)").signature()
    'rouge2(words=0, measure=recall, beta=1, refs=sum, tokenizer=rouge, stem=none, stop=false, own=skip)'
    >>> metric("rogue2")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown metric 'rogue2'; did you mean 'rouge2'? `assay metrics` lists them
    """
    if isinstance(text, Metric):
        return text
    called, given = call_of(text)
    for cls in families():
        if (from_name := _recognize(cls, called)) is not None:
            return _build(cls, called, {**from_name, **given})
    raise UnknownName("metric", called, [name for name, _ in listed()], hint="`assay metrics` lists them")


def call_of(text: str) -> tuple[str, dict[str, str]]:
    """A name and its parameters, as text.

    >>> call_of("rouge2(measure=recall, stem=true)")
    ('rouge2', {'measure': 'recall', 'stem': 'true'})
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a metric: write a name and its parameters, as rouge2(measure=recall)")
    return match["name"], dict(_arguments(match["args"] or "", text))


def _arguments(text: str, whole: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, (p.strip() for p in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"{part!r} in {whole!r} is not a parameter: write name=value")
        yield key.strip(), value.strip().strip("'\"")


def _recognize(cls: type[Metric], name: str) -> Mapping[str, str] | None:
    """What the name itself says of the parameters, or None if it is not this metric's."""
    if (by_alias := cls.alias(name)) is not None:
        return by_alias
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\d+|\\*)", re.escape(_plain(cls.name)))
    match = re.fullmatch(pattern, _plain(name))
    return None if match is None else {k: "-1" if v == "*" else v for k, v in match.groupdict().items()}


def _plain(name: str) -> str:
    """ROUGE-2, rouge_2 and rouge2 are one name."""
    return re.sub(r"[-_\s]", "", name.lower())


def _build(cls: type[Metric], name: str, arguments: Mapping[str, str]) -> Metric:
    known = {f.name: f for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, text in arguments.items():
        if key not in known:
            raise UnknownName(f"parameter of {name}", key, known, hint=f"(there are {', '.join(known)})")
        values[key] = value_of(text, known[key].default, f"{key} of {name}")
    return cls(**values)


def value_of(text: str, default: Any, what: str) -> Any:
    """The text as the type of the default."""
    lowered = text.lower()
    if (lowered in ("true", "false") and not isinstance(default, (int, float))) or isinstance(default, bool):
        if lowered in ("true", "yes", "1"):
            return True
        if lowered in ("false", "no", "0"):
            return False
        raise InputError(f"{what} must be true or false; got {text!r}")
    try:
        return type(default)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[type(default)]
        raise InputError(f"{what} must be {kind}; got {text!r}") from None
