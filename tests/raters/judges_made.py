"""Small ratings made by hand."""

from __future__ import annotations

import numpy as np

from assay import EvalSet, Item, Judgment, Ratings

NAN = float("nan")


def ratings(rows: dict[str, list[float]], *, systems: str = "", items: str = "", texts=(), dimension="meaning"):
    """Ratings from rows by rater; systems and items are a letter per output (default: one system, items 0, 1, ...)."""
    n = len(next(iter(rows.values())))
    return Ratings(
        np.array(list(rows.values()), dtype=np.float64),
        tuple(rows),
        tuple(systems) if systems else ("A",) * n,
        tuple(items) if items else tuple(str(i) for i in range(n)),
        dimension,
        tuple(texts),
    )


def judged(*judgments: tuple[str, str, str, float], texts: dict[str, str] | None = None, dimension="meaning"):
    """An EvalSet from (item, system, rater, score); the text of a system is its name unless given."""
    items: dict[str, list[Judgment]] = {}
    for item, system, rater, score in judgments:
        before = items.setdefault(item, [])
        occasion = 1 + sum((j.system, j.rater) == (system, rater) for j in before)
        before.append(Judgment(system, rater, dimension, score, occasion))
    names = dict.fromkeys(name for _, system, _, _ in judgments for name in system.split("+"))
    outputs = {name: (texts or {}).get(name, name) for name in names}
    return EvalSet([Item(item, outputs=outputs, judgments=tuple(js)) for item, js in items.items()])
