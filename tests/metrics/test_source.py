"""Coverage, TF*IDF and redundancy: plain Python, and figures worked out by hand."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError
from assay.matching.batch import Batch
from assay.scoring.stream import prepare_metrics, score_stream

words = st.lists(st.sampled_from(["sun", "rain", "snow", "wind", "the"]), max_size=9)
PLAIN = "tokenizer=space, stem=none"


def grams(text: list[str], n: int) -> list[tuple[str, ...]]:
    found = (tuple(text[i : i + n]) for i in range(len(text) - n + 1))
    return [g for g in found if any(w != "the" for w in g)]


def made(pairs: list[tuple[list[str], list[str]]]) -> assay.EvalSet:
    return assay.EvalSet.from_texts([" ".join(o) for o, _ in pairs], sources=[" ".join(s) for _, s in pairs])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=4), st.integers(1, 2))
def test_plain(pairs, n):
    held = Counter(g for _, s in pairs for g in set(grams(s, n)))
    coverage, repeats, tfidf, red = [], [], [], []
    for output, source in pairs:
        mine, counts = grams(output, n), Counter(grams(source, n))
        total = max(1, counts.total())
        coverage.append(sum(counts[g] for g in set(mine)) / total)
        repeats.append(sum(counts[g] for g in mine) / total)
        tfidf.append(sum(counts[g] / total * math.log((len(pairs) + 1) / (held[g] + 1)) for g in mine))
        red.append(len(set(mine)) / len(mine) if mine else 0)
    calls = {
        f"coverage{n}({PLAIN})": coverage,
        f"coverage{n}({PLAIN}, repeats=true)": repeats,
        f"tfidf{n}({PLAIN})": tfidf,
        f"red{n}({PLAIN})": red,
    }
    got = assay.score(made(pairs), list(calls))
    for call, want in calls.items():
        assert got[call].values[0] == pytest.approx(want, abs=1e-12), call


def test_several_sources_are_taken_together_and_counted_apart():
    """rain is 2 of 4 words of the source, and in 1 of 3 documents: 1/2 log(4/2); sun 1/4 log(4/2)."""
    items = [
        assay.Item("1", outputs={"A": "rain sun"}, sources=("rain rain", "sun snow")),
        assay.Item("2", outputs={"A": "snow"}, sources=("snow",)),
    ]
    got = assay.score(assay.EvalSet(items), "tfidf1").values[0]
    assert got == pytest.approx([0.75 * math.log(2), math.log(4 / 3)])


def test_idf_of_the_training_part(tmp_path):
    train = assay.EvalSet.from_texts(["x", "x"], sources=["sun rain", "sun snow"])
    test = assay.EvalSet.from_texts(["sun rain"], sources=["sun rain"])
    want = 0.5 * math.log(3 / 3) + 0.5 * math.log(3 / 2)
    assert assay.score(test, "tfidf1", background=train).values.item() == pytest.approx(want)
    [ready] = prepare_metrics([assay.metric("tfidf1")], [train])
    [block] = score_stream([test], [ready])
    assert block.values.item() == pytest.approx(want)
    (tmp_path / "news.txt").write_text("sun rain\n\nsun snow\n")
    assert assay.score(test, f"tfidf1(idf={tmp_path}/news.txt)").values.item() == pytest.approx(want)
    assert assay.score(test, "tfidf1").values.item() == 0


def test_clear_errors(tmp_path):
    data = assay.EvalSet.from_texts(["sun"], sources=["sun"])
    with pytest.raises(InputError, match="use assay\\.score, or prepare it first"):
        assay.metric("tfidf1").values(Batch(data))
    with pytest.raises(InputError, match="nowhere\\.txt cannot be read as text, a document a line"):
        assay.score(data, "tfidf1(idf=nowhere.txt)")
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(InputError, match="is empty; a document a line was expected"):
        assay.score(data, f"tfidf1(idf={tmp_path}/empty.txt)")
    with pytest.raises(InputError, match="delta of sourcekl1 must be above 0"):
        assay.metric("sourcekl1(delta=0)")
    with pytest.raises(InputError, match="n-grams need n between 1 and 1000; got 0"):
        assay.metric("coverage0")


@pytest.mark.parametrize("name", ["sourcejs1", "sourcekl1", "coverage1", "tfidf1"])
def test_without_sources_there_is_no_score(name):
    items = [assay.Item("1", outputs={"A": "sun"}, sources=("sun",)), assay.Item("2", outputs={"A": "sun"})]
    with pytest.warns(assay.AssayWarning, match="1 outputs have no score \\(NaN\\), as their items have no sources"):
        assert np.isnan(assay.score(assay.EvalSet(items), name).values).tolist() == [[False, True]]


def test_summeval_prefers_what_is_in_the_source(shared):
    """Summaries of their own article against the same ones moved on by one article."""
    data = shared("summeval.jsonl.gz")
    items = list(data)
    moved = [
        assay.Item(i.id, i.references, i.outputs, sources=items[(k + 1) % len(items)].sources)
        for k, i in enumerate(items)
    ]
    for name in ("sourcejs1", "sourcejs2", "sourcekl1", "coverage1", "coverage2", "tfidf1", "tfidf2"):
        right, wrong = (assay.score(d, name) for d in (data, assay.EvalSet(moved)))
        better = right.values > wrong.values if right.higher_is_better else right.values < wrong.values
        assert better.mean() > 0.97, name
