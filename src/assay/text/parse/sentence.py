"""What a parser says of a text: sentences of words with lemma, part of speech, features, head and relation."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """One word of a sentence, as in a line of CoNLL-U; `head` is the place of its head in the sentence, -1 for none."""

    form: str
    lemma: str
    pos: str
    tag: str
    features: str
    head: int
    relation: str


Sentence = tuple[Word, ...]


class Parse(NamedTuple):
    """The sentences of a text; `score` is the parser's own, higher is better, where it gives several parses."""

    sentences: tuple[Sentence, ...]
    score: float = 0.0
