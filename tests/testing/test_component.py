"""What is wrong with a component is said by name."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from assay.component import Component
from assay.errors import BrokenContract
from assay.testing.component import check_class, check_signature, list_variants


@dataclass(frozen=True)
class Good(Component):
    """A component."""

    name = "good{n}"
    examples = ("good2", "good3(FILE)")
    n: int = 1
    most: float = 2.5


@dataclass
class Mutable:
    pass


@dataclass(frozen=True)
class WithoutDocstring(Component):
    name = "without"
    n: int = 1


@dataclass(frozen=True)
class OddDefault(Component):
    """A component."""

    name = "odd"
    values: tuple[int, ...] = field(default=(1,))


@dataclass(frozen=True)
class Forgetful(Component):
    """A component."""

    name = "forgetful"
    n: int = 1

    def signature(self) -> str:
        return "forgetful"


class Thawed(Component):
    name = "thawed"

    def __init__(self) -> None:
        pass


def test_a_good_one_passes():
    check_class(Good, Component)
    [two] = list_variants(Good)
    assert two == Good(n=2)
    check_signature(Good(n=4, most=0.5))


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Mutable, "must be a subclass of Component"),
        (WithoutDocstring, "without: must have a docstring"),
        (OddDefault, "odd: every parameter must have a text, a number or a truth value"),
        (Thawed, "thawed: must have a docstring"),
    ],
)
def test_what_is_wrong_is_named(cls, message):
    with pytest.raises(BrokenContract, match=message):
        check_class(cls, Component)


def test_a_signature_must_have_every_parameter():
    check_signature(Forgetful())
    with pytest.raises(BrokenContract, match="forgetful: forgetful does not give it again"):
        check_signature(Forgetful(n=2))
