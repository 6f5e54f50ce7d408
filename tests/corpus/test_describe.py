"""Corpus statistics: by hand, and as published of Broadcast News."""

from __future__ import annotations

import pytest

import assay
from assay import EvalSet, Item, Reference
from assay.corpus.describe import describe
from assay.errors import InputError


def item(name: str, source: str, refs: dict[str, str], group: str | None = None) -> Item:
    return Item(name, tuple(Reference(t, k) for k, t in refs.items()), {"S": source}, (source,), group)


DATA = EvalSet(
    [
        item("1", "a b c d e f", {"x": "a b c d e f", "y": "a d e f"}, "one"),
        item("2", "a b c d", {"x": "a d", "y": "b c d"}, "two"),
    ]
)


def test_by_hand():
    whole = describe(DATA, systems=True)
    x, y = whole.writers
    assert (x.name, x.compressed, x.rate_tokens, x.total_tokens) == ("x", 0.5, pytest.approx(0.75), pytest.approx(0.8))
    assert x.rate_chars == pytest.approx((1 + 3 / 7) / 2)
    assert (x.spans, y.spans) == ({2: 1}, {1: 1, 2: 1})
    assert (whole.sources.tokens, whole.sources.median, whole.sources.most) == (10, 5.0, 6)
    assert whole.mean is not None
    assert whole.mean.compressed == 0.75
    assert whole.mean.spans == {1: 1, 2: 2}
    assert whole.mean.mean_span == pytest.approx(5 / 3)
    [pair] = whole.pairs  # x deletes b c of 2; y deletes b c of 1 and a of 2
    assert (pair.f1, pair.agreement, pair.exact, pair.tokens) == (0.0, 0.5, 0.0, 10)
    assert pair.kappa == pytest.approx((0.5 - 0.62) / 0.38)
    assert whole.systems[0].compressed == 0.0
    assert whole.systems[0].mean_span != whole.systems[0].mean_span  # none dropped


def test_alpha_is_that_of_the_library():
    import krippendorff

    whole = describe(DATA)
    bits = [[0, 0, 0, 0, 0, 0, 0, 1, 1, 0], [0, 1, 1, 0, 0, 0, 1, 0, 0, 0]]
    assert whole.alpha == pytest.approx(krippendorff.alpha(bits, level_of_measurement="nominal"))


def test_groups_and_writers_by_place():
    whole = describe(DATA, by_group=True)
    one, two = whole.groups
    assert (whole.group_count, one.group, two.group, one.items) == (2, "one", "two", 1)
    refs = [["a", "a b"], ["c"]]
    found = describe(EvalSet.from_texts(["", ""], refs, ["a b", "c d e"]))
    assert [(w.name, w.lengths.n) for w in found.writers] == [("reference 1", 2), ("reference 2", 1)]
    assert found.pairs[0].n == 1


def test_texts_that_do_more_than_delete():
    found = describe(EvalSet.from_texts([""], ["the new dog"], ["the old dog ran"]))
    assert (found.writers[0].only_deleted, found.writers[0].spans) == (0.0, {1: 2})


def test_what_is_missing_is_said():
    with pytest.raises(InputError, match="describe needs sources, and no item has one"):
        describe(EvalSet.from_texts(["a"], ["a"]))
    with pytest.raises(InputError, match="no item has references"):
        describe(EvalSet.from_texts(["a"], sources=["a b"]))
    assert describe(EvalSet.from_texts(["a"], sources=["a b"]), systems=True).mean is None


def test_broadcast_news(shared):
    """Agreement .78-.80, kappa .46-.49, deletion F1 .59-.64; rates .71-.83."""
    found = assay.describe(shared("broadcast-news.jsonl.gz"), tokenizer="space")
    assert (found.items, found.group_count) == (1370, 50)
    assert [round(w.rate_tokens, 2) for w in found.writers] == [0.83, 0.71, 0.76]
    assert [round(w.compressed, 3) for w in found.writers] == [0.788, 0.872, 0.880]
    assert all(w.only_deleted == 1.0 for w in found.writers)
    assert min(p.agreement for p in found.pairs) == pytest.approx(0.78, abs=0.005)
    assert max(p.agreement for p in found.pairs) == pytest.approx(0.80, abs=0.005)
    assert [round(p.kappa, 2) for p in found.pairs] == [0.48, 0.46, 0.49]
    assert [p.f1 for p in found.pairs] == pytest.approx([0.613, 0.591, 0.645], abs=0.001)


def test_mean_counts_every_reference_once():
    """A position that one item in ten has is not a tenth of the mean: the mean of the rates of all references."""
    items = [Item(str(k), sources=("a b c d e",), references=(Reference("a b c d"),)) for k in range(9)]
    items.append(Item("9", sources=("a b c d e",), references=(Reference("a b c d"), Reference("a"))))
    whole = describe(EvalSet(items))
    assert [w.lengths.n for w in whole.writers] == [10, 1]
    assert whole.mean.rate_tokens == pytest.approx((10 * 0.8 + 0.2) / 11)  # not (0.8 + 0.2) / 2
    assert whole.mean.lengths.n == 11
    assert whole.mean.lengths.median == 4
    assert whole.mean.spans == {1: 10, 4: 1}
