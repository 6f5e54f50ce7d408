"""Costs: what each token adds to a text's length in words or characters, so that a search can keep to a budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....text.tokens.offsets import Token, is_punctuation
from ...budget import Limit
from .._rendering import is_clitic, is_final


def token_costs(tokens: Sequence[Token], unit: str) -> NDArray[np.uint32]:
    """Return what each token adds: in words, 1 for the first of a run without spaces; in chars, its length and a space.

    The second half of a contraction and what is glued by a hyphen cost no word of their own.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> tokens = split_tokens("He didn't go , though .")
    >>> token_costs(tokens, "words").tolist(), token_costs(tokens, "chars").tolist()
    ([1, 1, 1, 0, 1, 0], [3, 7, 3, 2, 7, 2])
    """
    costs = np.zeros(len(tokens), dtype=np.uint32)
    counted = False  # whether the run of characters between two spaces has had its word
    for i, token in enumerate(tokens):
        apart = i == 0 or token.start > tokens[i - 1].end
        if unit == "chars":
            clings = is_punctuation(token.text) or is_clitic(token.text)
            costs[i] = len(token.text) + (apart or not clings)
            continue
        counted = counted and not apart
        if not counted and any(c.isalnum() for c in token.text):
            costs[i], counted = 1, True
    return costs


def room(tokens: Sequence[Token], limit: Limit) -> int:
    """Return the most that kept words may cost; in characters, without the final mark, plus the first space."""
    if limit.unit == "words":
        return limit.most
    ends = [i for i, token in enumerate(tokens) if is_final(token.text)]
    mark = int(token_costs(tokens, "chars")[ends[-1]]) if ends else 0
    return max(0, limit.most + 1 - mark)
