"""From strings to structure: tokens, stems, sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loaded when it is first used: a module below needs only its own
    from .sentences import split_sentences as split_sentences
    from .stems import STEMMERS as STEMMERS
    from .texts import Lexicon as Lexicon
    from .texts import Texts as Texts
    from .tokens.tokenizers import TOKENIZERS as TOKENIZERS
    from .tokens.tokenizers import TextReading as TextReading
    from .tokens.tokenizers import tokenize as tokenize

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".sentences": "split_sentences",
            ".stems": "STEMMERS",
            ".texts": "Lexicon Texts",
            ".tokens.tokenizers": "TOKENIZERS TextReading tokenize",
        },
    )
