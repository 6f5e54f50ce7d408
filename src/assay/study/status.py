"""How a study is designed, how far it is, and what was exported of it, as results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any, ClassVar

from ..data.content_units import read_pyramid
from ..data.evalset import EvalSet
from ..data.result import Result
from .content import StudyContent
from .design import Assignment, Places, StudyPlan, assign
from .events import read_time
from .folder import StudyFolder
from .state import RaterRecord, StudyState, TaskRecord
from .store import RATERS, StudyDatabase

DEFAULT_PLACES = 3
MAX_SIMULATED = 2000  # raters of an open study with a quota per output, before its table is cut


@dataclass(frozen=True)
class DesignList:
    """What raters of one list see: how many raters, tasks, and outputs of each system (fewest and most); by group."""

    kind: ClassVar[str] = "design_list"
    number: int
    group: str | None
    raters: int
    tasks: int
    fewest: int
    most: int


@dataclass(frozen=True)
class DesignTable(Result, question="study", kind="study_design"):
    """Who sees what, before anybody rates.

    `places` are the raters it was worked out for; `is_open` says that their number is not limited. A unit is what is
    judged at once. `short` units get fewer ratings than `wanted`; `unbalanced` counts lists (by group) in which the
    systems differ by more than one, and `uneven` is by how much the raters per list differ. `shared` is the number of
    units that the raters of a pair both see: least and most over pairs, and how many pairs share none.
    """

    folder: str
    protocol: str
    assignment: str
    is_open: bool
    places: int
    items: int
    systems: int
    units: int
    wanted: int
    ratings_fewest: int
    ratings_most: int
    short: int
    tasks_fewest: int
    tasks_most: int
    repeats_fewest: int
    repeats_most: int
    practice: int
    checks: int
    rater_pairs: int
    pairs_apart: int
    shared_fewest: int
    shared_most: int
    rater_groups: int  # that share no unit, also not over others
    unbalanced: int
    uneven: int
    lists: tuple[DesignList, ...]


def describe_design(folder: StudyFolder, *, places: int | None = None) -> DesignTable:
    """Work out the assignments of raters who all complete; without `places`, of those of the design or invited."""
    content = StudyContent(folder)
    plan = content.plan
    count = places or plan.design.raters or _count_invited(folder) or _natural_places(plan)
    places_held, assignments = Places(), []
    for rater in range(1, count + 1):
        assignment = assign(plan, places_held, rater, extra=max(0, count - (plan.design.raters or count)))
        if assignment is None:
            break
        places_held.add(assignment)
        assignments.append(assignment)
    return _tabulate(content, assignments)


def _count_invited(folder: StudyFolder) -> int:
    """Count the raters who got links of their own when the study was made."""
    database = folder.database()
    try:
        return sum(row["external"] is None for row in database.rows(RATERS))
    finally:
        database.close()


def _natural_places(plan: StudyPlan) -> int:
    """Return how many raters a design needs by itself: one on each list, or all that outputs ask for."""
    if plan.design.assignment == "random":
        return min(MAX_SIMULATED, max(plan.design.per_output, -(-sum(plan.quotas) // plan.per_rater)))
    return plan.lists if plan.lists > 1 else DEFAULT_PLACES


def _tabulate(content: StudyContent, assignments: list[Assignment]) -> DesignTable:
    plan, design = content.plan, content.plan.design
    units_by_rater = [_main_units(a) for a in assignments]
    ratings = Counter(unit for units in units_by_rater for unit in units)
    counts = [ratings[unit.item, tuple(sorted(unit.systems))] for unit in plan.units]
    wanted = _ratings_due(plan, len(assignments))
    shared = [len(a & b) for a, b in combinations(units_by_rater, 2)] if len(units_by_rater) <= 200 else []
    lists = tuple(_lists(content, assignments))
    per_list = Counter(a.list_number for a in assignments)
    on_list = [per_list[number] for number in range(plan.lists)]
    repeats = [sum(task.occasion > 1 for task in a.tasks) for a in assignments]
    return DesignTable(
        folder=str(content.folder.path),
        protocol=content.settings.protocol,
        assignment=design.assignment,
        is_open=design.raters is None,
        places=len(assignments),
        items=len(content.data),
        systems=len(content.data.systems),
        units=len(plan.units),
        wanted=wanted,
        ratings_fewest=min(counts),
        ratings_most=max(counts),
        short=sum(count < wanted for count in counts),
        tasks_fewest=min(len(a.tasks) for a in assignments),
        tasks_most=max(len(a.tasks) for a in assignments),
        repeats_fewest=min(repeats),
        repeats_most=max(repeats),
        practice=len(plan.qualification),
        checks=min(design.checks, len(plan.checks)),
        rater_pairs=len(shared),
        pairs_apart=sum(not count for count in shared),
        shared_fewest=min(shared, default=0),
        shared_most=max(shared, default=0),
        rater_groups=_count_groups(units_by_rater),
        unbalanced=sum(row.most - row.fewest > 1 for row in lists),
        uneven=max(on_list) - min(on_list),
        lists=lists,
    )


def _count_groups(units_by_rater: list[set[tuple[str, tuple[str, ...]]]]) -> int:
    """Count groups of raters such that raters of two groups share nothing, also not over others."""
    groups: list[set[tuple[str, tuple[str, ...]]]] = []
    for units in units_by_rater:
        linked = [group for group in groups if group & units]
        groups = [group for group in groups if not group & units]
        groups.append(units.union(*linked))
    return len(groups)


def _ratings_due(plan: StudyPlan, raters: int) -> int:
    if plan.design.assignment == "random":
        return plan.design.per_output
    return raters if plan.design.assignment == "complete" else raters // plan.lists


def _main_units(assignment: Assignment) -> set[tuple[str, tuple[str, ...]]]:
    return {(t.item, tuple(sorted(t.systems))) for t in assignment.tasks if t.role == "main"}


def _lists(content: StudyContent, assignments: Iterable[Assignment]) -> Iterable[DesignList]:
    """Return a row for each list, and one for each group in it where there are groups; of a random design, of all."""
    groups = {item.id: item.group for item in content.data}
    names: list[str | None] = [None, *content.data.groups] if len(content.data.groups) > 1 else [None]
    by_list: dict[int, list[Assignment]] = {}
    for assignment in assignments:
        by_list.setdefault(assignment.list_number, []).append(assignment)
    for number, members in sorted(by_list.items()):
        units = sorted(_main_units(members[0])) if content.plan.design.assignment != "random" else []
        for assignment in members if not units else ():
            units += _main_units(assignment)
        for group in names:
            part = [unit for unit in units if group is None or groups[unit[0]] == group]
            counts = Counter(system for _, systems in part for name in systems for system in name.split("+"))
            per_system = [counts[s] for s in content.data.systems] or [0]
            yield DesignList(number + 1, group, len(members), len(part), min(per_system), max(per_system))


@dataclass(frozen=True)
class RaterProgress:
    """How far one rater is; `seconds` is the median from when a text could be read to the answer."""

    kind: ClassVar[str] = "rater_progress"
    number: int
    code: str
    list: int | None
    stage: str
    answered: int
    total: int
    seconds: float | None
    checks_failed: int
    checks_answered: int
    last_at: str | None


@dataclass(frozen=True)
class StudyProgress(Result, question="study", kind="study_progress"):
    """How far a study is. `places` is None where the number of raters is open."""

    title: str
    protocol: str
    status: str
    places: int | None
    complete: int
    rating: int
    left: int
    answers: int
    version: int
    seconds: float | None
    raters: tuple[RaterProgress, ...]


def study_progress(
    content: StudyContent, state: StudyState, codes: dict[int, str], *, version: int = 0
) -> StudyProgress:
    """Count raters and answers."""
    numbers = sorted(codes.keys() | state.raters.keys())
    raters = [_rater_progress(state.raters.get(n, RaterRecord(n)), codes.get(n, f"r{n}")) for n in numbers]
    records = [state.raters[n] for n in state.raters]
    design = content.settings.design
    seconds = [r.seconds for r in raters if r.seconds is not None]
    return StudyProgress(
        title=content.settings.title,
        protocol=content.settings.protocol,
        status=state.status,
        places=None if design.raters is None else design.raters + state.extra_places,
        complete=sum(r.is_complete and not r.withdrawn for r in records),
        rating=sum(r.holds_place and not r.is_complete for r in records),
        left=sum(r.started and not r.holds_place for r in records),
        answers=sum(r.answered for r in raters),
        version=version,
        seconds=median(seconds) if seconds else None,
        raters=tuple(raters),
    )


def read_progress(content: StudyContent, database: StudyDatabase) -> StudyProgress:
    """Count raters and answers of a study on disk."""
    from .store import VERSIONS

    codes = {row["number"]: row["code"] for row in database.rows(RATERS)}
    version = max((row["number"] for row in database.rows(VERSIONS)), default=0)
    return study_progress(content, content.derive_state(database), codes, version=version)


def item_times(state: StudyState, *, most: int = 50) -> list[dict[str, Any]]:
    """List the items with the longest answers: number of answers, median and longest time in seconds."""
    times: dict[str, list[float]] = {}
    for rater in state.raters.values():
        for number, record in rater.records.items():
            if (seconds := _seconds(record)) is not None and rater.tasks[number - 1].role == "main":
                times.setdefault(rater.tasks[number - 1].item, []).append(seconds)
    slowest = sorted(times.items(), key=lambda pair: -median(pair[1]))[:most]
    return [{"item": item, "answers": len(t), "seconds": median(t), "longest": max(t)} for item, t in slowest]


def _seconds(record: TaskRecord) -> float | None:
    """Return the time from when a text could be read to its answer."""
    since = record.revealed_at or record.shown_at
    if record.answered_at is None or since is None:
        return None
    return (read_time(record.answered_at) - read_time(since)).total_seconds()


def _rater_progress(rater: RaterRecord, code: str) -> RaterProgress:
    times = [seconds for record in rater.records.values() if (seconds := _seconds(record)) is not None]
    return RaterProgress(
        number=rater.number,
        code=code,
        list=rater.list_number + 1 if rater.started else None,
        stage=_stage(rater),
        answered=len(rater.answered),
        total=len(rater.tasks),
        seconds=median(times) if times else None,
        checks_failed=rater.checks_failed,
        checks_answered=rater.checks_answered,
        last_at=rater.last_at or None,
    )


def _stage(rater: RaterRecord) -> str:
    flags = {
        "erased": rater.erased,
        "withdrawn": rater.withdrawn,
        "complete": rater.is_complete,
        "failed practice": rater.failed,
        "left": rater.expired,
        "practising": rater.started and not rater.qualified,
        "rating": rater.started,
    }
    return next((name for name, is_so in flags.items() if is_so), "invited")


@dataclass(frozen=True)
class ExportedStudy(Result, question="study", kind="exported_study"):
    """What was written."""

    path: str
    items: int
    systems: int
    judgments: int
    skipped: int
    raters: tuple[str, ...]
    dimensions: tuple[str, ...]
    content_units: int = 0  # of pyramids
    peers: int = 0  # in which they were marked
    annotators: tuple[str, ...] = ()  # of the pyramids or marks
    others: tuple[str, ...] = ()  # who made pyramids as well


def describe_export(data: EvalSet, path: str) -> ExportedStudy:
    """Count what an export holds."""
    pyramids = [pyramid for item in data if (pyramid := read_pyramid(item)) is not None]
    makers = dict.fromkeys(pyramid.annotator for pyramid in pyramids if pyramid.annotator)
    markers = dict.fromkeys(peer.annotator for pyramid in pyramids for peer in pyramid.peers if peer.annotator)
    everybody = dict.fromkeys(name for item in data for name in item.extra.get("pyramids", ()))
    return ExportedStudy(
        path=path,
        items=len(data),
        systems=len(data.systems),
        judgments=sum(len(item.judgments) for item in data),
        skipped=sum(len(item.extra.get("skipped", ())) for item in data),
        raters=data.raters,
        dimensions=data.dimensions,
        content_units=sum(len(pyramid.units) for pyramid in pyramids),
        peers=len({(pyramid.item, peer.peer) for pyramid in pyramids for peer in pyramid.peers}),
        annotators=tuple(markers or makers),
        others=() if markers else tuple(name for name in everybody if name not in makers),
    )


@dataclass(frozen=True)
class RaterLink:
    """The link of one invited rater."""

    kind: ClassVar[str] = "rater_link"
    code: str
    link: str


@dataclass(frozen=True)
class ServedStudy(Result, question="study", kind="served_study"):
    """Where a study is served, and the links to it."""

    title: str
    address: str
    admin: str
    join: str | None  # None for a crowd platform, which sends people to the address itself
    id_parameter: str | None
    raters: tuple[RaterLink, ...]


@dataclass(frozen=True)
class StudyLinks(Result, question="study", kind="study_links"):
    """The links to a study; `renewed` is how many were made anew."""

    title: str
    address: str
    admin: str
    join: str | None
    renewed: int
    raters: tuple[RaterLink, ...]


@dataclass(frozen=True)
class ErasedRater(Result, question="study", kind="erased_rater"):
    """A rater with removed data, the seconds it took to write the files anew, and the backups that still hold it."""

    rater: int
    backups: tuple[str, ...]
    database: str  # sqlite or postgresql
    seconds: float
