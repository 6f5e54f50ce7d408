"""Who sees what: assign outputs to raters, completely, at random, or by a Latin square.

A *unit* is what is judged at once: an output, a pair, or all outputs of an item. Raters are assigned when they start,
by how many hold a place then: those who are rating and those who completed. Whoever left holds none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from random import Random
from typing import NamedTuple

from ..data.evalset import EvalSet
from ..data.item import Item
from ..errors import InputError
from .protocols import Protocol
from .settings import StudyDesign
from .task import Role, Task

DEFAULT_PER_RATER = 50


class StudyUnit(NamedTuple):
    """What is judged at once: an item, and the systems with outputs that are shown together."""

    item: str
    systems: tuple[str, ...]
    group: str | None


class Assignment(NamedTuple):
    """The tasks of one rater, in order, and the list they are from."""

    list_number: int
    tasks: tuple[Task, ...]


@dataclass
class Places:
    """How many raters hold a place: on each list, for each unit, and for each order of a unit's systems."""

    raters: int = 0
    lists: Counter[int] = field(default_factory=Counter)
    units: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    orders: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)

    def add(self, assignment: Assignment) -> None:
        """Count the place of one rater."""
        self.raters += 1
        self.lists[assignment.list_number] += 1
        for task in assignment.tasks:
            if task.role == "main":
                self.orders[task.item, task.systems] += 1
                if task.occasion == 1:
                    self.units[task.item, tuple(sorted(task.systems))] += 1


@dataclass(frozen=True)
class StudyPlan:
    """Everything that can be assigned: units by item and column, and the practice and checks that go with them.

    A Latin square has a list for each column (system, or pair of systems): list l has of the item at place j the unit
    in column j + l, modulo the number of columns. Items stand in the order of their groups, so that systems per list
    differ by at most one within each group and in all.
    """

    units: tuple[StudyUnit, ...]
    columns: int
    square: tuple[tuple[int | None, ...], ...]  # items x columns -> unit
    design: StudyDesign
    qualification: tuple[Task, ...] = ()
    checks: tuple[Task, ...] = ()
    keeps_items: bool = False  # a rater finishes an item before the next

    @property
    def lists(self) -> int:
        """Number of lists that raters are spread over."""
        return self.columns if self.design.assignment == "latin-square" else 1

    @cached_property
    def quotas(self) -> tuple[int, ...]:
        """Raters that each unit is to get, of a random assignment."""
        more = round(self.design.overlap * len(self.units))
        extra = set(Random(f"overlap:{self.design.seed}").sample(range(len(self.units)), more))
        return tuple(self.design.per_output + (n in extra) for n in range(len(self.units)))

    @property
    def per_rater(self) -> int:
        """Most units that one rater gets, of a random assignment."""
        if self.design.per_rater is not None:
            return self.design.per_rater
        if self.design.raters is not None:
            return ceil(sum(self.quotas) / self.design.raters)
        return min(len(self.units), DEFAULT_PER_RATER)

    def capacity(self, list_number: int, extra: int = 0) -> int | None:
        """Return how many raters a list takes; None where the number of raters is open."""
        if self.design.raters is None:
            return None
        share, rest = divmod(self.design.raters + extra, self.lists)
        return share + (list_number < rest)


def make_plan(
    data: EvalSet,
    protocol: Protocol,
    design: StudyDesign,
    *,
    qualification: EvalSet | None = None,
    checks: EvalSet | None = None,
) -> StudyPlan:
    """List the units of a set, and check that every item can be shown."""
    for part in (data, qualification, checks):
        for item in part or ():
            protocol.check_item(item)
    columns = protocol.combine(data.systems)
    ordered = sorted(data, key=lambda item: item.group or "")  # stable: items keep their order within a group
    units: dict[tuple[str, tuple[str, ...]], int] = {}
    listed: list[StudyUnit] = []
    square = []
    for item in ordered:
        names = _merge_names(item, data.systems) if design.merge_identical else {s: s for s in item.outputs}
        row: list[int | None] = []
        for column in columns:
            systems = _resolve(column, names, protocol)
            if systems is not None and (item.id, systems) not in units:
                units[item.id, systems] = len(listed)
                listed.append(StudyUnit(item.id, systems, item.group))
            row.append(None if systems is None else units[item.id, systems])
        square.append(tuple(row))
    if not listed:
        raise InputError(f"there is nothing to judge: {protocol.title} finds no outputs in the set")
    return StudyPlan(
        tuple(listed),
        len(columns),
        tuple(square),
        design,
        _known_tasks(qualification, protocol, "qualification"),
        _known_tasks(checks, protocol, "check"),
        protocol.keeps_items,
    )


def _merge_names(item: Item, systems: Sequence[str]) -> dict[str, str]:
    """Name each system of an item; those with identical outputs share the name of all of them."""
    same: dict[str, list[str]] = defaultdict(list)
    for system in systems:
        if system in item.outputs:
            same[item.outputs[system]].append(system)
    return {system: "+".join(group) for group in same.values() for system in group}


def _resolve(column: tuple[str, ...], names: dict[str, str], protocol: Protocol) -> tuple[str, ...] | None:
    """Return what an item shows of a column, or None if that is too little."""
    systems = tuple(dict.fromkeys(names[s] for s in column if s in names))
    if protocol.needs_all():
        return systems if len(systems) == len(column) else None
    return systems if not column or systems else None


def _known_tasks(data: EvalSet | None, protocol: Protocol, role: Role) -> tuple[Task, ...]:
    return tuple(
        Task(item.id, systems, 1, role) for item in data or () for systems in protocol.combine(list(item.outputs))
    )


def assign(plan: StudyPlan, places: Places, rater: int, *, extra: int = 0) -> Assignment | None:
    """Assign tasks to a rater who starts now; None if no place is free. `extra` places were added since the design.

    The same rater, plan and places give the same tasks.
    """
    random = Random(f"{plan.design.seed}:{rater}")
    if plan.design.assignment == "random":
        chosen_list, numbers = 0, _draw_units(plan, places, random, extra)
    else:
        free = _free_list(plan, places, extra)
        if free is None:
            return None
        chosen_list, numbers = free, _units_of_list(plan, free)
    if not numbers:
        return None
    random.shuffle(numbers)
    if plan.keeps_items:
        first = {plan.units[n].item: place for place, n in reversed(list(enumerate(numbers)))}
        numbers.sort(key=lambda n: first[plan.units[n].item])
    tasks = _order_tasks([plan.units[n] for n in numbers], places, random)
    tasks = _add_repeats(tasks, plan.design, places, random)
    return Assignment(chosen_list, plan.qualification + tuple(_add_checks(tasks, plan, random)))


def _free_list(plan: StudyPlan, places: Places, extra: int) -> int | None:
    """Return the list with the fewest raters among those with a free place."""
    free = [
        number
        for number in range(plan.lists)
        if (most := plan.capacity(number, extra)) is None or places.lists[number] < most
    ]
    return min(free, key=lambda number: (places.lists[number], number)) if free else None


def _units_of_list(plan: StudyPlan, number: int) -> list[int]:
    if plan.design.assignment == "complete":
        return list(range(len(plan.units)))
    cells = (row[(place + number) % plan.columns] for place, row in enumerate(plan.square))
    return [unit for unit in cells if unit is not None]


def _draw_units(plan: StudyPlan, places: Places, random: Random, extra: int) -> list[int]:
    """Draw the units with the fewest raters, so that numbers of raters per unit never differ by more than they must."""
    if plan.design.raters is not None and places.raters >= plan.design.raters + extra:
        return []
    loads = [places.units[unit.item, tuple(sorted(unit.systems))] for unit in plan.units]
    open_units = [n for n, load in enumerate(loads) if load < plan.quotas[n]]
    random.shuffle(open_units)
    open_units.sort(key=lambda n: loads[n] - plan.quotas[n])
    if plan.design.whole_items:
        return _draw_items(plan, open_units)
    numbers: list[int] = []
    items: set[str] = set()
    for n in open_units:
        if len(numbers) == plan.per_rater:
            break
        if not plan.design.one_per_source or plan.units[n].item not in items:
            numbers.append(n)
            items.add(plan.units[n].item)
    return numbers


def _draw_items(plan: StudyPlan, open_units: Sequence[int]) -> list[int]:
    """Draw whole items, in the order of the first open unit of each, as many as hold what one rater gets."""
    by_item: dict[str, list[int]] = defaultdict(list)
    for n in open_units:
        by_item[plan.units[n].item].append(n)
    numbers: list[int] = []
    for units in by_item.values():
        if len(numbers) >= plan.per_rater:
            break
        numbers += units
    return numbers


def _order_tasks(units: Iterable[StudyUnit], places: Places, random: Random) -> list[Task]:
    return [Task(unit.item, _order_systems(unit, places, random)) for unit in units]


def _order_systems(unit: StudyUnit, places: Places, random: Random) -> tuple[str, ...]:
    """Return the order in which a unit's outputs are shown: of a pair the one that was shown less often."""
    if len(unit.systems) == 2:
        back = unit.systems[::-1]
        forth_count, back_count = places.orders[unit.item, unit.systems], places.orders[unit.item, back]
        swap = back_count < forth_count or (back_count == forth_count and random.random() < 0.5)
        return back if swap else unit.systems
    return tuple(random.sample(unit.systems, len(unit.systems)))


def _add_repeats(tasks: list[Task], design: StudyDesign, places: Places, random: Random) -> list[Task]:
    """Put a share of the tasks in a second time, each at least `distance` after the first.

    Only tasks that stand far enough from the end can be repeated, so short lists may have fewer than asked for.
    """
    candidates = range(max(0, len(tasks) - design.distance + 1))
    count = min(round(design.repeats * len(tasks)), len(candidates))
    before: dict[int, list[Task]] = defaultdict(list)  # place in the first sequence -> repeats that go before it
    for n in sorted(random.sample(candidates, count)):
        first = tasks[n]
        unit = StudyUnit(first.item, first.systems, None)
        again = Task(first.item, _order_systems(unit, places, random), 2)
        before[random.randint(n + design.distance, len(tasks))].append(again)
    return [task for n in range(len(tasks) + 1) for task in (*before[n], *tasks[n : n + 1])]


def _add_checks(tasks: list[Task], plan: StudyPlan, random: Random) -> list[Task]:
    """Put attention checks at random places, never first."""
    checks = random.sample(plan.checks, min(plan.design.checks, len(plan.checks)))
    mixed = list(tasks)
    for check in checks:
        mixed.insert(random.randint(min(1, len(mixed)), len(mixed)), check)
    return mixed
