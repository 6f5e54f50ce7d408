"""Agreement of raters: against other programs, by hand, and where there is none."""

from __future__ import annotations

from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges_made import NAN, ratings

from assay import stats
from assay.errors import InputError, UndefinedWarning, ignore_undefined
from assay.raters import agreement, rater_panel
from assay.stats import cohen_kappa

ROWS = {"ann": [1, 2, 3, 3, 2], "bob": [1, 2, 3, 2, 2], "cy": [1, 1, 3, 3, NAN]}


def test_by_hand():
    """3 + 1 + 3 + 1 + 1 of the 3 + 3 + 3 + 3 + 1 pairs of ratings of one output are equal."""
    result = agreement(ratings(ROWS), interval=False)
    assert result.percent_agreement == pytest.approx(9 / 13)
    assert (result.outputs, result.ratings, result.ratings_per_output) == (5, 14, 2.8)
    assert result.icc is None  # one output lacks a rating
    assert [(p.first, p.second, p.n, p.agreement) for p in result.pairs] == [
        ("ann", "bob", 5, 0.8),
        ("ann", "cy", 4, 0.75),
        ("bob", "cy", 4, 0.5),
    ]
    kappas = np.array([p.kappa for p in result.pairs])
    assert result.kappa == pytest.approx((kappas * [5, 4, 4]).sum() / 13)


@pytest.mark.parametrize("measure", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_is_krippendorffs(measure):
    rows = ratings(ROWS)
    ours = agreement(rows, measure=measure, interval=False).alpha.value
    assert ours == pytest.approx(krippendorff.alpha(rows.values, level_of_measurement=measure), abs=1e-12)


def test_icc_by_design():
    complete = ratings({"ann": [9, 6, 8, 7], "bob": [2, 1, 4, 1]})
    with ignore_undefined():
        assert agreement(complete, interval=False).icc == stats.icc(complete.values.T, form="2,1")
        other = ratings({"ann": [9, 6, NAN, NAN], "bob": [2, 1, 4, 1], "cy": [NAN, NAN, 8, 7]})
        result = agreement(other, interval=False)
    assert result.icc == stats.icc([[9, 2], [6, 1], [4, 8], [1, 7]], form="1,1")


def test_interval_and_seed_are_recorded():
    a, b = (agreement(ratings(ROWS), seed=7) for _ in range(2))
    assert a == b
    assert (a.seed, a.alpha.units) == (7, a.alpha.items)
    assert a.alpha.low < a.alpha.value < a.alpha.high
    with pytest.raises(TypeError):
        iter(a)  # type: ignore[call-overload]


def test_continuous_scales_have_no_kappa():
    result = agreement(ratings({"ann": [0, 50, 99.5], "bob": [10, 40, 100]}), interval=False)
    assert result.kappa is None
    assert result.two_raters is None
    assert np.isnan(result.pairs[0].kappa)
    assert result.pairs[0].correlation == pytest.approx(np.corrcoef([0, 50, 99.5], [10, 40, 100])[0, 1])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({"ann": [1, 2, 3]}, "there is only one rater, 'ann'"),
        ({"ann": [1, 2, NAN, NAN], "bob": [NAN, NAN, 1, 2]}, "none of the 4 outputs was judged by two of the 2 raters"),
        ({"ann": [2, 2, 2], "bob": [2, 2, 2]}, "all 6 ratings of outputs with two or more ratings are equal"),
    ],
)
def test_undefined_is_nan_with_one_warning(rows, why):
    with pytest.warns(UndefinedWarning, match=why) as found:
        result = agreement(ratings(rows))
    assert len(found) == 1
    assert np.isnan(result.alpha.value)
    assert why in result.view().headline


def test_a_constant_rater_is_counted_in_the_warning():
    with pytest.warns(UndefinedWarning, match="kappa of 0 and correlation of 2 of 3 pairs"):
        agreement(ratings({"ann": [1, 2, 3], "bob": [1, 2, 3], "cy": [2, 2, 2]}), interval=False)


def test_unknown_measure():
    with pytest.raises(InputError, match="measure must be one of"):
        agreement(ratings(ROWS), measure="cardinal")


@pytest.mark.parametrize(("shift", "word"), [(0, "well"), (3, "less than by chance")])
def test_sentence(shift, word):
    base = [1.0, 2, 3, 4, 5, 6] * 4
    result = agreement(ratings({"ann": base, "bob": base[shift:] + base[:shift]}), interval=False)
    assert result.view().headline.startswith(f"The raters agree {word} on meaning: Krippendorff's alpha ")


def test_nominal_ratings_have_nothing_that_takes_them_for_numbers():
    base = [1.0, 2, 3] * 8
    nominal = agreement(ratings({"ann": base, "bob": base[1:] + base[:1]}), measure="nominal")
    assert (nominal.icc, nominal.two_raters) == (None, None)
    assert all(np.isnan(pair.correlation) for pair in nominal.pairs)
    assert nominal.kappa == nominal.pairs[0].kappa == cohen_kappa(base, base[1:] + base[:1]).value
    view = nominal.view()
    assert "reliability" not in " ".join(view.sentences)
    assert not {"ICC", "simulated", "r"} & {column.head for table in view.tables for column in table.columns}
    assert "quadratic" not in " ".join(view.notes)
    panel = rater_panel(ratings({"ann": base, "bob": base}), measure="nominal")
    assert (panel.severity, panel.sample_size) == (None, None)


def test_items_are_counted_and_not_outputs():
    base = [1.0, 2, 3, 4, 5] * 8
    of_20 = ratings({"ann": base, "bob": base})
    of_20 = replace(of_20, systems=("A", "B") * 20, items=tuple(str(k // 2) for k in range(40)))
    of_19 = of_20.select(["A", "B"], [str(k) for k in range(19)])
    assert agreement(of_20, interval=False).statements()[0].claim == "agreement"
    (few,) = agreement(of_19, interval=False).statements()
    assert (few.claim, few.counts["items"], few.needs) == ("too little evidence", 19, {"items": 20})


tables = st.integers(2, 5).flatmap(
    lambda r: st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, NAN]), min_size=r, max_size=r), min_size=3, max_size=12)
)


@settings(max_examples=40, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_raters_and_outputs_does_not_matter(table, random):
    rows = np.array(table).T
    if np.isnan(rows).all():
        return
    order, columns = list(range(len(rows))), list(range(rows.shape[1]))
    random.shuffle(order)
    random.shuffle(columns)
    with ignore_undefined():
        a = agreement(ratings({f"r{i}": rows[i].tolist() for i in range(len(rows))}), interval=False, simulations=1)
        b = agreement(ratings({f"r{i}": rows[i][columns].tolist() for i in order}), interval=False, simulations=1)
    np.testing.assert_allclose([a.alpha.value, a.percent_agreement], [b.alpha.value, b.percent_agreement], atol=1e-12)
    np.testing.assert_allclose(a.kappa, b.kappa, atol=1e-12)


def test_msr(shared):
    """Interval alpha over the 1,908 compressions of valid.tsv; Table 4 of the paper is for the whole corpus."""
    data = shared("msr-compression/RawData/valid.tsv")
    with ignore_undefined():
        meaning, grammar = (agreement(data, d, interval=False) for d in ("meaning", "grammar"))
    assert meaning.outputs == grammar.outputs == 1908
    assert round(meaning.alpha.value, 3) == 0.266
    assert round(grammar.alpha.value, 3) == 0.338
    assert meaning.two_raters.agreement == pytest.approx(0.721, abs=0.01)
    assert grammar.two_raters.agreement == pytest.approx(0.784, abs=0.01)
