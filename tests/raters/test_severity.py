"""Severity, spread, use of the scale and agreement with the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges_made import NAN, ratings

from assay.data.ratings import Ratings
from assay.errors import UndefinedWarning, UnknownName, ignore_undefined
from assay.raters import rank_raters, severity


def test_by_hand():
    """ann is 1 below bob on what both judged; the last output is cy's alone."""
    rows = {"ann": [1, 2, 3, NAN], "bob": [2, 3, 4, NAN], "cy": [NAN, NAN, 3, 5]}
    with pytest.warns(UndefinedWarning, match=r"correlation of 1 rater\(s\) with fewer than 3 shared outputs .*\(cy\)"):
        result = severity(ratings(rows))
    ann, bob, cy = result.raters
    assert ann.severity == pytest.approx((1 + 1 + 0.5) / 3)
    assert bob.severity == pytest.approx((-1 - 1 - 1) / 3)
    assert cy.severity == pytest.approx(0.5)
    assert (ann.n, ann.shared, cy.n, cy.shared) == (3, 3, 2, 1)
    assert (ann.mean, ann.scale_used) == (2, 0.6)
    assert result.of("bob") is bob
    assert result.view().headline.startswith("On meaning, ann is the most severe rater (0.83 below")


def test_spread():
    """Others on the same outputs: deviations of 1 and 3; the narrow rater's is 0, the wide one's thrice."""
    result = severity(ratings({"ann": [1, 3, 1, 3], "bob": [1, 7, 1, 7], "cy": [1, 3, 1, 3]}))
    assert result.of("bob").spread == pytest.approx(3)
    assert result.of("ann").spread == pytest.approx(1 / np.std([1, 7, 1, 7, 1, 3, 1, 3]))


def test_share_of_a_continuous_scale_is_its_range():
    result = severity(ratings({"ann": [0, 40.5, 100], "bob": [25, 50, 75]}))
    assert [p.scale_used for p in result.raters] == [1.0, 0.5]


def test_without_overlap():
    with pytest.warns(UndefinedWarning, match=r"2 rater\(s\) who share no output"):
        result = severity(ratings({"ann": [1, 2, NAN, NAN], "bob": [NAN, NAN, 1, 2]}))
    assert all(np.isnan([p.severity, p.spread, p.rest_correlation]).all() for p in result.raters)
    assert "severity is undefined" in result.view().headline


def test_constant_rater():
    with pytest.warns(UndefinedWarning, match=r"constant ratings \(bob, ann\)|constant ratings \(ann, bob\)"):
        result = severity(ratings({"ann": [1, 2, 3], "bob": [2, 2, 2]}))
    assert np.isnan(result.of("bob").rest_correlation)
    assert result.of("bob").spread == 0


def test_unknown_rater():
    with pytest.raises(UnknownName, match="unknown rater 'anm'; did you mean 'ann'"):
        severity(ratings({"ann": [1, 2, 3], "bob": [1, 2, 4]})).of("anm")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from([1.0, 2.0, 5.0, NAN]), min_size=3, max_size=3), min_size=3, max_size=10))
def test_equals_the_plain_loop(table):
    rows = np.array(table).T
    if np.isnan(rows).all():
        return
    with ignore_undefined():
        found = severity(ratings({f"r{i}": row.tolist() for i, row in enumerate(rows)})).raters
    for i, profile in enumerate(found):
        gaps, own, rest = [], [], []
        for j in range(rows.shape[1]):
            others = [rows[k, j] for k in range(3) if k != i and rows[k, j] == rows[k, j]]
            if others and rows[i, j] == rows[i, j]:
                gaps.append(np.mean(others) - rows[i, j])
                own.append(rows[i, j])
                rest.append((np.mean(others), np.mean(np.square(others))))
        assert profile.shared == len(gaps)
        np.testing.assert_allclose(profile.severity, np.mean(gaps) if gaps else NAN, atol=1e-12)
        if gaps:
            below = np.sqrt(max(np.mean([q for _, q in rest]) - np.mean([m for m, _ in rest]) ** 2, 0))
            expected = np.std(own) / below if below > 1e-6 else NAN
            np.testing.assert_allclose(profile.spread, expected, atol=1e-6)


def test_severe_is_who_gives_bad_scores_whichever_end_is_bad():
    table = np.array([[1, 2, 3, 4], [2, 3, 4, 5.0]])
    high = Ratings(table, ("ann", "bob"), ("A",) * 4, tuple("1234"), "meaning")
    low = Ratings(table, ("ann", "bob"), ("A",) * 4, tuple("1234"), "errors", higher_is_better=False)
    assert [p.severity for p in severity(high).raters] == [1, -1]
    assert [p.severity for p in severity(low).raters] == [-1, 1]
    assert rank_raters(high, by="mean").raters == ("bob", "ann")
    assert rank_raters(low, by="mean").raters == ("ann", "bob")
