"""Scores of annotated sets, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from topics import read_topic, read_topics

import assay
from assay.data.content_units import ContentUnit, Contributor, PeerAnnotation, PeerUnit, Pyramid, TextSpan
from assay.errors import InputError, UnknownName
from assay.pyramid.annotated import add_judgments, model_annotation, read_pyramids, score_annotated, score_topic
from assay.pyramid.unit_agreement import peer_agreement
from assay.raters.consistency import consistency
from assay.raters.drop import drop_raters


def ferry(**changes):
    return replace(read_topic("ferry"), **changes)


def score_of(pyramid, name, **options):
    [text] = [text for text in score_topic(pyramid, **options) if text.text == name]
    return text


def test_by_hand():
    """Units weigh 4 4 2 4 2 2 2 1. Peer 3 states units 4 (twice) and 6, and one fact outside the pyramid.

    Weight 6. Original: 3 units, the best have 12. DucView counts the repeat: 4 units, the best have 14. Models state
    21 units, 5.25 on average, 5 truncated: the best have 16. Comprehensive is the harmonic mean of 6/14 and 6/16.
    """
    text = score_of(ferry(), "3")
    assert text.counts == (2, 1, 1, 6)
    assert text.original == pytest.approx(6 / 12)
    assert text.modified == pytest.approx(6 / 16)
    assert text.quality == pytest.approx(6 / 14)
    assert text.coverage == pytest.approx(6 / 16)
    assert text.comprehensive == pytest.approx(2 / (14 / 6 + 16 / 6))


@pytest.mark.parametrize(("size", "best"), [("truncate", 16), ("round", 16), ("ceil", 18)])
def test_the_mean_number_of_units_is_made_whole_as_asked(size, best):
    assert score_of(ferry(), "3", size=size).modified == pytest.approx(6 / best)


def test_contributors_count_as_in_ducview_or_models():
    """A second contributor of one model makes a unit heavier, unless models are counted."""
    pyramid = ferry()
    first = pyramid.units[0]
    twice = replace(first, contributors=(*first.contributors, Contributor("A", (TextSpan(0, 1),))))
    changed = replace(pyramid, units=(twice, *pyramid.units[1:]))
    assert score_of(changed, "2", weight="models").modified == score_of(pyramid, "2", weight="models").modified
    assert score_of(changed, "2").quality == pytest.approx(5 / (5 + 4 + 4))
    assert score_of(changed, "2").original == pytest.approx(5 / 13)
    assert score_of(changed, "2").modified == pytest.approx(5 / 19)  # 5 + 4 + 4 + 3 + 3: 22 contributors of 5 models


def test_half_a_unit_is_rounded_up_and_coverage_follows():
    models = {"A": "a b c", "B": "a b"}
    spans = {"a": ("A", "B"), "b": ("A", "B"), "c": ("A",)}
    units = tuple(
        ContentUnit(name, name, tuple(Contributor(m, (TextSpan(k * 2, k * 2 + 1),)) for m in texts))
        for k, (name, texts) in enumerate(spans.items())
    )
    peer = PeerAnnotation("p", (PeerUnit("a", (Contributor("p", (TextSpan(0, 1),)),)),))
    pyramid = Pyramid("t", models, units, (peer,), {**models, "p": "a"})
    scores = {size: score_of(pyramid, "p", size=size) for size in ("round", "truncate")}  # 2.5 units on average
    assert (scores["round"].modified, scores["truncate"].modified) == (2 / 5, 2 / 4)
    assert all(text.coverage == text.modified for text in scores.values())


def test_coverage_is_at_most_one_and_the_modified_score_may_exceed_it():
    pyramid = ferry()
    everything = PeerAnnotation(
        "1", tuple(PeerUnit(unit.id, (Contributor("1", (TextSpan(0, 3),)),)) for unit in pyramid.units)
    )
    text = score_of(replace(pyramid, peers=(everything,)), "1")
    assert text.modified == pytest.approx(21 / 16)
    assert text.coverage == 1.0
    assert text.upper_bound


def test_a_model_is_scored_against_the_pyramid_of_the_others():
    pyramid = ferry()
    without = tuple(
        replace(unit, contributors=tuple(c for c in unit.contributors if c.text != "B")) for unit in pyramid.units
    )
    models = {name: text for name, text in pyramid.models.items() if name != "B"}
    rest = replace(
        pyramid,
        models=models,
        units=tuple(unit for unit in without if unit.contributors),
        peers=(replace(model_annotation(pyramid, "B"), units=model_annotation(pyramid, "B").units[:4]),),
        peer_texts={"B": pyramid.models["B"]},
    )
    expected = score_of(rest, "B")
    counted = score_of(pyramid, "B")
    assert counted.modified == pytest.approx(expected.modified)
    assert counted.counts.others == 1  # oil on the shore is in no other model


def test_means_over_topics_and_annotators():
    result = score_annotated(read_topics("ann", "bob"))
    by_ann, by_bob = (score_annotated(read_topics(name)) for name in ("ann", "bob"))
    for both, ann, bob in zip(result.systems, by_ann.systems, by_bob.systems, strict=True):
        assert both.modified == pytest.approx((ann.modified + bob.modified) / 2)
    assert result.annotators == ("ann", "bob")
    assert [row.system for row in result.systems if row.model] == ["A", "B", "C", "D"]
    assert result.upper_bounds == 0


def test_the_metric_equals_the_table():
    data = read_topics("ann", "bob")
    table = {row.system: row for row in score_annotated(data).systems}
    for name in ("original", "modified"):
        scores = assay.score(data, f"pyramid(modified={str(name == 'modified').lower()})")
        for system, mean in zip(scores.systems, scores.means(), strict=True):
            assert mean == pytest.approx(getattr(table[system], name))


def test_the_headline_names_the_best_system():
    assert (
        score_annotated(read_topics())
        .view()
        .headline.startswith("1 has the highest modified Pyramid score: 0.903, models 0.817 on average")
    )


def test_bad_input():
    with pytest.raises(InputError, match="no item has content units"):
        read_pyramids(assay.EvalSet.from_texts(["a"]))
    with pytest.raises(UnknownName, match="unknown size 'rnd'"):
        score_topic(ferry(), size="rnd")


def test_scores_as_judgments_answer_questions_about_annotators():
    """Agreement, consistency on texts that occur twice, and what changes without an annotator."""
    judged = add_judgments(read_topics("ann", "bob"))
    assert judged.raters == ("ann", "bob")
    result = peer_agreement(read_topics("ann", "bob"))
    assert assay.agreement(judged, "pyramid").alpha.value == pytest.approx(result.score_alpha)
    repeats = consistency(judged, "pyramid", interval=False)
    assert repeats.of("ann").same == 1.0  # both copies alike
    assert repeats.of("bob").same == 0.0
    changed = drop_raters(judged, "pyramid", raters=["bob"], metrics=[assay.score(judged, "rouge1")])
    by_ann = {row.system: row.modified for row in score_annotated(read_topics("ann")).systems}
    assert {row.system: row.after for row in changed.systems} == pytest.approx({s: by_ann[s] for s in judged.systems})
    assert changed.metrics[0].systems_before != changed.metrics[0].systems_after
