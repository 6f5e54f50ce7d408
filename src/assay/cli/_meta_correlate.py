"""Does the metric say what people say?"""

from __future__ import annotations

from ..views._view import Column
from ._answer import Answer, decimals, within
from ._trial import LETTERS, Trial, percent


def answer(trial: Trial) -> Answer:
    from ..meta import correlate, differences, failures

    level, method = trial.args.level or "system", trial.args.method
    made = {
        name: correlate(
            s, trial.human, level=level, method=method, resamples=trial.args.resamples, seed=trial.args.seed,
            without=trial.without,
        )
        for name, s in trial.metrics.items()
    }  # fmt: skip
    order = sorted(made, key=lambda n: (made[n].value != made[n].value, -made[n].value))
    letter = LETTERS[method]
    pairs = {n: differences(trial.metrics[n], trial.human, without=trial.without) for n in order}
    fails = {
        n: failures(trial.metrics[n], trial.human, thresholds={"pearson": 0.65}, without=trial.without)["pearson"]
        for n in order
    }
    columns = [
        Column("metric", order, right=False),
        Column(f"{letter} ({made[order[0]].level})", [decimals(made[n].value) for n in order]),
        Column("95% interval", [within(made[n].low, made[n].high) for n in order]),
        Column("n", [str(made[n].n) for n in order]),
        Column("items failed", [percent(fails[n].value) for n in order]),
        Column("r of differences", [decimals(pairs[n].value) for n in order]),
        Column("pooled", [decimals(pairs[n].pooled) for n in order]),
    ]
    first = made[order[0]]
    notes = [
        f"Interval: {first.resamples} bootstrap samples of {_over(first.over)}, seed {first.seed}. items failed: r "
        "within the item below .65 (Peyrard 2017). r of differences: between two systems on an item, averaged over "
        "system pairs (Toutanova 2016); pooled: over all pairs and items (PDP).",
        *(["Corpus scores were correlated where the metric has them."] if any(c.corpus for c in made.values()) else []),
        *trial.notes(),
    ]
    records = [
        trial.record(
            "correlate", n, level=c.level, method=method, value=c.value, low=c.low, high=c.high, n=c.n, groups=c.groups,
            failed=fails[n].value, differences=pairs[n].value, pooled=pairs[n].pooled, resamples=c.resamples,
            seed=c.seed, people=len(trial.data.people) - len(trial.without), sentence=c.sentence(),
        )
        for n, c in made.items()
    ]  # fmt: skip
    return Answer([first.sentence()], columns, notes, records)


def _over(over: str) -> str:
    return "systems and items" if over == "both" else over.replace("inputs", "items")
