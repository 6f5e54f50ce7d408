"""Baselines of compression: what each keeps, in any language."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.systems.compress import compress

TEXT = "The White House said on Monday that it would not rule out a meeting between the two presidents in New York."


def test_each_keeps_what_it_says():
    text = "The cat, which is old, sat on the mat."
    assert compress([text], "identity")[0].text == text
    assert compress([text], "lead", words=4)[0].text == "The cat, which is."
    assert compress([text], "drop-stop-words")[0].text == "Cat, mat."
    assert compress([text], "random", words=3)[0].words == 3


def test_a_ratio_must_be_a_share():
    with pytest.raises(InputError, match="ratio must be above 0 and at most 1"):
        compress(["x"], "lead(ratio=2)")


def test_random_depends_on_text_and_seed_alone():
    first, again = compress([TEXT, TEXT], "random", ratio=0.5)
    assert first == again
    assert compress([TEXT], "random(seed=1)", ratio=0.5)[0].text != first.text


def test_other_languages():
    for name in ("lead", "random", "word-based(parser=none)"):
        [c] = compress(["Der alte Mann ging gestern sehr langsam nach Hause."], name, words=4)
        assert c.words == 4
