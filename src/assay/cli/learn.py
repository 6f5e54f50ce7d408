"""Train a scorer on judged outputs, test it on topics it has not seen, and keep it in a folder.

assay learn judged.jsonl --target pyramid --features best --out scorer
assay learn judged.jsonl --target relevance --raters "expert*" --features rouge1 rouge2 bleu --model ridge
assay learn y2009.jsonl --select y2010.jsonl --test y2011.jsonl --target pyramid --features full --drop-assessors 1
assay score new.jsonl -m ./scorer

Features are metrics, a set by name (best, full: those of S3, Peyrard et al. 2017), and every column of --scores. With
--select, every set of features and several models are fitted to FILE, chosen by the second set and fitted again to it
(CLASSY: Owczarzak et al. 2012, section 4).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, show
from ._input import read_input
from ._options import add_input
from ._progress import followed

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Scores
    from ..learning import Lesson, Material
    from ..metrics.learned import Learned

SUMMARY = "train a scorer on judged outputs, with honest figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--target", required=True, metavar="D", help="the judged dimension to predict")
    parser.add_argument("--also", action="append", default=[], metavar="D", help="for cca: further dimensions")
    parser.add_argument(
        "--features", nargs="+", default=["best"], metavar="M", help="metrics, or a set: best, full (best)"
    )
    parser.add_argument(
        "--scores", action="append", default=[], metavar="FILE", help="scores of items that are features too"
    )
    parser.add_argument(
        "--model", action="append", default=[], metavar="M", help="svr, ridge, rank, robust, nnls, cca (svr)"
    )
    parser.add_argument("--out", metavar="DIR", help="keep the scorer in a new folder")
    parser.add_argument("--raters", metavar="R,R", help="only these raters' judgments: names or patterns (expert*)")
    parser.add_argument(
        "--people", choices=("exclude", "include"), default="exclude", help="people among the systems (exclude)"
    )
    parser.add_argument("--topic", choices=("item", "group"), default="item", help="what is left out together (item)")
    parser.add_argument("--normalize", choices=("mean", "none"), help="one mean per topic (mean; none with --select)")
    parser.add_argument("--select", metavar="FILE", help="a second set, to choose features and model by")
    parser.add_argument("--test", metavar="FILE", help="a third set, to predict")
    parser.add_argument(
        "--level", choices=("system", "item"), default="system", help="with --select: of the correlation (system)"
    )
    parser.add_argument(
        "--drop-assessors", type=numbers.rows, default=0, metavar="N", help="with --select: also without the N worst"
    )
    parser.add_argument(
        "--assessors-by", choices=("consistency", "rest", "severity", "mean"), default="consistency",
        help="what makes an assessor bad (consistency)",
    )  # fmt: skip
    parser.add_argument(
        "--resamples", type=numbers.resamples, default=1000, metavar="N", help="bootstrap samples and swaps (1000)"
    )
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="of everything drawn at random (0)")
    parser.add_argument(
        "--threads", type=numbers.threads, default=1, metavar="N", help="threads to score features with (1)"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    for option, value in (("--test", args.test), ("--drop-assessors", args.drop_assessors)):
        if value and not args.select:
            raise InputError(f"{option} belongs to a second set: add --select FILE")
    if args.out:
        _refuse_taken(args.out)
    data = read_input(args)
    args.features = list(_listed(args.features))
    if args.select:
        from ._learn_years import years_answers

        answers, made = years_answers(args, data)
    else:
        answers, made = _answers(args, data)
    if args.out:
        from ..metrics._scorer_files import save

        kept = save(made, args.out)
        answers[-1] = _with_note(answers[-1], f"The scorer is kept in {args.out}: assay score FILE -m {kept.path}")
    show(answers, as_json=args.json)
    return 0


def gather(args: argparse.Namespace, data: EvalSet, scores: Sequence[Scores]) -> Material:
    """The features and judgments of one set, as the options say."""
    from ..learning import material

    return material(
        data, target=args.target, features=args.features, scores=scores, also=args.also, raters=raters(args),
        people=args.people, topic=args.topic, threads=args.threads,
    )  # fmt: skip


def raters(args: argparse.Namespace) -> list[str] | None:
    """The raters asked for, or None for all."""
    return [r.strip() for r in args.raters.split(",") if r.strip()] if args.raters else None


def outside(args: argparse.Namespace) -> list[Scores]:
    """The columns of the score files."""
    from ..formats import read_scores

    return [scores for path in args.scores for scores in read_scores(path)]


def _answers(args: argparse.Namespace, data: EvalSet) -> tuple[list[Answer], Learned]:
    from ..learning import taught
    from ..learning.models import model

    models = [model(m) for m in args.model or ["svr"]]
    given = gather(args, data, outside(args))
    lessons = [
        taught(
            given,
            m,
            normalize=args.normalize or "mean",
            resamples=args.resamples,
            seed=args.seed,
            follow=followed(args.quiet, m.name),
        )
        for m in models
    ]
    best = max(lessons, key=lambda lesson: lesson.correlations[0].value)
    if len(lessons) > 1 and args.out:
        raise InputError("--out keeps one scorer: give one --model")
    return [_answer(args, given, lessons)], best.scorer


def _answer(args: argparse.Namespace, given: Material, lessons: Sequence[Lesson]) -> Answer:
    from ..learning import against_best
    from ..views._view import Column
    from ._answer import decimals, within

    rows: list[dict[str, Any]] = []
    said: list[str] = []
    for lesson in lessons:
        said.append(lesson.sentence())
        beaten = against_best(lesson, resamples=args.resamples, seed=args.seed)
        if beaten is not None and len(lesson.features) > 1:
            said.append(
                f"The best single feature, {beaten.feature.partition('(')[0]}, reaches {beaten.value:.3f}: "
                f"{beaten.difference:+.3f} for the scorer (permutation test, one-sided: p = {beaten.pvalue:.3f})."
            )
        rows.append(
            _row(lesson.scorer.record["model"], "learned", lesson.correlations, p=beaten.pvalue if beaten else None)
        )
    rows += _alone(args, lessons[0])
    shown = [r["name"] for r in rows]
    columns = [
        Column("score", [_short(r["name"]) for r in rows], right=False),
        Column("r", [decimals(r["item_pearson"]) for r in rows]),
        Column("95% interval", [within(r["low"], r["high"]) for r in rows]),
        Column("rho", [decimals(r["item_spearman"]) for r in rows]),
        Column("r (systems)", [decimals(r["system_pearson"]) for r in rows]),
    ]
    return Answer(said, columns, [*_notes(args, given, lessons[0]), *(n for n in shown if _short(n) != n)], [
        {"question": "learn", "target": given.target, **r, "features": [f.signature for f in given.inputs]}
        if r["kind"] == "learned" else {"question": "learn", "target": given.target, **r} for r in rows
    ])  # fmt: skip


def _row(name: str, kind: str, found: Sequence[Any], **more: Any) -> dict[str, Any]:
    by = {f"{c.level}_{c.method}": c.value for c in found}
    return {"name": name, "kind": kind, **by, "low": found[0].low, "high": found[0].high, "n": found[0].n,
            "groups": found[0].groups, **more}  # fmt: skip


def _alone(args: argparse.Namespace, lesson: Lesson) -> Iterator[dict[str, Any]]:
    """Each feature by itself, the best first."""
    import warnings

    from ..errors import UndefinedWarning
    from ..learning.fit import ASKED
    from ..meta import correlate

    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # a dash in the table
        for name, scores in lesson.features.items():
            found[name] = [
                correlate(scores, lesson.human, level=level, method=method, resamples=args.resamples, seed=args.seed,
                          without=())
                for level, method in ASKED
            ]  # fmt: skip
    order = sorted(found, key=lambda n: (found[n][0].value != found[n][0].value, -found[n][0].value))
    yield from (_row(name, "feature", found[name]) for name in order)


def _notes(args: argparse.Namespace, given: Material, lesson: Lesson) -> list[str]:
    record = lesson.scorer.record
    notes = [
        f"r, rho: within items, averaged over {lesson.correlations[0].groups} of them; r (systems): of system means. "
        f"The learned scores are of topics left out of the fit, the features by themselves need none. Interval: "
        f"{args.resamples} bootstrap samples of systems and items, seed {args.seed}."
    ]
    if given.data.people:
        notes.append(f"People among the systems: {record['people']}.")
    if record["left_out"]:
        notes.append(f"{record['left_out']} judged outputs have no score by some feature and were left out.")
    return notes


def _short(name: str) -> str:
    return name if len(name) <= 44 else name.partition("(")[0] + "(…)"


def _with_note(answer: Answer, note: str) -> Answer:
    from dataclasses import replace

    return replace(answer, notes=[*answer.notes, note])


def _refuse_taken(folder: str) -> None:
    """Before the work, not after it."""
    from pathlib import Path

    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"--out {folder} is there already: give the name of a new folder")


def _listed(names: Sequence[str]) -> Iterator[str]:
    """The features one by one; commas between them are welcome too."""
    for text in names:
        depth, start = 0, 0
        for i, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                yield from filter(None, [text[start:i].strip()])
                start = i + 1
        yield from filter(None, [text[start:].strip()])
