"""From strings to structure: tokens, stems, sentences."""

from .sentences import split_sentences
from .stems import STEMMERS
from .texts import Lexicon, Texts
from .tokens.reading import Reading
from .tokens.tokenizers import TOKENIZERS, tokenize

__all__ = ["STEMMERS", "TOKENIZERS", "Lexicon", "Reading", "Texts", "split_sentences", "tokenize"]
