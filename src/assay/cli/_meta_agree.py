"""Would people have said the same of two systems, and from what difference on?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..views._view import Column
from ._answer import Answer, within
from ._trial import Trial, percent

if TYPE_CHECKING:
    from ..meta import PairAgreement


def answer(trial: Trial) -> Answer:
    from ..meta import agree, noticeable

    reference = trial.metrics.get(trial.args.reference) if trial.args.reference else None
    people = trial.data.people
    made = {n: agree(s, trial.human, people=people, reference=reference) for n, s in trial.metrics.items()}
    order = sorted(made, key=lambda n: (made[n].value != made[n].value, -made[n].value))
    near = {
        n: noticeable(
            trial.metrics[n], trial.human, share=trial.args.share, resamples=trial.args.resamples,
            seed=trial.args.seed, without=people,
        )
        for n in order
    }  # fmt: skip
    rows = [(n, kind, part) for n in order for kind, part in _kinds(made[n].automatic, made[n].people)]
    columns = [
        Column("metric", [n for n, _, _ in rows], right=False),
        Column("pairs", [f"{part.pairs} {kind}" for _, kind, part in rows]),
        Column("diff", [percent(p.differences.value) for _, _, p in rows]),
        Column("no diff", [percent(p.no_differences.value) for _, _, p in rows]),
        Column("contr", ["–" if (c := p.contradictions) != c else f"{100 * c:.1f}%" for _, _, p in rows]),
        Column("sig", [percent(p.sig.value) for _, _, p in rows]),
        Column("95%", [within(100 * p.sig.low, 100 * p.sig.high, 0) for _, _, p in rows]),
        Column("all", [percent(p.all.value) for _, _, p in rows]),
        *([Column(f"vs {reference.name}", [p.sig.verdict for _, _, p in rows])] if reference is not None else []),
    ]
    steps = [
        Column("metric", order, right=False),
        Column("difference", [_short(near[n].value) for n in order]),
        Column("95% interval", [_ends(near[n].low, near[n].high) for n in order]),
        Column("just so far", [_short(near[n].local) for n in order]),
        Column("pairs as far", [str(near[n].above) for n in order]),
    ]
    notes = [
        "diff, no diff: of the pairs that people find different (or not), by paired Wilcoxon tests at .05, the metric "
        "does too; contr: both find a difference, in opposite directions; sig: same decision; all: same order of the "
        "means (Owczarzak 2012, Tables 2 and 3).",
        f"difference: the smallest from which people order {trial.args.share:.0%} of the pairs alike, interval over "
        f"{trial.args.resamples} bootstrap samples of systems (seed {trial.args.seed}); just so far: the same for "
        "pairs of that difference only. People are not among these pairs.",
        *_undecided(part.undecidable for _, _, part in rows),
        *trial.settings(),
    ]
    records = [
        trial.record(
            "agree", n, pairs=kind, n=p.pairs, diff=p.differences.value, no_diff=p.no_differences.value,
            contradictions=p.contradictions, sig=p.sig.value, low=p.sig.low, high=p.sig.high, all=p.all.value,
            reference=made[n].reference, verdict=p.sig.verdict or None, p=p.sig.pvalue,
        )
        for n, kind, p in rows
    ]  # fmt: skip
    records += [
        trial.record(
            "noticeable", n, value=t.value, low=t.low, high=t.high, local=t.local, n=t.n, above=t.above,
            share=t.share, resamples=t.resamples, seed=t.seed, sentence=t.sentence(),
        )
        for n, t in near.items()
    ]  # fmt: skip
    return Answer([made[order[0]].sentence(), near[order[0]].sentence()], columns, notes, records, more=[steps])


def _kinds(automatic: PairAgreement, people: PairAgreement | None) -> list[tuple[str, PairAgreement]]:
    return [("systems", automatic), *([("with people", people)] if people is not None else [])]


def _short(value: float) -> str:
    return "–" if value != value else f"{value:.3g}"


def _ends(low: float, high: float) -> str:
    return "–" if low != low else f"{_short(low)}–{_short(high)}"


def _undecided(pairs: Iterable[int]) -> list[str]:
    most = max(pairs, default=0)
    return [f"Up to {most} pairs have fewer than 6 judged items in common and are left out."] if most else []
