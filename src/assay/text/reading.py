"""Reading: how a text is cut into words before anything is counted."""

from __future__ import annotations

from dataclasses import dataclass

from .stem import resolve_stemmer
from .tokenize import check_tokenizer


@dataclass(frozen=True)
class Reading:
    """Tokenizer, stemmer, stop words, case and a limit on length; equal readings share their work.

    `stem=True` takes the stemmer that goes with the tokenizer; `words` keeps so many white-space words (0: all), as the
    -l option of ROUGE-1.5.5.

    >>> Reading(tokenizer="rouge155", stem=True).stem
    'porter155'
    """

    tokenizer: str = "unicode"
    stem: str | bool = "none"
    stop: bool = False
    words: int = 0
    lower: bool = False

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        object.__setattr__(self, "stem", resolve_stemmer(self.stem, self.tokenizer))
