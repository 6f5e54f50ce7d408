"""autoPyramid finds what was planted, and the places where an annotator missed something."""

from __future__ import annotations

from dataclasses import replace

import pytest
from topics import read_topic, read_topics

from assay.data.content_units import PeerAnnotation
from assay.errors import UnknownName
from assay.pyramid.auto import annotate_automatically, auto_pyramid, suggest_units


def plant(pyramid, text):
    """The pyramid with a new peer of this text, and nothing marked in it."""
    texts = {**pyramid.peer_texts, "new": text}
    return replace(pyramid, peers=(*pyramid.peers, PeerAnnotation("new", ())), peer_texts=texts)


@pytest.mark.parametrize("topic", ["ferry", "fraud", "measles"])
def test_every_planted_contributor_is_found(topic):
    """Recall is 1 on exact copies: a text of all contributors of the models suggests all units."""
    pyramid = read_topic(topic)
    words = [
        pyramid.models[c.text][start:end] for unit in pyramid.units for c in unit.contributors for start, end in c.spans
    ]
    text = ". ".join(words)
    suggestions = suggest_units(plant(pyramid, text), "new", text)
    assert [s.unit for s in suggestions] == [unit.id for unit in pyramid.units]
    for suggestion in suggestions:
        assert suggestion.method == "exact"


def test_a_contributor_of_two_parts_needs_both():
    pyramid = read_topic("ferry")
    only = replace(
        pyramid, units=(replace(pyramid.units[0], contributors=pyramid.units[0].contributors[2:3]),), peers=()
    )
    assert suggest_units(only, "new", "At noon a ferry full of trucks capsized.") != ()
    assert suggest_units(only, "new", "At noon a ferry full of trucks left.") == ()
    assert suggest_units(only, "new", "At noon a ferryman capsized.") == ()  # whole words only


def test_methods_add_to_each_other():
    pyramid = read_topic("measles")
    text = "The school was closed. The ministry is sending vaccines."
    found = {m: {s.unit: s.method for s in suggest_units(pyramid, "new", text, method=m)} for m in ("exact", "lemma")}
    assert found["exact"] == {}
    assert found["lemma"] == {"5": "lemma"}
    partial = {s.unit: s.method for s in suggest_units(pyramid, "new", text, method="partial")}
    assert partial == {"5": "lemma", "6": "partial"}


def test_a_model_never_sees_its_own_contributors():
    pyramid = read_topic("ferry")
    alone = replace(pyramid, peers=())
    for name, text in alone.models.items():
        owners = {s.contributor for s in suggest_units(alone, name, text, method="partial")}
        assert name not in owners


def test_what_bob_missed_is_listed():
    """Bob left out units 2 and 5 in the copy of a text, a plea and the closed schools: found in other texts."""
    result = auto_pyramid(read_topics("ann", "bob"), method="partial")
    missed = {(m.item, m.peer, m.unit) for m in result.misses if m.annotator == "bob"}
    assert missed == {("ferry", "6", "2"), ("ferry", "6", "5"), ("fraud", "5", "5"), ("measles", "5", "5")}
    ann, bob = result.annotators
    assert ann.difference > 0 > bob.difference
    assert "bob may have missed units" in result.view().sentences[1]


def test_copies_make_it_easy():
    easy, fair = (auto_pyramid(read_topics(), skip_copies=skip) for skip in (False, True))
    assert easy.copies == fair.copies == 6
    assert easy.recall > fair.recall
    [without] = easy.without_copies  # both are told by one run
    assert (without.precision, without.recall, without.pearson) == (fair.precision, fair.recall, fair.pearson)
    assert fair.without_copies == ()
    assert "--skip-copies" in " ".join(easy.view().notes)


def test_precision_and_recall_by_hand():
    """One peer, one unit marked and found, one found that was not marked."""
    pyramid = read_topic("ferry")
    second = pyramid.peers[1]  # it states the first unit, and two facts outside the pyramid
    texts = {"2": "At night the ferry went down. Oil reached the shore.", **pyramid.models}
    small = replace(pyramid, peers=(replace(second, units=second.units[:1]),), peer_texts=texts)
    result = auto_pyramid([small])
    assert (result.precision, result.recall) == (0.5, 1.0)
    assert [miss.words for miss in result.misses] == ["Oil reached the shore"]
    [miss] = result.misses
    assert (miss.start, miss.contributor, miss.contributor_words) == (30, "B", "Oil reached the shore")


def test_suggestions_can_be_scored_as_an_annotation():
    pyramid = read_topic("ferry")
    annotation = annotate_automatically(pyramid, "5", pyramid.peer_texts["5"])
    assert annotation.annotator == "auto"
    assert set(annotation.unit_ids) == {"1", "2", "5", "8"}


def test_unknown_method():
    with pytest.raises(UnknownName, match="unknown method 'fuzzy'"):
        suggest_units(read_topic("ferry"), "1", "x", method="fuzzy")
