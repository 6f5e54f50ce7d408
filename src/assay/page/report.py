"""report: everything that the page shows of a set and its scores, as results; nothing here is about how it looks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isnan
from os import PathLike
from types import MappingProxyType
from typing import Any

from .. import meta
from .. import raters as judges
from ..comparison import Comparison, RankingComparison, compare, compare_rankings
from ..comparison.verdict import ClosestMetric, Verdict, verdict
from ..corpus import EditSummary, edits
from ..corpus.check import DataCheck, check_data
from ..data.alignment import systems_apart
from ..data.evalset import EvalSet
from ..data.ratings import Ratings
from ..data.result import Result
from ..data.scores import Floats, Scores, name_scores
from ..data.sequences import preview
from ..data.view import View
from ..errors import AssayWarning, InputError
from ..files import write_whole
from ..meta import Correlations, sentinel_scores
from ..meta.dominate import is_sparse
from ..meta.minimums import MIN_SYSTEMS
from ..planning.components import estimate_components
from ..planning.plan import PowerPlan, plan_study
from .content import ContentFindings, find_content

Subsets = Mapping[int, Floats]
OwnReferences = Callable[[str], tuple[Scores, Scores] | None]
_MIN_DRAWS, _MAX_DRAWS, _CELLS = 200, 1000, 20_000_000  # so that a large set is done in a minute or two
_MIN_SYSTEMS = 3  # below which no correlation over systems exists
_MAX_SOURCE, _MAX_EDITED = 120, 3000  # words, outputs: aligning more would take minutes
_RANKED_BY = "responsiveness"  # the systems with content units to look at, where it was judged
_PLAN_DRAWS = 50  # for the interval of another study's result
_MAX_LEFT_OUT = 30  # raters to leave out in turn: those who agree least with the rest


@dataclass(frozen=True)
class MetricTrial:
    """Metrics against one judged dimension. Empty where there are too few systems, references or judgments."""

    human: Scores
    people: Comparison | RankingComparison | None
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

    @property
    def order(self) -> tuple[str, ...]:
        """The metrics from the closest to people to the farthest."""
        return () if self.correlations is None else tuple(c.metric for c in self.correlations.correlations)

    def closest(self) -> ClosestMetric | None:
        """Return the metric that agrees best with people, and those that are not significantly worse."""
        statements = () if self.correlations is None else self.correlations.statements()
        if self.correlations is None or not statements or statements[0].claim == "undefined":
            return None
        best, answer = self.correlations.correlations[0], statements[0]
        if answer.needs:
            return None
        blind = answer.others[0] if answer.claim == "sentinel as good" else ""
        return ClosestMetric(
            dimension=self.human.name,
            metric=best.metric,
            correlation=best.value,
            significant=best.low > 0,
            level=best.level,
            systems=_count_judged(self.human),
            metrics=len(self.order),
            tied=answer.others if answer.claim == "agrees best" else (),
            tested=answer.claim == "agrees best",
            sentinel=blind,
        )


@dataclass(frozen=True)
class RaterFindings:
    """The raters of one dimension; `left_out` says how the ranking changes without each of them.

    `assessors` compares LLM judges (and metrics) with people, where any LLM judged.
    """

    agreement: judges.Agreement | judges.RankingAgreement
    raters: judges.RaterPanel | None
    left_out: judges.WithoutEachRater | None
    assessors: judges.JudgeTable | None = None
    plan: PowerPlan | None = None  # what as many judgments would find, spent otherwise

    def results(self) -> Iterator[Result]:
        """Return every result about these raters."""
        yield from (r for r in (self.agreement, self.raters, self.left_out, self.assessors, self.plan) if r is not None)


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
    content: ContentFindings | None
    check: DataCheck
    notes: tuple[str, ...]
    resamples: int
    seed: int

    def records(self) -> list[dict[str, Any]]:
        """List the records of every result on the page, the answer first."""
        return [record for result in self.results() for record in result.records()]

    def view(self) -> View:
        """Return the answer and what it rests on; the page has the rest."""
        from .answer import make_answer  # composed of the headlines of the sections here

        answer = make_answer(self)
        return View(answer.sentences, notes=answer.cautions)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page: one HTML file that needs no network."""
        from .html import draw_page  # which is drawn from what is found here

        write_whole(path, draw_page(self))

    def results(self) -> Iterator[Result]:
        """Return every result on the page."""
        yield self.verdict()
        yield self.check
        yield from self.comparisons.values()
        yield from [self.edits] if self.edits is not None else []
        yield from self.content.results() if self.content is not None else ()
        for trial in self.trials:
            yield from trial.results()
        for panel in self.panels:
            yield from panel.results()
        yield from [self.leaks] if self.leaks is not None else []

    def verdict(self) -> Verdict:
        """Return the answer: what people say, the metric closest to them, and what every metric says."""
        closest = [c for t in self.trials if (c := t.closest()) is not None]
        return verdict(
            [t.people for t in self.trials if t.people is not None],
            [self.comparisons[name] for name in self.order],
            closest,
            systems=len(self.data.systems),
            items=len(self.data),
        )

    @property
    def order(self) -> tuple[str, ...]:
        """The metrics: the closest to people on the first dimension first, else as given."""
        first = self.trials[0].order if self.trials else ()
        return (*first, *(name for name in self.metrics if name not in first))


def report(
    data: EvalSet,
    scores: Mapping[str, Scores] | Scores = MappingProxyType({}),
    *,
    out: str | PathLike[str] | None = None,
    dimensions: Sequence[str] | None = None,
    subsets: Callable[[str], Subsets | None] | None = None,
    own_references: OwnReferences | None = None,
    resamples: int | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda step: None,
) -> Report:
    """Answer every question that the set and the scores allow; `out` is where to write the page (`Report.save`).

    `scores`: those of one metric, or of several by the names to be shown. `dimensions` are the judged dimensions to
    look at (all). `subsets(name)` gives a metric's scores against fewer references (see
    `assay.scoring.reference_tables`), for the curve over them.
    `own_references(name)` gives its scores against all references and against all but their own (see
    `assay.scoring.references.score_own_references`), for what systems that repeat references do to correlations.
    `resamples`: 1,000, and down to 200 where systems x items are many enough for narrow intervals anyway.
    """
    if not isinstance(data, EvalSet):
        raise InputError(f"report takes a set, and got {preview(data)}; give assay.read(data)")
    metrics = name_scores(scores, "report")
    if resamples is None:
        resamples = max(_MIN_DRAWS, min(_MAX_DRAWS, _CELLS // (len(data.systems) * len(data))))
    dimensions = list(data.dimensions) if dimensions is None else list(dimensions)
    for name in dimensions:
        data.check_dimension(name)
    if not metrics and not dimensions:
        raise InputError("there is nothing to report: no scores were given, and the set holds no judgments")
    messages: list[str] = []
    blind = sentinel_scores(data) if dimensions and metrics else {}
    tell("systems")
    with _collect_warnings(messages):
        trials = tuple(
            _trial(data, data.human(d), TrialInputs(metrics, blind, subsets, own_references), resamples, seed, tell)
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
        panels = tuple(_panel(data, d, metrics, resamples, seed, tell) for d in dimensions)
    tell("leaks")
    result = Report(
        data=data,
        metrics=metrics,
        signatures={name: s.signature or s.name for name, s in metrics.items()},
        comparisons=comparisons,
        trials=trials,
        panels=panels,
        leaks=_leaks(data),
        edits=_edits(data),
        content=find_content(data, dimension=_RANKED_BY if _RANKED_BY in dimensions else None),
        check=check_data(data),
        notes=tuple(dict.fromkeys(messages)),
        resamples=resamples,
        seed=seed,
    )
    if out is not None:
        result.save(out)
    return result


@dataclass(frozen=True)
class TrialInputs:
    """The metrics on trial, the sentinels next to them, and how to score them again."""

    metrics: Mapping[str, Scores]
    blind: Mapping[str, Scores]
    subsets: Callable[[str], Subsets | None] | None
    own_references: OwnReferences | None


def _trial(
    data: EvalSet, human: Scores, inputs: TrialInputs, resamples: int, seed: int, tell: Callable[[str], None]
) -> MetricTrial:
    tell(f"metrics against {human.name}")
    metrics, scale = inputs.metrics, data.scale(human.name)
    people: Comparison | RankingComparison | None
    if scale.kind != "rating" and scale.best is not None:
        people = _compare_rankings(data, human.name, resamples, seed)
    else:
        people = compare(human, resamples=resamples, seed=seed)
    judged = _count_judged(human)
    if scale.kind == "pairs":  # who was paired with whom makes their means; metrics are not correlated with these
        return MetricTrial(human, people)
    if not metrics or judged < 2 or len(data) < 2:
        return MetricTrial(human, people)
    correlations = _correlate(inputs, human, judged, resamples, seed)
    level = correlations.correlations[0].level
    trial = MetricTrial(
        human,
        people,
        correlations=replace(correlations, leak_effects=_leak_effects(data, human, inputs, level)),
        decisions=meta.decision_agreements(
            metrics,
            human,
            people=human.people,
            resamples=resamples,
            seed=seed,
            without=systems_apart(human) - {*human.people},
        ),
        noticeable=meta.noticeable_differences(metrics, human),
        dominance=None if is_sparse(human, without=_left_out(human)) else meta.dominate(metrics, human),
    )
    if judged < _MIN_SYSTEMS:
        return trial
    ranking = meta.rank_metrics(
        metrics, human, sentinels=inputs.blind, level=level, resamples=resamples // 2, seed=seed
    )
    enough = level == "system" and judged >= MIN_SYSTEMS
    stability = _stability(inputs, human, resamples, seed) if enough else None
    return replace(trial, ranking=ranking, stability=stability)


def _compare_rankings(data: EvalSet, dimension: str, resamples: int, seed: int) -> RankingComparison | None:
    """Compare systems by how they were ranked; None where they were never ranked together."""
    try:
        return compare_rankings(data.rankings(dimension), resamples=resamples, seed=seed, without=data.people)
    except InputError:
        return None


def _count_judged(human: Scores) -> int:
    """Count the systems on which metrics are compared with people: no people, and none that repeats references."""
    left_out = _left_out(human)
    return sum(bool(n) and s not in left_out for s, n in zip(human.systems, human.counts().tolist(), strict=True))


def _left_out(human: Scores) -> set[str]:
    return systems_apart(human)


def _correlate(inputs: TrialInputs, human: Scores, judged: int, resamples: int, seed: int) -> Correlations:
    """Correlate at one level, so that each metric has one correlation on the page.

    That of systems where there are enough of them to test metrics against each other, else within items if enough of
    them were judged, else over all outputs.
    """
    levels = ["system"] if judged >= MIN_SYSTEMS else ["item"] if judged >= _MIN_SYSTEMS else []
    for level in (*levels, "pooled"):
        result = meta.correlate(
            inputs.metrics, human, level=level, resamples=resamples, seed=seed, sentinels=inputs.blind
        )
        if not all(isnan(c.value) for c in result.correlations):
            break
    return result


def _leak_effects(data: EvalSet, human: Scores, inputs: TrialInputs, level: str) -> tuple[meta.LeakEffect, ...]:
    """Measure what systems that repeat references, which are left out, would do to each metric's correlation."""
    if not data.leaked or inputs.own_references is None:
        return ()
    systems = [s for s in data.systems if s not in set(data.people)]
    effects = []
    for name in inputs.metrics:
        if (scores := inputs.own_references(name)) is not None:
            own, others = (replace(s, name=name) for s in scores)
            effects.append(meta.measure_leak(data.leaked, own, others, human, level=level, systems=systems))
    return tuple(effects)


def _stability(inputs: TrialInputs, human: Scores, resamples: int, seed: int) -> meta.Stabilities:
    tables = {name: table for name in inputs.metrics if inputs.subsets and (table := inputs.subsets(name))}
    return meta.stabilities(inputs.metrics, human, reference_tables=tables, draws=resamples, seed=seed)


def _panel(
    data: EvalSet,
    dimension: str,
    metrics: Mapping[str, Scores],
    resamples: int,
    seed: int,
    tell: Callable[[str], None],
) -> RaterFindings:
    tell(f"raters of {dimension}")
    scale = data.scale(dimension)
    if scale.kind != "rating" and scale.best is not None:
        order = judges.ranking_agreement(data.rankings(dimension), resamples=resamples, seed=seed)
        return RaterFindings(order, None, None)
    ratings = data.ratings(dimension)
    agreement = judges.agreement(data, dimension, simulations=resamples, seed=seed)
    raters = judges.rater_panel(data, dimension)
    assessors, plan = _assess(data, dimension, metrics, resamples, seed), _plan(ratings, seed)
    systems = [s for s in data.systems if s not in set(data.people)]
    if raters.anonymous or len(ratings.raters) < 2 or len(systems) < _MIN_SYSTEMS:
        return RaterFindings(agreement, raters, None, assessors, plan)
    left_out = judges.drop_each_rater(ratings, systems=systems, most=_MAX_LEFT_OUT)
    return RaterFindings(agreement, raters, left_out if left_out.left_out else None, assessors, plan)


def _plan(ratings: Ratings, seed: int) -> PowerPlan | None:
    """Plan another study with as many judgments; None where the ratings do not tell what makes them differ."""
    try:
        components = estimate_components(ratings, draws=_PLAN_DRAWS, seed=seed)
        return plan_study(components, budget=components.ratings, systems=components.systems)
    except InputError:
        return None


def _assess(
    data: EvalSet, dimension: str, metrics: Mapping[str, Scores], resamples: int, seed: int
) -> judges.JudgeTable | None:
    """Compare LLM judges and metrics with people, where an LLM judged this dimension."""
    machines = {name for name, kind in data.assessors if kind == "llm"}
    if not any(j.rater in machines and j.dimension == dimension for item in data for j in item.judgments):
        return None
    covering = [s for s in metrics.values() if set(s.items) >= set(data.items) and set(s.systems) >= set(data.systems)]
    return judges.judge_table(data, dimension, metrics=covering, resamples=resamples, seed=seed)


def _edits(data: EvalSet) -> EditSummary | None:
    """Classify edits where the sources are sentences rather than documents."""
    lengths = [len(" ".join(item.sources).split()) for item in data if item.sources]
    outputs = sum(len(item.outputs) for item in data if item.sources)
    if not outputs or outputs > _MAX_EDITED or max(lengths) > _MAX_SOURCE:
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
