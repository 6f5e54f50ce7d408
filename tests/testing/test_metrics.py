"""Metrics that break the contract, each in one way; that Assay's own keep it is in tests/metrics/test_contract.py."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from assay.errors import BrokenContract
from assay.metrics import Metric
from assay.testing import check_metric


@dataclass(frozen=True)
class Length(Metric):
    """Words of the output."""

    name = "words-out"
    needs = "outputs"
    factor: float = 1.0

    def values(self, batch):
        return np.array([self.factor * len(text.split()) for text in batch.outputs.strings])


@dataclass(frozen=True)
class WorseIsHigher(Length):
    """Words of the output below 0, as if fewer were better."""

    name = "worse"
    needs = "references"
    factor: float = -1.0


@dataclass(frozen=True)
class NotFinite(Length):
    """The inverse of the number of words."""

    name = "infinite"

    def values(self, batch):
        with np.errstate(divide="ignore"):
            return 1 / super().values(batch)


@dataclass(frozen=True)
class Positional(Length):
    """Depends on where in the batch an output stands."""

    name = "positional"

    def values(self, batch):
        return np.arange(len(batch.outputs.strings), dtype=float)


@dataclass(frozen=True)
class LongLine(Length):
    """A line that is much too long to be shown in the list of metrics, which has room for 72."""

    name = "long"


def test_a_metric_that_keeps_the_contract_passes():
    check_metric(Length)


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (WorseIsHigher, "worse: a worse output has a higher score"),
        (NotFinite, "infinite: a score is not finite"),
        (Positional, "positional: equal items have different scores"),
        (LongLine, "long: its first line must have at most 72 characters"),
    ],
)
def test_what_is_broken_is_said(cls, message):
    with pytest.raises(BrokenContract, match=message):
        check_metric(cls)
