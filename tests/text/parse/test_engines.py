"""Which parser a name stands for, and what its version is."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.text.parse.engines import engine
from assay.text.parse.own import find_own
from assay.text.parse.parser import _warned, parse
from assay.text.parse.weights import read_checksum


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


@pytest.mark.parametrize("model", ["de", "en_core_web_nothing", "no/such/folder", "", "json"])
def test_unknown_parsers(model):
    with pytest.raises(InputError, match="spaCy pipeline"):
        parse(["a"], model)


def test_the_version_names_engine_and_weights():
    assert engine("en").version == f"core1-{read_checksum(find_own('en').file)[:16]}"
