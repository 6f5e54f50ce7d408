"""The named tokenizers and TextReading: how a text is cut into words before anything is counted."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UnknownName

SEGMENTERS = {
    "zh": "Chinese characters apart, the rest as mteval-v13a, as sacreBLEU",
    "ja-mecab": "Japanese words by MeCab with the IPA dictionary, as sacreBLEU (extra japanese)",
    "ko-mecab": "Korean morphemes by MeCab-ko, as sacreBLEU (extra korean)",
    "flores101": "SentencePiece pieces of spBLEU, as sacreBLEU (extra pieces, and its model)",
    "flores200": "SentencePiece pieces of FLORES-200, as sacreBLEU (extra pieces, and its model)",
}
TOKENIZERS = {
    "rouge": "lower case, runs of [a-z0-9], as rouge-score 0.1.2",
    "rouge155": "lower case (A-Z only), runs of [a-z0-9], as ROUGE-1.5.5",
    "unicode": "lower-cased words of any script (UAX #29), no punctuation; single characters where there are no spaces",
    "13a": "mteval-v13a, cased, punctuation apart, as sacreBLEU",
    "intl": "mteval-v14 international, cased, punctuation and symbols apart, as sacreBLEU",
    "char": "every character that is not white space",
    "space": "what stands between white space, unchanged",
    **SEGMENTERS,
}


SPLIT = "+split-"  # between a tokenizer and a language: its words, compounds split


def check_tokenizer(name: str) -> str:
    """Return the name, if there is such a tokenizer; `unicode+split-de` also splits German compounds.

    >>> check_tokenizer("unicode+split-de")
    'unicode+split-de'
    """
    if SPLIT in name:
        from ..compounds.language import load_language

        base, code = name.split(SPLIT, 1)
        load_language(code)
        return check_tokenizer(base) and name
    if name not in TOKENIZERS:
        raise UnknownName("tokenizer", name, TOKENIZERS, hint=f"(there are {', '.join(TOKENIZERS)})")
    return name


@dataclass(frozen=True)
class TextReading:
    """Tokenizer, stemmer, stop words, case and a limit on length; equal readings share their work.

    `stem=True` takes the stemmer that goes with the tokenizer; `words` keeps this number of white-space words (0: all),
    as the -l option of ROUGE-1.5.5; `sentences` is lines (a newline ends a sentence) or rule (final punctuation does
    too); `punctuation=False` leaves out words without a letter or digit.

    >>> TextReading(tokenizer="rouge155", stem=True).stem
    'porter155-wordnet'
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
        if self.stem in ("none", False):
            object.__setattr__(self, "stem", "none")
            return
        from ..stems import resolve_stemmer  # most texts are counted as they are

        object.__setattr__(self, "stem", resolve_stemmer(self.stem, self.tokenizer))


def tokenize(text: str, tokenizer: str = "unicode") -> list[str]:
    """Return the tokens of one text.

    >>> tokenize("Don't panic: it's 3.14!")
    ["don't", 'panic', "it's", '3.14']
    >>> tokenize("Don't panic: it's 3.14!", "rouge")
    ['don', 't', 'panic', 'it', 's', '3', '14']
    >>> tokenize("Don't panic: it's 3.14!", "13a")
    ["Don't", 'panic', ':', "it's", '3.14', '!']
    """
    from ..texts import Lexicon, Texts

    texts = Texts([text], Lexicon())
    return texts.words(TextReading(tokenizer=tokenizer))[0]
