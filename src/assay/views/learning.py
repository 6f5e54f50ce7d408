"""Show trained scorers: how well they predict topics and sets that they have not seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ..learning import (
    BestFeature,
    ScorerComparison,
    ScorerSelections,
    SecondSet,
    SelectedScorer,
    TrainedScorer,
    UnseenSystems,
)
from ..meta.minimums import MIN_SYSTEMS
from ._format import (
    coefficient_symbol,
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_p,
    format_range,
    join_names,
)
from .outliers import outlier_columns, outlier_notes

if TYPE_CHECKING:
    from ..meta import Correlation

_MAX_NAME = 44  # of a metric in the table; longer ones lose their parameters
_ALPHA = 0.05


def view_trained_scorer(result: TrainedScorer) -> View:
    """Show how well one scorer predicts topics it has not seen."""
    first = result.correlations[0]
    tables = [Table(_columns(_scorer_rows(result))), *_second_set_tables([result])]
    return View([_describe(result), *_warn(result)], tables, notes=_notes([result], first.resamples, first.seed))


def view_scorer_comparison(result: ScorerComparison) -> View:
    """Show the scorers, then each of their features alone, the best first."""
    by_feature: dict[str, list[Correlation]] = {}
    for correlation in result.single_features:
        by_feature.setdefault(correlation.metric, []).append(correlation)
    rows = [row for s in result.scorers for row in _scorer_rows(s)] + list(by_feature.items())
    tests = {test.learner: test for test in result.best_features if len(by_feature) > 1}
    sentences = []
    for scorer in result.scorers:
        sentences.append(_describe(scorer))
        if scorer.learner in tests:
            sentences.append(_describe_test(tests[scorer.learner]))
        sentences += _warn(scorer)
    tables = [Table(_columns(rows)), *_second_set_tables(result.scorers)]
    notes = _notes(result.scorers, result.resamples, result.seed)
    return View(sentences, tables, notes=[*notes, *(n for n in by_feature if _shorten(n) != n)])


def view_selected_scorer(result: SelectedScorer) -> View:
    """Show which features and learner were selected, and what they reach on the third set."""
    return view_scorer_selections(ScorerSelections((result,)))


def view_scorer_selections(result: ScorerSelections) -> View:
    """Show what was selected with all raters and without some."""
    selections = result.selections
    first = selections[0]
    columns = [
        text_column("raters", [_raters(s) for s in selections]),
        Column("topics", ["+".join(map(str, s.topics)) for s in selections]),
        text_column("learner", [s.learner for s in selections]),
        Column("features", [str(len(s.features)) for s in selections]),
        Column(f"r, second set ({first.level})", [format_decimals(s.value) for s in selections]),
    ]
    for i, test in enumerate(first.test):
        columns += [
            Column(f"r, third set ({test.level})", [format_decimals(s.test[i].value) for s in selections]),
            Column("95% CI", [format_range(s.test[i].low, s.test[i].high) for s in selections]),
        ]
    notes = [f"Features, {_raters(s)}: {', '.join(s.features)}" for s in selections]
    return View(
        [_describe_selection(s) for s in selections], [Table(columns)], notes=[*notes, *_saved_path_notes(selections)]
    )


def _describe(result: TrainedScorer) -> str:
    c = result.correlations[0]
    name = result.learner.partition("(")[0]
    people = f" ({result.people})" if result.people not in ("", "left out", "included") else ""
    return (
        f"{name} of {format_count(len(result.features), 'feature')} correlates with {result.dimension} within items at "
        f"r = {format_number(c.value)}{format_interval(c.low, c.high)}, on {format_count(result.folds, 'topic')} that "
        f"were each left out once{people}{_describe_unseen_systems(result)}."
    )


def _describe_unseen_systems(result: TrainedScorer) -> str:
    unseen = result.unseen_systems
    return f", and at {format_number(unseen[0].value)} on systems left out of the fit" if unseen else ""


def _warn(result: TrainedScorer) -> list[str]:
    """Say what it reaches on a second set, and warn of a scorer that falls as outputs become references."""
    sentences = [_describe_second_set(row) for row in result.second_set]
    probe = result.monotonicity
    if probe is not None and not probe.holds:
        sentences.append(
            f"Do not use this scorer on better outputs than it was fitted to: as the sentences of outputs are replaced "
            f"one by one by those of a reference, its mean falls by up to {format_number(probe.largest_fall)} "
            f"({format_number(probe.means[0])} at first, {format_number(probe.means[-1])} for the references)."
        )
    return sentences


def _describe_second_set(row: SecondSet) -> str:
    where = "within items" if row.level == "item" else "at system level"
    name = row.feature.partition("(")[0]
    verdict = "no significant difference"
    if row.pvalue <= _ALPHA:
        verdict = f"the scorer is significantly {'better' if row.difference > 0 else 'worse'}"
    return (
        f"On the second set, {where}, {row.learner.partition('(')[0]} reaches r = {format_number(row.value)} and "
        f"{name}, the best single feature of the first set, {format_number(row.feature_value)}: {verdict} (difference "
        f"{format_decimals(row.difference)}, 95% CI {format_range(row.low, row.high)}, {format_p(row.pvalue)}, paired "
        "bootstrap)."
    )


def _describe_test(test: BestFeature) -> str:
    name = test.feature.partition("(")[0]
    if isnan(test.pvalue):
        return (
            f"The best single feature, {name}, reaches {format_number(test.value)} (difference "
            f"{format_decimals(test.difference)}); fewer than {MIN_SYSTEMS} systems are too few to test it."
        )
    verdict = "significantly better" if test.pvalue <= _ALPHA else "not significantly better"
    return (
        f"The best single feature, {name}, reaches {format_number(test.value)}; the scorer is {verdict} (difference "
        f"{format_decimals(test.difference)}, 95% CI {format_range(test.low, test.high)}, {format_p(test.pvalue)}, "
        "one-sided permutation test of systems)."
    )


def _describe_selection(result: SelectedScorer) -> str:
    how = "forward steps" if result.greedy else "all sets of features"
    symbol = coefficient_symbol(result.method)
    lead = (
        f"{_raters(result).capitalize()}: {result.learner} of {join_names(result.features, 8)} predicts the second set "
        f"best, {symbol} = {format_number(result.value)} at {result.level} level ({result.fits:,} fits, {how})"
    )
    return f"{lead}; on the third set it reaches {format_number(result.test[0].value)}." if result.test else f"{lead}."


def _raters(result: SelectedScorer) -> str:
    return f"without {', '.join(result.dropped_raters)}" if result.dropped_raters else "all raters"


def _scorer_rows(result: TrainedScorer) -> list[tuple[str, Sequence[Correlation | UnseenSystems]]]:
    """Make a row of the topics that were left out, and one of the systems."""
    rows: list[tuple[str, Sequence[Correlation | UnseenSystems]]] = [(result.learner, result.correlations)]
    return (
        [*rows, (f"{result.learner.partition('(')[0]}, unseen systems", result.unseen_systems)]
        if result.unseen_systems
        else rows
    )


def _second_set_tables(scorers: Sequence[TrainedScorer]) -> list[Table]:
    rows = [row for s in scorers for row in s.second_set]
    if not rows:
        return []
    columns = [
        text_column("second set", [row.learner for row in rows]),
        text_column("level", [row.level for row in rows]),
        Column("r", [format_decimals(row.value) for row in rows]),
        text_column("feature", [_shorten(row.feature) for row in rows]),
        Column("its r", [format_decimals(row.feature_value) for row in rows]),
        Column("difference", [format_decimals(row.difference) for row in rows]),
        Column("95% CI", [format_range(row.low, row.high) for row in rows]),
        Column("p", [format_p(row.pvalue).removeprefix("p = ").removeprefix("p ") for row in rows]),
    ]
    return [Table(columns)]


def _columns(rows: Sequence[tuple[str, Sequence[Correlation | UnseenSystems]]]) -> list[Column]:
    """Make a row of each score's correlations: within items (r, rho), then of systems."""
    return [
        text_column("score", [_shorten(name) for name, _ in rows]),
        Column("r", [format_decimals(own[0].value) for _, own in rows]),
        Column("95% CI", [format_range(own[0].low, own[0].high) for _, own in rows]),
        Column("rho", [format_decimals(own[1].value) for _, own in rows]),
        Column("r (systems)", [format_decimals(own[2].value) for _, own in rows]),
        *outlier_columns([own[2] for _, own in rows]),
    ]


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_NAME else name.partition("(")[0] + "(…)"


def _notes(scorers: Sequence[TrainedScorer], resamples: int, seed: int | None) -> list[str]:
    first = scorers[0]
    groups = format_count(first.correlations[0].groups, "item")
    notes = [
        f"r, rho: correlation within items, averaged over {groups}; r (systems): of system means. Scorers are tested "
        f"on topics left out of the fit; single features are not fitted. CI: {resamples:,} bootstrap samples of "
        f"systems and items, seed {seed}.",
        *outlier_notes(first.correlations),
        *_unseen_systems_notes(first),
        *_monotonicity_notes(scorers),
        *_range_notes(scorers),
    ]
    if first.people:
        notes.append(f"Texts by people among the systems: {first.people}.")
    if first.human.signature.startswith("-"):
        notes.append(f"Low {first.dimension} is better: scorers predict its negative, so that high scores are better.")
    if first.left_out:
        count = format_count(first.left_out, "judged output")
        notes.append(f"Not used, for lack of a score by some feature: {count}.")
    return [*notes, *_saved_path_notes(scorers)]


def _unseen_systems_notes(scorer: TrainedScorer) -> list[str]:
    if not scorer.unseen_systems:
        return []
    folds = format_count(scorer.unseen_systems[0].folds, "group")
    return [f"unseen systems: systems instead of topics were left out of the fit, in {folds}."]


def _monotonicity_notes(scorers: Sequence[TrainedScorer]) -> list[str]:
    """Say of which scorers the mean never falls as outputs become references; the others have a sentence."""
    return [
        f"Monotonicity, {s.learner}: the mean score of {format_count(probe.outputs, 'output')} never falls as their "
        f"sentences are replaced one by one by a reference's ({format_number(probe.means[0])} to "
        f"{format_number(probe.means[-1])})."
        for s in scorers
        if (probe := s.monotonicity) is not None and probe.holds
    ]


def _range_notes(scorers: Sequence[TrainedScorer]) -> list[str]:
    rows = [s.second_set[0] for s in scorers[:1] if s.second_set]
    return [
        f"Second set: {format_count(row.systems, 'system')}, {format_count(row.items, 'item')}; "
        f"{row.outside:,} of {format_count(row.outputs, 'output')} have a feature outside its range in training."
        for row in rows
    ]


def _saved_path_notes(scorers: Sequence[TrainedScorer | SelectedScorer]) -> list[str]:
    return [f"The scorer was saved: assay score FILE -m {s.path}" for s in scorers if s.path]
