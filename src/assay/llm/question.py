"""Questions: what is asked once: an item, one output or a pair in its order, a dimension, and which repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from ..data.evalset import EvalSet
from ..data.item import listed_units
from ..errors import AlignmentError, InputError
from .rubric import Rubric


class Question(NamedTuple):
    """One request: what judge (by number) is asked about what. Of identical outputs `A+B` is the name of both."""

    judge: int
    item: str
    systems: tuple[str, ...]
    dimension: str
    unit: int | None = None
    repeat: int = 1


class AskedUnit(NamedTuple):
    """What is judged at once: an item, and the systems with outputs that are shown together, in their order."""

    item: str
    systems: tuple[str, ...]


def list_units(data: EvalSet, kind: str, *, both_orders: bool, seed: int = 0) -> list[AskedUnit]:
    """List what is judged for a dimension of some kind: every output, or every pair of outputs of an item.

    With one order, which output comes first is drawn at random for each pair.
    """
    if kind != "pairs":
        return [AskedUnit(item.id, (system,)) for item in data for system in item.outputs]
    random = Random(f"orders:{seed}")
    units = []
    for item in data:
        for first, second in combinations(item.outputs, 2):
            swap = not both_orders and random.random() < 0.5
            units.append(AskedUnit(item.id, (second, first) if swap else (first, second)))
            if both_orders:
                units.append(AskedUnit(item.id, (second, first)))
    if not units:
        raise InputError("there is no pair to compare: no item has outputs of two systems")
    return units


def check_assignment(data: EvalSet, texts: EvalSet, units: Iterable[AskedUnit], path: object) -> list[AskedUnit]:
    """Return what people of a study were shown; the texts must be those of the set."""
    checked = []
    known = set(data.items)
    for unit in units:
        if unit.item not in known:
            raise AlignmentError(f"{path}: its item {unit.item!r} is not in the set; give the set of the study")
        for system in unit.systems:
            name = system if system in texts[unit.item].outputs else system.split("+")[0]
            if data[unit.item].outputs.get(name) != texts[unit.item].outputs[name]:
                raise AlignmentError(
                    f"{path}: people saw another output of system {name!r} for item {unit.item!r} than the set has"
                )
        checked.append(unit)
    return checked


def draw_sample(units: Mapping[str, Sequence[AskedUnit]], count: int, seed: int) -> dict[str, list[AskedUnit]]:
    """Draw n units of each dimension at random, the same for dimensions that judge the same; order is kept."""
    sample = {}
    for dimension, all_units in units.items():
        numbers = Random(f"sample:{seed}").sample(range(len(all_units)), min(count, len(all_units)))
        sample[dimension] = [all_units[n] for n in sorted(numbers)]
    return sample


def list_questions(
    judge: int, data: EvalSet, rubric: Rubric, units: Iterable[AskedUnit], repeats: int
) -> Iterator[Question]:
    """List the questions to one judge about one dimension, repeat by repeat."""
    units = list(units)
    for repeat in range(1, repeats + 1):
        for unit in units:
            if rubric.kind == "units":
                for number in range(len(listed_units(data[unit.item]))):
                    yield Question(judge, unit.item, unit.systems, rubric.dimension, number, repeat)
            else:
                yield Question(judge, unit.item, unit.systems, rubric.dimension, None, repeat)
