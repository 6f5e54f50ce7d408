"""Read the judgments that a plan is made from, or held against."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..planning.plan_file import StudyPlanFile


def read_judged(args: argparse.Namespace, *, texts: bool = False) -> EvalSet:
    """Read an evaluation set with judgments; markup is no matter for a warning unless texts are looked at."""
    from ..formats import stream
    from ._input import judgment_options, state_scales

    chunks = stream(args.file, format=args.format, allow_missing=True, strip_tags=not texts, **judgment_options(args))
    return state_scales(args, chunks.read())


def read_plan(path: str) -> StudyPlanFile:
    """Read a plan that `assay plan --out` wrote."""
    from ..formats import text_lines
    from ..planning.plan_file import decode_plan

    return decode_plan("\n".join(text_lines(path)), path)
