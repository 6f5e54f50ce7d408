"""Content units are checked against the texts they were marked in."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assay.data.content_units import (
    ContentUnit,
    Contributor,
    PeerAnnotation,
    PeerUnit,
    Pyramid,
    TextSpan,
    add_pyramid,
    read_pyramid,
)
from assay.errors import InputError

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics

MODELS = {"A": "It rained hard.", "B": "It rained."}
RAIN = ContentUnit("1", "rain", (Contributor("A", (TextSpan(0, 9),)), Contributor("B", (TextSpan(0, 9),))))


def test_weights_count_models_or_contributors():
    twice = replace(RAIN, contributors=(*RAIN.contributors, Contributor("A", (TextSpan(10, 14),))))
    pyramid = Pyramid("t", MODELS, (twice,))
    assert pyramid.weights() == {"1": 2}
    assert pyramid.weights("contributors") == {"1": 3}
    assert pyramid.weights(models=["B"]) == {"1": 1}
    assert pyramid.weights(models=[]) == {}


def test_a_peer_counts_units_once_and_keeps_what_is_not_in_the_pyramid():
    pyramid = read_pyramid(read_topics()["ferry"])
    third = pyramid.peers[2]
    assert third.unit_ids == ("4", "6")
    assert (third.other_units, third.repeats) == (1, 1)


def test_what_an_item_carries_is_what_was_added():
    item = read_topics("ann", "bob")["ferry"]
    pyramid = read_pyramid(item)
    assert read_pyramid(add_pyramid(item, pyramid)) == pyramid
    assert {peer.annotator for peer in pyramid.peers} == {"ann", "bob"}
    assert pyramid.unit("1").contributors[2].spans == (TextSpan(16, 23), TextSpan(40, 48))
    assert read_pyramid(replace(item, extra={})) is None
    assert read_pyramid(replace(item, extra={"units": ["plain"], "present": {}})) is None


def unit(*spans, id="1", text="A"):
    return ContentUnit(id, "x", (Contributor(text, tuple(TextSpan(*span) for span in spans)),))


@pytest.mark.parametrize(
    ("units", "peers", "message"),
    [
        ((RAIN, RAIN), (), "unit '1' comes twice"),
        ((ContentUnit("1", "x", ()),), (), "has no contributor"),
        ((unit((0, 3), text="C"),), (), "has a contributor in 'C'; the models are 'A', 'B'"),
        ((unit((10, 40)),), (), "characters 10 to 40 are not in the text, which has 15"),
        ((unit((3, 3)),), (), "characters 3 to 3 are not"),
        ((unit((-1, 3)),), (), "characters -1 to 3 are not"),
        ((unit((0, 5), (4, 8)),), (), "the parts 0-5 and 4-8 of a contributor overlap"),
        ((unit(),), (), "marks no words"),
        ((RAIN,), (PeerAnnotation("sys", (PeerUnit("9"),)),), "states unit '9', which is not in the pyramid"),
        ((RAIN,), (PeerAnnotation("nobody", ()),), "there is no text of it"),
        (
            (RAIN,),
            (PeerAnnotation("sys", (PeerUnit("1", (Contributor("sys", (TextSpan(0, 99),)),)),)),),
            "characters 0 to 99 are not in the text",
        ),
        ((RAIN,), (PeerAnnotation("sys", ()), PeerAnnotation("sys", ())), "annotated twice: name the annotators"),
        (
            (RAIN,),
            (PeerAnnotation("sys", (), "ann"), PeerAnnotation("sys", (), "ann")),
            "peer 'sys' was annotated twice by 'ann': remove one",
        ),
    ],
)
def test_what_does_not_fit_the_texts_is_refused(units, peers, message):
    with pytest.raises(InputError, match=message):
        Pyramid("t", MODELS, units, peers, peer_texts={**MODELS, "sys": "Rain."})


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([{"id": "1", "label": "x", "contributors": [{"text": "A", "spans": [[0, "5"]]}]}], "a span is"),
        ([{"id": "1", "label": "x", "contributors": {}}], "contributors must be a list"),
        ([{"id": None, "label": "x"}], "the id of a unit must be a text"),
        ([{"id": "1", "label": 2.5}], "label must be a text"),
        ([{"id": "1"}, "plain"], "a unit must be an object; got 'plain'"),
        (
            [{"id": "1", "weight": 5, "contributors": [{"text": "A", "spans": [[0, 5]]}]}],
            "unit '1' has weight 5; its contributors give 1",
        ),
    ],
)
def test_what_is_not_an_annotation_is_refused_with_its_item(units, message):
    item = replace(read_topics()["ferry"], extra={"units": units})
    with pytest.raises(InputError, match=f"item 'ferry'.*{message}"):
        read_pyramid(item)
