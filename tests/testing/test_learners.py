"""Every learner of Assay keeps the contract; learners that break it, each in one way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from assay.errors import BrokenContract
from assay.learning.models import MODELS, Model
from assay.metrics import Linear
from assay.testing import check_learner

_DRAWS = np.random.default_rng(0)


@pytest.mark.parametrize("cls", MODELS.classes, ids=lambda c: c.name)
def test_learners_keep_the_contract(cls):
    check_learner(cls)


@dataclass(frozen=True)
class Reversed(Model):
    """The weights with the wrong sign."""

    name = "reversed"

    def fit(self, x, y, topic):
        return Linear(-np.linalg.lstsq(x, y[:, 0], rcond=None)[0])


@dataclass(frozen=True)
class Unseeded(Model):
    """The weights with a little noise."""

    name = "unseeded"

    def fit(self, x, y, topic):
        return Linear(np.linalg.lstsq(x, y[:, 0], rcond=None)[0] + 0.01 * _DRAWS.normal(size=3))


@pytest.mark.parametrize(
    ("cls", "message"),
    [(Reversed, "reversed: predictions correlate at -"), (Unseeded, "unseeded: fitted a second time")],
)
def test_what_is_broken_is_said(cls, message):
    with pytest.raises(BrokenContract, match=message):
        check_learner(cls)
