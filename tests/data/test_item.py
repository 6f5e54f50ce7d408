"""Items: what is no text is refused with its place; judgments name systems that there are."""

from __future__ import annotations

import random

import pytest

from assay.data.item import Item, Judgment, Reference
from assay.errors import AssayError


def test_texts_references_and_judgments():
    item = Item("1", outputs={"A": "x", "B": "y"}, references=(Reference("x", "r1"),), sources=("s",))
    assert item.outputs["A"] == "x"
    assert item.references[0].text == "x"
    assert item.judged_systems(Judgment("A", "ann", "meaning", 2.0)) == ("A",)


@pytest.mark.parametrize("bad", [None, 3, b"bytes", ["a"], float("nan")])
@pytest.mark.parametrize("field", ["outputs", "references", "sources"])
def test_what_is_no_text_is_refused_with_its_place(field, bad):
    values = {"outputs": {"A": bad}, "references": (Reference(bad, "r1"),), "sources": (bad,)}
    with pytest.raises(AssayError, match="'7'"):
        Item("7", **{field: values[field]})


def test_a_judgment_twice_is_refused():
    judgments = (Judgment("A", "ann", "meaning", 2.0), Judgment("A", "ann", "meaning", 3.0))
    with pytest.raises(AssayError, match="ann"):
        Item("1", outputs={"A": "x"}, judgments=judgments)


def test_a_wmt_judgment_counts_for_both_systems_of_one_text():
    item = Item("1", outputs={"A": "x", "B": "x"}, judgments=(Judgment("A+B", "ann", "meaning", 2.0),))
    assert item.judged_systems(item.judgments[0]) == ("A", "B")


def test_the_quick_check_of_judgments_passes_only_what_the_thorough_one_does():
    rng = random.Random(0)
    passed = 0
    for _ in range(3000):
        judgments = tuple(
            Judgment(
                rng.choice(["A", "B", "A+B", "C"] if rng.random() < 0.1 else ["A", "B"]),
                rng.choice(["r1", "r2"]),
                rng.choice(["d", "e"]),
                1.0,
                rng.choice([0, True, 1.0]) if rng.random() < 0.05 else rng.choice([1, 2]),
                rng.choice(["llm", "nobody"]) if rng.random() < 0.05 else None,
            )
            for _ in range(rng.randint(1, 4))
        )
        item = Item("1", outputs={"A": "x", "B": "y"})
        object.__setattr__(item, "judgments", judgments)
        if item._holds_plain_judgments():
            passed += 1
            item._refuse_judgments()
            assert Item("1", outputs={"A": "x", "B": "y"}, judgments=judgments).judgments == judgments
    assert 500 < passed < 2500
