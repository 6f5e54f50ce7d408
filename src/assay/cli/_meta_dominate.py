"""Which metric is best on single items?"""

from __future__ import annotations

from collections.abc import Sequence

from ..views._view import Column
from ._answer import Answer, decimals
from ._trial import Trial, percent


def answer(trial: Trial) -> Answer:
    from ..meta import dominate

    found = dominate(trial.metrics, trial.human, without=trial.without)
    columns = [
        Column("metric", [s.metric for s in found.ranking], right=False),
        Column("mean r", [decimals(s.value) for s in found.ranking]),
        Column("unbeaten on", [percent(s.unbeaten) for s in found.ranking]),
        Column("top", ["yes" if s.top else "" for s in found.ranking]),
        Column("dominated by", [_several(s.dominated_by) for s in found.ranking], right=False),
    ]
    groups = [(part, found.best_per(part)) for part in ("unit", "measure", "pooling")]
    more = [
        [
            Column(f"best per {part}", [row.metric for row in rows], right=False),
            Column("mean r", [decimals(row.value) for row in rows]),
            Column("", [row.mark for row in rows], right=False),
        ]
        for part, rows in groups
        if len(rows) > 1
    ]
    notes = [
        f"Correlation of score differences, per pair of systems ({len(found.pairs)} pairs, {found.items} items), by "
        f"Williams' test at p < {found.alpha:g}; dominated: worse on at least {found.needed:.0%} of the pairs; top: on "
        "as many, nobody is significantly better (Toutanova 2016, 4.3.2). * dominates the group's -.",
        *trial.notes(),
    ]
    records = [
        trial.record(
            "dominate", s.metric, value=s.value, unbeaten=s.unbeaten, top=s.top, dominated_by=s.dominated_by,
            pairs=len(found.pairs), items=found.items,
        )
        for s in found.ranking
    ]  # fmt: skip
    records += [
        trial.record("dominate", row.metric, best_per=part, value=row.value, mark=row.mark)
        for part, rows in groups
        for row in rows
    ]
    return Answer([found.sentence()], columns, notes, records, more=more)


def _several(names: Sequence[str]) -> str:
    return "" if not names else names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")
