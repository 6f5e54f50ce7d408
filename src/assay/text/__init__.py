"""From strings to structure: tokens, stems, sentences."""

from .reading import Reading
from .sentences import split_sentences
from .stem import STEMMERS
from .texts import Lexicon, Texts
from .tokenize import TOKENIZERS, tokenize

__all__ = ["STEMMERS", "TOKENIZERS", "Lexicon", "Reading", "Texts", "split_sentences", "tokenize"]
