"""From kept tokens to natural text."""

from __future__ import annotations

import random

import pytest

from assay.systems.compress._base import build_compression
from assay.text.tokens.offsets import is_punctuation, split_tokens


def made(text: str, words: str) -> str:
    """The text that keeps the named words and every mark between the first and the last of them."""
    tokens = split_tokens(text)
    wanted = words.split()
    kept = []
    for i, token in enumerate(tokens):
        if is_punctuation(token.text):
            kept.append(i)
        elif wanted and token.text == wanted[0]:
            kept.append(i)
            wanted.pop(0)
    assert not wanted
    return build_compression(text, tokens, kept).text


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("On Monday, the plan passed.", "the plan passed", "The plan passed."),
        ("Ann (34), a baker, won.", "Ann won", "Ann, won."),
        ("He (Bob Lee) won.", "He Lee won", "He (Lee) won."),
        ("He (Bob) won.", "He won", "He won."),
        ('"We lost," said Ann.', "We lost", '"We lost".'),
        ('"We lost," said Ann.', "said Ann", "Said Ann."),
        ("Is it late? Yes, it is.", "Yes it is", "Yes, it is."),
        ("It rains. It pours!", "It rains pours", "It rains. Pours!"),
        ("A well-known man came.", "A man came", "A man came."),
        ("the cat , grey , sat .", "the cat sat", "the cat , sat ."),
        ("the iPhone costs a lot", "iPhone costs", "iPhone costs"),
        ("Then iPhones sold well.", "iPhones sold", "iPhones sold."),
        ("Wait... what?!", "what", "What?!"),
        ("東京へ行きました。", "東 京 行", "東京行。"),
        ("The boys' room is big.", "boys room", "Boys' room."),
        ("The boys' room is big.", "room is big", "Room is big."),
        ("'Go,' he said", "he said", "He said"),
        ("It cost $5m.", "It cost", "It cost."),
    ],
)
def test_natural(text, words, said):
    assert made(text, words) == said


def test_random_choices_are_tidy():
    """No doubled spaces, no mark at the start, nothing that is not in the source, offsets that hold."""
    rng = random.Random(3)
    text = 'Mr. Lee, 34 (a baker), said: "We won; they lost," and left... But why? He didn\'t say — not yet.'
    tokens = split_tokens(text)
    for _ in range(500):
        found = build_compression(text, tokens, [i for i in range(len(tokens)) if rng.random() < rng.random()])
        if not found.text:
            assert not found.kept_tokens
            continue
        assert "  " not in found.text
        assert found.text[0].isalnum() or found.text[0] in '"('
        assert found.text.count('"') % 2 == 0
        assert found.text.count("(") == found.text.count(")")
        assert "".join(tokens[i].text for i in found.kept_tokens).lower() == found.text.replace(" ", "").lower()
        assert [text[a:b] for a, b in found.spans] == [text[a:b].strip() for a, b in found.spans]


def test_a_text_without_words_stays():
    for text in ("", "...", " ! "):
        assert build_compression(text, split_tokens(text), []).text == text
