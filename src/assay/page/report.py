"""report: everything that the page shows of a set and its scores, as results; nothing here is about how it looks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isnan
from os import PathLike
from typing import Any

from .. import meta
from .. import raters as judges
from ..comparison import Comparison, compare
from ..comparison.verdict import JudgedPairs, Verdict, verdict
from ..corpus import EditSummary, edits
from ..corpus.check import DataCheck, check_data
from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import AssayWarning, InputError
from ..files import write_whole
from ..meta import sentinel_scores
from ..views import View

Subsets = Mapping[int, Floats]
LEVELS = ("system", "item", "pooled")
_FEWEST_DRAWS, _MOST_DRAWS, _CELLS = 200, 1000, 30_000_000  # so that a large set is done in a minute or two
_FEWEST_SYSTEMS = 3  # below which no correlation over systems exists
_LONGEST_SOURCE, _MOST_EDITED = 120, 3000  # words, outputs: aligning more would take minutes
_MOST_LEFT_OUT = 30  # raters whose leaving out is looked at: those who agree least with the rest


@dataclass(frozen=True)
class MetricTrial:
    """Metrics against one judged dimension. Empty where there are too few systems, references or judgments."""

    human: Scores
    people: Comparison | None
    correlations: meta.Correlations | None = None
    dominance: meta.Dominance | None = None
    decisions: meta.DecisionAgreements | None = None
    noticeable: meta.NoticeableDifferences | None = None
    ranking: meta.MetricRanking | None = None
    stability: meta.Stabilities | None = None

    def results(self) -> Iterator[Result]:
        """Return every result about the dimension."""
        results = (
            *(self.people, self.correlations, self.dominance, self.decisions),
            *(self.noticeable, self.ranking, self.stability),
        )
        yield from (result for result in results if result is not None)

    def noticeable_difference(self, metric: str) -> meta.NoticeableDifference | None:
        """Return one metric's noticeable difference."""
        differences = () if self.noticeable is None else self.noticeable.differences
        return next((d for d in differences if d.metric == metric), None)


@dataclass(frozen=True)
class RaterFindings:
    """The raters of one dimension; `left_out` says how the ranking changes without each of them."""

    agreement: judges.Agreement
    raters: judges.RaterPanel
    left_out: judges.WithoutEachRater | None

    def results(self) -> Iterator[Result]:
        """Return every result about these raters."""
        yield from (r for r in (self.agreement, self.raters, self.left_out) if r is not None)


@dataclass(frozen=True)
class Report(Result, question="report", kind="report"):
    """Everything that the page shows of a set: comparisons by metric, metrics against people, raters, and warnings.

    Printed, it is the answer and what it rests on; `save("report.html")` writes the page.
    """

    data: EvalSet
    metrics: Mapping[str, Scores]
    signatures: Mapping[str, str]
    comparisons: Mapping[str, Comparison]
    trials: tuple[MetricTrial, ...]
    panels: tuple[RaterFindings, ...]
    leaks: meta.Leaks | None
    edits: EditSummary | None
    check: DataCheck
    notes: tuple[str, ...]
    resamples: int
    seed: int

    def records(self) -> list[dict[str, Any]]:
        """List the records of every result on the page, the answer first."""
        return [record for result in self.results() for record in result.records()]

    def view(self) -> View:
        """Return the answer and what it rests on; the page has the rest."""
        from .answer import make_answer  # composed of the headlines of what is found here

        answer = make_answer(self)
        return View(answer.sentences, notes=answer.cautions)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page: one HTML file that needs no network."""
        from .html import draw_page  # which is drawn from what is found here

        write_whole(path, draw_page(self))

    def results(self) -> Iterator[Result]:
        """Return every result on the page."""
        answer = self.verdict()
        yield from [answer] if answer is not None else []
        yield self.check
        yield from self.comparisons.values()
        yield from [self.edits] if self.edits is not None else []
        for trial in self.trials:
            yield from trial.results()
        for panel in self.panels:
            yield from panel.results()
        yield from [self.leaks] if self.leaks is not None else []

    def verdict(self) -> Verdict | None:
        """Return the answer: by the first metric, or by people where there is none."""
        trial = self.trials[0] if self.trials else None
        if not self.metrics:
            return verdict(trial.people, by_people=True) if trial is not None and trial.people is not None else None
        comparison = self.comparisons[next(iter(self.metrics))]
        if trial is None:
            return verdict(comparison)
        difference = trial.noticeable_difference(comparison.metric)
        bins = () if difference is None else difference.bins
        return verdict(comparison, trial.people, judged=[JudgedPairs(b.low, b.pairs, b.same_order) for b in bins])


def report(
    data: EvalSet,
    scores: Mapping[str, Scores],
    *,
    dimensions: Sequence[str] | None = None,
    subsets: Callable[[str], Subsets | None] | None = None,
    resamples: int | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda step: None,
) -> Report:
    """Answer every question that the set and the scores allow.

    `scores` by the names to be shown. `dimensions` are the judged dimensions to look at (all). `subsets(name)` gives a
    metric's scores against fewer references (see `assay.scoring.reference_tables`), for the curve over them.
    `resamples`: 1,000, and down to 200 where systems x items are so many that intervals are narrow anyway.
    """
    if resamples is None:
        resamples = max(_FEWEST_DRAWS, min(_MOST_DRAWS, _CELLS // (len(data.systems) * len(data))))
    dimensions = list(data.dimensions) if dimensions is None else list(dimensions)
    for name in dimensions:
        data.check_dimension(name)
    if not scores and not dimensions:
        raise InputError("there is nothing to report: no scores were given, and the set holds no judgments")
    metrics = {name: replace(s, name=name) for name, s in scores.items()}
    messages: list[str] = []
    blind = sentinel_scores(data) if dimensions and metrics else {}
    tell("systems")
    with _collect_warnings(messages):
        trials = tuple(
            _trial(data.human(d), metrics, blind, subsets, resamples, seed, lambda d=d: tell(f"metrics against {d}"))  # type: ignore[misc]
            for d in dimensions
        )
        notice = {
            d.metric: d.value
            for t in reversed(trials)
            if t.noticeable is not None
            for d in t.noticeable.differences
            if not isnan(d.value)
        }
        comparisons = {
            name: compare(s, resamples=resamples, seed=seed, notice=notice.get(name)) for name, s in metrics.items()
        }
        panels = tuple(_panel(data, d, list(metrics.values()), resamples, seed, tell) for d in dimensions)
    tell("leaks")
    return Report(
        data=data,
        metrics=metrics,
        signatures={name: s.signature or s.name for name, s in scores.items()},
        comparisons=comparisons,
        trials=trials,
        panels=panels,
        leaks=_leaks(data),
        edits=_edits(data),
        check=check_data(data),
        notes=tuple(dict.fromkeys(messages)),
        resamples=resamples,
        seed=seed,
    )


def _trial(
    human: Scores,
    metrics: Mapping[str, Scores],
    blind: Mapping[str, Scores],
    subsets: Callable[[str], Subsets | None] | None,
    resamples: int,
    seed: int,
    tell: Callable[[], None],
) -> MetricTrial:
    tell()
    people = compare(human, resamples=resamples, seed=seed)
    judged = [n for n, s in zip(human.systems, human.counts(), strict=True) if n and s and n not in human.people]
    if not metrics or len(judged) < 2:
        return MetricTrial(human, people)
    enough = len(judged) >= _FEWEST_SYSTEMS
    levels = LEVELS if enough else ("pooled",)
    trial = MetricTrial(
        human,
        people,
        correlations=meta.correlate(metrics, human, level=levels, resamples=resamples, seed=seed),
        decisions=meta.decision_agreements(metrics, human, people=human.people),
        noticeable=meta.noticeable_differences(metrics, human),
        dominance=meta.dominate(metrics, human),
    )
    if not enough:
        return trial
    tables = {name: table for name in metrics if subsets and (table := subsets(name))}
    return replace(
        trial,
        ranking=meta.rank_metrics(metrics, human, sentinels=blind, resamples=resamples // 2, seed=seed),
        stability=meta.stabilities(metrics, human, reference_tables=tables, draws=resamples, seed=seed),
    )


def _panel(
    data: EvalSet,
    dimension: str,
    metrics: Sequence[Scores],
    resamples: int,
    seed: int,
    tell: Callable[[str], None],
) -> RaterFindings:
    tell(f"raters of {dimension}")
    ratings = data.ratings(dimension)
    agreement = judges.agreement(data, dimension, resamples=resamples, simulations=resamples, seed=seed)
    raters = judges.rater_panel(data, dimension, resamples=resamples, seed=seed)
    systems = [s for s in data.systems if s not in set(data.people)]
    if raters.anonymous or len(ratings.raters) < 2 or len(systems) < _FEWEST_SYSTEMS:
        return RaterFindings(agreement, raters, None)
    left_out = judges.drop_each_rater(ratings, metrics=metrics[:1], systems=systems, most=_MOST_LEFT_OUT)
    return RaterFindings(agreement, raters, left_out if left_out.left_out else None)


def _edits(data: EvalSet) -> EditSummary | None:
    """Classify edits where the sources are sentences rather than documents."""
    lengths = [len(" ".join(item.sources).split()) for item in data if item.sources]
    outputs = sum(len(item.outputs) for item in data if item.sources)
    if not outputs or outputs > _MOST_EDITED or max(lengths) > _LONGEST_SOURCE:
        return None
    return edits(data).summary()


def _leaks(data: EvalSet) -> meta.Leaks | None:
    """Find leaks of systems; people are among their own references by design."""
    people = set(data.people)
    rows = (
        (item.id, system, text, [r.text for r in item.references])
        for item in data
        if item.references
        for system, text in item.outputs.items()
        if system not in people
    )
    leaks = meta.find_leaks(rows)
    return leaks if leaks.outputs else None


@contextmanager
def _collect_warnings(messages: list[str]) -> Iterator[None]:
    """Collect warnings, to be read on the page, where an undefined number is a dash."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AssayWarning)
        yield
    messages += [str(w.message) for w in caught if issubclass(w.category, AssayWarning)]
