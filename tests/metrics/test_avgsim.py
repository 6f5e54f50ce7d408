"""AVG_SIM against its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay

VECTORS = {
    "rain": (1.0, 0.1, 0.0),
    "drizzle": (0.9, 0.2, 0.1),
    "snow": (0.7, 0.7, 0.0),
    "sun": (0.0, 0.1, 1.0),
    "heat": (0.1, 0.4, 0.8),
}

words = st.lists(st.sampled_from([*VECTORS, "zzz", "the"]), max_size=7)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("vectors") / "made.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, v))}\n" for word, v in VECTORS.items()))
    return str(path)


@settings(deadline=None, max_examples=100)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_average_similarity(file, output, references):
    def mean(text: list[str]) -> np.ndarray:
        rows = [VECTORS[w] for w in text if w in VECTORS]
        return np.sum(rows, axis=0) / max(1, len(rows)) if rows else np.zeros(3)

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        size = np.linalg.norm(a) * np.linalg.norm(b)
        return float(a @ b / size) if size else 0.0

    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    want = np.mean([cosine(mean(output), mean(r)) for r in references])
    assert assay.score(data, f"avgsim(vectors={file})").values.item() == pytest.approx(want, abs=1e-6)
