"""Made data shared by the tests of learned scorers."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from assay.data.scores import Scores
from assay.learning.examples import Examples, examples

sys.path.insert(0, str(Path(__file__).parent))
from learning_made import made_set


def made_rows(
    weights=(1.0, 0.5, 0.0), *, noise=0.3, topics=8, systems=12, targets=1, seed=0, shuffled=False
) -> Examples:
    """Features that are noisy views of quality, with a level of its own for every topic, and what people said."""
    rng = np.random.default_rng(seed)
    names = tuple(f"s{i}" for i in range(systems)), tuple(f"t{i}" for i in range(topics))
    level = rng.normal(size=(len(weights), 1, topics))
    x = rng.normal(size=(len(weights), systems, topics)) + level
    said = []
    for k in range(targets):
        y = np.tensordot(weights, x - level, 1) + (k + 1) * noise * rng.normal(size=(systems, topics))
        said.append(rng.permuted(y, axis=0) if shuffled else y + 3 * rng.normal(size=topics))
    return examples(
        [Scores(values, *names, name=f"f{i}") for i, values in enumerate(x)],
        [Scores(values, *names, name=f"said{i}") for i, values in enumerate(said)],
    )


@pytest.fixture
def make_rows():
    return made_rows


@pytest.fixture
def make_set():
    return made_set
