"""Soft n-grams by hand: what matches by its vector, and how much it counts."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.soft import Rule, SoftNgram
from assay.text import TextReading


@pytest.mark.parametrize(
    ("rule", "match"),
    [
        (Rule("sum", 0.7, True), 2.0),  # sun = sunny (cosine 0.8), rain = rain
        (Rule("sum", 0.9, True), 1.0),
        (Rule("sum", 1e-9, False), 1.8),
    ],
)
def test_counts(tmp_path, rule, match):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("sun 1 0\nsunny 0.8 0.6\nrain 0 -1\n")
    batch = Batch(EvalSet.from_texts(["sun rain unknown"], ["sunny rain other"]))
    counts = batch.counts(SoftNgram(1, TextReading("space"), str(vectors), rule))
    assert counts.match.tolist() == pytest.approx([match])
    assert (counts.output.tolist(), counts.reference.tolist()) == ([3.0], [3.0])


@pytest.mark.parametrize("words", [1, 63, 64, 65, 200])
def test_the_nearest_of_many_words(tmp_path, words):
    """Plainly in numpy: what an output of one word gets is the highest cosine with a word of the reference."""
    rng = np.random.default_rng(words)
    rows = rng.normal(size=(words + 5, 7)).astype(np.float32)
    names = [f"w{i}" for i in range(len(rows))]
    np.save(tmp_path / "vectors.npy", rows)
    (tmp_path / "vectors.txt").write_text("\n".join(names) + "\n")
    data = EvalSet.from_texts({name: [name] for name in names[words:]}, [[" ".join(names[:words])]])
    unit = SoftNgram(1, TextReading("space"), str(tmp_path / "vectors.npy"), Rule("sum", 1e-9, False))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    best = (units[words:] @ units[:words].T).max(axis=1)
    assert Batch(data).counts(unit).match.tolist() == pytest.approx(np.maximum(best, 0), abs=1e-6)
