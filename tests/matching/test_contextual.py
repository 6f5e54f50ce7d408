"""Greedy matching of pieces by their vectors, by hand and beside a plain implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import EvalSet, _core
from assay.matching.batch import Batch
from assay.matching.contextual import greedy_pairs
from assay.text.cache import Cache
from assay.text.vectors.recent import EncodedPieces

VECTORS = {"a": (1.0, 0.0), "b": (0.6, 0.8), "c": (0.0, 1.0), "d": (-0.8, 0.6)}
WEIGHTS = {"a": 1.0, "b": 3.0, "c": 0.5, "d": 0.0}
TEXTS = st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join)


class Letters:
    """An encoder that gives each letter its vector."""

    model, version = "letters", "1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def pieces(self, text):
        return tuple(text.split())

    def tokens(self, strings, *, threads=None):
        self.asked += strings
        rows = [np.array([VECTORS[w] for w in s.split()], np.float32).reshape(-1, 2) for s in strings]
        return [EncodedPieces(self.pieces(s), row) for s, row in zip(strings, rows, strict=True)]


def alike(pieces):
    return np.full(len(pieces), 1 / max(1, len(pieces)))


def by_letter(pieces):
    weights = np.array([WEIGHTS[p] for p in pieces])
    return weights / weights.sum() if weights.sum() else alike(pieces)


def plain(output, reference, weigh):
    """Precision and recall of one pair."""
    a, b = output.split(), reference.split()
    if not a or not b:
        return 0.0, 0.0
    cosines = np.array([[np.dot(VECTORS[x], VECTORS[y]) for y in b] for x in a])
    return cosines.max(axis=1) @ weigh(a), cosines.max(axis=0) @ weigh(b)


def test_every_pair_of_output_and_reference():
    data = EvalSet.from_texts({"A": ["a c"], "B": [""]}, [["a b", "c"]])
    pairs = greedy_pairs(Batch(data), Letters(), alike)
    assert pairs.output.tolist() == [0, 0, 1, 1]
    assert pairs.place.tolist() == [0, 1, 0, 1]
    assert pairs.precision.tolist() == pytest.approx([0.9, 0.5, 0, 0])  # a = a, c ~ b; a ~ c, c = c
    assert pairs.recall.tolist() == pytest.approx([0.9, 1.0, 0, 0])


@given(
    st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=5),
    st.sampled_from([alike, by_letter]),
)
def test_as_plain(items, weigh):
    data = EvalSet.from_texts({"A": [a for a, _, _ in items], "B": [b for _, b, _ in items]}, [r for _, _, r in items])
    batch = Batch(data)
    pairs = greedy_pairs(batch, Letters(), weigh)
    wanted = [
        plain(output, reference, weigh)
        for output, item in zip(batch.outputs.strings, batch.item, strict=True)
        for reference in items[item][2]
    ]
    np.testing.assert_allclose(np.stack([pairs.precision, pairs.recall], axis=1), wanted, atol=1e-6)


def test_the_cache_answers_the_second_time(tmp_path):
    """The same numbers to the last bit, with other weights too; only what is new is encoded."""
    outputs = {"A": ["a c", "d d b"], "B": ["", "b"]}
    references = [["a b", "c", "a b"], ["b c d", ""]]
    data = EvalSet.from_texts(outputs, references)
    for weigh in (alike, by_letter):
        with_cache = Cache(tmp_path / weigh.__name__)
        encoder = Letters()
        runs = [greedy_pairs(Batch(data), encoder, weigh, cache=c) for c in (None, with_cache, with_cache)]
        assert len(encoder.asked) == 2 * len({*outputs["A"], *outputs["B"], *references[0], *references[1]})
        for run in runs[1:]:
            np.testing.assert_array_equal(run.precision, runs[0].precision)
            np.testing.assert_array_equal(run.recall, runs[0].recall)
    cache, encoder = Cache(tmp_path / "alike"), Letters()
    other = greedy_pairs(Batch(data), encoder, by_letter, cache=cache)  # the entries are made without weights
    np.testing.assert_array_equal(other.precision, greedy_pairs(Batch(data), Letters(), by_letter).precision)
    assert encoder.asked == []
    more = EvalSet.from_texts({**outputs, "C": ["a", "b"]}, references)
    greedy_pairs(Batch(more), encoder, alike, cache=cache)
    assert encoder.asked == ["a", "a b", "c"]


def test_entries_that_do_not_fit_are_computed_again(tmp_path):
    """Another vocabulary beside the same model cuts a text into other pieces; another version is another entry."""
    data = EvalSet.from_texts(["a c"], ["b"])
    cache, encoder = Cache(tmp_path), Letters()
    cache.put("letters", "1-cosines", [("3 a cb", np.zeros(2, "<f4").tobytes())])
    pairs = greedy_pairs(Batch(data), encoder, alike, cache=cache)
    assert pairs.precision.tolist() == pytest.approx([0.7])
    encoder.version = "2"
    encoder.asked.clear()
    greedy_pairs(Batch(data), encoder, alike, cache=cache)
    assert encoder.asked == ["a c", "b"]


def test_texts_that_make_the_same_when_joined_are_two_entries(tmp_path):
    cache = Cache(tmp_path)
    data = EvalSet.from_texts(["a ", "a"], [["c"], [" c"]])
    greedy_pairs(Batch(data), Letters(), alike, cache=cache)
    assert [model.entries for model in cache.models()] == [2]


def unit_rows(rng, n, width):
    rows = rng.normal(size=(n, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if n else rows


@pytest.mark.parametrize("width", [1, 7, 384])
def test_best_cosines(width):
    """As numpy has it; what a pair gets is the same, to the last bit, with other texts beside it."""
    rng = np.random.default_rng(width)
    for _ in range(10):
        sizes = [rng.integers(0, 70, n) for n in (4, 3)]
        outputs, references = ([unit_rows(rng, n, width) for n in some] for some in sizes)
        ends = [np.cumsum([0, *some]) for some in sizes]
        rows, columns = _core.best_cosines(np.concatenate(outputs), ends[0], np.concatenate(references), ends[1])
        for i, output in enumerate(outputs):
            for j, reference in enumerate(references):
                of_output = rows[ends[0][i] : ends[0][i + 1], j]
                of_reference = columns[i, ends[1][j] : ends[1][j + 1]]
                alone = _core.best_cosines(output, np.array([0, len(output)]), reference, np.array([0, len(reference)]))
                np.testing.assert_array_equal(alone[0][:, 0], of_output)
                np.testing.assert_array_equal(alone[1][0], of_reference)
                cosines = np.minimum(output.astype(float) @ reference.T.astype(float), 1)
                if cosines.size:
                    np.testing.assert_allclose(of_output, cosines.max(axis=1), atol=2e-6)
                    np.testing.assert_allclose(of_reference, cosines.max(axis=0), atol=2e-6)
                else:
                    assert not of_output.any()
                    assert not of_reference.any()


def test_best_cosines_are_at_most_1():
    rows = np.full((1, 3), 0.7, np.float32)
    for best in _core.best_cosines(rows, np.array([0, 1]), rows, np.array([0, 1])):
        assert best.tolist() == [[1.0]]


def test_best_cosines_of_what_does_not_fit():
    rows, ends = np.ones((2, 3), np.float32), np.array([0, 2])
    with pytest.raises(ValueError, match="vectors and offsets do not fit"):
        _core.best_cosines(rows, np.array([0, 3]), rows, ends)
    with pytest.raises(ValueError, match="vectors of outputs and references differ"):
        _core.best_cosines(rows, ends, np.ones((2, 4), np.float32), ends)
