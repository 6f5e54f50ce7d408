"""Pairs of raters against a plain loop."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from judges_made import NAN, ratings

from assay import stats
from assay.errors import ignore_undefined
from assay.raters import rater_pairs

tables = st.integers(2, 5).flatmap(
    lambda r: st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, NAN]), min_size=r, max_size=r), min_size=3, max_size=12)
)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_pairs_equal_the_plain_loop(table):
    rows = np.array(table).T
    with ignore_undefined():
        if np.isnan(rows).all():
            return
        made = ratings({f"r{i}": row.tolist() for i, row in enumerate(rows)})
        seen = rows[~np.isnan(rows)]
        scale = np.arange(seen.min(), seen.max() + 1).tolist()
        found = {(p.first, p.second): p for p in rater_pairs(made)}
        for i in range(len(rows)):
            for j in range(i + 1, len(rows)):
                both = ~np.isnan(rows[i]) & ~np.isnan(rows[j])
                pair = found.get((f"r{i}", f"r{j}"))
                assert (pair is None) == (not both.any())
                if pair is not None:
                    kappa = stats.cohen_kappa(rows[i], rows[j], weights="quadratic", categories=scale)
                    assert pair.n == kappa.n
                    np.testing.assert_allclose(pair.kappa, kappa.value, atol=1e-12)
                    np.testing.assert_allclose(pair.correlation, stats.pearson(rows[i], rows[j]), atol=1e-12)
