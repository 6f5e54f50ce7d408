"""What must hold of every component: it is documented, its parameters are plain, its signature gives it again."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeVar

from ..component import Component, convert_arguments, read_name, split_call
from ..errors import BrokenContract

C = TypeVar("C", bound=Component)


def require(condition: object, component: type[Component] | Component, message: str) -> None:
    """Raise BrokenContract, with the name of the component, unless the condition holds."""
    if not condition:
        raise BrokenContract(f"{getattr(component, 'name', component)}: {message}")


def check_class(cls: type[Component], base: type[Component]) -> None:
    """Check that a class is a documented, frozen dataclass of this kind, with plain parameters."""
    require(isinstance(cls, type) and issubclass(cls, base), cls, f"must be a subclass of {base.__name__}")
    require(isinstance(vars(cls).get("name"), str), cls, "must have a `name`")
    require(is_dataclass(cls) and cls.__dataclass_params__.frozen, cls, "must be a frozen dataclass")  # type: ignore[attr-defined]
    first = inspect.cleandoc(vars(cls).get("__doc__") or "").partition("\n")[0]
    require(first and not first.startswith(f"{cls.__name__}("), cls, "must have a docstring")
    plain = all(isinstance(field.default, (str, int, float, bool)) for field in fields(cls))
    require(plain, cls, "every parameter must have a text, a number or a truth value as its default")


def check_signature(component: Component) -> None:
    """Check that the signature, typed again, gives an equal component."""
    signature = component.signature()
    require(_read(type(component), signature) == component, component, f"{signature} does not give it again")


def list_variants(cls: type[C]) -> Iterator[C]:
    """Build the component for each name worth showing."""
    for name in cls.examples or (cls.name,):
        if "FILE" not in name:  # it stands for a file of the user
            yield _read(cls, name)


def _read(cls: type[C], text: str) -> C:
    name, arguments = split_call(text, "component", cls.name)
    from_name = read_name(cls, name)
    require(from_name is not None, cls, f"is not found under the name {name!r}")
    return cls(**convert_arguments(cls, name, {**(from_name or {}), **arguments}))
