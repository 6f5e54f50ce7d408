"""Systems that break the contract, each in one way. That every compressor of Assay keeps it: tests/systems/compress."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assay.errors import BrokenContract
from assay.systems.compress import Compressor, build_compression
from assay.systems.compress.baselines import Identity, Lead
from assay.systems.fuse import FUSERS, FusedText, Fuser
from assay.testing import check_system
from assay.text.tokens.offsets import split_tokens


@dataclass(frozen=True)
class TooLong(Lead):
    """The text as it is, whatever the limit."""

    name = "too-long"

    def compress(self, sources):
        return [build_compression(s.text, t, range(len(t))) for s in sources for t in [split_tokens(s.text)]]


@dataclass(frozen=True)
class Empty(Lead):
    """Nothing."""

    name = "nothing"

    def compress(self, sources):
        return [build_compression(s.text, split_tokens(s.text), []) for s in sources]


@dataclass(frozen=True)
class Backwards(Identity):
    """The texts in reverse order."""

    name = "backwards"

    def compress(self, sources):
        return super().compress(sources[::-1])


@dataclass(frozen=True)
class Silent(Fuser):
    """No text for any cluster."""

    name = "silent"

    def fuse(self, clusters):
        return [FusedText(c.sentences, "") for c in clusters]


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (TooLong, "too-long: .* exceeds Budget.*, and no note says so"),
        (Empty, "nothing: .* became ''"),
        (Backwards, "backwards: must give one result for each text, in order"),
        (Silent, "silent: .* became ''"),
        (Compressor, "must have a `name`"),
    ],
)
def test_what_is_broken_is_said(cls, message):
    with pytest.raises(BrokenContract, match=message):
        check_system(cls)


@pytest.mark.parametrize("cls", [c for c in FUSERS.classes if c.__module__.endswith("baselines")], ids=lambda c: c.name)
def test_fusers_keep_the_contract(cls):
    check_system(cls)
