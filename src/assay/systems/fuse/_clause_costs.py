"""The cost of dropping a clause: p(dropped), from human compressions (training/systems/fuse/clause_costs.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache

from ...extras import find_model
from ...text.parse.flat import ParsedText
from .._clauses import SATELLITES, Clause

FEATURES = (
    *SATELLITES,
    *(f"{relation} before" for relation in SATELLITES),
    "log words",
    "share of sentence",
    "inside a satellite",
    "holds a name",
    "holds a number",
    "holds a negation",
)


def features(text: ParsedText, units: Sequence[Clause], clause: Clause) -> list[float]:
    """Compute the features of a clause, in the order of FEATURES."""
    here = [float(clause.relation == relation) for relation in SATELLITES]
    before = [x * clause.before for x in here]
    words = [i for i in clause.tokens if not text.punctuation[i]]
    sentence = sum(
        1 for i, s in enumerate(text.sentence) if s == text.sentence[clause.head] and not text.punctuation[i]
    )
    return [
        *here,
        *before,
        math.log(max(1, len(words))),
        len(words) / max(1, sentence),
        float(clause.parent >= 0 and units[clause.parent].parent >= 0),
        float(any(text.words[i].pos == "PROPN" for i in words)),
        float(any(text.words[i].pos == "NUM" for i in words)),
        float(any(text.words[i].lemma in ("not", "never", "no") for i in words)),
    ]


@lru_cache(maxsize=1)
def _model() -> tuple[float, tuple[float, ...]]:
    read = json.loads(find_model("fuse/clauses.json", "fusion", extra="text").read_text("utf-8"))
    return read["intercept"], tuple(read["weights"][name] for name in FEATURES)


def log_odds_kept(text: ParsedText, units: Sequence[Clause], clause: Clause) -> float:
    """Compute log p(kept) / p(dropped) of a satellite of a kept parent."""
    intercept, weights = _model()
    return -(intercept + sum(w * x for w, x in zip(weights, features(text, units, clause), strict=True)))
