"""Every format of Assay keeps the contract; formats that break it, each in one way."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import BrokenContract
from assay.formats import FORMATS
from assay.formats.jsonl import JsonLines
from assay.testing import check_format


@pytest.mark.parametrize("cls", FORMATS.classes, ids=lambda c: c.name)
def test_formats_keep_the_contract(cls):
    check_format(cls)


class Lossy(JsonLines):
    """JSON Lines that loses the last item."""

    name = "lossy"
    examples = ()

    def read_items(self, path, **options):
        return iter(list(super().read_items(path, **options))[:-1])


class Careless(JsonLines):
    """JSON Lines that does not expect other files."""

    name = "careless"
    examples = ()

    def read_items(self, path, **options):
        if b"\xff" in Path(path).read_bytes():
            raise KeyError("id")
        return super().read_items(path, **options)


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Lossy, r"lossy: reads items \['1', '2'\]"),
        (Careless, "careless: a wrong file raises KeyError, not FormatError"),
    ],
)
def test_what_is_broken_is_said(cls, message):
    with pytest.raises(BrokenContract, match=message):
        check_format(cls)
