"""Words as the sequence models read them: the spelling of the Google pairs, hyphenated compounds as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....text.tokens.offsets import Token
from ._tagger_input import spell

_HYPHENS = ("-", "‐", "‑")


class ModelWord(NamedTuple):
    """A word in the model's spelling, and the tokens of the source from `start` to `end` that it stands for."""

    form: str
    start: int
    end: int


def spell_words(words: Sequence[str]) -> list[str]:
    """Spell words as the Google pairs do: lower case, numbers as ##, quotation marks as `` and ''.

    >>> spell_words(["He", "said", '"', "1,000", '"', "—", "OK"])
    ['he', 'said', '``', '##', "''", '--', 'ok']
    """
    forms: list[str] = []
    quotes = 0
    for word in words:
        forms.append(spell(word, closes=quotes % 2 == 1))
        quotes += word == '"'
    return forms


def join_words(tokens: Sequence[Token]) -> list[ModelWord]:
    """Join the tokens of hyphenated compounds and of numbers with letters (40m), and spell the words.

    >>> from assay.text.tokens.offsets import split_lexical_tokens
    >>> [unit.form for unit in join_words(split_lexical_tokens("A well-known 15-year-old didn't win."))]
    ['a', 'well-known', '##', 'did', "n't", 'win', '.']
    """
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(tokens):
        end = i + 1
        while end < len(tokens):
            if end + 1 < len(tokens) and _joins(tokens[end - 1], tokens[end], tokens[end + 1]):
                end += 2
            elif _is_number(tokens[end - 1], tokens[end]):
                end += 1
            else:
                break
        spans.append((i, end))
        i = end
    forms = spell_words(["".join(token.text for token in tokens[start:end]) for start, end in spans])
    return [ModelWord(form, start, end) for form, (start, end) in zip(forms, spans, strict=True)]


def _joins(before: Token, hyphen: Token, after: Token) -> bool:
    whole = before.end == hyphen.start and hyphen.end == after.start
    return whole and hyphen.text in _HYPHENS and any(c.isalnum() for c in before.text) and after.text[0].isalnum()


def _is_number(before: Token, after: Token) -> bool:
    """Check if two tokens are halves of a number that is written with letters."""
    whole = before.end == after.start and before.text[-1].isdigit()
    return whole and after.text[0].isalnum() and after.text.isascii()
