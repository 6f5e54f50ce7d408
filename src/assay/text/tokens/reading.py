"""Reading: how a text is cut into words before anything is counted."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UnknownName
from ..stems import resolve_stemmer
from .tokenizers import check_tokenizer


@dataclass(frozen=True)
class Reading:
    """Tokenizer, stemmer, stop words, case and a limit on length; equal readings share their work.

    `stem=True` takes the stemmer that goes with the tokenizer; `words` keeps so many white-space words (0: all), as
    the -l option of ROUGE-1.5.5; `sentences` is lines (a newline ends a sentence) or rule (final punctuation does too);
    `punctuation=False` leaves out words without a letter or digit.

    >>> Reading(tokenizer="rouge155", stem=True).stem
    'porter155'
    """

    tokenizer: str = "unicode"
    stem: str | bool = "none"
    stop: bool = False
    words: int = 0
    lower: bool = False
    sentences: str = "lines"
    punctuation: bool = True

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        if self.sentences not in ("lines", "rule"):
            raise UnknownName("way to find sentences", self.sentences, ["lines", "rule"], hint="(lines or rule)")
        object.__setattr__(self, "stem", resolve_stemmer(self.stem, self.tokenizer))
