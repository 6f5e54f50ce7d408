"""Systems with the same texts as another one are found, named, and counted once."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Judgment
from assay.data.alignment import align_scores
from assay.data.copies import SystemCopy, find_copies
from assay.data.item import Reference
from assay.raters.consistency import consistency

WORDS = [f"word{i}" for i in range(200)]


def sentence(rng: np.random.Generator, length: int = 24) -> str:
    return " ".join(rng.choice(WORDS, length))


def nearly(text: str) -> str:
    """Return the text with other spacing and case, and one more word: F is above .95."""
    return "  ".join(text.upper().split()) + " too"


def make_set(items: int, *, same: float = 1.0, systems: int = 3, judged: bool = True, exact: bool = False) -> EvalSet:
    """Make a set in which `again` says what `s0` says on a share of the items, in nearly the same words."""
    rng = np.random.default_rng(1)
    rows = []
    for i in range(items):
        outputs = {f"s{k}": sentence(rng) for k in range(systems)}
        outputs["again"] = sentence(rng) if i >= same * items else outputs["s0"] if exact else nearly(outputs["s0"])
        scores = {name: float(rng.integers(1, 6)) for name in outputs}
        scores["again"] = scores["s0"]
        judgments = [Judgment(name, "ann", "meaning", score) for name, score in scores.items()] if judged else []
        reference = (Reference(" ".join(reversed(outputs["s1"].split()[::2])) + " end of it"),)
        rows.append(Item(str(i), references=reference, outputs=outputs, judgments=tuple(judgments)))
    return EvalSet(rows)


@pytest.mark.parametrize(("same", "expected"), [(1.0, 100), (0.92, 92), (0.85, None), (0.5, None)])
def test_nine_tenths_make_a_copy(same: float, expected: int | None) -> None:
    copies = make_set(100, same=same).copies
    assert copies == (() if expected is None else (SystemCopy("again", "s0", expected, 100),))


def test_few_items_say_nothing() -> None:
    assert make_set(4).copies == ()
    assert [copy.system for copy in make_set(5).copies] == ["again"]


def test_answers_of_a_few_words_are_no_evidence() -> None:
    texts = {"A": "the same three", "B": "the same three"}
    assert find_copies([Item(str(i), outputs=texts) for i in range(40)]) == ()


def test_texts_that_are_right_are_no_evidence() -> None:
    """Two systems that correct grammar leave most sentences as they are, and change a word in the others."""
    rng = np.random.default_rng(2)
    items = []
    for i in range(60):
        source = sentence(rng)
        words = source.split()
        one, other = [*words[:-1], "first"], [*words[:-1], "second"]
        outputs = {"A": source, "B": source} if i < 40 else {"A": " ".join(one), "B": " ".join(other)}
        items.append(Item(str(i), outputs=outputs, sources=(source,)))
    assert find_copies(items) == ()
    assert find_copies([Item(item.id, outputs=item.outputs) for item in items])[0].same == 60


def test_the_original_is_the_one_with_more_judgments() -> None:
    items = list(make_set(10, judged=False))
    judged = [
        Item(item.id, outputs=item.outputs, judgments=(Judgment("again", "ann", "meaning", 3.0),)) for item in items
    ]
    assert find_copies(items)[0].original == "s0"
    assert find_copies(judged) == (SystemCopy("s0", "again", 10, 10),)


def test_three_of_a_kind_have_one_original() -> None:
    texts = {"A": "a b c d e", "B": "a b c d e", "C": "a b c d e"}
    copies = find_copies([Item(str(i), outputs=texts) for i in range(30)])
    assert {(copy.system, copy.original) for copy in copies} == {("B", "A"), ("C", "A")}


def test_systems_with_few_items_in_common_are_compared_on_these() -> None:
    rng = np.random.default_rng(0)
    items = []
    for i in range(200):
        text = sentence(rng)
        outputs = {f"s{int(k)}": sentence(rng) for k in rng.choice(np.arange(2, 60), 3, replace=False)}
        outputs |= {"s0": text, "s1": text} if i % 30 == 7 else {}
        items.append(Item(str(i), outputs=outputs))
    assert [(copy.system, copy.original) for copy in find_copies(items)] == [("s1", "s0")]


def test_a_pair_with_a_tenth_of_other_texts_is_found_among_many_items() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        texts = [sentence(rng) for _ in range(500)]
        other = [text if rng.random() > 0.06 else sentence(rng) for text in texts]
        items = [Item(str(i), outputs={"A": a, "B": b}) for i, (a, b) in enumerate(zip(texts, other, strict=True))]
        assert [copy.system for copy in find_copies(items)] == ["B"]


def test_correlations_count_a_copy_once_and_show_the_other_figure() -> None:
    data = make_set(30, systems=8)
    metric, human = assay.score(data, "rouge1"), data.human("meaning")
    assert [copy.system for copy in metric.copies] == [copy.system for copy in human.copies] == ["again"]
    assert "again" not in align_scores(metric, human)[0].systems
    once, again = assay.correlate(metric, human), assay.correlate(metric, human, without=())
    assert (once.n, again.n) == (8, 9)
    assert once.with_copies == again.value != once.value
    assert np.isnan(again.with_copies)
    several = assay.correlate({"rouge1": metric}, human)
    assert [copy.system for copy in several.copies] == ["again"]
    assert "again has the same outputs as s0 on 30 of 30 items" in str(several)


def test_a_selection_without_the_original_keeps_the_copy() -> None:
    human = make_set(30).human("meaning")
    assert human.select(["s1", "again"]).copies == ()
    assert len(human.select(["s0", "again"]).copies) == 1


def test_self_consistency_does_not_take_copies_for_texts_judged_again() -> None:
    data = make_set(30, exact=True)
    with pytest.warns(assay.errors.UndefinedWarning, match="no rater judged"):
        result = consistency(data, "meaning")
    assert (result.pairs, result.with_copies) == (0, 1.0)
    assert "Not counted as texts judged again: again has the same outputs as s0" in str(result)
