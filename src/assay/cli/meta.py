"""Can I trust the metric? Compare metrics with human judgments.

assay meta judged.jsonl -m rouge2 -m bleu -d adequacy
assay meta judged.jsonl -m rouge2 -m rouge1 --question decisions --baseline rouge1
assay meta judged.jsonl --scores scores.parquet --question all --json

Questions:
  correlate   how metrics correlate with people, at a level
  dominate    which metric is best on single items
  decisions   whether metric and people decide the same about two systems
  noticeable  how large a difference must be before people agree
  stability   how many items and references it takes
  accuracy    ranks of metrics by pairwise accuracy, and sentinels that must not win
  leak        outputs that are their own reference
  differences differences between outputs of an item, pooled: for many authors with few outputs each
  outliers    systems far from the rest, and what metrics correlate without them
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..errors import AssayWarning, InputError, UnknownName
from ..views import shorten_names
from . import _numbers as numbers
from ._groups import answer_all
from ._input import read_input
from ._options import METRICS, add, add_dimension, add_input
from ._progress import Progress
from ._resamples import add_resampling_engine, spread_resamples
from ._scores import collect_scores
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.result import Result
    from ..data.scores import Scores
    from ..meta import LeakEffect

MAX_SECONDS = 40.0  # of processor time for --question all, as estimated
# Seconds by metric: by judged output, by pair of outputs of an item, and both again for 1,000 resamples.
SECONDS = {
    "correlate": (0.0, 1.8e-8, 0.0, 0.0),
    "dominate": (0.0, 1.8e-8, 0.0, 0.0),
    "decisions": (0.0, 0.0, 1.6e-5, 0.0),
    "noticeable": (0.0, 2.5e-8, 0.0, 0.0),
    "stability": (0.0, 0.0, 1.25e-5, 0.0),
    "accuracy": (0.0, 5e-7, 1e-5, 5e-7),
    "differences": (0.0, 1e-7, 0.0, 0.0),
}

SUMMARY = "compare metrics with human judgments: which metric can be trusted"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add(parser, "metric", "scores", "threads", metric={"shown": METRICS})
    add_dimension(parser)
    parser.add_argument(
        "--question",
        action="append",
        choices=(*QUESTIONS, "all"),
        help="question to answer; repeat for more (default: correlate)",
    )
    levels = ("system", "item", "summary", "per-system", "pooled")
    add(parser, "level", level={"choices": levels, "shown": "system; item for accuracy and leak"})
    parser.add_argument(
        "--method",
        type=numbers.coefficient,
        default="pearson",
        metavar="M",
        help="correlation coefficient: pearson, spearman, kendall, ndcg, ndcg@5 (first five ranks) or ndcg(top=5, "
        "discount=reciprocal) with a discount of log, reciprocal or none (default: pearson)",
    )
    add(parser, "baseline", baseline={"detail": "a metric, for --question decisions"})
    parser.add_argument(
        "--share",
        type=numbers.level,
        default=0.95,
        metavar="S",
        help="share of pairs on which people must agree, for --question noticeable (default: 0.95)",
    )
    parser.add_argument(
        "--tolerance",
        type=numbers.real_number(0),
        default=0.01,
        metavar="T",
        help="largest loss in correlation to accept, for --question stability (default: 0.01)",
    )
    add(
        parser,
        "by",
        "people",
        "leaked",
        "copies",
        "resamples",
        "seed",
        "json",
        resamples={"detail": "also of random samples"},
    )
    add_resampling_engine(parser)


def run(args: argparse.Namespace) -> int:
    data = read_input(args, units=True)
    dimensions = args.dimension or list(data.dimensions)
    if not dimensions:
        raise InputError("the set has no human judgments, and metrics are compared with people")
    for dimension in dimensions:
        data.check_dimension(dimension)
    scores = collect_scores(args, data, METRICS)
    short = shorten_names(list(scores))
    metrics = {name: replace(own, name=name) for name, own in zip(short, scores.values(), strict=True)}
    full_names = dict(zip(short, scores, strict=True))
    if args.baseline is not None:
        args.baseline = _find_metric(args.baseline, full_names)
    questions = list(QUESTIONS) if "all" in (args.question or ()) else args.question or ["correlate"]
    judged = [Inputs(data, metrics, full_names, data.human(dimension), args) for dimension in dimensions]
    if "all" in (args.question or ()):
        questions = _leave_out_long(judged, questions, args.question)
    askers = [partial(_ask, question, inputs) for inputs in judged for question in inputs.select_questions(questions)]
    with spread_resamples(args), Progress(askers, quiet=args.quiet, total=len(askers), what="questions") as parts:
        results = answer_all(args, data, parts)
    show(results, as_json=args.json)
    return 0


def _leave_out_long(judged: Sequence[Inputs], questions: Sequence[str], named: Sequence[str]) -> list[str]:
    """Leave out of all questions those that would take minutes and are not named themselves, and say so."""
    seconds = {question: sum(inputs.estimate_seconds(question) for inputs in judged) for question in questions}
    affordable, total = set(), 0.0
    for question in sorted(questions, key=lambda question: (question not in named, seconds[question])):
        if question in named or total + seconds[question] <= MAX_SECONDS:
            affordable.add(question)
            total += seconds[question]
    left_out = {question: own for question, own in seconds.items() if question not in affordable}
    if left_out:
        sizes = judged[0].human.values.shape
        names = ", ".join(f"{question} (about {own:,.0f} s)" for question, own in left_out.items())
        ask = " ".join(f"--question {question}" for question in left_out)
        warnings.warn(
            f"{sizes[0]:,} systems x {sizes[1]:,} items x {len(judged[0].metrics)} metrics are too many to answer all "
            f"questions within a minute; left out: {names}; ask for them with {ask}, or with fewer --resamples",
            AssayWarning,
            stacklevel=2,
        )
    return [question for question in questions if question in affordable]


def _ask(question: str, inputs: Inputs, items: Sequence[str] | None) -> Result:
    return QUESTIONS[question](inputs if items is None else inputs.select(items))


@dataclass(frozen=True)
class Inputs:
    """What every question is about: metrics by short name, and one judged dimension."""

    data: EvalSet
    metrics: dict[str, Scores]
    full_names: dict[str, str]
    human: Scores
    args: argparse.Namespace

    def select(self, items: Sequence[str]) -> Inputs:
        """Return the same for these items only."""
        data = self.data.select(items)
        metrics = {
            name: own.select(items=[i for i in items if i in set(own.items)]) for name, own in self.metrics.items()
        }
        return replace(self, data=data, metrics=metrics, human=data.human(self.human.name))

    def select_questions(self, questions: Sequence[str]) -> list[str]:
        """Return the questions that can be asked, each once."""
        if self.human.undirected:
            return ["correlate"]  # it asks for the direction
        once = list(dict.fromkeys(questions))
        if {"dominate", "differences"} <= set(once):
            from ..meta.dominate import is_sparse

            if is_sparse(self.human, without=self.without):
                once.remove("dominate")  # it would be answered by pooled differences, too
        return once

    def estimate_seconds(self, question: str) -> float:
        """Estimate the processor time of a question, as measured with 200 systems x 5,000 items."""
        there = (self.human.values == self.human.values).sum(axis=0)  # NaN is not judged
        cells, pairs = float(there.sum()), float((there * (there - 1)).sum()) / 2
        metrics, draws = len(self.metrics), self.args.resamples / 1000
        by_cell, by_pair, by_drawn_cell, by_drawn_pair = SECONDS.get(question, (0.0, 0.0, 0.0, 0.0))
        once = by_cell * cells + by_pair * pairs
        return metrics * float(once + draws * (by_drawn_cell * cells + by_drawn_pair * pairs))

    @property
    def without(self) -> tuple[str, ...]:
        """The people among the systems, the systems that repeat references and copies, unless they are to stay."""
        return (*self.people_apart, *self.repeating)

    @property
    def repeating(self) -> tuple[str, ...]:
        """The systems that repeat references or another system, unless they are to stay."""
        copies = () if self.args.copies == "include" else (copy.system for copy in self.data.copies)
        return (*self.leaked, *copies)

    @property
    def people_apart(self) -> tuple[str, ...]:
        """The people among the systems, unless they are to stay, or there is no one else (authors of a corpus)."""
        people = self.data.people
        return () if self.args.people == "include" or set(people) >= set(self.data.systems) else people

    @property
    def leaked(self) -> tuple[str, ...]:
        """The systems that repeat references, unless they are to stay."""
        return () if self.args.leaked == "include" else self.data.leaked


def _correlate(inputs: Inputs) -> Result:
    from ..meta import correlate, sentinel_scores

    args = inputs.args
    result = correlate(
        inputs.metrics,
        inputs.human,
        level=args.level or "system",
        method=args.method,
        resamples=args.resamples,
        seed=args.seed,
        without=inputs.without,
        sentinels=sentinel_scores(inputs.data),
    )
    leaked, own = inputs.leaked, [name for name, full in inputs.full_names.items() if "own=keep" in full]
    if not leaked and own:
        leaked = tuple(person for person in inputs.data.people if person not in inputs.people_apart)
    if not leaked:
        return result
    systems = [s for s in inputs.data.systems if s in leaked or s not in inputs.without]
    effects = _leak_effects(inputs, leaked, systems, args.level or "system")
    return replace(result, leak_effects=tuple(e for e in effects if inputs.leaked or e.metric in own))


def _dominate(inputs: Inputs) -> Result:
    from ..meta import dominate
    from ..meta.dominate import is_sparse

    if is_sparse(inputs.human, without=inputs.without):
        return _differences(inputs)
    return dominate(inputs.metrics, inputs.human, without=inputs.without)


def _differences(inputs: Inputs) -> Result:
    from ..meta import pool_differences

    args = inputs.args
    return pool_differences(
        inputs.metrics, inputs.human, resamples=args.resamples, seed=args.seed, without=inputs.without
    )


def _decisions(inputs: Inputs) -> Result:
    from ..meta import decision_agreements

    return decision_agreements(
        inputs.metrics,
        inputs.human,
        baseline=inputs.args.baseline,
        people=inputs.people_apart,
        resamples=inputs.args.resamples,
        seed=inputs.args.seed,
        without=inputs.repeating,
    )


def _noticeable(inputs: Inputs) -> Result:
    from ..meta import noticeable_differences

    args = inputs.args
    return noticeable_differences(
        inputs.metrics,
        inputs.human,
        share=args.share,
        without=inputs.without,
    )


def _stability(inputs: Inputs) -> Result:
    from ..meta import stabilities
    from ..scoring.references import reference_tables

    args = inputs.args
    tables = {name: reference_tables(inputs.data, full, seed=args.seed) for name, full in inputs.full_names.items()}
    return stabilities(
        inputs.metrics,
        inputs.human,
        reference_tables={name: table for name, table in tables.items() if table},
        draws=args.resamples,
        method=args.method,
        tolerance=args.tolerance,
        seed=args.seed,
        without=inputs.without,
    )


def _accuracy(inputs: Inputs) -> Result:
    from ..meta import rank_metrics, sentinel_scores

    args = inputs.args
    return rank_metrics(
        inputs.metrics,
        inputs.human,
        sentinels=sentinel_scores(inputs.data),
        level=args.level or "item",
        method=args.method,
        resamples=args.resamples,
        seed=args.seed,
        without=inputs.without,
    )


def _leak(inputs: Inputs) -> Result:
    from ..meta import find_leaks

    leaks = find_leaks(
        (item.id, system, text, [r.text for r in item.references])
        for item in inputs.data
        for system, text in item.outputs.items()
    )
    if not leaks.systems:
        return leaks
    copies = [(leak.item, leak.system) for leak in leaks.leaks if leak.system in leaks.systems]
    return replace(leaks, effects=_leak_effects(inputs, leaks.systems, None, inputs.args.level or "item", copies))


def _leak_effects(
    inputs: Inputs,
    leaked: Sequence[str],
    systems: Sequence[str] | None,
    level: str,
    copies: Sequence[tuple[str, str]] = (),
) -> tuple[LeakEffect, ...]:
    """Measure what systems that repeat references do to the correlation of each metric that can be computed again."""
    from ..meta import measure_leak
    from ..scoring.references import score_own_references

    effects = []
    for name, full in inputs.full_names.items():
        scores = score_own_references(inputs.data, full, copies)
        if scores is not None:
            own, others = (replace(s, name=name) for s in scores)
            effect = measure_leak(
                leaked, own, others, inputs.human, level=level, method=inputs.args.method, systems=systems
            )
            effects.append(effect)
    return tuple(effects)


def _outliers(inputs: Inputs) -> Result:
    from ..meta.outliers import measure_outliers

    return measure_outliers(inputs.metrics, inputs.human, method=inputs.args.method, without=inputs.without)


QUESTIONS: dict[str, Callable[[Inputs], Result]] = {
    "correlate": _correlate,
    "dominate": _dominate,
    "decisions": _decisions,
    "noticeable": _noticeable,
    "stability": _stability,
    "accuracy": _accuracy,
    "leak": _leak,
    "differences": _differences,
    "outliers": _outliers,
}


def _find_metric(baseline: str, full_names: dict[str, str]) -> str:
    for name, full in full_names.items():
        if baseline in (name, full):
            return name
    raise UnknownName(
        "baseline metric", baseline, full_names, hint=f"(it must be one of the metrics: {', '.join(full_names)})"
    )
