"""Corrections equal to statsmodels; NaN stays out of the family."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from assay import stats
from assay.errors import InputError

PAIRS = [(stats.holm, "holm"), (stats.benjamini_hochberg, "fdr_bh"), (stats.benjamini_yekutieli, "fdr_by")]


@pytest.mark.parametrize(("ours", "peer"), PAIRS)
def test_equal_to_statsmodels(ours, peer):
    p = np.random.default_rng(0).random(40) ** 3
    rejected, adjusted, _, _ = multipletests(p, 0.05, method=peer)
    result = ours(p)
    assert result.pvalues == pytest.approx(adjusted, abs=1e-12)
    assert (result.rejected == rejected).all()


@pytest.mark.parametrize(("ours", "peer"), PAIRS)
def test_missing_and_shape(ours, peer):
    p = np.array([[0.01, np.nan], [0.02, 0.5]])
    result = ours(p)
    assert result.pvalues.shape == (2, 2)
    assert np.isnan(result.pvalues[0, 1])
    assert result.tests == 3
    assert result.pvalues[[0, 1, 1], [0, 0, 1]] == pytest.approx(ours([0.01, 0.02, 0.5]).pvalues)
    assert ours([]).pvalues.shape == (0,)
    with pytest.raises(InputError, match="between 0 and 1"):
        ours([0.5, 1.5])
