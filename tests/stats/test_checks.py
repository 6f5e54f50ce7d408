"""Checks of arrays and options: what is wrong, and what was found."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UndefinedWarning
from assay.stats import checks


@pytest.mark.parametrize(
    ("values", "ndim", "message"),
    [
        (["a"], 1, "x must be an array of numbers"),
        ([[1.0]], 1, r"x must have 1 dimension\(s\), got shape \(1, 1\)"),
        ([1.0], (2, 3), "x must have 2 or 3 dimension"),
        ([1.0, np.inf], 1, r"x holds 1 infinite value\(s\)"),
        ([[1.0], [1.0, 2.0]], 2, "x must be an array of numbers"),
    ],
)
def test_arrays_that_cannot_be_used_are_refused(values, ndim, message):
    with pytest.raises(InputError, match=message):
        checks.floats(values, "x", ndim=ndim)


def test_nothing_is_copied_without_need():
    values = np.ones(3)
    assert checks.floats(values, "x", ndim=1) is values


def test_a_stack_has_the_shape_of_the_human_scores():
    human, metrics = checks.stack(np.ones((2, 3)), np.ones((4, 2, 3)))
    assert (human.shape, metrics.shape) == ((2, 3), (4, 2, 3))
    with pytest.raises(InputError, match=r"the shape of h, \(2, 3\)"):
        checks.stack(np.ones((2, 3)), np.ones((4, 3, 2)))
    with pytest.raises(InputError, match="at least one metric"):
        checks.stack(np.ones((2, 0)), np.ones((4, 2, 0)))


def test_options():
    assert checks.choice("a", "name", ["a", "b"]) == "a"
    assert checks.at_least(3, "n", 1) == 3
    assert checks.fraction(0.5, "share") == 0.5
    for call, message in (
        (lambda: checks.at_least(0, "n", 1), "n must be a whole number of at least 1, got 0"),
        (lambda: checks.at_least(1.5, "n", 1), "got 1.5"),
        (lambda: checks.fraction(1.0, "share"), "share must lie between 0 and 1"),
        (lambda: checks.same_shape("a", np.ones(2), "b", np.ones(3)), "a and b must have the same shape"),
    ):
        with pytest.raises(InputError, match=message):
            call()
    with pytest.warns(UndefinedWarning, match="no spread"):
        checks.warn_undefined("no spread")
