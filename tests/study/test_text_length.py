"""One rule of length: code points after NFC, outer white space removed, inner runs as one."""

from __future__ import annotations

import pytest

from assay.study.text_length import collapse, count_characters, count_words


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        (" \t\n\u3000", 0),
        ("abc", 3),
        (" a  b\n\nc ", 5),
        ("e\u0301", 1),  # composed by NFC
        ("\u00e9", 1),
        ("q\u0301", 2),  # has no composed form
        ("\U0001f600", 1),  # two units of UTF-16 in a browser
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", 5),  # a family: joined by characters that count
        ("a\u00a0\u2003b", 3),
        ("a\ufeffb", 3),  # no white space to Unicode, though browsers' \s says so
        ("a\x1cb", 3),  # no white space to Unicode, though Python's split says so
        ("a\u0085b", 3),  # white space to Unicode, though browsers' \s says no
    ],
)
def test_length(text, length):
    assert count_characters(text) == length


def test_words_are_what_white_space_separates():
    assert count_words(" one\u2003two  three-four ") == 3
    assert count_words("") == 0
    assert collapse(" a \r\n b ") == "a b"
