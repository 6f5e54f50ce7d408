"""Show comparisons of systems."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, isnan, nan
from typing import TYPE_CHECKING

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
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
    format_range,
    format_ranges,
    format_scores,
    format_signed,
    join_names,
    score_places,
    test_name,
)
from ._inputs import describe_copies, leak_notes
from ._rankings import view_ranking as view_ranking
from ._sentences import ask_direction, describe_lack, describe_sides, name_needs

if TYPE_CHECKING:
    from ..comparison.compare import Comparison, Comparisons
    from ..comparison.pair import PairComparison
    from ..data.statement import Statement


def view_comparison(result: Comparison) -> View:
    """Show a ranking: the best system, then all with intervals, bands and tests."""
    if result.undirected:
        return _show_undirected(result)
    sentences = [
        *_sentences(result),
        *_name_people(result),
        *_warn_few_raters(result),
        *leak_notes(result.leaked, result.signature),
    ]
    return View(sentences, [Table(_columns(result))], [chart_ranking(result)], _notes(result))


def _name_people(result: Comparison) -> list[str]:
    """Say which of the systems are people, who are scored against the references of the others."""
    if not result.people or len(result.people) == len(result.ranking):
        return []
    verb = "is a person" if len(result.people) == 1 else "are people"
    fewer = "" if result.judges else ", with a reference fewer than systems have"
    return [f"{join_names(result.people, 10)} {verb}{fewer}; --people exclude ranks systems alone."]


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
    note = "From the highest number to the lowest. Intervals are of each score alone."
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
    (statement,) = pair.statements()
    a, b, metric = pair.better, pair.worse, pair.metric
    if statement.claim == "undefined":
        return f"{a} and {b} cannot be compared by {metric}: {_why_undefined(pair)}."
    if statement.claim == "equal":
        return f"{a} and {b} have the same {metric}: {format_scores(pair.scores)[0]} ({_count_items(pair)})."
    if statement.needs:
        return f"{describe_lack(statement)} whether {a} or {b} is better by {metric}: {name_needs(statement)}."
    first, second = format_scores(pair.scores)
    numbers = f"{first} and {second}; {_difference(pair, statement)}"
    if statement.claim != "better":
        return f"No significant difference between {a} and {b} in {metric}: {numbers}.{_outlook(pair)}"
    return f"{a} is significantly better than {b} in {metric}: {numbers}.{_caveat(pair)}"


def chart_ranking(result: Comparison) -> Chart:
    """Chart systems from best to worst with their intervals; those that the first is not better than stand out."""
    leaders = set(result.leaders())
    rows = [
        {
            "system": r.system,
            "score": vega.number(r.score),
            "low": vega.number(r.low),
            "high": vega.number(r.high),
            "n": r.n,
            "band": r.bands,
            "place": vega.BEST if r.system in leaders else vega.OTHERS,
        }
        for r in result.ranking
    ]
    spec = vega.ranked_intervals(rows, result.metric, count="items")
    columns = (
        text_column("system", [r.system for r in result.ranking]),
        Column(result.metric, format_scores([r.score for r in result.ranking])),
        Column("interval", format_ranges([(r.low, r.high) for r in result.ranking], [r.score for r in result.ranking])),
        *([] if result.baseline else [text_column("band", [r.bands or MISSING for r in result.ranking])]),
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
    statements = result.statements()
    if not result.bands or not statements:
        return f"No system has {result.metric} scores."
    if not result.tests:
        return f"{_lead(result)} No two systems can be compared: it takes two that have scores on two items or more."
    answer, nearest = statements[0], result.neighbours[0]
    count = len(result.ranking)
    if answer.needs:
        lack = f"{describe_lack(answer)} which of {count} systems is best by {result.metric}: {name_needs(answer)}"
        return f"{lack}{_count_short(result, answer)}."
    score = format_scores([r.score for r in result.ranking])[1]
    closest = f"{result.ranking[1].system}, {score}; {_difference(nearest, answer)}"
    if answer.claim == "best":
        return (
            f"{_lead(result)} It is significantly better than the other {count - 1} systems: the closest is {closest}."
        )
    if isnan(nearest.pvalue):
        return f"{_lead(result)} It is not significantly better than {join_names(result.leaders()[1:])}."
    outlook = _outlook(nearest)
    if len(result.bands) == 1:
        return f"No significant differences among the {count} systems in {result.metric}. {_lead(result)}{outlook}"
    if answer.others == (result.ranking[1].system,):
        return f"{_lead(result)} It is not significantly better than {closest}.{outlook}"
    return (
        f"{_lead(result)} It is not significantly better than {join_names(answer.others)}: the closest is {closest}."
        f"{outlook}"
    )


def _count_short(result: Comparison, answer: Statement) -> str:
    """Count the systems with fewer items than are needed, where others have enough."""
    least = answer.needs.get("clusters", 0)
    short = sum(r.n < least for r in result.ranking)
    if not 0 < short < len(result.ranking):
        return ""
    verb = "has" if short == 1 else "have"
    return f" of each, and {short:,} of the systems {verb} fewer; --only compares others"


def _against_baseline(result: Comparison) -> str:
    """Say of each system how it compares with the baseline."""
    if len(result.against) == 1:
        return describe_pair(result.against[0])
    statements, reference = result.statements(), result.reference
    if statements and all(s.needs for s in statements):
        return (
            f"{describe_lack(statements[0])} which systems are better than {reference} by {result.metric}: "
            f"{name_needs(statements[0])}."
        )
    parts = describe_sides(statements, reference, "significantly better than", "significantly worse than")
    open_pairs = [p for p in result.against if p.statements()[0].claim == "not shown to differ"]
    outlook = _outlook(max(open_pairs, key=lambda p: p.detectable)) if open_pairs else ""
    return f"By {result.metric}: {'; '.join(parts)}.{outlook}"


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
    """Say what difference the items at hand find, and what it takes to find the one that people notice."""
    if pair.against_ranks:
        return f" The mean favours {pair.better}, the test statistic {pair.worse}."
    if isnan(pair.detectable):
        return ""
    these = "These items and raters" if pair.raters else "These items"
    sentence = (
        f" {these} find a difference of {format_decimals(pair.detectable, score_places(pair.scores))} with power 0.8"
    )
    if isnan(pair.needed) or pair.notice is None or pair.detectable <= pair.notice:
        return f"{sentence}."
    wanted = format_number(pair.notice)
    if isfinite(pair.needed):
        return f"{sentence}; {pair.needed:,.0f} find one of {wanted}."
    raters = "" if isnan(pair.raters_needed) else f": it takes at least {pair.raters_needed:.0f} raters"
    return f"{sentence}; with {format_count(pair.raters, 'rater')} no number finds one of {wanted}{raters}."


def _difference(pair: PairComparison, statement: Statement) -> str:
    """Give the difference with what it rests on: interval and p-value, for how many pairs, items."""
    places = score_places(pair.scores)
    facts = []
    if not isnan(statement.low):
        ends = f"{format_decimals(statement.low, places)} to {format_decimals(statement.high, places)}"
        facts.append(f"{100 * (1 - pair.alpha):.3g}% CI {ends}")
    facts.append(format_p(pair.adjusted))
    if isnan(pair.low):
        facts.append(test_name(pair.test))
    elif pair.tests > 1:
        facts.append(f"simultaneous for {pair.tests:,} pairs")
    common = isnan(pair.low) and min(pair.items) > pair.n
    if not common:
        facts.append(_count_items(pair))
    if pair.raters:
        facts.append(format_count(pair.raters, "rater"))
    where = f" on the {pair.n} items in common" if common else ""
    return f"difference {format_decimals(abs(pair.difference), places)}{where} ({', '.join(facts)})"


def _count_items(pair: PairComparison) -> str:
    """Count the items of both; where they are not the same, how many are in common.

    >>> from types import SimpleNamespace as Pair
    >>> _count_items(Pair(n=24, items=(24, 24), inputs=24, clusters=24))
    '24 items'
    >>> _count_items(Pair(n=24, items=(24, 24), inputs=12, clusters=3))
    '12 items in 24 runs and 3 clusters'
    >>> _count_items(Pair(n=3, items=(20, 24), inputs=41, clusters=41))
    '20 and 24 items, 3 in common'
    """
    first, second = pair.items
    if first == second == pair.n:
        facets = [format_count(pair.n, "run")] if pair.inputs < pair.n else []
        facets += [format_count(pair.clusters, "cluster")] if pair.clusters < pair.inputs else []
        return f"{format_count(pair.inputs, 'item')}{' in ' if facets else ''}{' and '.join(facets)}"
    clusters = f" in {format_count(pair.clusters, 'cluster')}" if pair.clusters < pair.inputs else ""
    return f"{first:,} and {format_count(second, 'item')}, {f'{pair.n:,}' if pair.n else 'none'} in common{clusters}"


def _why_undefined(pair: PairComparison) -> str:
    if isnan(pair.difference):
        return "they have no item in common" if min(pair.items) else "one of them has no scores"
    constant = ", which all have the same difference" if pair.n > 1 else ""
    return f"the {test_name(pair.test)} is undefined on {format_count(pair.n, 'item')}{constant}"


def _columns(result: Comparison) -> list[Column]:
    by_name = {name: p for p in result.against for name in (p.better, p.worse) if name != result.reference}
    pairs = [by_name.get(r.system) for r in result.ranking]
    following: list[PairComparison | None] = [*result.neighbours, None]
    reference = "baseline" if result.baseline else "best"
    scores, direction = [r.score for r in result.ranking], {"higher_is_better": result.higher_is_better}
    columns = [
        text_column("system", [r.system for r in result.ranking]),
        Column(result.metric, format_scores(scores), best=() if result.undirected else find_best(scores, **direction)),
        *_other_scores(result),
        Column(
            f"{100 * result.confidence:.3g}% CI",
            format_ranges([(r.low, r.high) for r in result.ranking], [r.score for r in result.ranking]),
        ),
        Column("items", [f"{r.n:,}" for r in result.ranking]),
        *([] if result.baseline else [text_column("band", [r.bands or MISSING for r in result.ranking])]),
        *_difference_columns(pairs, result, reference),
        *([Column("sacreBLEU's p", [_format_sacrebleu(p) for p in pairs])] if _resamples_corpus(result) else []),
        Column("effect", [_effect(p, result.reference) for p in pairs]),
        Column("ahead on", [_ahead(p, result.reference) for p in pairs]),
    ]
    if not result.baseline:
        columns.append(Column("p vs next", _format_p_cells(following)))
    columns += _outlook_columns(pairs if result.baseline else following)
    if any(not isnan(r.run_spread) for r in result.ranking):
        columns.append(Column("SD over runs", format_scores([r.run_spread for r in result.ranking])))
    return columns


def _difference_columns(pairs: Sequence[PairComparison | None], result: Comparison, reference: str) -> list[Column]:
    """Return the difference from the reference, its interval where the test has one, and its p-value."""
    leads = [_turn(p, result.reference) for p in pairs]
    places = score_places([r.score for r in result.ranking])
    columns = []
    if any(not isnan(low) for _, low, _ in leads):
        cells = [
            "" if p is None else f"{format_signed(lead, places)} ({format_range(low, high, places)})"
            for p, (lead, low, high) in zip(pairs, leads, strict=True)
        ]
        columns = [Column(f"vs {reference} ({100 * (1 - result.alpha):.3g}% CI)", cells)]
    return [*columns, Column(f"p vs {reference}", _format_p_cells(pairs))]


def _turn(pair: PairComparison | None, reference: str) -> tuple[float, float, float]:
    """Return score less that of the reference, with its interval."""
    if pair is None:
        return nan, nan, nan
    if pair.worse == reference:
        return pair.difference, pair.low, pair.high
    return -pair.difference, -pair.high, -pair.low


def _resamples_corpus(result: Comparison) -> bool:
    return result.corpus and any(not isnan(p.sacrebleu) for p in result.pairs)


def _outlook_columns(pairs: Sequence[PairComparison | None]) -> list[Column]:
    """Return what difference the items find, and how many items and raters find the one that people notice."""
    known = [None if p is None or isnan(p.detectable) else p for p in pairs]
    cells = ["" if p is None else format_decimals(p.detectable, score_places(p.scores)) for p in known]
    columns = [Column("finds", cells)] if any(cells) else []
    if any(p is not None and not isnan(p.needed) for p in pairs):
        columns.append(Column("items needed", ["" if p is None else _format_needed(p) for p in pairs]))
    if _lacks_raters(pairs):
        columns.append(Column("raters needed", [_format_raters(p) for p in pairs]))
    return columns


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
    if result.untested_raters in _TOO_FEW_RATERS and len(result.ranking) > 1:
        return [_TOO_FEW_RATERS[result.untested_raters]]
    return []


_TOO_FEW_RATERS = {
    "one-rater": "One rater judged: whether others would say the same cannot be tested.",
    "two-raters": "Two raters judged: whether others would say the same cannot be tested; it takes three.",
}


def _noun(result: Comparison) -> str:
    """Return what was drawn: items, or clusters of them."""
    return "item" if result.design.clusters == result.design.items and result.design.runs < 2 else "cluster"


def _weigh_level(result: Comparison) -> str:
    if result.level < result.alpha:
        return "and misses many that are there"
    return f"not {format_percent(result.alpha)}"


def _other_scores(result: Comparison) -> list[Column]:
    """Return the scores that were not tested: plain means next to adjusted ones, the corpus score next to means."""
    plain = [r.corpus if result.corpus else r.mean for r in result.ranking]
    columns = []
    if result.test in ("adjusted", "satterthwaite") and any(
        abs(own - r.score) > 1e-9 for own, r in zip(plain, result.ranking, strict=True)
    ):
        columns.append(Column("plain score" if result.corpus else "plain mean", format_scores(plain)))
    if not result.corpus and any(not isnan(r.corpus) for r in result.ranking):
        columns.append(Column("corpus score", format_scores([r.corpus for r in result.ranking])))
    return columns


def _notes(result: Comparison) -> list[str]:
    notes = [f"{result.design.describe()}.", _describe_test(result), _describe_columns(result)]
    if result.untested_raters in _WHY_MEANS:
        notes.append(_WHY_MEANS[result.untested_raters])
    if not result.corpus and any(not isnan(r.corpus) for r in result.ranking):
        notes.append(
            f"{result.metric} is the mean of item scores here, and the tests are of item scores. The corpus score is "
            "not their mean; it can be tested where the statistics behind it are known: score the texts, or read "
            "scores that assay score --per-item --out wrote."
        )
    if any(p.significant and p.carried_by_few for p in result.pairs):
        few = next(p for p in result.pairs if p.significant and p.carried_by_few)
        notes.append(
            f"† A tenth of the items or fewer carry the difference: without {_count_carriers(few, result)} there would "
            f"be none between {few.better} and {few.worse}."
        )
    if _resamples_corpus(result) and result.test == "bootstrap":
        notes.append(
            "sacreBLEU's p is what sacrebleu --paired-bs prints. It counts one tail only and so calls about twice as "
            "many equal systems different as the level says; the tests here are two-sided."
        )
    ranked = sum(bool(r.n) for r in result.ranking)
    untested = (ranked - 1 if result.baseline else ranked * (ranked - 1) // 2) - result.tests
    if untested and result.tests:
        notes.append(
            f"{format_count(untested, 'pair')} cannot be tested: a system has one score, or scores that are equal."
        )
    if empty := [r.system for r in result.ranking if not r.n]:
        notes.append(f"Without scores, so not ranked: {join_names(empty)}.")
    if result.copies:
        notes.append(f"Counted once: {describe_copies(result.copies)}; --only compares them too.")
    if not result.higher_is_better:
        notes.append("Lower is better.")
    return [*notes, f"{result.metric} = {result.signature}"] if result.signature != result.metric else notes


def _count_carriers(pair: PairComparison, result: Comparison) -> str:
    noun = "item" if pair.units == result.design.items else "cluster" if result.corpus else "score"
    return f"{pair.carried_by or 0:,} of {format_count(pair.units, noun)}"


_WHY_MEANS = {
    "positions": "The raters are positions on a line, not people: means over them were tested, for these raters only.",
    "these": "Means over raters were tested: the result holds for these raters only.",
    "other-test": "Means over raters were tested: the result holds for these raters; leave --test out to test whether "
    "it would hold for others.",
}


def _describe_test(result: Comparison) -> str:
    """Describe how differences are estimated and tested, in words that a paper can quote."""
    noun = _noun(result)
    family = f"{len(result.pairs) if result.baseline else result.tests:,} pairs" if result.tests > 1 else "one pair"
    if all(isnan(p.error) for p in result.pairs):
        adjusted = f", adjusted for {format_count(result.tests, 'test')} (Holm)" if result.tests > 1 else ""
        return (
            f"Tests are paired by item ({test_name(result.test)}, two-sided, level {result.alpha:g}{adjusted}); "
            "this test has no interval of the difference. * significant."
        )
    draws = f"{result.resamples:,} draws, seed {result.seed}"
    flips = f"signs of {noun}s flipped, {draws}"
    if result.corpus:
        null = f"{noun}s swapped between the two, {draws}" if result.test == "swapped" else flips
        how = f"of corpus scores, standard errors by the jackknife over {noun}s; {null}"
    else:
        how = {
            "paired": f"within items, standard errors by {noun} (cr2); {flips}",
            "shares": f"of shares of the same items: McNemar's test by {noun} (mid-p), Tango's interval; {flips}",
            "all-data": f"of the means of all items, standard errors by {noun} (cr2), Welch's degrees of freedom; "
            f"{draws}",
            "adjusted": "of means adjusted for the items that systems lack (mixed model, Satterthwaite's degrees of "
            f"freedom); {draws}",
            "satterthwaite": "of ratings, for other raters and items than these (variance components, Satterthwaite's "
            f"degrees of freedom; --these-raters: for these raters only); {draws}",
        }[result.test]
    return (
        f"Differences are {how}. Test and interval are one procedure, for {family} at once: * significant, the "
        f"{100 * (1 - result.alpha):.3g}% interval of the difference leaves out 0."
    )


def _describe_columns(result: Comparison) -> str:
    bands = "" if result.baseline else "band: systems that share a letter do not differ significantly. "
    return (
        f"{bands}The interval next to a score is that of the score alone. effect: mean difference from "
        f"{result.reference} in standard deviations of the differences. ahead on: share of items on which the system "
        f"is better than {result.reference}.{_describe_needed(result)}"
    )


def _describe_needed(result: Comparison) -> str:
    pairs = result.against if result.baseline else result.neighbours
    if all(isnan(p.detectable) for p in pairs):
        return ""
    other = result.reference if result.baseline else "the next system"
    raters = " and as many raters" if result.raters else ""
    these = "these items and raters" if result.raters else "these items"
    meaning = f" finds: difference from {other} that {these} find with power 0.8"
    notice = next((p.notice for p in pairs if not isnan(p.needed)), None)
    if notice is None:
        return f"{meaning}; --notice X adds how many items find X."
    needed = f"items needed: how many find one of {format_number(notice)}{raters}"
    if _lacks_raters(pairs):
        needed += "; raters needed: the least where no number of items does"
    return f"{meaning}; {needed}."


def _format_p_cells(pairs: Sequence[PairComparison | None]) -> list[str]:
    """Return the adjusted p-values, with a mark where few items carry the difference."""
    marks = ["†" if p is not None and p.significant and p.carried_by_few else "" for p in pairs]
    fill = " " if any(marks) else ""
    return [
        "" if p is None else format_p_cell(p.adjusted, significant=p.significant) + (mark or fill)
        for p, mark in zip(pairs, marks, strict=True)
    ]


def _format_sacrebleu(pair: PairComparison | None) -> str:
    return "" if pair is None else format_p_cell(pair.sacrebleu).strip()


def _effect(pair: PairComparison | None, reference: str) -> str:
    if pair is None:
        return ""
    effect = pair.effect if pair.better != reference else -pair.effect
    return MISSING if isnan(effect) else f"{effect:+.2f}"


def _ahead(pair: PairComparison | None, reference: str) -> str:
    if pair is None or pair.shares_few:
        return "" if pair is None else MISSING
    return format_percent(pair.won if pair.better != reference else pair.lost)


def _format_needed(pair: PairComparison) -> str:
    if isnan(pair.needed):
        return ""
    return MISSING if pair.needed == inf else f"{pair.needed:,.0f}"
