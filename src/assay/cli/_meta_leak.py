"""Are outputs among their own references, and what does it do?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..views._view import Column
from ._answer import Answer, decimals
from ._trial import LETTERS, Trial

if TYPE_CHECKING:
    from ..data.scores import Scores
    from ..meta import Leaks


def answer(trial: Trial) -> Answer:
    from ..meta import leak_effect, leaks

    found = leaks(
        (item.id, system, text, [r.text for r in item.references])
        for item in trial.data
        for system, text in item.outputs.items()
    )
    level, method = trial.args.level or "item", trial.args.method
    effects = {}
    if found.systems:
        for name in trial.metrics:
            scores = _with_and_without(trial, name, found)
            if scores is not None:
                effects[name] = leak_effect(found, *scores, trial.human, level=level, method=method)
    order = list(effects)
    columns = [
        Column("metric", order, right=False),
        Column("against themselves", [decimals(e.kept.value) for e in effects.values() if e.kept]),
        Column("against the others", [decimals(e.skipped.value) for e in effects.values() if e.skipped]),
        Column("left out", [decimals(e.left_out.value) if e.left_out else "–" for e in effects.values()]),
    ]
    notes = [f"{LETTERS[method]} with {trial.human.name} at {level} level, people included.", *trial.settings()]
    records = [trial.record("leak", None, found=len(found.found), outputs=found.outputs, systems=found.systems)]
    records += [
        trial.record("leak", n, level=level, method=method, kept=e.kept and e.kept.value,
                     skipped=e.skipped and e.skipped.value, left_out=e.left_out and e.left_out.value)
        for n, e in effects.items()
    ]  # fmt: skip
    records += [trial.record("leak", None, **one._asdict()) for one in found.found]
    said = next(iter(effects.values())) if effects else found
    return Answer([said.sentence()], columns, notes if effects else [], records)


def _with_and_without(trial: Trial, name: str, found: Leaks) -> tuple[Scores, Scores] | None:
    """The metric's scores with own references kept, and skipped; None for a metric that does not know them."""
    import numpy as np

    from ..errors import AssayError
    from ..metrics import metric
    from ..scoring.score import score

    try:
        built = metric(trial.typed[name])
    except AssayError:
        return None  # scores of another program
    if not hasattr(built, "own"):
        return None
    kept, skipped = (
        replace(score(trial.data, replace(built, own=own)), name=name)  # type: ignore[call-arg]
        for own in ("keep", "skip")
    )
    values = skipped.values.copy()
    systems = found.systems
    for one in found.found:
        if (
            one.system in systems and one.system not in trial.data.people
        ):  # own=skip is for people; a copied reference has no honest score
            values[skipped.systems.index(one.system), skipped.items.index(one.item)] = np.nan
    return kept, replace(skipped, values=values)
