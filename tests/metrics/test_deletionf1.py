"""Deletion F1: by hand, and figures known of Broadcast News."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Reference
from assay.errors import InputError, UnknownName
from assay.metrics import metric

SOURCE = "the big dog and the small dog ran home ."


def one(output: str, reference: str | list[str], name: str, source: str = SOURCE) -> float:
    return assay.score(EvalSet.from_texts([output], [reference], [source]), name).values.item()


def test_deletion_f1_by_hand():
    """The reference deletes big, and the small dog (1, 3-6); the output big and home (1, 8)."""
    reference, output = "the dog ran home .", "the dog and the small dog ran ."
    assert one(output, reference, "deletionf1(measure=precision)") == pytest.approx(1 / 2)
    assert one(output, reference, "deletionf1(measure=recall)") == pytest.approx(1 / 5)
    assert one(output, reference, "deletionf1") == pytest.approx(2 / 7)
    assert one(SOURCE, SOURCE, "deletionf1") == 1.0  # neither deletes
    assert one(SOURCE, reference, "deletionf1") == 0.0
    assert one(output, SOURCE, "deletionf1") == 0.0
    assert one("", reference, "deletionf1(measure=recall)") == 1.0
    assert one("words of its own", reference, "deletionf1(measure=precision)") == pytest.approx(5 / 10)


def test_place_and_word_differ_where_words_repeat():
    """Dropping the first dog or the second: the same word, another place."""
    first, second = "the big and the small dog ran home .", "the big dog and the small ran home ."
    assert one(first, second, "deletionf1(by=word)") == 1.0
    assert one(first, second, "deletionf1(by=position)") == 0.0


def test_micro_over_items_then_the_mean_over_references():
    items = [
        Item("1", (Reference("a b c", "x"), Reference("a", "y")), {"A": "a b"}, ("a b c d",)),
        Item("2", (Reference("e", "x"), Reference("e f g", "y")), {"A": "e f g"}, ("e f g",)),
    ]
    data = EvalSet(items)
    # x: both delete d, the output c d, the reference d f g: 2/5. y: both c d; c d against b c d: 4/5.
    assert assay.score(data, "deletionf1").means().item() == pytest.approx((2 * 1 / 5 + 2 * 2 / 5) / 2)
    assert assay.score(data, "deletionf1(refs=max)").means().item() == pytest.approx(4 / 5)
    assert assay.score(data, "deletionf1(refs=sum)").means().item() == pytest.approx(2 * 3 / 10)
    assert assay.score(data, "deletionf1(refs=single)").means().item() == pytest.approx(2 / 5)
    by_item = [((2 / 3) + (4 / 5)) / 2, (0 + 1) / 2]
    assert assay.score(data, "deletionf1(aggregate=mean)").values.ravel() == pytest.approx(by_item)
    assert assay.score(data, "deletionf1(aggregate=mean)").means().item() == pytest.approx(np.mean(by_item))


def test_items_may_differ_in_how_many_references_they_have():
    refs = [Reference("a b", "x"), Reference("a", "y")]
    many = [Item(str(k), tuple(refs[: 1 + k % 2]), {"A": "a b"}, ("a b c",)) for k in range(3)]
    many += [Item(f"more {k}", (refs[0],), {"A": "a b"}, ("a b c",)) for k in range(2000)]  # another part
    assert assay.score(EvalSet(many), "deletionf1").means().item() == pytest.approx((1 + 2 / 3) / 2)


def test_deletions_need_a_source_and_a_reference():
    items = [Item("1", (Reference("a"),), {"A": "a"}, ("a b",)), Item("2", (Reference("a"),), {"A": "a"})]
    with pytest.warns(assay.AssayWarning, match="have no sources and references"):
        assert np.isnan(assay.score(EvalSet(items), "deletionf1").values).tolist() == [[False, True]]
    with pytest.raises(UnknownName, match="unknown by of deletionf1"):
        metric("deletionf1(by=index)")
    with pytest.raises(InputError, match="beta of deletionf1"):
        metric("deletionf1(beta=0)")


def test_people_are_not_compared_with_themselves():
    refs = (Reference("a b", "x"), Reference("a c", "y"))
    data = EvalSet([Item("1", refs, {"x": "a b", "A": "a b"}, ("a b c",))])
    for name in ("tokenf1", "exact", "deletionf1", "tokenf1(clip=false)"):
        values = dict(zip(data.systems, assay.score(data, name).values.ravel(), strict=True))
        assert values["x"] < values["A"], name


@pytest.fixture(scope="module")
def broadcast(shared):
    """The sentences, the published outputs, and the baselines whose figures are known."""
    shared("broadcast-news.jsonl.gz")
    sys.path.insert(0, str(Path(__file__).parent.parent.parent / "reproduce"))
    from broadcast import broadcast as read

    rng = random.Random(0)
    items = []
    for item in read():
        words = item.sources[0].split()
        most = max(1, round(0.75 * len(words)))
        drawn = sorted(rng.sample(range(len(words)), most))
        more = {
            "identity": " ".join(words),
            "lead": " ".join(words[:most]),
            "random": " ".join(words[i] for i in drawn),
        }
        people = {str(r.id): r.text for r in item.references}
        items.append(replace(item, outputs={**item.outputs, **more, **people}))
    return EvalSet(items)


# Measured by counting, with other code: F1 as the mean over the three references, deletion F1
# micro against each and then the mean. SLAHAN's best reference: .734. People: each against the two others.
KNOWN = {
    "identity": (0.854, 0.0, 1.0),
    "lead": (0.728, 0.187, 0.753),
    "random": (0.757, 0.268, 0.753),
    "slahan_w_syn_0": (0.675, None, 0.521),
}


def test_known_figures_of_broadcast_news(broadcast):
    names = ("tokenf1(tokenizer=space)", "deletionf1(tokenizer=space)", "rate(tokenizer=space)")
    found = assay.score(broadcast, names)
    for system, figures in KNOWN.items():
        row = broadcast.systems.index(system)
        for name, figure in zip(names, figures, strict=True):
            if figure is not None:
                assert found[name].means()[row] == pytest.approx(figure, abs=0.002), (system, name)
    neural = [k for k, s in enumerate(broadcast.systems) if s.endswith("_0") and not s.startswith("slahan")]
    assert 0.64 < found[names[0]].means()[neural].min() < found[names[0]].means()[neural].max() < 0.668
    people = [broadcast.systems.index(f"annotator{k}") for k in (1, 2, 3)]
    assert found[names[0]].means()[people] == pytest.approx([0.874, 0.865, 0.871], abs=0.001)
    assert found[names[1]].means()[people] == pytest.approx([0.602, 0.629, 0.618], abs=0.001)
    best = assay.score(broadcast, "tokenf1(tokenizer=space, refs=max)").means()
    assert best[broadcast.systems.index("slahan_w_syn_0")] == pytest.approx(0.734, abs=0.001)
