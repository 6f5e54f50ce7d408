"""From strings to structure: tokens, stems, sentences."""

from .sentences import split_sentences
from .stems import STEMMERS
from .texts import Lexicon, Texts
from .tokens.named import TOKENIZERS, tokenize
from .tokens.reading import Reading

__all__ = ["STEMMERS", "TOKENIZERS", "Lexicon", "Reading", "Texts", "split_sentences", "tokenize"]
