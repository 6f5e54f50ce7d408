from __future__ import annotations

import numpy as np

from assay.systems.compress.length.segments import SHORT, length_band, share_limit, split_segments
from assay.text.tokens.offsets import split_lexical_tokens


def test_no_token_is_lost():
    text = "  It rained.\nNobody came (to the match)!  " + "and so on, " * 100 + "the end"
    tokens = split_lexical_tokens(text)
    segments = split_segments(text, tokens, 50)
    assert [start for start, _ in segments] == [0, *(end for _, end in segments[:-1])]
    assert segments[-1][1] == len(tokens)
    assert max(end - start for start, end in segments) <= 50
    assert split_segments("", (), 50) == []


def test_shares_add_up_to_the_limit():
    rng = np.random.default_rng(0)
    for _ in range(300):
        costs = rng.integers(0, 30, rng.integers(1, 6)).tolist()
        most = int(rng.integers(0, 60))
        for whole in (0, SHORT["words"]):
            shares = share_limit(costs, most, whole)
            assert sum(shares) <= most
            assert all(0 <= share <= cost for share, cost in zip(shares, costs, strict=True))
            if not whole:
                assert sum(shares) == min(most, sum(costs))


def test_a_short_sentence_is_whole_or_gone():
    assert share_limit([2, 20], 10, 3) == [2, 8]
    assert share_limit([2, 20], 3, 3) == [0, 3]


def test_bands():
    assert length_band(10, 0, 1) == (1, 10)
    assert length_band(4, 0.1, 0.1) == (1, 1)
    assert length_band(0, 0.5, 0.75) == (0, 0)
