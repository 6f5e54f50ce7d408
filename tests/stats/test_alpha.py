"""Krippendorff's alpha: his own examples, the krippendorff package, and a loop over the same resamples."""

import krippendorff
import numpy as np
import pytest
from scipy.stats import t

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.alpha import MEASURES

N = np.nan
# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section D: four observers, twelve units
FOUR = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T
# sections A (binary) and B (nominal): two observers
TWO_BINARY = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]).T
TWO_NOMINAL = np.array([list(map(ord, "aabbdcccedda")), list(map(ord, "babbbccceddd"))]).T


@pytest.mark.parametrize(
    ("measure", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_published_four_observers(measure, published):
    result = stats.krippendorff_alpha(FOUR, measure=measure)
    assert round(result.value, 3) == published
    assert (result.items, result.ratings) == (11, 40)


def test_published_two_observers():
    assert round(stats.krippendorff_alpha(TWO_BINARY, measure="nominal").value, 3) == 0.095
    assert round(stats.krippendorff_alpha(TWO_NOMINAL, measure="nominal").value, 3) == 0.692


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("whole", [True, False])
def test_equal_to_krippendorff(measure, whole):
    rng = np.random.default_rng(0)
    for _ in range(10):
        ratings = rng.integers(0, 6, size=(25, 4)).astype(float)
        if not whole and measure != "nominal":
            ratings = rng.random((25, 4)) * 10
        ratings[rng.random(ratings.shape) < 0.3] = np.nan
        expected = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=measure)
        assert stats.krippendorff_alpha(ratings, measure=measure).value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("measure", MEASURES)
def test_jackknife_equals_loop(measure):
    """Leave out one document of three items after another, by the krippendorff package."""
    rng = np.random.default_rng(0)
    ratings = np.clip(np.rint(rng.normal(3, 1, size=(30, 1)) + rng.normal(0, 0.7, size=(30, 4))), 1, 5)
    ratings[rng.random(ratings.shape) < 0.1] = np.nan
    document = np.arange(30) // 3
    plain = np.array(
        [krippendorff.alpha(reliability_data=ratings[document != d].T, level_of_measurement=measure) for d in range(10)]
    )
    result = stats.krippendorff_alpha(ratings, measure=measure, interval=True, units=document.tolist())
    half = t.ppf(0.975, 9) * np.sqrt(0.9 * ((plain - plain.mean()) ** 2).sum())
    assert (result.low, result.high) == pytest.approx((result.value - half, min(1, result.value + half)), abs=1e-10)
    assert result.units == 10
    alone = stats.krippendorff_alpha(ratings, measure=measure, interval=True)
    assert alone.units == alone.items
    assert alone.low != result.low


def test_many_units_are_left_out_in_groups():
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 2))
    result = stats.krippendorff_alpha(ratings, interval=True)
    assert (result.units, round(result.high - result.low, 2)) == (400, 0.07)


def test_perfect_agreement_has_no_interval():
    """Nothing varies, which says nothing about other items."""
    result = stats.krippendorff_alpha([[1, 1], [2, 2], [3, 3]], interval=True)
    assert (result.value, np.isnan(result.low)) == (1.0, True)


def test_nothing_to_compare():
    for measure in MEASURES:
        with pytest.warns(UndefinedWarning, match="all ratings equal"):
            assert np.isnan(stats.krippendorff_alpha([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]], measure=measure).value)
        with pytest.warns(UndefinedWarning, match=r"0 item\(s\) rated at least twice"):
            assert np.isnan(stats.krippendorff_alpha([[1, N], [N, 2]], measure=measure).value)
    with pytest.warns(UndefinedWarning, match=r"0 item\(s\)"):
        stats.krippendorff_alpha([[1], [2], [3]])
    with pytest.raises(InputError, match="at least 0, got -1"):
        stats.krippendorff_alpha([[1, -1]], measure="ratio")


def test_the_interval_holds_the_true_value_where_outputs_share_an_item():
    """20 items x 5 outputs x 3 raters; left out one by one, the outputs themselves give .8."""
    rng = np.random.default_rng(11)
    units = np.repeat(np.arange(20), 5)
    hits = {"items": 0, "outputs": 0}
    for _ in range(400):
        item, output = 0.6 * rng.normal(size=(20, 1))[units], 0.2 * rng.normal(size=(100, 1))
        table = item + output + np.sqrt(0.6) * rng.normal(size=(100, 3))
        for name, own in (("items", units.tolist()), ("outputs", None)):
            found = stats.krippendorff_alpha(table, interval=True, units=own)
            hits[name] += found.low <= 0.4 <= found.high
    assert hits["items"] / 400 > 0.91
    assert hits["outputs"] < hits["items"] - 20
