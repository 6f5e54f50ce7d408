"""The systems of a folder, by name: the folder is the list. And what their users' patterns must be like."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeVar

from ..calls import plain_name, spell, split_call, typed_arguments
from ..errors import InputError, UnknownName
from .patterns import check_pattern


@dataclass(frozen=True)
class Named:
    """A system. A subclass says its `name`; its fields are its parameters, without a trailing underscore."""

    name: ClassVar[str]
    honours_patterns: ClassVar[bool] = False  # whether `keep` and `drop` are obeyed
    english_only: ClassVar[bool] = False  # whether it needs the English parser or a model of English

    @classmethod
    def summary(cls) -> str:
        """One short line for a list."""
        return inspect.cleandoc(cls.__doc__ or "").splitlines()[0]

    def signature(self) -> str:
        """What you would type to get the same texts again, every parameter spelled out."""
        shown = [f"{f.name.rstrip('_')}={spell(getattr(self, f.name))}" for f in fields(self)]
        return f"{self.name}({', '.join(shown)})" if shown else self.name


S = TypeVar("S", bound=Named)


def classes_in(package: str, base: type[S]) -> tuple[type[S], ...]:
    """Every class of this kind that has a name, in all modules of a package, by name."""
    found: dict[type[S], None] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        for value in vars(importlib.import_module(f"{package}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, base) and "name" in vars(value):
                found[value] = None
    return tuple(sorted(found, key=lambda cls: cls.name))


def built(text: str, classes: Sequence[type[S]], kind: str, example: str, hint: str) -> S:
    """The system that a call, as text, stands for."""
    name, given = split_call(text, kind, example)
    for cls in classes:
        if plain_name(cls.name) == plain_name(name):
            return cls(**typed_arguments(cls, name, given))
    raise UnknownName(kind, name, [cls.name for cls in classes], hint=hint)


def check_patterns(chosen: Named, patterns: Sequence[str], classes: Sequence[type[Named]]) -> None:
    """Refuses patterns that cannot be read, or that the system would not obey."""
    for pattern in patterns:
        check_pattern(pattern)
    if patterns and not chosen.honours_patterns:
        able = ", ".join(cls.name for cls in classes if cls.honours_patterns)
        raise InputError(f"{chosen.name} does not keep or drop words by pattern; these do: {able}")


def check_text(text: object) -> None:
    """Refuses what is no text, or holds half a character."""
    if not isinstance(text, str):
        raise InputError(f"a text must be a str; got {type(text).__name__}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"a text holds half a character (a lone surrogate) at position {error.start}: {text[:40]!r}; decode "
                "the file again, with errors='replace' if it cannot be mended"
            ) from None
