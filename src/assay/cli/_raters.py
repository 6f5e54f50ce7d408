"""What `assay agree` prints of each Result: sentence, table and JSON records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..views._view import Column
from ._answer import Answer, decimals, within
from ._rater_records import (
    agreement_record,
    alternative_record,
    consistency_record,
    drop_records,
    experts_record,
    needed_record,
    pair_record,
    rater_record,
)

if TYPE_CHECKING:
    from ..data.ratings import Ratings
    from ..raters import Agreement, Alternative, Consistency, Dropped, Experts, Needed, RaterPair, Severity

_FEW_PAIRS = 15
_DASH = "–: not defined (too few outputs in common, no spread, or no text judged twice)."


def dimensions_answer(found: Sequence[Agreement]) -> Answer:
    """A sentence per dimension, and a table of them."""
    drawn = [a.two_raters for a in found]
    columns = [
        _text("dimension", [a.dimension for a in found]),
        Column("raters", [str(len(a.raters)) for a in found]),
        Column("outputs", [str(a.outputs) for a in found]),
        Column("each", [decimals(a.per_output, 1) for a in found]),
        Column("alpha", [decimals(a.alpha.value) for a in found]),
        Column(f"{100 * found[0].confidence:g}% interval", [within(a.alpha.low, a.alpha.high) for a in found]),
        Column("equal", [decimals(a.percent) for a in found]),
        Column("kappa", [_maybe(a.kappa) for a in found]),
        Column("ICC", [_maybe(a.icc.value if a.icc else None) for a in found]),
        Column("simulated", [f"{decimals(t.agreement)}/{decimals(t.kappa)}" if t else "–" for t in drawn]),
    ]
    first = found[0]
    notes = [
        f"each: ratings per output. alpha: Krippendorff's, {first.alpha.measure}, {first.resamples} bootstrap samples "
        f"of outputs, seed {first.seed}. equal: share of pairs of ratings that are equal. kappa: quadratic, mean over "
        "pairs of raters. ICC: of one rater. simulated: equal/kappa of one random rater and the rounded mean of the "
        f"others, {first.simulations} times (Toutanova et al. 2016). –: not defined, or not for this scale or design.",
    ]
    return Answer([a.sentence() for a in found], columns, notes, [agreement_record(a) for a in found])


def places_answer(ratings: Ratings, design: Needed, difference: float | None) -> Answer:
    """Where raters are places on a line, nothing can be said of any one of them."""
    said = (
        f"The raters of {ratings.dimension} ({ratings.raters[0]}, {ratings.raters[1]}, ...) look like places on a "
        "line, not people: the file does not say who rated, so nothing is said of single raters."
    )
    sentence = design.sentence(difference)
    return Answer([sentence, said], records=[needed_record(design, sentence)], title=_title(ratings.dimension))


def raters_answer(
    beside: Severity, twice: Consistency, design: Needed, pairs: Sequence[RaterPair], *, rows: int,
    difference: float | None,
) -> Answer:  # fmt: skip
    """A table of raters, worst agreement with the rest first, and of pairs of raters where they are few."""
    order = sorted(beside.raters, key=lambda p: (p.rest != p.rest, p.rest))
    shown = order[:rows]
    own = [twice.of(p.rater) for p in shown]
    columns = [
        _text("rater", [p.rater for p in shown]),
        Column("n", [str(p.n) for p in shown]),
        Column("mean", [decimals(p.mean, 2) for p in shown]),
        Column("severity", ["–" if p.severity != p.severity else f"{p.severity:+.2f}" for p in shown]),
        Column("spread", [decimals(p.spread, 2) for p in shown]),
        Column("scale used", [_share(p.used) for p in shown]),
        Column("r with rest", [decimals(p.rest) for p in shown]),
        Column("self alpha", [decimals(o.alpha.value) if o else "–" for o in own]),
        Column("judged twice", [str(o.pairs) if o else "0" for o in own]),
    ]
    notes = [
        "severity: how much less than the others on the same outputs. spread: standard deviation over the others'. "
        f"self alpha: on pairs of identical texts. {_DASH}",
    ]
    if len(order) > len(shown):
        notes.append(f"{len(order) - len(shown)} more raters who agree better with the rest: --raters {len(order)}")
    sentence = design.sentence(difference)
    records = [
        needed_record(design, sentence),
        consistency_record(twice),
        *(rater_record(beside.dimension, p, twice) for p in beside.raters),
        *(pair_record(beside.dimension, p) for p in pairs),
    ]  # fmt: skip
    said = [*([beside.sentence()] if len(beside.raters) > 1 else []), twice.sentence(), sentence]
    more = [_pair_columns(pairs)] if pairs and len(pairs) <= _FEW_PAIRS else []
    return Answer(said, columns, notes, records, title=_title(beside.dimension), more=more)


def experts_answer(result: Experts) -> Answer:
    """The three rows of Toutanova et al. (2016), Table 4."""
    m, pair, drawn = result.expert_worker, result.expert_expert, result.two_workers
    columns = [
        _text(result.dimension, ["worker versus worker", "expert versus expert", "expert versus worker"]),
        Column("equal", [_maybe(drawn.agreement if drawn else None), decimals(pair[0]), decimals(m.agreement)]),
        Column("kappa", [_maybe(drawn.kappa if drawn else None), decimals(pair[1]), decimals(m.kappa)]),
        Column("interval", [within(drawn.kappa_low, drawn.kappa_high) if drawn else "–", "–",
                            within(m.kappa_low, m.kappa_high)]),
        Column("r of means", ["–", "–", decimals(m.correlation)]),
    ]  # fmt: skip
    return Answer(
        [result.sentence()],
        columns,
        (),
        [experts_record(result)],
        title=_title(f"{result.dimension}: experts and crowd"),
    )


def drop_answer(result: Dropped) -> Answer:
    """What becomes of the ranking and of each metric."""
    columns = [
        _text("metric", [m.metric.split("(")[0] for m in result.metrics]),
        Column("r of systems", [decimals(m.systems_before) for m in result.metrics]),
        Column("after", [decimals(m.systems_after) for m in result.metrics]),
        Column("r of outputs per rater", [decimals(m.outputs_before) for m in result.metrics]),
        Column("after", [decimals(m.outputs_after) for m in result.metrics]),
    ]
    said = [result.sentence()]
    if result.alpha_after == result.alpha_after:
        said.append(f"Alpha goes from {decimals(result.alpha_before)} to {decimals(result.alpha_after)}.")
    who = "worst rater" if len(result.raters) == 1 else f"{len(result.raters)} worst raters"
    title = _title(f"{result.dimension}: without the {who} by {result.by}")
    return Answer(said, columns, [m.metric for m in result.metrics], list(drop_records(result)), title=title)


def alternative_answer(result: Alternative) -> Answer:
    """The judge against each human."""
    rows = result.humans
    columns = [
        _text("human left out", [h.rater for h in rows]),
        Column("n", [str(h.n) for h in rows]),
        Column("judge as near", [_share(h.judge_advantage) for h in rows]),
        Column("human as near", [_share(h.human_advantage) for h in rows]),
        Column("p (adjusted)", [decimals(h.adjusted) for h in rows]),
        Column("won", ["yes" if h.won else "no" for h in rows]),
    ]
    title = _title(f"{result.dimension}: {result.judge}")
    notes = [f"Nearness by {result.score}; Benjamini-Yekutieli at {result.q:g} (Calderon et al. 2025)."]
    return Answer([result.sentence()], columns, notes, [alternative_record(result)], title=title)


def _pair_columns(pairs: Sequence[RaterPair]) -> list[Column]:
    return [
        _text("rater", [p.first for p in pairs]),
        _text("and rater", [p.second for p in pairs]),
        Column("n", [str(p.n) for p in pairs]),
        Column("equal", [decimals(p.agreement) for p in pairs]),
        Column("kappa", [decimals(p.kappa) for p in pairs]),
        Column("r", [decimals(p.correlation) for p in pairs]),
    ]


def _text(head: str, cells: Sequence[str]) -> Column:
    return Column(head, cells, right=False)


def _maybe(value: float | None) -> str:
    return "–" if value is None else decimals(value)


def _share(value: float) -> str:
    return "–" if value != value else f"{100 * value:.0f}%"


def _title(text: str) -> str:
    return f"── {text}"
