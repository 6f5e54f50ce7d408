"""Comp: the best set of clauses, and clauses that do not fit."""

from __future__ import annotations

from itertools import product

import pytest

from assay.systems._clauses import clauses
from assay.systems.budget import Budget
from assay.systems.fuse import Cluster
from assay.systems.fuse.comp import Comp, _best, _gains
from assay.text.parse.flat import parse_texts

PAIR = (
    "The city council voted on Tuesday to close the old bridge to cars.",
    "The old harbour bridge will be closed to cars next spring, the council said on Tuesday.",
)


def test_comp_chooses_the_best_set_of_clauses():
    texts = parse_texts(
        ["The dam, which was built in 1931, is safe because it was repaired.", "Rain fell, although nobody saw it."]
    )
    units = [(i, clause) for i, text in enumerate(texts) for clause in clauses(text)]
    gains = _gains(texts, units)
    sizes = [sum(not texts[i].punctuation[k] for k in clause.tokens) for i, clause in units]
    first = {0: 0, 1: len(clauses(texts[0]))}
    for most in (4, 8, 12, 30):
        able = []
        for bits in product((False, True), repeat=len(units)):
            connected = all(bits[first[i] + c.parent] for n, (i, c) in enumerate(units) if bits[n] and c.parent >= 0)
            if connected and sum(s for s, b in zip(sizes, bits, strict=True) if b) <= most:
                able.append(sum(g for g, b in zip(gains, bits, strict=True) if b))
        limit = Budget(words=most).limit("x")
        found = _best(texts, units, gains, limit)
        assert sum(gains[n] for n in found) == pytest.approx(max(able))


def test_comp_shortens_a_clause_that_does_not_fit():
    [made] = Comp().fuse([Cluster(PAIR, Budget(words=3))])
    assert 0 < made.words <= 3 or made.notes
