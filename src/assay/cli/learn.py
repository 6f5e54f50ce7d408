"""Train a scorer on judged outputs, test it on topics and systems it has not seen, and save it in a folder.

assay learn judged.jsonl -d pyramid --features best --out scorer
assay learn judged.jsonl -d relevance --raters "expert*" --features rouge1 rouge2 bleu --learner ridge
assay learn judged.jsonl -d pyramid --test-set other.jsonl --test-dimension relevance
assay learn y2009.jsonl --validation y2010.jsonl --test-set y2011.jsonl -d pyramid --features full --drop-raters 1
assay score new.jsonl -m ./scorer

Features are metrics, a set by name (best, full: those of S3, Peyrard et al. 2017), and every column of --scores. With
--validation, every set of features and several learners are fitted to FILE, selected by the second set and fitted again
to it (CLASSY: Owczarzak et al. 2012, section 4).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input, state_scales
from ._options import add, add_dimension, add_input
from ._progress import make_follower
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Scores
    from ..learning import ScorerComparison, ScorerSelections, SelectedScorer, TrainedScorer, TrainingSet

SUMMARY = "train a scorer on judged outputs, with cross-validated figures"
_LEARNERS = ("ridge", "rank", "svr", "robust", "nnls", "cca")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add_dimension(parser, required=True, once=True, detail="the one to predict", shown="")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME",
        help="further judged dimension that the learner cca takes into account; repeat for more",
    )
    parser.add_argument(
        "--features",
        nargs="+",
        default=["best"],
        metavar="METRIC",
        help="metrics to combine, or a set: best, full (default: best)",
    )
    add(parser, "scores", scores={"detail": "every column is a feature"})
    parser.add_argument(
        "--learner",
        action="append",
        default=[],
        metavar="NAME",
        help=f"way to combine the features: {', '.join(_LEARNERS)}; repeat for more "
        "(default: ridge; with --validation robust, nnls, cca)",
    )
    add(parser, "out", "raters", "people", "leaked", out={"detail": "a new folder for the scorer"})
    parser.add_argument(
        "--topic",
        choices=("item", "group"),
        default="item",
        help="what is left out together in cross-validation (default: item)",
    )
    parser.add_argument(
        "--normalize",
        choices=("mean", "none"),
        help="bring the judgments of every topic to one mean (default: mean; none with --validation)",
    )
    parser.add_argument("--validation", metavar="FILE", help="second judged set, to select features and learner by")
    parser.add_argument(
        "--test-set", metavar="FILE", help="judged set to test the scorer on, not used to fit or select"
    )
    parser.add_argument(
        "--test-dimension",
        metavar="NAME",
        help="judged dimension of --test-set, without --validation (default: that of --dimension)",
    )
    levels = ("system", "item")
    add(parser, "level", level={"choices": levels, "default": "system", "detail": "to select by, with --validation"})
    parser.add_argument(
        "--drop-raters",
        type=numbers.rows,
        default=0,
        metavar="N",
        help="select again without the topics of the N worst raters, with --validation (default: 0)",
    )
    parser.add_argument(
        "--drop-by",
        choices=("consistency", "rest", "severity", "mean"),
        default="consistency",
        help="what the worst raters are found by (default: consistency)",
    )
    add(parser, "resamples", "seed", "threads", "json")


def run(args: argparse.Namespace) -> int:
    if args.drop_raters and not args.validation:
        raise InputError("--drop-raters needs a second set: add --validation FILE")
    if args.test_dimension and (args.validation or not args.test_set):
        raise InputError("--test-dimension needs --test-set FILE, and no --validation")
    if len(args.dimension) > 1:
        raise InputError(f"one dimension is predicted at a time; got {', '.join(args.dimension)}")
    if args.out:
        _refuse_existing(args.out)
        if len(args.learner) > 1 and not args.validation:
            raise InputError("--out saves one scorer: give one --learner")
    data = read_input(args)
    args.features = list(_split_features(args.features))
    show([_select(args, data) if args.validation else _compare(args, data)], as_json=args.json)
    return 0


def _compare(args: argparse.Namespace, data: EvalSet) -> ScorerComparison:
    from ..formats import read
    from ..learning import compare_scorers, evaluate_transfer
    from ..learning.models import model

    learners = [model(name) for name in args.learner or ["ridge"]]
    scores = _outside_scores(args)
    test_set = read(args.test_set, allow_missing=args.allow_missing) if args.test_set else None
    result = compare_scorers(
        _training_set(args, data, scores),
        learners,
        normalize=args.normalize or "mean",
        resamples=args.resamples,
        seed=args.seed,
        threads=args.threads,
        follow=lambda name: make_follower(args.quiet, name),
    )
    if test_set is not None:
        tested = [
            evaluate_transfer(
                one,
                test_set,
                dimension=args.test_dimension,
                scores=scores,
                raters=_rater_names(args),
                people=args.people,
                resamples=args.resamples,
                seed=args.seed,
                threads=args.threads,
            )
            for one in result.scorers
        ]
        result = replace(result, scorers=tuple(tested))
    if not args.out:
        return result
    return replace(result, scorers=(replace(result.scorers[0], path=_save(result.scorers[0], args.out)),))


def _select(args: argparse.Namespace, data: EvalSet) -> ScorerSelections:
    """Select with all raters and, if asked for, without the worst; --out saves the last."""
    from ..formats import read
    from ..learning import ScorerSelections, evaluate_scorer, select_scorer, worst_raters
    from ..learning.selection import LEARNERS

    scores = _outside_scores(args)
    options = {"allow_missing": args.allow_missing, "strip_tags": args.strip_tags}
    second = state_scales(args, read(args.validation, **options))
    third = state_scales(args, read(args.test_set, **options)) if args.test_set else None
    sets = [_training_set(args, one, scores) for one in (data, second)]

    def select(raters: Sequence[str] = (), topics: Sequence[str] = ()) -> SelectedScorer:
        selected = select_scorer(
            *sets,
            learners=args.learner or LEARNERS,
            level=args.level,
            normalize=args.normalize or "none",
            without=topics,
            dropped_raters=raters,
        )
        if third is None:
            return selected
        return evaluate_scorer(
            selected,
            third,
            raters=_rater_names(args),
            people=args.people,
            scores=scores,
            resamples=args.resamples,
            seed=args.seed,
            threads=args.threads,
        )

    selections = [select()]
    if args.drop_raters:
        names, items = worst_raters([data, second], args.dimension[0], args.drop_raters, by=args.drop_by)
        topics = {t for one in sets for i, t in zip(one.data.items, one.topics, strict=True) if i in items}
        selections.append(select(names, sorted(topics)))
    if args.out:
        selections[-1] = replace(selections[-1], path=_save(selections[-1], args.out))
    return ScorerSelections(tuple(selections))


def _save(trained: TrainedScorer | SelectedScorer, folder: str) -> str:
    from ..metrics import save_scorer

    return save_scorer(trained.scorer, folder).path


def _training_set(args: argparse.Namespace, data: EvalSet, scores: Sequence[Scores]) -> TrainingSet:
    from ..learning import build_training_set

    return build_training_set(
        data,
        dimension=args.dimension[0],
        features=args.features,
        scores=scores,
        also=args.also,
        raters=_rater_names(args),
        people=args.people,
        leaked=args.leaked,
        topic=args.topic,
        threads=args.threads,
    )


def _rater_names(args: argparse.Namespace) -> list[str] | None:
    return [r.strip() for r in args.raters.split(",") if r.strip()] if args.raters else None


def _outside_scores(args: argparse.Namespace) -> list[Scores]:
    from ..formats import read_scores

    return [scores for path in args.scores for scores in read_scores(path)]


def _refuse_existing(folder: str) -> None:
    """Raise before the work, not after it."""
    from pathlib import Path

    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"--out {folder} exists already: give the name of a new folder")


def _split_features(names: Sequence[str]) -> Iterator[str]:
    """Return the features one by one; they may also be separated by commas."""
    for text in names:
        depth, start = 0, 0
        for i, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                yield from filter(None, [text[start:i].strip()])
                start = i + 1
        yield from filter(None, [text[start:].strip()])
