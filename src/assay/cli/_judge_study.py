"""What the raters of a study saw, for a judge that is to see the same."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..llm.config import JudgeConfig
    from ..llm.question import AskedUnit
    from ..llm.rubric import Rubric
    from ..llm.session import JudgeAssignment
    from ..study.content import StudyContent
    from ..study.settings import RatingScale
    from ..study.store import StudyDatabase

KINDS = {"rate": "rating", "absolute": "rating", "compare": "pairs", "factoids": "units"}


def study_assignment(args: argparse.Namespace, config: JudgeConfig, data: EvalSet) -> JudgeAssignment:
    """Return what people were assigned in a study, on its scales and with its instructions."""
    from ..llm.question import check_assignment
    from ..llm.session import JudgeAssignment
    from ..study.content import StudyContent
    from ..study.folder import StudyFolder

    content = StudyContent(StudyFolder(Path(args.like)))
    kind = KINDS.get(content.protocol.name)
    if kind is None:
        raise InputError(
            f"{args.like}: a judge cannot take part in a study of {content.protocol.name}; it can in {', '.join(KINDS)}"
        )
    database = content.folder.database()
    try:
        database.check(content.settings.id)
        units = _assigned_units(content, database, kind, both_orders=config.orders == "both")
    finally:
        database.close()
    units = check_assignment(data, content.data, units, args.like)
    rubrics = {s.name: _load(args, config, s, kind) for s in _scales(content) if _is_wanted(args, s.name)}
    if not rubrics:
        raise InputError(f"{args.like} asks about {', '.join(s.name for s in _scales(content))}; -d names none of them")
    return JudgeAssignment(rubrics, dict.fromkeys(rubrics, units), content.instructions)


def _is_wanted(args: argparse.Namespace, name: str) -> bool:
    return not args.dimension or name in args.dimension


def _scales(content: StudyContent) -> tuple[RatingScale, ...]:
    return tuple(content.settings.dimensions or content.protocol.dimensions)


def _assigned_units(content: StudyContent, database: StudyDatabase, kind: str, *, both_orders: bool) -> list[AskedUnit]:
    """List what was assigned to somebody, once; where no one has started, all that can be."""
    from ..llm.question import AskedUnit

    state = content.derive_state(database)
    tasks = [task for _, rater in sorted(state.raters.items()) for task in rater.tasks if task.role == "main"]
    units = [AskedUnit(each.item, each.systems) for each in (tasks or content.plan.units)]
    if kind != "pairs":  # texts that people saw side by side are judged one by one
        units = [AskedUnit(unit.item, (system,)) for unit in units for system in unit.systems]
    elif both_orders:
        units = [each for unit in units for each in (unit, AskedUnit(unit.item, unit.systems[::-1]))]
    else:  # the order in which the first rater saw them
        first: dict[tuple[str, frozenset[str]], AskedUnit] = {}
        for unit in units:
            first.setdefault((unit.item, frozenset(unit.systems)), unit)
        units = list(first.values())
    return list(dict.fromkeys(units))


def _load(args: argparse.Namespace, config: JudgeConfig, scale: RatingScale, kind: str) -> Rubric:
    """Load the rubric of a dimension: as configured, else the study's own instructions; the scale is the study's."""
    from msgspec.structs import replace

    from ..llm.config import DimensionSettings
    from ..llm.rubric import STUDY, STUDY_PAIRS, load_rubric

    folder = Path(args.config).parent
    own = {"rating": STUDY, "pairs": STUDY_PAIRS, "units": "units"}[kind]
    stated = config.dimensions.get(scale.name)
    builtin = None if stated is not None and kind != "units" else own
    settings = stated or DimensionSettings()
    if kind == "rating":
        ends = (scale.low, scale.high)
        settings = replace(settings, range=ends, step=scale.step, best=scale.best, labels=dict(scale.labels))
    rubric = load_rubric(scale.name, settings, folder, builtin=builtin)
    if rubric.kind != kind:
        raise InputError(f"the prompt of {scale.name!r} is of kind {rubric.kind}; the study asks for {kind}")
    return rubric
