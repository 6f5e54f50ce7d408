"""What speaks for a unit in a text: features by hand, and marks that must not be seen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from topics import read_topic, read_topics

from assay.data.content_units import ContentUnit, Contributor, PeerAnnotation, PeerUnit, Pyramid, TextSpan
from assay.pyramid.annotated import read_pyramids, score_against_models
from assay.pyramid.auto import annotate_automatically, auto_pyramid, suggest_units
from assay.pyramid.evidence import FEATURES, WEIGHTS, weigh_evidence

MODEL = "The mill burned. A guard slept."
OTHER = "Mill burned down quickly. A guard slept."
TEXT = "The mill burned down. The guard left."


def mark(text: str, unit: str, words: str) -> PeerUnit:
    start = text.index(words)
    return PeerUnit(unit, (Contributor("other", (TextSpan(start, start + len(words)),)),))


@pytest.fixture
def pyramid() -> Pyramid:
    """Two units of one model, of which another peer states the first."""
    units = tuple(
        ContentUnit(id, label, (Contributor("M", (TextSpan(start, end),)),))
        for id, label, start, end in (("1", "mill burned", 4, 15), ("2", "a guard slept", 17, 30))
    )
    peers = (PeerAnnotation("other", (mark(OTHER, "1", "Mill burned"),)), PeerAnnotation("new", ()))
    return Pyramid("mill", {"M": MODEL}, units, peers, {"M": MODEL, "other": OTHER, "new": TEXT})


def test_features_by_hand(pyramid):
    found = weigh_evidence(pyramid, "new", TEXT)
    first, second = (dict(zip(FEATURES, found[unit].features, strict=True)) for unit in "12")
    assert (first["exact"], first["best"], first["second"], first["mean"]) == (1.0, 1.0, 1.0, 1.0)
    assert (first["stated"], first["label"], first["like"], first["unlike"]) == (1.0, 1.0, 1.0, 0.0)
    assert first["words"] == pytest.approx(math.log(1 + 2))
    # guard stands in 3 of the 6 sentences of the topic, slept in 2
    guard, slept = math.log(7 / 3.5), math.log(7 / 2.5)
    assert second["best"] == pytest.approx(guard / (guard + slept))
    assert (second["exact"], second["stated"], second["like"], second["weight"]) == (0.0, 0.0, 0.0, 0.0)
    left = math.log(7 / 1.5)
    cosine = guard**2 / math.sqrt((guard**2 + slept**2) * (guard**2 + left**2))
    assert second["unlike"] == (pytest.approx(cosine) if cosine > 0.25 else 0.0)
    assert found["1"].probability == pytest.approx(
        1 / (1 + math.exp(-WEIGHTS[0] - sum(w * x for w, x in zip(WEIGHTS[1:], found["1"].features, strict=True))))
    )
    [suggestion] = suggest_units(pyramid, "new", TEXT, method="learned")
    assert (suggestion.unit, suggestion.contributor) == ("1", "M")
    assert [TEXT[start:end] for start, end in suggestion.spans] == ["mill burned"]


def test_a_text_never_sees_its_own_marks_nor_those_of_another_annotator():
    pyramid = read_topic("ferry")
    for peer in pyramid.peers:
        text = pyramid.peer_texts[peer.peer]
        without = replace(pyramid, peers=tuple(replace(p, units=()) if p is peer else p for p in pyramid.peers))
        both = replace(pyramid, peers=(*pyramid.peers, *(replace(p, annotator="x", units=()) for p in pyramid.peers)))
        own = weigh_evidence(pyramid, peer.peer, text, by=peer.annotator)
        assert own == weigh_evidence(without, peer.peer, text, by=peer.annotator)
        assert own == weigh_evidence(both, peer.peer, text, by=peer.annotator)


def test_texts_without_words_or_marks(pyramid):
    assert weigh_evidence(pyramid, "new", "") == {}
    alone = replace(pyramid, peers=())
    assert weigh_evidence(alone, "new", TEXT)["1"].features[FEATURES.index("stated")] == 0.0


def test_more_is_found_than_exact_words_and_scores_follow_within_topics():
    exact, learned = (auto_pyramid(read_topics(), method=method, skip_copies=True) for method in ("exact", "learned"))
    assert learned.recall > exact.recall
    pairs: dict[str, list[tuple[float, float]]] = {}
    for pyramid in read_pyramids(read_topics()):
        for peer in pyramid.peers:
            text = pyramid.peer_texts[peer.peer]
            made = annotate_automatically(pyramid, peer.peer, text, by=peer.annotator, skip_copies=True)
            scores = (score_against_models(each, pyramid, tuple(pyramid.models)) for each in (peer, made))
            pairs.setdefault(pyramid.item, []).append(tuple(scores))
    centred = np.concatenate([np.array(own) - np.mean(own, axis=0) for own in pairs.values()])
    assert exact.within_topics == pytest.approx(np.corrcoef(centred.T)[0, 1])
    assert exact.within_topics != pytest.approx(exact.pearson)
