"""From findings to the sections of the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ..meta import Comparison, PairComparison
from ..meta.words import listed, plural, pvalue
from . import charts
from .blocks import Block, Choice, Section
from .findings import Findings, Panel, Trial
from .numbers import decimals, percent, scaled, within
from .table import Column

_MOST_METRICS = 12  # in a matrix that can still be read
_DASHED = "The dashed line is the smallest difference from which people order 95% of the pairs alike."
_MOST_LINES = 4  # curves that can be told apart
_TESTS = {"wilcoxon": "Wilcoxon", "flip": "permutation"}


def sections(found: Findings) -> list[Section]:
    """Those that have something to say, in order; the items and the way to get it again are the page's own."""
    made = [systems(found), trial(found), stability(found), raters(found), cautions(found)]
    return [section for section in made if section is not None]


def systems(found: Findings) -> Section:
    """Systems with intervals and groups, by each metric and each judged dimension."""
    ranked = [(name, c) for name, c in found.comparisons.items()]
    ranked += [(f"{t.human.name} (people)", t.people) for t in found.trials if t.people is not None]
    options = tuple((name, (_ranking(c),)) for name, c in ranked)
    every = [Block(title="All scores", columns=_all_scores(found, ranked))] if len(ranked) > 1 else []
    return Section("systems", "Systems", "Which system is better?", (Choice("By", options), *every))


def _ranking(c: Comparison) -> Block:
    by_name = {name: p for p in c.against for name in (p.better, p.worse) if name != c.reference}
    pairs = [by_name.get(r.system) for r in c.ranking]
    after: list[PairComparison | None] = [*c.neighbours, None]
    columns = (
        Column("system", [r.system for r in c.ranking], right=False),
        *([Column("score", scaled([r.score for r in c.ranking]))] if c.corpus else []),
        Column("mean", scaled([r.mean for r in c.ranking])),
        Column(f"{100 * c.confidence:.0f}% interval", charts._intervals([(r.low, r.high) for r in c.ranking])),
        Column("items", [f"{r.n:,}" for r in c.ranking]),
        Column("group", [str(r.group) if r.group else "–" for r in c.ranking]),
        Column("against the best", [_p(p) for p in pairs]),
        Column("effect", [_effect(p, c.reference) for p in pairs]),
        Column("wins", [_wins(p, c.reference) for p in pairs]),
        Column("against the next", [_p(p) for p in after]),
        Column("more items to tell them", [_more(p) for p in after]),
    )
    shown = f"The first {charts.MOST_ROWS} of {len(c.ranking)} are drawn; all are in the table."
    notes = (
        f"Systems of one group cannot be told apart: a new group begins where a system is significantly worse than a "
        f"member of the group above ({_TESTS.get(c.test, c.test)} test paired by item, two-sided, at {c.alpha:g}). Intervals: "
        f"{c.resamples:,} bootstrap samples of items, seed {c.seed}. Effect: mean difference in standard deviations of "
        "the differences. Wins: share of items on which the system is ahead of the best. * significant.",
        *c.notes,
        *([shown] if len(c.ranking) > charts.MOST_ROWS else []),
    )
    return Block("", (c.sentence(),), charts.ranking(c), columns, notes)


def _all_scores(found: Findings, ranked: Sequence[tuple[str, Comparison]]) -> tuple[Column, ...]:
    order = [r.system for r in ranked[0][1].ranking]
    order += [s for s in found.data.systems if s not in set(order)]
    people = set(found.data.people)
    columns = [Column("system", [f"{s} (a person)" if s in people else s for s in order], right=False)]
    for name, scores in [*found.metrics.items(), *((f"{t.human.name} (people)", t.human) for t in found.trials)]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        columns.append(Column(name, scaled([means.get(s, float("nan")) for s in order])))
    return tuple(columns)


def trial(found: Findings) -> Section | None:
    """Metrics on trial, by judged dimension."""
    if not found.metrics:
        return None
    options = tuple((t.human.name, tuple(blocks)) for t in found.trials if (blocks := _trial_blocks(found, t)))
    if not options:
        why = (
            "The set has no human judgments, so the metrics cannot be put on trial. Judgments of some of these outputs "
            "would show how far to believe the scores."
            if not found.trials
            else "Fewer than two systems were judged, so there is nothing on which metrics and people could agree."
        )
        return Section("metrics", "Metrics on trial", "May I believe the score?", (Block(sentences=(why,)),))
    return Section("metrics", "Metrics on trial", "May I believe the score?", (Choice("Judged", options),))


def _trial_blocks(found: Findings, t: Trial) -> list[Block]:
    blocks = []
    if t.correlations:
        first = t.correlations[0]
        blocks.append(
            Block("Do metrics say what people say?", (_best(t),), charts.correlations(t.correlations),
                  _with_failures(t),
                  (f"Intervals: {first.resamples:,} bootstrap samples of systems and items, seed {first.seed}. Systems: "
                   "means over items are correlated; within items: the outputs of one item, averaged over items; all "
                   "outputs: every output is a point. Items failed: correlation within the item below .65 (Peyrard et "
                   "al. 2017).",))
        )  # fmt: skip
        if len(t.human.systems) > 2:
            best = max((c for c in t.correlations), key=lambda c: (c.level == "system", _low(c.value)))
            scores = found.metrics[best.metric]
            drawn = charts.scatter(scores, t.human)
            blocks.append(Block(f"System by system: {best.metric} and {t.human.name}", (), drawn, tuple(drawn.columns)))
    if t.dominance is not None and len(t.dominance.metrics) > 1:
        blocks.append(_dominance(t))
    if t.agreements and any(a.n for a in t.agreements):
        ordered = sorted(t.agreements, key=lambda a: -_low(a.value))
        drawn = charts.agreements(ordered)
        contradicted = tuple(_contradicted(a.metric, a.automatic.contradicted) for a in ordered if a.automatic.contradicted)
        blocks.append(
            Block("Would people have decided the same?", (ordered[0].sentence(),), drawn, tuple(drawn.columns),
                  (f"Every pair of systems is decided by a paired {_TESTS.get(ordered[0].test, ordered[0].test)} test over items at "
                   f"{ordered[0].alpha:g}, once by the metric and once by people (Owczarzak et al. 2012).", *contradicted))
        )  # fmt: skip
    options = [n for n in t.noticeable if n.bins]
    if options:
        near = max(options, key=lambda n: (not isnan(n.value), _low(n.overall)))
        drawn = charts.noticeable(near)
        steps = (
            Column("metric", [n.metric for n in t.noticeable], right=False),
            Column("difference needed", [_short(n.value) for n in t.noticeable]),
            Column("95% interval", ["–" if isnan(n.low) else f"{_short(n.low)}–{_short(n.high)}" for n in t.noticeable]),
            Column("pairs as far apart", [str(n.above) for n in t.noticeable]),
            Column("pairs", [str(n.n) for n in t.noticeable]),
            Column("ordered alike, all pairs", [percent(n.overall) for n in t.noticeable]),
        )  # fmt: skip
        blocks.append(
            Block("How large must a difference be?", (near.sentence(),), drawn, tuple(drawn.columns),
                  (_DASHED,) if near.value == near.value else ())
        )  # fmt: skip
        blocks.append(Block("The same for every metric", columns=steps))
    return blocks


def _best(t: Trial) -> str:
    level = "system" if any(c.level == "system" and c.value == c.value for c in t.correlations) else t.correlations[0].level
    return max((c for c in t.correlations if c.level == level), key=lambda c: _low(c.value)).sentence()


def _with_failures(t: Trial) -> tuple[Column, ...]:
    columns = tuple(charts.correlations(t.correlations).columns)
    failed = {f.metric: percent(f.value) for f in t.failures}
    if not failed:
        return columns
    return (*columns, Column("items failed", [failed[c.metric] if c.level == "item" else "" for c in t.correlations]))


def _dominance(t: Trial) -> Block:
    found = t.dominance
    assert found is not None
    drawn = charts.dominance(found) if len(found.metrics) <= _MOST_METRICS else None
    columns = (
        Column("metric", [s.metric for s in found.ranking], right=False),
        Column("mean r", [decimals(s.value) for s in found.ranking]),
        Column("unbeaten on", [percent(s.unbeaten) for s in found.ranking]),
        Column("top group", ["yes" if s.top else "" for s in found.ranking], right=False),
        Column("dominated by", [listed(s.dominated_by, 3) if s.dominated_by else "" for s in found.ranking], right=False),
    )  # fmt: skip
    matrix = tuple(drawn.columns[1:]) if drawn is not None else ()
    notes = (
        f"Score differences of every pair of systems ({plural(len(found.pairs), 'pair')}, {found.items} items) are "
        f"correlated with people's; Williams' test at {found.alpha:g}. A metric dominates another if it is better on "
        f"{percent(found.needed)} of the pairs (Toutanova et al. 2016). Percentages in the table: pairs on which the "
        "row's metric is better than the column's.",
    )
    return Block("Which metric is best on single items?", (found.sentence(),), drawn, (*columns, *matrix), notes)


def _contradicted(metric: str, pairs: Sequence[tuple[str, str]]) -> str:
    shown = "; ".join(f"{a} and {b}" for a, b in pairs[:5])
    return f"{metric} contradicts people on {shown}{f' and {len(pairs) - 5} more' if len(pairs) > 5 else ''}."


def stability(found: Findings) -> Section | None:
    """Curves against the number of items and references."""
    options = []
    for t in found.trials:
        blocks = []
        for title, curves in (("How many items?", t.by_items), ("How many references?", t.by_references)):
            if curves and any(not isnan(c.actual) for c in curves):
                best = sorted(curves, key=lambda c: -_low(c.actual))
                drawn = charts.stability(best[:_MOST_LINES])
                table = charts.stability(curves).columns
                said = [best[0].sentence()] + ([t.halves.sentence()] if curves is t.by_items and t.halves else [])
                note = (
                    f"Mean correlation of system scores over {curves[0].draws:,} random draws (standard deviation), seed "
                    f"{curves[0].seed}; the band holds 95% of them. The metric sees a part, people all (Owczarzak and "
                    "Dang 2009)."
                )
                corpus = [c.metric for c in curves if found.metrics[c.metric].corpus is not None]
                also = f"By means over items, also for {listed(corpus)}, elsewhere by corpus scores." if corpus else ""
                blocks.append(Block(title, tuple(said), drawn, tuple(table), (note, *([also] if also else []))))
        if blocks:
            options.append((t.human.name, tuple(blocks)))
    if not options:
        return None
    return Section("stability", "Stability", "How many items and references does it take?",
                   (Choice("Judged", tuple(options)),))  # fmt: skip


def raters(found: Findings) -> Section | None:
    """Agreement, consistency and severity of raters, and what becomes of the ranking without each."""
    if not found.panels:
        return None
    blocks: list[Block | Choice] = []
    several = [p.agreement for p in found.panels if len(p.agreement.raters) > 1]
    if several:
        drawn = charts.raters(several)
        note = ("Alpha is 1 for perfect agreement and 0 for chance; rely on .8 and more, tentatively on .667 "
                "(Krippendorff).",)  # fmt: skip
        sentences = tuple(a.sentence() for a in several)
        blocks.append(Block("Do the raters agree?", sentences, drawn, tuple(drawn.columns), note))
    else:
        blocks.append(Block("Do the raters agree?", tuple(p.agreement.sentence() for p in found.panels)))
    options = tuple((p.agreement.dimension, tuple(made)) for p in found.panels if (made := _panel_blocks(found, p)))
    blocks += [Choice("Judged", options)] if options else []
    return Section("raters", "Raters", "May I believe the judges?", tuple(blocks))


def _panel_blocks(found: Findings, p: Panel) -> list[Block]:
    if p.positional:
        why = "Raters are places in the file (first, second, ...) and not people, so nothing can be said of each."
        return [Block(sentences=(why, p.needed.sentence()))]
    said = [p.needed.sentence()]
    said += [p.consistency.sentence()] if p.consistency is not None else []
    blocks = []
    if p.severity is not None:
        drawn = charts.severities(p.severity)
        own = p.consistency
        rows = sorted(p.severity.raters, key=lambda r: (isnan(r.rest), r.rest))
        twice = [own.of(r.rater) if own is not None else None for r in rows]
        columns = (
            Column("rater", [r.rater for r in rows], right=False),
            Column("ratings", [f"{r.n:,}" for r in rows]),
            Column("mean", [decimals(r.mean, 2) for r in rows]),
            Column("severity", [decimals(r.severity, 2) for r in rows]),
            Column("spread", [decimals(r.spread, 2) for r in rows]),
            Column("scale used", [percent(r.used) for r in rows]),
            Column("r with the others", [decimals(r.rest) for r in rows]),
            Column("same text twice", [str(t.pairs) if t else "" for t in twice]),
            Column("self-consistency (alpha)", [decimals(t.alpha.value) if t else "" for t in twice]),
        )
        notes = (
            "Severity: how much less than the others on the same outputs. Spread: standard deviation over that of the "
            "others. Self-consistency: the same text judged twice by one rater. Largest dots: most ratings.",
        )
        blocks.append(Block("The raters one by one", (p.severity.sentence(), *said), drawn, columns, notes))
    elif said:
        blocks.append(Block("", tuple(said)))
    if p.left_out:
        blocks.append(_left_out(found, p))
    return blocks


def _left_out(found: Findings, p: Panel) -> Block:
    metric = next(iter(found.metrics), "")
    rows = sorted(p.left_out, key=lambda d: (isnan(d.pearson), d.pearson))
    columns = [
        Column("without", [d.raters[0] for d in rows], right=False),
        Column("alpha", [decimals(d.alpha_after) for d in rows]),
        Column("change", [_signed(d.alpha_after - d.alpha_before) for d in rows]),
        Column("r of system means with all raters'", [decimals(d.pearson) for d in rows]),
        Column("Spearman", [decimals(d.spearman) for d in rows]),
    ]
    if metric and rows[0].metrics:
        columns += [
            Column(f"r of {metric} with people", [decimals(d.metrics[0].systems_after) for d in rows]),
            Column("was", [decimals(d.metrics[0].systems_before) for d in rows]),
        ]
    few = len(p.left_out) < len(p.agreement.raters)
    note = (f"The {len(p.left_out)} raters who agree least with the rest.",) if few else ()
    return Block("What if a rater is left out?", (rows[0].sentence(),), None, tuple(columns), note)


def cautions(found: Findings) -> Section:
    """Leaks, sentinels and what was odd about the data."""
    blocks: list[Block | Choice] = []
    if found.leaks is not None:
        blocks.append(_leak(found))
    blind = tuple((t.human.name, (_sentinels(t),)) for t in found.trials if t.places is not None)
    blocks += [Choice("Judged", blind)] if blind else []
    blocks.append(Block("The data", tuple(_odd(found))))
    if found.notes:
        notes = (Column("note", found.notes, right=False),)
        said = f"{plural(len(found.notes), 'number')} could not be computed; they are dashes in the tables."
        blocks.append(Block("Numbers that do not exist", (said,), columns=notes, folded="Which, and why"))
    return Section("cautions", "Cautions", "What could be wrong with all this?", tuple(blocks))


def _leak(found: Findings) -> Block:
    leaks = found.leaks
    assert leaks is not None
    shown = [leak for leak in leaks.found if leak.system in leaks.systems][:50]
    columns = (
        Column("system", [leak.system for leak in shown], right=False),
        Column("item", [leak.item for leak in shown], right=False),
        Column("reference", [str(leak.reference + 1) for leak in shown]),
        Column("overlap", [decimals(leak.overlap, 2) for leak in shown]),
    )
    return Block("Outputs among their own references", (leaks.sentence(),), None, columns if shown else ())


def _sentinels(t: Trial) -> Block:
    places = t.places
    assert places is not None
    columns = (
        Column("metric", [p.metric for p in places.places], right=False),
        Column("rank", [str(p.rank) if p.rank > 0 else "–" for p in places.places]),
        Column("r within items", [decimals(p.correlation) for p in places.places]),
        Column("system pairs right", [percent(p.accuracy) for p in places.places]),
        Column("soft", [decimals(p.soft) for p in places.places]),
        Column("acc_eq", [decimals(p.acc_eq) for p in places.places]),
        Column("PDP", [decimals(p.pdp) for p in places.places]),
    )
    notes = (
        "In brackets: blind metrics that look at length, variety of words or copying alone. They must not win; where "
        f"one does, that measure does not show quality on this data. {places.resamples:,} permutations, seed "
        f"{places.seed}.",
    )
    return Block("Does a blind metric win?", (places.sentence(),), None, columns, notes)


def _odd(found: Findings) -> list[str]:
    said = []
    if found.empty_outputs:
        said.append(f"{plural(found.empty_outputs, 'output')} {'is' if found.empty_outputs == 1 else 'are'} empty.")
    if found.missing_outputs:
        said.append(f"{plural(found.missing_outputs, 'output')} of systems are missing; their scores are left out.")
    if found.data.people:
        said.append(
            f"{plural(len(found.data.people), 'person') if len(found.data.people) == 1 else f'{len(found.data.people)} people'} "
            f"({listed(found.data.people, 8)}) stand among the systems; they are left out of rankings and trials."
        )  # fmt: skip
    lower = [name for name, s in found.metrics.items() if not s.higher_is_better]
    if lower:
        said.append(f"Lower is better by {listed(lower)}.")
    return said or ["Every system has an output for every item, and none is empty."]


def _p(pair: PairComparison | None) -> str:
    if pair is None:
        return ""
    return pvalue(pair.adjusted).replace("p ", "").replace("= ", "") + ("*" if pair.significant else "")


def _effect(pair: PairComparison | None, reference: str) -> str:
    if pair is None or isnan(pair.effect):
        return ""
    return decimals(-pair.effect if pair.better == reference else pair.effect, 2)


def _wins(pair: PairComparison | None, reference: str) -> str:
    return "" if pair is None else percent(pair.lost if pair.better == reference else pair.won)


def _more(pair: PairComparison | None) -> str:
    if pair is None or pair.significant or isnan(pair.further):
        return ""
    return "no effect" if pair.further == float("inf") else f"{pair.further:,.0f}"


def _signed(value: float) -> str:
    return "–" if isnan(value) else f"{value:+.3f}"


def _short(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3g}"


def _low(value: float) -> float:
    """For sorting: no number comes last."""
    return -2.0 if isnan(value) else value
