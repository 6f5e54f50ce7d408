"""Agreement on units: distances by hand, alpha against plain Krippendorff, and annotators who differ in known ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from topics import read_topics

import assay
from assay.data.content_units import ContentUnit, Contributor, Pyramid, TextSpan, add_pyramid, read_pyramid
from assay.errors import InputError
from assay.pyramid.unit_agreement import (
    _words_by_unit,
    jaccard_distance,
    masi_distance,
    peer_agreement,
    pyramid_agreement,
    set_alpha,
)
from assay.stats import krippendorff_alpha

SETS = st.frozensets(st.sampled_from("abcd"), min_size=1)


def test_masi_by_hand():
    """Passonneau 2006: Jaccard x 1, 2/3, 1/3 or 0."""
    ab, abc, bc, d = (frozenset(s) for s in ("ab", "abc", "bc", "d"))
    assert masi_distance(ab, ab) == 0
    assert masi_distance(ab, abc) == pytest.approx(1 - 2 / 3 * 2 / 3)
    assert masi_distance(ab, bc) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi_distance(ab, d) == 1


@given(st.lists(st.tuples(SETS, SETS), min_size=2, max_size=8))
def test_with_a_nominal_distance_it_is_krippendorffs_alpha(rows):
    kinds = {value: k for k, value in enumerate(dict.fromkeys(v for row in rows for v in row))}
    if len(kinds) < 2:
        return
    expected = krippendorff_alpha(np.array([[kinds[a], kinds[b]] for a, b in rows]), measure="nominal").value
    assert set_alpha(rows, lambda a, b: float(a != b)) == pytest.approx(expected)


@given(SETS, SETS)
def test_masi_is_never_below_jaccard(a, b):
    assert masi_distance(a, b) >= jaccard_distance(a, b) - 1e-12


def change(data, split):
    """The set with the units of one topic changed."""
    items = []
    for item in data:
        pyramid = read_pyramid(item)
        items.append(add_pyramid(item, split(pyramid)) if item.id == "ferry" else item)
    return assay.EvalSet(items)


def split_first(pyramid):
    """The first unit made two, one for each half of its contributors."""
    first = pyramid.units[0]
    halves = (
        replace(first, contributors=first.contributors[:2]),
        replace(first, id="1b", label="it capsized", contributors=first.contributors[2:]),
    )
    return replace(pyramid, units=(*halves, *pyramid.units[1:]))


def test_equal_pyramids_agree_and_a_split_unit_lowers_agreement():
    data = read_topics()
    same = pyramid_agreement(data, data, names=("ann", "bob"))
    assert same.alpha_masi == same.alpha_jaccard == same.span_f == 1.0
    assert {match.overlap for match in same.matches} == {1.0}
    other = pyramid_agreement(data, change(data, split_first))
    assert 0.8 < other.alpha_masi < other.alpha_jaccard < 1.0
    assert other.span_f < 1.0
    split = next(match for match in other.matches if match.first == "a ferry sank")
    assert 0.5 < split.overlap < 1.0
    assert "agree well" in same.view().headline


def unit_over(*words):
    """A unit of some words of a model text of twenty words of one letter each."""
    spans = (TextSpan(2 * words[0], 2 * words[-1] + 1),)
    return ContentUnit(str(words[0]), "x", (Contributor("A", spans),))


def make_pyramid(*units):
    text = " ".join("abcdefghijklmnopqrst")
    return Pyramid("t", {"A": text}, tuple(units))


def test_words_in_no_unit_are_no_agreement():
    """Units without a word in common: alpha over all words was .8 and more, since both left most words out."""
    ann, bob = make_pyramid(unit_over(0, 1)), make_pyramid(unit_over(10, 11))
    apart = pyramid_agreement([ann], [bob], names=("ann", "bob"))
    assert (apart.words, apart.span_f) == (4, 0.0)
    assert apart.alpha_masi < 0
    assert "agree less than by chance" in apart.view().headline
    assert "F of word pairs 0.000" in apart.view().headline
    one = pyramid_agreement([make_pyramid(unit_over(0, 1), unit_over(5))], [make_pyramid(unit_over(0, 1))])
    assert one.words == 3  # a unit of one word is not what the other left out
    assert one.alpha_masi < 1
    far = replace(apart, alpha_masi=0.85, span_f=0.04)
    assert "agree poorly" in far.view().headline


def test_peers_marked_by_two():
    result = peer_agreement(read_topics("ann", "bob"))
    assert (result.peers, result.marks) == (18, 6 * 22)
    marks = []
    for item in read_topics("ann", "bob"):
        pyramid = read_pyramid(item)
        for name in item.outputs:
            sets = [set(peer.unit_ids) for peer in pyramid.peers if peer.peer == name]
            marks += [[float(unit.id in s) for s in sets] for unit in pyramid.units]
    assert result.presence_alpha == pytest.approx(krippendorff_alpha(np.array(marks), measure="nominal").value)
    assert result.same == pytest.approx(np.mean([a == b for a, b in marks]))


def test_bad_input():
    data = read_topics()
    with pytest.raises(InputError, match="at least two annotators"):
        peer_agreement(data)
    with pytest.raises(InputError, match="no topic in common"):
        pyramid_agreement(data.select(["ferry"]), data.select(["fraud"]))
    other = change(data, lambda p: replace(p, models={**p.models, "A": p.models["A"] + " More."}))
    items = [
        replace(i, references=(assay.Reference(i.references[0].text + " More.", "A"), *i.references[1:])) for i in other
    ]
    with pytest.raises(InputError, match="different texts"):
        pyramid_agreement(data, assay.EvalSet(items))


def test_a_word_belongs_to_a_unit_if_a_span_touches_it_and_not_if_it_only_ends_there():
    models = {"A": "It rained hard-ish."}
    spans = (TextSpan(0, 3), TextSpan(9, 10), TextSpan(12, 15))  # "It ", the space after "rained", "rd-"
    pyramid = Pyramid("weather", models, (ContentUnit("1", "rain", (Contributor("A", spans),)),))
    assert _words_by_unit(pyramid) == {"1": frozenset({("A", 0), ("A", 2)})}  # not "ish", which begins where "-" ends
