"""Languages: every file is read, and says what it may."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import UnknownName
from assay.text.compounds.language import TAGS, SplitLimits, list_languages, load_language


@pytest.mark.parametrize("code", list_languages())
def test_every_language_is_read(code):
    language = load_language(code)
    assert language.name
    assert len(language.links) < 32
    assert len(set(language.links)) == len(language.links)
    assert language.pairs().shape == (64,)
    assert all(tag in TAGS for tag in language.closed)
    assert language.limits.part <= language.limits.word


def test_the_ten_languages_of_the_paper_are_there():
    assert list_languages() == ["da", "de", "et", "fa", "fi", "hu", "ko", "nb", "nl", "sv"]


def test_patterns_say_which_tag_may_follow_which():
    pairs = load_language("de").pairs().reshape(8, 8)
    n, v, p, x = (TAGS.index(tag) for tag in "NVPX")
    assert pairs[p, v] == 1  # auf+stehen
    assert pairs[n, p] == 0
    assert pairs[x].all()
    assert pairs[:, x].all()
    assert load_language("fa").pairs().all()  # without patterns nothing is filtered
    assert pairs[v, n] == 1


def test_an_unknown_language_names_those_there_are():
    with pytest.raises(UnknownName, match="da Danish, de German"):
        load_language("xx")


def test_limits_are_in_the_order_of_the_core():
    np.testing.assert_array_equal(SplitLimits(2, 3, 4, 5, 6, 0.5).array(), [2, 3, 4, 5, 6, 0.5])
