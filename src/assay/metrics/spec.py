"""From the text of a metric, `rouge2(measure=recall, stem=true)`, to the metric."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..calls import plain_name, split_call, typed_arguments
from ..errors import UnknownName
from .base import Metric


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
    name, given = split_call(text, "metric", "rouge2(measure=recall)")
    for cls in families():
        if (from_name := _recognize(cls, name)) is not None:
            return cls(**typed_arguments(cls, name, {**from_name, **given}))
    raise UnknownName("metric", name, [name for name, _ in listed()], hint="`assay metrics` lists them")


def _recognize(cls: type[Metric], name: str) -> Mapping[str, str] | None:
    """What the name itself says of the parameters, or None if it is not this metric's."""
    if (by_alias := cls.alias(name)) is not None:
        return by_alias
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\d+|\\*)", re.escape(plain_name(cls.name)))
    match = re.fullmatch(pattern, plain_name(name))
    return None if match is None else {k: "-1" if v == "*" else v for k, v in match.groupdict().items()}
