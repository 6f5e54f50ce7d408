"""Features of a word in its place: rates of words, the next word, shapes."""

from __future__ import annotations

import numpy as np
import pytest

from assay.systems.fuse import Cluster
from assay.systems.fuse._salience import FEATURES, PAIR_FEATURES, add_pairs, load_rates
from assay.systems.fuse._word_context import count_rates, find_next, find_rates
from assay.systems.fuse.joint import read_clusters


def column(name: str, features=FEATURES) -> int:
    return features.index(name)


def test_rates_are_log_ratios():
    # 10 of 20 are kept where 100 of 400 are; 5 pseudo-counts: (10 + 1.25) / 25 / .25
    kept, news, rarity = count_rates(10, 20, 2, (100, 400, 80))
    assert kept == pytest.approx(np.log(11.25 / 25 / 0.25))
    assert news == pytest.approx(np.log(25 / 400 / (3 / 80)))
    assert rarity == pytest.approx(-np.log(21 / 400))


def test_unknown_words_are_average_and_rare():
    assert find_rates("Qwertz", {"the": (1.0, 2.0, 3.0)}) == (0.0, 0.0, 14.0)
    assert find_rates("The", {"the": (1.0, 2.0, 3.0)}) == (1.0, 2.0, 3.0)
    assert find_rates("1996", {"#": (1.0, 2.0, 3.0)}) == (1.0, 2.0, 3.0)
    assert load_rates()["the"][2] < load_rates()["parliament"][2]


def test_rows_describe_the_word_and_the_next():
    [parsed] = read_clusters([Cluster(("On Sunday, the mayor said it rained.", "It rained."))])
    text, rows = parsed.texts[0], parsed.rows[0]
    forms = [token.text for token in text.tokens]
    assert rows.shape == (len(forms), len(FEATURES))
    assert rows[forms.index("the"), column("is the")] == 1
    assert rows[forms.index("mayor"), column("is the")] == 0
    assert rows[forms.index("said"), column("is saying")] == 1
    assert rows[forms.index("mayor"), column("who says")] == 1
    assert rows[forms.index("rained"), column("what is said")] == 1
    following = find_next(text)
    assert forms[following[forms.index("Sunday")]] == "the"
    assert following[-2:] == [-1, -1]
    pairs = add_pairs(parsed.texts, parsed.rows)[0]
    sunday = forms.index("Sunday")
    assert pairs.shape == (len(forms), len(PAIR_FEATURES))
    assert pairs[sunday, column("mark between", PAIR_FEATURES)] == 1
    assert pairs[sunday, column("place of next", PAIR_FEATURES)] == rows[forms.index("the"), column("place")]
    assert pairs[forms.index("the"), column("next is head", PAIR_FEATURES)] == 1
    assert pairs[-1, column("no next", PAIR_FEATURES)] == 1
