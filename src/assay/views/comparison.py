"""Show comparisons of systems."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, isnan

from ..comparison.compare import Comparison, Comparisons, RankedSystem
from ..comparison.pair import PairComparison
from . import _vega as vega
from ._chart import Chart
from ._direction import ask_direction
from ._format import (
    MISSING,
    find_best,
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_p,
    format_p_cell,
    format_percent,
    format_ranges,
    format_scores,
    join_names,
    score_places,
    test_name,
)
from ._inputs import leak_notes
from ._rankings import view_ranking as view_ranking
from ._view import Column, Table, View, text_column


def view_comparison(result: Comparison) -> View:
    """Show a ranking: the best system, then all with intervals, groups and tests."""
    if result.undirected:
        return _show_undirected(result)
    sentences = [*_sentences(result), *_warn_few_raters(result), *leak_notes(result.leaked, result.signature)]
    return View(sentences, [Table(_columns(result))], [chart_ranking(result)], _notes(result))


def view_comparisons(result: Comparisons) -> View:
    """Show the rankings by several metrics one after the other."""
    views = [view_comparison(comparison) for comparison in result.comparisons]
    return View(
        [sentence for view in views for sentence in view.sentences],
        [table for view in views for table in view.tables],
        [chart for view in views for chart in view.charts],
        list(dict.fromkeys(note for view in views for note in view.notes)),
    )


def _show_undirected(result: Comparison) -> View:
    """Show scores in the order of their numbers, without a word on which is better, and ask which end is."""
    columns = [column for column in _columns(result) if column.head in ("system", result.metric, "items")]
    interval = next(column for column in _columns(result) if column.head.endswith("CI"))
    note = f"From the highest number to the lowest. Intervals: {result.resamples:,} bootstrap samples of items."
    ask = ask_direction(result.metric, "which system is best")
    return View([ask], [Table([*columns[:2], interval, *columns[2:]])], notes=[note])


def view_pair(pair: PairComparison) -> View:
    """Show the comparison of two systems."""
    columns = [
        text_column("system", [pair.better, pair.worse]),
        Column(pair.metric, format_scores(pair.scores)),
        Column("ahead on", [format_percent(pair.won), format_percent(pair.lost)]),
    ]
    return View([describe_pair(pair)], [Table(columns)])


def describe_pair(pair: PairComparison) -> str:
    """Say whether two systems differ, with the numbers it rests on."""
    a, b, metric = pair.better, pair.worse, pair.metric
    if isnan(pair.pvalue):
        return f"{a} and {b} cannot be compared by {metric}: {_why_undefined(pair)}."
    first, second = format_scores(pair.scores)
    if pair.difference == 0:
        return f"{a} and {b} have the same {metric}: {first} ({format_count(pair.n, 'item')})."
    numbers = f"{first} and {second} ({_test(pair)})"
    if not pair.significant:
        return f"No significant difference between {a} and {b} in {metric}: {numbers}.{_outlook(pair)}"
    return f"{a} is significantly better than {b} in {metric}: {numbers}.{_caveat(pair)}"


def chart_ranking(result: Comparison) -> Chart:
    """Chart systems from best to worst with their intervals; the first group stands out."""
    rows = [
        {
            "system": r.system,
            "score": vega.number(r.score),
            "low": vega.number(r.low),
            "high": vega.number(r.high),
            "n": r.n,
            "group": r.group,
            "place": "best group" if r.group == 1 else "others",
        }
        for r in result.ranking
    ]
    spec = vega.ranked_intervals(rows, result.metric, count="items")
    columns = (
        text_column("system", [r.system for r in result.ranking]),
        Column(result.metric, format_scores([r.score for r in result.ranking])),
        Column("interval", format_ranges([(r.low, r.high) for r in result.ranking])),
        Column("group", [_group(r) for r in result.ranking]),
    )
    intervals = f" with {100 * result.confidence:.0f}% intervals" if any(r.n > 1 for r in result.ranking) else ""
    return Chart(spec, columns, f"Systems by {result.metric}{intervals}")


def _sentences(result: Comparison) -> list[str]:
    if len(result.ranking) == 1:
        return [f"{_lead(result)} There is no other system to compare with."]
    if result.baseline:
        return [_against_baseline(result), *_count_unnoticed(result)]
    if len(result.ranking) == 2:
        return [describe_pair(result.against[0])]
    return [_against_best(result), *_count_unnoticed(result)]


def _lead(result: Comparison) -> str:
    best, places = result.ranking[0], score_places([r.score for r in result.ranking])
    interval = format_interval(best.low, best.high, result.confidence, places=places)
    score = f"{format_decimals(best.score, places)}{interval}"
    if len(result.ranking) == 1:
        return f"{best.system} has {result.metric} {score}."
    return f"{best.system} has the {'highest' if result.higher_is_better else 'lowest'} {result.metric}: {score}."


def _against_best(result: Comparison) -> str:
    """Say which systems the best one is, and is not, significantly better than."""
    if not result.groups:
        return f"No system has {result.metric} scores."
    best, count = result.groups[0], len(result.ranking)
    nearest = result.neighbours[0]
    if len(best) == 1:
        return (
            f"{_lead(result)} It is significantly better than the other {count - 1} systems, the closest of which is "
            f"{result.ranking[1].system}, {format_scores([r.score for r in result.ranking])[1]}: {_test(nearest)}."
        )
    if len(best) == count:
        return f"No significant differences among the {count} systems in {result.metric}. {_lead(result)}"
    return f"{_lead(result)} It is not significantly better than {join_names(best[1:])} ({_test(nearest)})."


def _against_baseline(result: Comparison) -> str:
    better = [p.better for p in result.against if p.significant and p.worse == result.reference]
    worse = [p.worse for p in result.against if p.significant and p.better == result.reference]
    others = [p.worse if p.better == result.reference else p.better for p in result.against]
    rest = [name for name in others if name not in {*better, *worse}]
    parts = [
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} significantly {word} than {result.reference}"
        for names, word in ((better, "better"), (worse, "worse"))
        if names
    ]
    if rest:
        parts.append(f"no significant difference between {join_names(rest)} and {result.reference}")
    if len(result.against) == 1:
        return describe_pair(result.against[0])
    return f"By {result.metric}: {'; '.join(parts)}."


def _count_unnoticed(result: Comparison) -> list[str]:
    count = sum(p.significant and p.unnoticed for p in result.against)
    if not count:
        return []
    verb = "difference is" if count == 1 else "differences are"
    return [f"{count} significant {verb} smaller than the difference in {result.metric} that people notice."]


def _caveat(pair: PairComparison) -> str:
    if not pair.unnoticed or pair.notice is None:
        return ""
    return f" But people notice differences from {format_number(pair.notice)} on: they may not notice this one."


def _outlook(pair: PairComparison) -> str:
    """Say what would decide it."""
    if pair.against_ranks:
        return f" The mean favours {pair.better}, the test statistic {pair.worse}."
    if isfinite(pair.raters_needed):
        return (
            f" With {format_count(pair.raters, 'rater')} no number of items would show a difference of this size for "
            f"other raters: it takes at least {pair.raters_needed:.0f} raters."
        )
    if not isfinite(pair.needed) or pair.further == 0:
        return ""
    return f" To show a difference of this size, about {pair.further:,.0f} more items are needed."


def _test(pair: PairComparison) -> str:
    difference = format_decimals(abs(pair.difference), score_places(pair.scores))
    raters = f", {format_count(pair.raters, 'rater')}" if pair.raters else ""
    items = format_count(pair.n, "item")
    return f"difference {difference}, {format_p(pair.adjusted)}, {test_name(pair.test)}, {items}{raters}"


def _why_undefined(pair: PairComparison) -> str:
    if pair.n == 0:
        return "they have no item in common"
    constant = ", which all have the same difference" if pair.n > 1 else ""
    return f"the {test_name(pair.test)} is undefined on {format_count(pair.n, 'item')}{constant}"


def _columns(result: Comparison) -> list[Column]:
    by_name = {name: p for p in result.against for name in (p.better, p.worse) if name != result.reference}
    pairs = [by_name.get(r.system) for r in result.ranking]
    following: list[PairComparison | None] = [*result.neighbours, None]
    reference = "baseline" if result.baseline else "best"
    scores, direction = [r.score for r in result.ranking], {"higher_is_better": result.higher_is_better}
    return [
        text_column("system", [r.system for r in result.ranking]),
        Column(result.metric, format_scores(scores), best=() if result.undirected else find_best(scores, **direction)),
        *_other_scores(result),
        Column(f"{100 * result.confidence:.3g}% CI", format_ranges([(r.low, r.high) for r in result.ranking])),
        Column("items", [f"{r.n:,}" for r in result.ranking]),
        Column("group", [_group(r) for r in result.ranking]),
        Column(f"p vs {reference}", [_p(p) for p in pairs]),
        *([Column("unadjusted", [_format_unadjusted(p) for p in pairs])] if result.tests > 1 else []),
        *([Column("sacreBLEU's p", [_format_sacrebleu(p) for p in pairs])] if result.corpus else []),
        Column("effect", [_effect(p, result.reference) for p in pairs]),
        Column("ahead on", [_ahead(p, result.reference) for p in pairs]),
        Column("p vs next", [_p(p) for p in following]),
        Column("items to decide", [_format_needed(p) for p in following]),
        *([Column("raters to decide", [_format_raters(p) for p in following])] if _lacks_raters(following) else []),
    ]


def _lacks_raters(pairs: Sequence[PairComparison | None]) -> bool:
    return any(pair is not None and isfinite(pair.raters_needed) for pair in pairs)


def _format_raters(pair: PairComparison | None) -> str:
    return "" if pair is None or isnan(pair.raters_needed) else f"{pair.raters_needed:.0f}"


def _warn_few_raters(result: Comparison) -> list[str]:
    """Say how often the test errs where raters are too few for its level, and what a single rater leaves open."""
    if not isnan(result.level):
        count = f"{format_count(len(result.ranking), 'system')} and {format_count(result.raters, 'rater')}"
        return [
            f"With {count} this test finds a difference that is not there in {format_percent(result.level)} of "
            f"studies, {_weigh_level(result)}: more raters are needed."
        ]
    if result.untested_raters == "one-rater" and len(result.ranking) > 1:
        return ["One rater judged: whether others would say the same cannot be tested."]
    return []


def _weigh_level(result: Comparison) -> str:
    if result.level < result.alpha:
        return "and misses many that are there"
    return f"not {format_percent(result.alpha)}"


def _other_scores(result: Comparison) -> list[Column]:
    """Return the scores that were not tested: the corpus score, where item scores were."""
    if result.corpus or all(isnan(r.corpus) for r in result.ranking):
        return []
    return [Column("corpus score", format_scores([r.corpus for r in result.ranking]))]


def _notes(result: Comparison) -> list[str]:
    reference = f"{'baseline' if result.baseline else 'best system'}, {result.reference}"
    pairs = len(result.against)
    notes = [
        f"{_describe_test(result)}: against the "
        f"{reference}, and against the next system in the table. * significant. A new group begins where a system is "
        "significantly worse than a member of the group above. effect: mean difference from "
        f"{result.reference} in standard deviations of the differences. ahead on: share of items on which the system "
        f"is better than {result.reference}. items to decide: how many more items would show the difference from the "
        f"next system with power 0.8{_describe_raters(result)}. Intervals: {result.resamples:,} bootstrap samples of "
        f"items{', raters as they are' if result.raters else ''}, seed {result.seed}.",
    ]
    if result.untested_raters in _WHY_MEANS:
        notes.append(_WHY_MEANS[result.untested_raters])
    if _other_scores(result):
        notes.append(
            f"{result.metric} is the mean of item scores here, and the tests are of item scores. The corpus score is "
            "not their mean; it can be tested with --test bootstrap where the statistics behind it are known: score "
            "the texts, or read scores that assay score --per-item --out wrote."
        )
    if result.tests > 1:
        own = f", those against the baseline for {pairs}" if result.baseline else ""
        notes.append(f"p-values are adjusted for {result.tests} tests{own} (Holm); unadjusted: before that.")
    if result.corpus and result.test == "bootstrap":
        notes.append(
            "sacreBLEU's p is what sacrebleu --paired-bs prints. It counts one tail only and so calls about twice as "
            "many equal systems different as the level says; the tests here are two-sided."
        )
    if empty := [r.system for r in result.ranking if not r.n]:
        notes.append(f"Without scores, so not ranked: {join_names(empty)}.")
    if not result.higher_is_better:
        notes.append("Lower is better.")
    return [*notes, f"{result.metric} = {result.signature}"] if result.signature != result.metric else notes


_WHY_MEANS = {
    "positions": "The raters are positions on a line, not people: means over them were tested, for these raters only.",
    "other-test": "Means over raters were tested: the result holds for these raters; leave --test out to test whether "
    "it would hold for others.",
}


def _describe_test(result: Comparison) -> str:
    level = f"two-sided, level {result.alpha:g}"
    if not result.raters:
        return f"Tests are paired by item ({test_name(result.test)}, {level})"
    if result.test == "these-raters":
        return f"Tests are of ratings, for these raters only ({level})"
    return (
        f"Tests are of ratings, for other raters and items than these (Satterthwaite's degrees of freedom, {level}; "
        "--these-raters tests for these raters only)"
    )


def _describe_raters(result: Comparison) -> str:
    if not result.raters:
        return ""
    if not _lacks_raters(result.neighbours):
        return " and as many raters"
    return " and as many raters; raters to decide: how many raters it takes at least where no number of items would"


def _group(system: RankedSystem) -> str:
    return str(system.group) if system.group else MISSING


def _p(pair: PairComparison | None) -> str:
    return "" if pair is None else format_p_cell(pair.adjusted, significant=pair.significant)


def _format_unadjusted(pair: PairComparison | None) -> str:
    return "" if pair is None else format_p_cell(pair.pvalue).strip()


def _format_sacrebleu(pair: PairComparison | None) -> str:
    return "" if pair is None else format_p_cell(pair.sacrebleu).strip()


def _effect(pair: PairComparison | None, reference: str) -> str:
    if pair is None:
        return ""
    effect = pair.effect if pair.better != reference else -pair.effect
    return MISSING if isnan(effect) else f"{effect:+.2f}"


def _ahead(pair: PairComparison | None, reference: str) -> str:
    return "" if pair is None else format_percent(pair.won if pair.better != reference else pair.lost)


def _format_needed(pair: PairComparison | None) -> str:
    if pair is None or pair.significant or isnan(pair.further):
        return ""
    return MISSING if pair.further == inf else f"{pair.further:,.0f}"
