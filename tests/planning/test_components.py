"""Components of ratings from a pilot and from the library."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.ratings import Ratings
from assay.errors import InputError, UnknownName
from assay.planning.components import draw_ratings, estimate_components, list_studies, read_study
from assay.stats.variance_components import NAMES

TRUTH = dict(zip(NAMES, (0.4, 0.2, 0.3, 0.5, 0.1, 0.2, 0.6), strict=True))


def make_ratings(table, missing=0.0, seed=0):
    """Ratings of a table, systems x items x raters, with a share of them missing."""
    s, i, r = table.shape
    values = table.reshape(s * i, r).T.copy()
    values[np.random.default_rng(seed).random(values.shape) < missing] = np.nan
    systems, items = (tuple(x) for x in zip(*[(f"s{a}", f"i{b}") for a in range(s) for b in range(i)], strict=True))
    return Ratings(values, tuple(f"ann{k}" for k in range(r)), systems, items, "meaning")


def draw(shape, seed=0):
    return draw_ratings(np.random.default_rng(seed), TRUTH, shape)


def test_intervals_hold_what_was_put_in():
    """Of 20 studies of 6 systems x 40 items x 8 raters, the intervals of 95 % hold the truth of most components."""
    held = []
    for seed in range(20):
        result = estimate_components(make_ratings(draw((6, 40, 8), seed)), draws=100)
        held += [row.low <= TRUTH[row.name] <= row.high for row in result.components]
    assert np.mean(held) > 0.85


def test_missing_ratings():
    result = estimate_components(make_ratings(draw((5, 30, 6)), missing=0.5), draws=20)
    assert result.ratings < 5 * 30 * 6 * 0.6
    assert result.parts.rest == pytest.approx(TRUTH["rest"], rel=0.4)


def test_reliability_grows_with_items_and_raters():
    rows = estimate_components(make_ratings(draw((6, 40, 8))), draws=5).reliability
    by_size = {(row.items, row.raters): row.generalizability for row in rows}
    assert by_size[10, 1] < by_size[40, 1] < by_size[40, 5] < by_size[160, 10]
    assert all(row.dependability <= row.generalizability for row in rows)


def test_a_discrete_scale_keeps_its_shares():
    table = np.round(draw((3, 20, 4)) + 3).clip(1, 5)
    result = estimate_components(make_ratings(table), draws=5)
    assert (result.lowest, result.highest, result.points) == (1, 5, 5)
    assert sum(result.shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.ones((2, 3, 2)), "are all 1: there are no differences"),
        (draw((2, 3, 1)), "are of one rater only"),
        (draw((1, 3, 2)), "are of one system only"),
        (draw((2, 1, 2)), "are of one item only"),
    ],
)
def test_what_cannot_be_told_is_refused(table, message):
    with pytest.raises(InputError, match=message):
        estimate_components(make_ratings(table))


def test_raters_who_never_overlap_are_refused():
    ratings = make_ratings(draw((2, 4, 2)))
    alone = ratings.values.copy()
    alone[0, ::2] = np.nan
    alone[1, 1::2] = np.nan
    with pytest.raises(InputError, match="no output was judged by two raters"):
        estimate_components(Ratings(alone, ratings.raters, ratings.systems, ratings.items, "meaning"))


def test_the_library_equals_the_data(shared_file):
    data = assay.read(shared_file("summeval.jsonl.gz"))
    ratings = data.ratings("coherence")
    experts = ratings.without(*(r for r in ratings.raters if not r.startswith("expert")))
    ours, stored = estimate_components(experts, draws=2), read_study("summeval-expert", "coherence")
    assert [row.variance for row in ours.components] == pytest.approx([row.variance for row in stored.components])
    assert ours.shares == pytest.approx(stored.shares)


def test_unknown_studies_and_dimensions():
    assert "summeval-expert" in list_studies()
    with pytest.raises(UnknownName, match="unknown study 'sumeval-expert'; did you mean 'summeval-expert'"):
        read_study("sumeval-expert")
    with pytest.raises(InputError, match="several dimensions; choose one of coherence"):
        read_study("summeval-expert")
    with pytest.raises(UnknownName, match="unknown dimension 'cohesion'"):
        read_study("summeval-expert", "cohesion")


def test_positions_are_refused(shared_file):
    ratings = make_ratings(draw((2, 6, 3)))
    values = ratings.values.copy()
    values[2, :5] = np.nan
    with pytest.raises(InputError, match="positions on a line, not people"):
        estimate_components(Ratings(values, ("rater1", "rater2", "rater3"), ratings.systems, ratings.items, "meaning"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("summeval-crowd", "the file does not say whether crowd rater 1 of one summary is that of another"),
        ("msr-compression", "its raters are positions on a line, not people"),
        ("tac2008", "one person judged all summaries of a topic, so raters cannot be told from topics"),
    ],
)
def test_studies_whose_raters_are_no_persons_are_refused(name, reason):
    with pytest.raises(InputError, match=reason):
        read_study(name)


def test_the_drawn_samples_are_data_and_no_record():
    result = estimate_components(make_ratings(draw((3, 12, 4))), draws=20)
    assert len(result.samples) == 20
    assert "samples" not in repr(result)
    assert all("samples" not in record for record in result.records())
