"""Blocks are bounded, and lose nothing of the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.parse.blocks import MAX_CHARACTERS, MAX_WORD, MAX_WORDS, blocks
from assay.text.parse.parser import _warned


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


@given(st.text("ab .,\n(", max_size=3000), st.integers(1, 20))
@settings(max_examples=50)
def test_blocks_are_bounded_and_lose_nothing(text, times):
    made = blocks(text * times)
    assert "".join("".join(made).split()) == "".join((text * times).split())
    for block in made:
        assert block == " ".join(block.split()) != ""
        assert len(block) <= MAX_CHARACTERS + 1
        assert block.count(" ") <= MAX_WORDS
        assert max(map(len, block.split())) <= max(MAX_WORD, 1)


def test_a_long_line_is_cut_after_a_sentence():
    made = blocks("This is a sentence of seven words. " * 400)
    assert len(made) > 1
    assert all(block.endswith("words.") for block in made)
