from __future__ import annotations

import numpy as np
import pytest

from assay.systems.compress.neural.namas_text import copy_places, render_text
from assay.systems.compress.neural.word_units import join_words
from assay.text.tokens.offsets import split_lexical_tokens


def write(source, words):
    """Write words, each a copy of its first place in the source that is not used yet."""
    tokens = split_lexical_tokens(source)
    units = join_words(tokens)
    places = []
    for word in words:
        options = [j for j, unit in enumerate(units) if unit.form == word]
        fresh = [j for j in options if j not in places]
        places.append((fresh or options or [-1])[0])
    return render_text(source, tokens, units, words, places)


@pytest.mark.parametrize(
    ("source", "words", "text"),
    [
        ("The old man, Mr. Li, paid.", ["li", "paid", "."], "Li paid."),
        ("The old man paid.", ["men", "did", "n't", "pay"], "Men didn't pay."),
        ("He paid $40m , or 3.5 % .", ["$", "##", "or", "##", "%", "."], "$40m or 3.5 % ."),
        ("The well-known U.S.-led group's men left!", ["u.s.-led", "group", "'s", "left"], "U.S.-led group's left!"),
        ("The men left.", ["``", "left", ",", "the", "men", "."], "Left, the men."),
        ("the men left", ["men", ",", "i", "left", ","], "men, I left"),
        ("Men ( from Rome ) left .", ["men", "(", "from", "rome", ")", "."], "Men ( from Rome ) ."),
        ("“Yes,” he said.", ["he", "said", "yes", "."], "He said Yes."),
    ],
)
def test_words_become_a_text(source, words, text):
    assert write(source, words) == text


def test_copies_come_from_where_attention_is():
    attention = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.5, 0.3, 0.2]], np.float32)
    source = [0, 0, 0]
    assert copy_places([0, 0, 0], source, attention, frozenset({0})) == [2, 1, 0]
    assert copy_places([0, 0, 0], source, attention, frozenset()) == [2, 1, 0]
    again = np.array([[0.2, 0.7, 0.1]] * 2, np.float32)
    assert copy_places([0, 0], source, again, frozenset({0})) == [1, 0]
    assert copy_places([0, 0], source, again, frozenset()) == [1, 1]
    assert copy_places([9], source, again[:1], frozenset()) == [-1]
