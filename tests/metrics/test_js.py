"""Divergences: SciPy and plain Python for the formulas, published per-summary scores for the definition."""

from __future__ import annotations

import csv
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

import assay
from assay.errors import UnknownName
from assay.text.stems import stop_words

words = st.lists(st.sampled_from(["sun", "rain", "the", "snow", "of", "wind"]), max_size=9)
PLAIN = "tokenizer=space, stem=none"


def bag(text: list[str], n: int, stop: frozenset[str]) -> Counter[tuple[str, ...]]:
    grams = (tuple(text[i : i + n]) for i in range(len(text) - n + 1))
    return Counter(g for g in grams if not all(w in stop for w in g))


def shares(a: Counter, b: Counter, delta: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    units = sorted(a.keys() | b.keys())
    p, q = (np.array([c[u] + delta for u in units], dtype=float) for c in (a, b))
    return p / p.sum(), q / q.sum()


def js(a: Counter, b: Counter) -> float:
    if not a or not b:
        return 0.0 if not a and not b else math.log(2)
    return jensenshannon(*shares(a, b)) ** 2


def kl(a: Counter, b: Counter, delta: float) -> float:
    return entropy(*shares(a, b, delta)) if a or b else 0.0


@settings(deadline=None, max_examples=150)
@given(words, st.lists(words, min_size=1, max_size=3), st.integers(1, 3), st.sampled_from(["short", "none"]))
def test_js_is_scipys_averaged_over_references(output, references, n, stop):
    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    got = assay.score(data, f"js{n}({PLAIN}, stop={stop})").values.item()
    left_out = stop_words(stop) if stop != "none" else frozenset()
    want = np.mean([js(bag(output, n, left_out), bag(r, n, left_out)) for r in references])
    assert got == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=150)
@given(words, words, st.integers(1, 2), st.sampled_from([0.0005, 0.5]))
def test_divergence_from_the_source(output, source, n, delta):
    data = assay.EvalSet.from_texts([" ".join(output)], sources=[" ".join(source)])
    a, b = (bag(text, n, stop_words("short")) for text in (output, source))
    first, second = (
        assay.score(data, f"sourcekl{n}({PLAIN}, delta={delta}, first={k})").values.item() for k in ("output", "source")
    )
    assert first == pytest.approx(kl(a, b, delta), abs=1e-9)
    assert second == pytest.approx(kl(b, a, delta), abs=1e-9)
    assert assay.score(data, f"sourcejs{n}({PLAIN})").values.item() == pytest.approx(js(a, b), abs=1e-9)


def test_by_hand():
    """p = (1/2, 1/2, 0), q = (1/2, 0, 1/2): m = (1/2, 1/4, 1/4), so JS = log(2) / 2."""
    data = assay.EvalSet.from_texts(["sun rain", "sun rain", ""], ["sun snow", "rain sun", "sun"])
    assert assay.score(data, "js1").values[0] == pytest.approx([math.log(2) / 2, 0, math.log(2)])
    assert not assay.score(data, "js1").higher_is_better


def test_own_reference_is_skipped():
    item = assay.Item("1", (assay.Reference("sun", "A"), assay.Reference("rain", "B")), {"A": "sun", "x": "sun"})
    data = assay.EvalSet([item])
    assert assay.score(data, "js1").values[:, 0] == pytest.approx([math.log(2), math.log(2) / 2])
    assert assay.score(data, "js1(own=keep)").values[:, 0] == pytest.approx([math.log(2) / 2] * 2)


def test_names_and_stop_words():
    assert assay.metric("JSref-2") == assay.metric("js2")
    assert assay.metric("js1(stop=true)") == assay.metric("js1")
    assert assay.metric("js1(stop=false)") == assay.metric("js1(stop=none)")
    with pytest.raises(UnknownName, match="list of stop words 'long'"):
        assay.metric("js1(stop=long)")


@pytest.mark.parametrize("n", [1, 2])
def test_published_scores_of_tac_2008(shared, shared_file, n):
    """S3's own code on the same summaries; its one empty output gets log(2) / 2 there, log(2) here."""
    data = shared("tac2008.jsonl.gz")
    ours = assay.score(data, f"js{n}(own=keep)").values
    place = {system: i for i, system in enumerate(data.systems)}
    with shared_file("tac2008-published-scores.csv").open() as file:
        published = iter([-float(row[f"JS_{n}"]) for row in csv.DictReader(file)])
    outputs = [(system, j, text) for j, item in enumerate(data) for system, text in item.outputs.items()]
    pairs = [(ours[place[system], j], next(published)) for system, j, _ in outputs]
    got, want = np.array([pair for pair, (*_, text) in zip(pairs, outputs, strict=True) if text.strip()]).T
    assert len(got) == 2975
    assert np.corrcoef(got, want)[0, 1] > 0.9999
    assert np.mean(np.abs(got - want) < 1e-9) > 0.96
