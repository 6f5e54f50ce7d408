"""Show trained scorers: how well they predict topics and sets that they have not seen."""

from __future__ import annotations

from collections.abc import Sequence

from ..learning import BestFeature, ScorerComparison, ScorerSelections, SelectedScorer, TrainedScorer
from ..meta import Correlation
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
from ._view import Column, Table, View, text_column

_LONGEST_NAME = 44  # of a metric in the table; longer ones lose their parameters
_ALPHA = 0.05


def view_trained_scorer(result: TrainedScorer) -> View:
    """Show how well one scorer predicts topics it has not seen."""
    first = result.correlations[0]
    columns = _columns([(result.learner, result.correlations)])
    return View([_describe(result)], [Table(columns)], notes=_notes([result], first.resamples, first.seed))


def view_scorer_comparison(result: ScorerComparison) -> View:
    """Show the scorers, then each of their features alone, the best first."""
    by_feature: dict[str, list[Correlation]] = {}
    for correlation in result.single_features:
        by_feature.setdefault(correlation.metric, []).append(correlation)
    rows = [(s.learner, s.correlations) for s in result.scorers] + list(by_feature.items())
    tests = {test.learner: test for test in result.best_features if len(by_feature) > 1}
    sentences = []
    for scorer in result.scorers:
        sentences.append(_describe(scorer))
        if scorer.learner in tests:
            sentences.append(_describe_test(tests[scorer.learner]))
    notes = _notes(result.scorers, result.resamples, result.seed)
    return View(sentences, [Table(_columns(rows))], notes=[*notes, *(n for n in by_feature if _shorten(n) != n)])


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
        f"were each left out once{people}."
    )


def _describe_test(test: BestFeature) -> str:
    name = test.feature.partition("(")[0]
    verdict = "significantly better" if test.pvalue <= _ALPHA else "not significantly better"
    return (
        f"The best single feature, {name}, reaches {format_number(test.value)}; the scorer is {verdict} (difference "
        f"{format_decimals(test.difference)}, {format_p(test.pvalue)}, one-sided permutation test)."
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


def _columns(rows: Sequence[tuple[str, Sequence[Correlation]]]) -> list[Column]:
    """Make a row of each score's correlations: within items (r, rho), then of systems."""
    return [
        text_column("score", [_shorten(name) for name, _ in rows]),
        Column("r", [format_decimals(own[0].value) for _, own in rows]),
        Column("95% CI", [format_range(own[0].low, own[0].high) for _, own in rows]),
        Column("rho", [format_decimals(own[1].value) for _, own in rows]),
        Column("r (systems)", [format_decimals(own[2].value) for _, own in rows]),
    ]


def _shorten(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name.partition("(")[0] + "(…)"


def _notes(scorers: Sequence[TrainedScorer], resamples: int, seed: int | None) -> list[str]:
    first = scorers[0]
    groups = format_count(first.correlations[0].groups, "item")
    notes = [
        f"r, rho: correlation within items, averaged over {groups}; r (systems): of system means. Scorers are tested "
        f"on topics left out of the fit; single features are not fitted. CI: {resamples:,} bootstrap samples of "
        f"systems and items, seed {seed}.",
    ]
    if first.people:
        notes.append(f"Texts by people among the systems: {first.people}.")
    if first.human.signature.startswith("-"):
        notes.append(f"Low {first.dimension} is better: scorers predict its negative, so that high scores are better.")
    if first.left_out:
        count = format_count(first.left_out, "judged output")
        notes.append(f"Not used, for lack of a score by some feature: {count}.")
    return [*notes, *_saved_path_notes(scorers)]


def _saved_path_notes(scorers: Sequence[TrainedScorer | SelectedScorer]) -> list[str]:
    return [f"The scorer was saved: assay score FILE -m {s.path}" for s in scorers if s.path]
