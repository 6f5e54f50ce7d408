"""What a number says, however it is written: 5,000, 5000, five thousand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate([*_ONES.split(), "seventeen", "eighteen", "nineteen"])}
_SMALL |= {word: 10 * k for k, word in enumerate(_TENS.split(), 2)}
_SMALL["dozen"] = 12
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_LARGE |= {"thousands": 1000, "millions": 10**6, "billions": 10**9}
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ORDINAL |= {f"{word}th": v for word, v in _SMALL.items() if word in ("four", "six", "seven", "ten", "eleven")}
_ORDINAL |= {f"{word}th": v for word, v in _SMALL.items() if word.endswith("teen")}
_ORDINAL |= {f"{word[:-1]}ieth": v for word, v in _SMALL.items() if word.endswith("ty")}
WORDS = frozenset({*_SMALL, *_LARGE, *_ORDINAL})
_DIGITS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")


def value_of(words: Sequence[str]) -> str:
    """Return the value of lower-case words as digits (ordinals with "th"); "" if they are not a number.

    >>> value_of(["5,000"]), value_of(["twenty", "-", "five"]), value_of(["1.5", "million"]), value_of(["third"])
    ('5000', '25', '1500000', '3th')
    >>> value_of(["the"]), value_of(["million"]), value_of(["two", "two"])
    ('', '', '')
    """
    last = words[-1]
    if last in _ORDINAL:
        return _ordinal(words[:-1], _ORDINAL[last])
    if len(words) == 1 and re.fullmatch(r"[0-9]+(?:st|nd|rd|th)", last):
        return f"{int(last[:-2])}th"
    value = _cardinal([word for word in words if word != "-"])
    return "" if value is None else _format_value(value)


def _ordinal(before: Sequence[str], last: int) -> str:
    if not before:
        return f"{last}th"
    tens = _cardinal([word for word in before if word != "-"])
    return f"{int(tens) + last}th" if tens is not None and tens % 10 == 0 and tens >= 20 and last < 10 else ""


def _cardinal(words: Sequence[str]) -> Fraction | None:
    total: Fraction = Fraction(0)
    part: Fraction | None = None
    for word in words:
        if word in _LARGE:
            if part is None:
                return None
            total, part = (total, part * 100) if word == "hundred" else (total + part * _LARGE[word], None)
        elif word in _SMALL:
            value = Fraction(_SMALL[word])
            if part is not None and not (part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and 0 < value < 10)):
                return None
            part = (part or 0) + value
        elif _DIGITS.fullmatch(word) and part is None and not total:
            part = Fraction(word.replace(",", ""))
        else:
            return None
    return total + part if part is not None else total or None


def _format_value(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
