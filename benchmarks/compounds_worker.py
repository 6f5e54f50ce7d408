"""Splits words with another program: lists of words come in; marked words and CPU seconds go out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise


def charsplit(least: float | None) -> Callable[[str], str]:
    """CharSplit's best split, or none unless its score is above `least`."""
    from compound_split import char_split

    def split(word: str) -> str:
        best = char_split.split_compound(word.capitalize())
        if not best or (least is not None and best[0][0] <= least) or best[0][1] == best[0][2]:
            return word
        place = len(word) - len(best[0][2])
        return f"{word[:place]}|{word[place:]}"

    return split


def german_nouns() -> Callable[[str], str]:
    """The parts that german-nouns finds, where they can be found in the word again."""
    from german_nouns.lookup import Nouns

    nouns = Nouns()
    return lambda word: mark(word, nouns.parse_compound(word.capitalize()))


def hanta() -> Callable[[str], str]:
    """The stems in HanTa's analysis; a boundary is where the second and later ones begin."""
    from HanTa import HanoverTagger

    tagger = HanoverTagger.HanoverTagger("morphmodel_ger.pgz")

    def split(word: str) -> str:
        morphemes = tagger.analyze(word.capitalize(), taglevel=3)[1]
        parts, letters = [], ""
        for text, tag in morphemes:
            if letters and tag in STEMS and any(t in STEMS for t in parts):
                letters += "|"
            letters += text
            parts.append(tag)
        marked = letters.lower()
        return marked if marked.replace("|", "") == word.lower() else word

    return split


STEMS = {"NN", "VV", "ADJ", "NE", "ADV", "VV_A", "VVnp", "NNP"}


def mark(word: str, parts: list[str]) -> str:
    """Put a bar where the second and later parts begin; what is between two parts belongs to the first."""
    places, at = [], 0
    for part in parts if len(parts) > 1 else []:
        place = word.lower().find(part.lower(), at)
        if place < 0:
            return word
        places.append(place)
        at = place + len(part)
    edges = [0, *places[1:], len(word)]
    return "|".join(word[a:b] for a, b in pairwise(edges))


def main() -> None:
    """Serve one program."""
    makers = {
        "charsplit": lambda: charsplit(None),
        "charsplit0": lambda: charsplit(0.0),
        "german_nouns": german_nouns,
        "hanta": hanta,
    }
    split = makers[sys.argv[1]]()
    marked, seconds = [], []
    for words in json.load(sys.stdin):
        start = time.process_time()
        marked.append([split(word) for word in words])
        seconds.append(time.process_time() - start)
    print(json.dumps({"marked": marked, "seconds": seconds}))


if __name__ == "__main__":
    main()
