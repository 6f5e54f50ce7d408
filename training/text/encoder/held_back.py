"""Which documents and pairs are kept back: decided by a hash of their text, before anything is looked at."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from neighbours import Sentence

DOCUMENTS = 20  # one document in 20 of each treebank is kept back
PAIRS = 5  # one of 5 cased pairs


def is_held_back(words: Sequence[str], share: int) -> bool:
    """Check if a text belongs to the part, one in `share`, that nothing is trained on; case and spaces do not matter.

    >>> [is_held_back(["Text", number], 5) for number in "abcdef"]
    [False, False, True, False, False, False]
    """
    return zlib.crc32("".join(words).lower().encode()) % share == 0


def split_documents(bank: Iterable[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """Split a treebank into the sentences to train on and those kept back, by the first sentence of each document."""
    parts: tuple[list[Sentence], list[Sentence]] = ([], [])
    part = 0
    for sentence in bank:
        if sentence.new_document:
            part = is_held_back([word.form for word in sentence.words], DOCUMENTS)
        parts[part].append(sentence)
    return parts
