"""The scores a command works on: computed here, read from a file of scores, or given by people."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import AssayError, InputError
from . import _numbers as numbers

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Scores


def score_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds -m and --scores."""
    parser.add_argument("-m", "--metric", action="append", default=[], metavar="M", help="a metric; repeat for more")
    parser.add_argument(
        "--scores",
        action="append",
        default=[],
        metavar="FILE",
        help="scores of items by metrics, as `assay score --per-item --out FILE` writes them",
    )
    parser.add_argument("--threads", type=numbers.threads, default=1, metavar="N", help="threads to use (default 1)")


def gathered(args: argparse.Namespace, data: EvalSet | None, default: Sequence[str] = ()) -> dict[str, Scores]:
    """By name: the metrics asked for, scored on the data, then those of the score files."""
    from ..formats._scores import read_scores

    names = list(dict.fromkeys(args.metric)) or ([] if args.scores else list(default))
    found: dict[str, Scores] = {}
    if names:
        if data is None:
            raise InputError("-m needs an evaluation set to score; give a file")
        found.update(scored(data, names, args.threads))
    for path in args.scores:
        for scores in read_scores(path):
            if scores.name in found:
                raise InputError(f"{path}: scores by {scores.name!r} are there already")
            found[scores.name] = _directed(scores)
    return found


def scored(data: EvalSet, names: Sequence[str], threads: int = 1) -> dict[str, Scores]:
    """Scores by the names as typed; a metric that finds nothing to score is an error of the input."""
    import numpy as np

    from ..metrics import metric
    from ..scoring.score import score

    found = score(data, list(names), threads=threads)
    for name, scores in found.items():
        if np.isnan(scores.values).all():
            raise InputError(f"{name} needs {metric(name).needs}, and no item has any")
    return found


def _directed(scores: Scores) -> Scores:
    """A score file does not say which way is better; a metric of ours with that signature does."""
    from ..metrics import metric

    try:
        return replace(scores, higher_is_better=metric(scores.name).higher_is_better)
    except AssayError:
        return scores


def short(names: Sequence[str]) -> list[str]:
    """The names for a table: without parameters, numbered where two would be alike.

    >>> short(["rouge2(stem=true)", "rouge2", "bleu"])
    ['rouge2#1', 'rouge2#2', 'bleu']
    """
    bare = [name.split("(")[0].strip() for name in names]
    return [b if bare.count(b) == 1 else f"{b}#{bare[: i + 1].count(b)}" for i, b in enumerate(bare)]
