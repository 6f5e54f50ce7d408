"""How do the metrics rank by the measures in use today, and does a blind one win?"""

from __future__ import annotations

from ..views._view import Column
from ._answer import Answer, decimals
from ._trial import LETTERS, Trial


def answer(trial: Trial) -> Answer:
    from ..meta import modern
    from ..meta._sentinels import sentinels

    found = modern(
        trial.metrics, trial.human, sentinels=sentinels(trial.data), level=trial.args.level or "item",
        method=trial.args.method, resamples=trial.args.resamples, seed=trial.args.seed, without=trial.without,
    )  # fmt: skip
    heads = {"correlation": f"{LETTERS[found.method]} ({found.level})", "accuracy": "accuracy", "soft": "soft",
             "acc_eq": "acc_eq", "pdp": "PDP", "restricted": "near pairs"}  # fmt: skip
    columns = [
        Column("metric", [p.metric for p in found.places], right=False),
        Column("rank", [str(p.rank) if p.rank > 0 else "–" for p in found.places]),
        *(Column(head, [decimals(getattr(p, key)) for p in found.places]) for key, head in heads.items()),
        Column("rank (acc_eq)", [str(p.rank_eq) if p.rank_eq > 0 else "–" for p in found.places]),
    ]
    notes = [
        f"In brackets: blind metrics, which must not win. rank: clusters by permutation tests ({found.resamples}, over "
        f"systems and items, seed {found.seed}). accuracy: system pairs in people's order; soft: with p-values; "
        "acc_eq: outputs of an item, ties calibrated; PDP: pooled differences; near pairs: tau over the quarter of "
        "system pairs nearest in the metric.",
        *trial.notes(),
    ]
    records = []
    for p in found.places:
        values = {key: getattr(p, key) for key in (*heads, "epsilon", "rank", "rank_eq", "blind")}
        named = trial.record("modern", None if p.blind else p.metric, **values, seed=found.seed)
        records.append({**named, "metric": p.metric} if p.blind else named)
    return Answer([found.sentence()], columns, notes, records)
