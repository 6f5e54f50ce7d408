"""The answer in words, case by case."""

from __future__ import annotations

import pytest

from assay.comparison.verdict import ClosestMetric, Opinion, Verdict


def opinion(by, ranked, leaders=1, people=False):
    settled = leaders == 1 and len(ranked) > 1
    names, bands = tuple(ranked), 1 if leaders == len(ranked) else 2
    return Opinion(
        by, "human" if people else "", names, names[:leaders], bands, settled, 0.5, 0.4, 0.6, 0.95, 40, (ranked[0],)
    )


def headline(*opinions, closest=None, systems=3, items=40):
    return Verdict(systems, items, True, opinions, () if closest is None else (closest,)).view().headline


def near(metric="m", *, metrics=2, tied=(), tested=True, significant=True, systems=8):
    return ClosestMetric("meaning", metric, 0.9, significant, "system", systems, metrics, tied, tested)


AGREE, NEAR = "m, the metric that agrees best with them,", "m, the metric closest to them,"


@pytest.mark.parametrize(
    ("ranked", "leaders", "sentence"),
    [
        ("AB", 1, "People rate A significantly better than B for meaning."),
        ("AB", 2, "People see no significant difference between A and B for meaning."),
        ("ABC", 1, "People rate A best of 3 systems for meaning."),
        ("ABC", 2, "People rate A first of 3 systems for meaning, but not significantly better than B."),
        ("ABC", 3, "People see no significant differences among the 3 systems for meaning."),
        ("ABCDEF", 4, "People rate A first of 6 systems for meaning, but not significantly better than 3 others."),
    ],
)
def test_people(ranked, leaders, sentence):
    assert headline(opinion("meaning", ranked, leaders, people=True)) == sentence


@pytest.mark.parametrize(
    ("ranked", "leaders", "closest", "rest"),
    [
        ("ABC", 1, near(metrics=1), "; m also puts A first."),
        ("ABC", 1, near(), f"; {AGREE} also puts A first."),
        ("ABC", 1, near(tied=("n",)), f"; {NEAR} also puts A first."),
        ("ABC", 1, near(tested=False), f"; {NEAR} also puts A first."),
        ("CAB", 1, near(), f", but {AGREE} puts C first."),
        ("ACB", 2, near(), f"; {AGREE} puts A first, but not significantly above C."),
        ("ABC", 3, near(), f"; {AGREE} finds no significant differences."),
        ("AB", 2, near(), f"; {AGREE} finds no significant difference."),
        ("ABC", 1, near(significant=False), "; no metric here agrees significantly with them."),
        ("ABC", 1, near(metrics=1, significant=False), "; m does not agree significantly with them."),
        ("ABC", 1, near(metrics=1, significant=False, systems=3), "; m also puts A first."),
        ("XAB", 1, near(), f", but {AGREE} puts X first, which people did not judge."),
        ("ABCDEF", 5, near(), f"; {AGREE} puts A first, but not significantly above 4 others."),
    ],
)
def test_the_metric_closest_to_people(ranked, leaders, closest, rest):
    people = opinion("meaning", "ABC", people=True)
    sentence = headline(people, opinion("m", ranked, leaders), closest=closest)
    assert sentence == f"People rate A best of 3 systems for meaning{rest}"


def test_dimensions_with_the_same_answer_are_one_sentence():
    judged = [opinion(d, "ABC", people=True) for d in ("meaning", "grammar")]
    assert headline(*judged) == "People rate A best of 3 systems for meaning and grammar."


def test_dimensions_with_other_answers_follow():
    judged = opinion("meaning", "ABC", people=True), opinion("grammar", "BAC", people=True)
    sentences = Verdict(3, 40, True, judged, ()).view().sentences
    assert sentences == ["People rate A best of 3 systems for meaning.", "People rate B best of 3 systems for grammar."]


@pytest.mark.parametrize(
    ("metrics", "sentence"),
    [
        ([("m", "AB", 1)], "A is significantly better than B by m."),
        ([("m", "AB", 2)], "No significant difference between A and B by m."),
        ([("m", "ABC", 1)], "A is the best of 3 systems by m."),
        ([("m", "ABC", 1), ("n", "ACB", 1)], "A is the best of 3 systems by m and n."),
        ([("m", "ABC", 3), ("n", "ABC", 3)], "No significant differences among the 3 systems by m and n."),
        (
            [("m", "ABC", 1), ("n", "BAC", 1)],
            "The metrics disagree about the best of 3 systems: by m it is A; by n it is B.",
        ),
        (
            [("m", "ABC", 1), ("n", "ABC", 2)],
            "A is the best of 3 systems by m; by n it is not significantly better than every other.",
        ),
        (
            [("m", "ABC", 2), ("n", "ACB", 2)],
            "A is among the best of 3 systems by all metrics, but by none significantly better than every other.",
        ),
    ],
)
def test_without_people(metrics, sentence):
    result = Verdict(3, 40, True, tuple(opinion(*m) for m in metrics), ())
    assert result.view().sentences == [
        sentence,
        "Without human judgments it is not known whether people would agree.",
    ]


def test_one_system():
    judged = opinion("meaning", "A", people=True)
    assert headline(judged, opinion("m", "A"), systems=1) == (
        "A is the only system, and there is nothing to compare it with: meaning (people) 0.5000 and m 0.5000."
    )


def test_one_item():
    assert headline(opinion("m", "ABC", 3), opinion("n", "BAC", 3), items=1) == (
        "There is only one item, so no difference can be tested. Best on it: A by m; B by n."
    )


def test_no_scores():
    assert headline() == "There are no scores to compare systems by."
