"""The named tokenizers: a name in a signature says exactly how a text was cut."""

from __future__ import annotations

from ...errors import UnknownName
from .segmenters import SEGMENTERS

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
    from .reading import Reading

    texts = Texts([text], Lexicon())
    return texts.words(Reading(tokenizer=tokenizer))[0]
