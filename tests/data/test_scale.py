"""Scales of judged dimensions: read from items, never guessed from the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.data.evalset import EvalSet, Item, Judgment
from assay.data.scale import Scale, holds_ranks, read_scales, suggests_lower
from assay.errors import InputError, UnknownName


def ranked(*rows: dict[str, float], dimension: str = "rank", **extra) -> list[Item]:
    """Items with outputs of A, B and C, ranked by ann."""
    return [
        Item(
            str(i),
            outputs=dict.fromkeys("ABC", "text"),
            judgments=tuple(Judgment(s, "ann", dimension, v) for s, v in row.items()),
            extra=extra,
        )
        for i, row in enumerate(rows)
    ]


ROWS = ({"A": 1, "B": 2, "C": 3}, {"A": 1, "B": 3, "C": 2})


@pytest.mark.parametrize(
    ("keys", "best"),
    [
        ({"best": 1}, "low"),
        ({"best": 3}, "high"),
        ({"best": "low"}, "low"),
        ({"best": "high"}, "high"),
        ({"range": [0, 1]}, None),
        ({"best": 0, "range": [0, 4]}, "low"),
        ({"best": 4, "range": [0, 4]}, "high"),
        ({}, None),
    ],
)
def test_the_best_end_is_what_the_file_says(keys, best):
    scales = read_scales(ranked(*ROWS, scales={"rank": keys}))
    assert scales["rank"].best == best


def test_direction_is_that_of_the_human_scores():
    """Before scales, DropStop was called best where people put it last."""
    plain = EvalSet(ranked(*ROWS))
    stated = EvalSet(ranked(*ROWS, scales={"rank": {"best": 1}}))
    assert plain.human("rank").higher_is_better
    assert plain.human("rank").undirected
    assert not stated.human("rank").higher_is_better
    assert not stated.human("rank").undirected
    assert not stated.ratings("rank").higher_is_better
    assert "best=low" in stated.human("rank").signature


def test_a_part_of_the_set_keeps_the_scale():
    data = EvalSet(ranked(*ROWS)).with_scales({"rank": Scale(best="low")})
    assert not data.select(["1"]).human("rank").higher_is_better
    assert not EvalSet(data.entries[1:]).human("rank").higher_is_better


def test_a_stated_high_end_is_no_question():
    data = EvalSet(ranked(*ROWS)).with_scales({"rank": Scale(best="high")})
    assert data.human("rank").higher_is_better
    assert not data.human("rank").undirected


@pytest.mark.parametrize(
    ("name", "lower"),
    [
        *[(name, True) for name in ("rank", "Rank_1", "word error", "TER", "wer")],
        *[(name, False) for name in ("quality", "frank", "terseness", "overall")],
    ],
)
def test_words_that_suggest_that_lower_is_better(name, lower):
    assert suggests_lower(name) is lower


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"best": 2}, "best is 2, but there are scores from 1 to 3"),
        ({"best": "top"}, 'best must be "high" or "low"'),
        ({"bets": 1}, "unknown key 'bets'; it takes best, range, labels, kind"),
        ({"range": [5, 1]}, "range must be two numbers, the lower first"),
        ({"kind": "order"}, "kind of a scale must be one of rating, ranking, pairs"),
        ({"labels": ["poor"]}, "labels must look like"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_the_item(keys, message):
    with pytest.raises(InputError, match="item '0': scale of 'rank'") as error:
        read_scales(ranked(*ROWS, scales={"rank": keys}))
    assert message in str(error.value)


@pytest.mark.parametrize("scales", [["rank"], {"rank": 1}, "rank"])
def test_scales_are_an_object_of_objects(scales):
    with pytest.raises(InputError, match=r"scales must look like"):
        read_scales(ranked(*ROWS, scales=scales))


def test_two_items_that_differ_are_an_error():
    first, second = ranked(*ROWS, scales={"rank": {"best": "low"}})
    second = replace(second, extra={"scales": {"rank": {"best": "high"}}})
    with pytest.raises(InputError, match="item '1' states another scale of 'rank' than item '0'"):
        read_scales([first, second])


def test_an_unknown_dimension_has_no_scale():
    with pytest.raises(UnknownName):
        EvalSet(ranked(*ROWS)).with_scales({"rnak": Scale(best="low")})


def test_what_is_called_rank_and_holds_ranks_is_a_ranking_once_its_direction_is_stated():
    assert EvalSet(ranked(*ROWS)).scale("rank").kind == "rating"
    assert EvalSet(ranked(*ROWS, scales={"rank": {"best": 1}})).scale("rank").kind == "ranking"
    other = EvalSet(ranked(*ROWS, dimension="errors", scales={"errors": {"best": 1}}))
    assert other.scale("errors").kind == "rating"
    assert not holds_ranks("rank", ranked({"A": 1, "B": 7}))
    assert not holds_ranks("rank", ranked({"A": 1, "B": 1.3}))
    assert holds_ranks("rank", ranked({"A": 1.5, "C": 1.5}))


def test_the_stated_kind_wins_over_the_name_and_the_scores():
    rated = EvalSet(ranked(*ROWS, scales={"rank": {"best": 1, "kind": "rating"}}))
    assert rated.scale("rank").kind == "rating"
    assert rated.with_scales(rated.scales).scale("rank").kind == "rating"  # it is written again, too
    assert Scale(best="low", kind="rating").keys() == {"best": "low", "kind": "rating"}
    assert Scale(best="low").keys() == {"best": "low"}


def test_rankings_are_by_rater_and_occasion_best_lowest():
    judgments = [("A", "ann", 1), ("B", "ann", 2), ("B", "bob", 1), ("C", "bob", 1), ("A", "bob", 3)]
    item = Item(
        "1",
        outputs=dict.fromkeys("ABC", "text"),
        judgments=(
            *(Judgment(s, r, "quality", v) for s, r, v in judgments),
            Judgment("A", "ann", "quality", 5, 2),
            Judgment("C", "ann", "quality", 4, 2),
        ),
    )
    nan = np.nan
    low = EvalSet([item]).with_scales({"quality": Scale(best="low", kind="ranking")}).rankings("quality")
    np.testing.assert_array_equal(low.values, [[1, 2, nan], [3, 1, 1], [5, nan, 4]])
    assert (low.items, low.raters, low.complete, low.tied) == (("1",) * 3, ("ann", "bob", "ann"), 1, 1)
    high = EvalSet([item]).with_scales({"quality": Scale(best="high", kind="ranking")}).rankings("quality")
    np.testing.assert_array_equal(high.values, -low.values)
    with pytest.raises(InputError, match="needs to know which end is best"):
        EvalSet([item]).rankings("quality")
    with pytest.raises(InputError, match="rater 'bob' judged 3 systems by 'quality' on occasion 1"):
        EvalSet([item]).with_scales({"quality": Scale(best="low", kind="pairs")}).rankings("quality")
