"""Collect the scores that a command works on: computed from the texts, or read from score files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import AssayError, InputError, UnknownName

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Finish, Scores


def collect_scores(args: argparse.Namespace, data: EvalSet | None, default: Sequence[str] = ()) -> dict[str, Scores]:
    """Score the metrics that were asked for and read the score files; by name."""
    names = list(dict.fromkeys(args.metric)) or ([] if args.scores else list(default))
    scores_by_name: dict[str, Scores] = {}
    if names:
        if data is None:
            raise InputError("-m needs an evaluation set to score; give a file")
        scores_by_name.update(score_metrics(data, names, args.threads))
    for scores in _read_files(args.scores):
        if scores.name in scores_by_name:
            raise InputError(f"scores by {scores.name!r} are given in a file and by -m; give one of them")
        scores_by_name[scores.name] = _find_direction(scores, args)
    known = [*scores_by_name, *(data.dimensions if data is not None else ())]
    for name in (*_names_of(args, "lower_is_better"), *_names_of(args, "higher_is_better")):
        if name not in known:
            raise UnknownName("dimension or score", name, known)
    return scores_by_name


def score_metrics(data: EvalSet, names: Sequence[str], threads: int = 1) -> dict[str, Scores]:
    """Score metrics, by the names as typed; a metric that has nothing to score is an error."""
    import numpy as np

    from ..metrics import metric
    from ..scoring.score import score

    scores_by_name = score(data, list(names), threads=threads)
    for name, scores in scores_by_name.items():
        if np.isnan(scores.values).all():
            raise InputError(f"{name} needs {metric(name).needs}, and no item has any")
    return scores_by_name


def _read_files(paths: Sequence[str]) -> list[Scores]:
    if not paths:
        return []
    from ..formats import join_scores, read_scores

    return join_scores([(path, read_scores(path, _find_finish)) for path in paths])


def _find_finish(signature: str) -> Finish | None:
    """Return what turns summed statistics into the corpus score of the metric with this signature."""
    from ..metrics import metric

    try:
        return metric(signature).corpus
    except AssayError:
        return None


def _find_direction(scores: Scores, args: argparse.Namespace) -> Scores:
    """Set the direction: as stated, or as the metric with that signature has it; a score file does not say it."""
    from ..data.scale import suggests_lower
    from ..metrics import metric

    if scores.name in _names_of(args, "lower_is_better"):
        return replace(scores, higher_is_better=False)
    if scores.name in _names_of(args, "higher_is_better"):
        return scores
    try:
        return replace(scores, higher_is_better=metric(scores.name).higher_is_better)
    except AssayError:
        return replace(scores, undirected=suggests_lower(scores.name))


def _names_of(args: argparse.Namespace, option: str) -> list[str]:
    names: list[str] = getattr(args, option, [])
    return names
