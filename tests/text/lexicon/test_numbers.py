"""The value of numbers in words and digits."""

from __future__ import annotations

import pytest

from assay.text.lexicon.numbers import value_of


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("5,000", "5000"),
        ("five thousand", "5000"),
        ("1.5 million", "1500000"),
        ("twenty - one", "21"),
        ("13th", "13th"),
        ("thirteenth", "13th"),
        ("3.50", "3.5"),
        ("two two", ""),
        ("hundred", ""),
        ("5,00", ""),
        ("", ""),
    ],
)
def test_values_of_numbers(words, value):
    assert value_of(words.split() or [""]) == value
