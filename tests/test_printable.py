"""What a terminal would obey or hide is written out."""

from __future__ import annotations

import unicodedata

import pytest

from assay.printable import HIDDEN, escape_hidden


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain", "plain"),
        ("é 東京 👍", "é 東京 👍"),
        ("\x1b[2J", "\\u001b[2J"),
        ("a\u202eb", "a\\u202eb"),
        ("\r", "\\r"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("a\tb\n", "a\tb\n"),
    ],
)
def test_hidden_characters_are_escaped(text, escaped):
    assert escape_hidden(text) == escaped


def test_breaks_are_escaped_where_one_line_is_wanted():
    assert escape_hidden("a\tb\nc", breaks=True) == "a\\tb\\nc"


def test_every_control_and_direction_mark_is_hidden_and_no_letter_is():
    for code in range(0x110000):
        char = chr(code)
        category = unicodedata.category(char)
        if category in ("Cc", "Zl", "Zp", "Cs") and char not in "\t\n":
            assert HIDDEN.match(char), hex(code)
        if category[0] in "LNPS" and unicodedata.name(char, "").find("FILLER") < 0:
            assert not HIDDEN.match(char), hex(code)
