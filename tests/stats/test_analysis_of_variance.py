"""Analysis of variance and Tukey's HSD: textbook data and SciPy / statsmodels."""

import numpy as np
import pytest
import scipy.stats
import statsmodels.stats.multicomp

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.analysis_of_variance import letter_groups


def test_anova_golden():
    # the worked example of "One-way analysis of variance" (Wikipedia, from a textbook): F = 9.3 on 2 and 15, p = .002
    result = stats.anova([[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]])
    assert (round(result.statistic, 1), round(result.pvalue, 3)) == (9.3, 0.002)
    assert (result.df_between, result.df_within) == (2, 15)


def test_anova_equals_scipy_without_the_missing():
    rng = np.random.default_rng(0)
    groups = [rng.normal(size=n) for n in (5, 9, 7)]
    expected = scipy.stats.f_oneway(*groups)
    groups[1] = np.append(groups[1], np.nan)
    result = stats.anova(groups)
    assert (result.statistic, result.pvalue) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)
    assert result.counts == (5, 9, 7)


def test_tukey_equals_statsmodels():
    rng = np.random.default_rng(0)
    groups = [rng.normal(i / 2, 1, size=n) for i, n in enumerate((8, 12, 10))]
    labels = np.repeat([0, 1, 2], [8, 12, 10])
    expected = statsmodels.stats.multicomp.pairwise_tukeyhsd(np.concatenate(groups), labels)
    result = stats.tukey(groups)
    upper = np.triu_indices(3, k=1)
    assert result.difference[upper] == pytest.approx(-expected.meandiffs, abs=1e-10)
    assert result.pvalue[upper] == pytest.approx(expected.pvalues, abs=1e-4)  # statsmodels interpolates less finely
    assert -result.high[upper] == pytest.approx(expected.confint[:, 0], abs=1e-4)


def test_no_spread():
    assert stats.anova([[1, 1], [2, 2]]).pvalue == 0
    with pytest.warns(UndefinedWarning, match="equal values"):
        assert np.isnan(stats.anova([[1, 1], [1, 1]]).pvalue)
    with pytest.warns(UndefinedWarning, match=r"\[2, 0\]"):
        assert np.isnan(stats.anova([[1, 2], [np.nan]]).pvalue)
    with pytest.raises(InputError, match="at least two groups"):
        stats.anova([[1, 2]])
    with pytest.raises(InputError, match="two values in each group"):
        stats.tukey([[1, 2], [1]])


# Owczarzak and Dang (2011), Table 7: categories from the highest score down, and the letters printed beside them.
PRINTED = {
    "initial Pyramid": ("A", "B", "B", "C", "C"),
    "initial Responsiveness": ("A", "AB", "ABC", "CD", "D"),
    "update Pyramid": ("A", "AB", "ABC", "BCD", "BCD"),
    "update Responsiveness": ("A", "AB", "ABC", "ABCD", "ABCD"),
}


@pytest.mark.parametrize("letters", PRINTED.values(), ids=PRINTED)
def test_letters_are_written_as_in_the_paper(letters):
    """Two scores differ significantly unless one has the letter that the other starts; the same letters come back."""
    firsts = {
        letter: next(k for k, own in enumerate(letters) if letter in own)
        for letter in "ABCD"
        if any(letter in own for own in letters)
    }
    pvalues = np.zeros((5, 5))
    for letter, first in firsts.items():
        for k, own in enumerate(letters):
            if letter in own:
                pvalues[first, k] = pvalues[k, first] = 0.5
    means = [5.0, 4.0, 3.0, 2.0, 1.0]
    assert letter_groups(means, pvalues) == letters
    order = [3, 0, 4, 1, 2]
    shuffled = letter_groups([means[k] for k in order], pvalues[np.ix_(order, order)])
    assert shuffled == tuple(letters[k] for k in order)
