"""Fit the weights of compound splitting: German, then Danish, Swedish and Hungarian, which start from another's.

python training/systems/compounds/fit.py de da sv hu      (some minutes each; writes src/assay/text/compounds/data)

What the numbers are: texts count much (30, 10, 3), as they are small and the only words that are no compounds. The last
one is added to the score of every split: it was chosen by three-fold cross-validation on the same part, for German so
that both the two-part compounds and the texts are split well. The most frequent words count as not split, a little.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import wordfreq
from fitting import GoldSet, collect, fit, start_weights
from gold import expand, read_part
from numpy.typing import NDArray

from assay.extras import find_model
from assay.systems.compounds.evaluate import removed_lemmas
from assay.systems.compounds.gold import GoldSplit
from assay.text.compounds.files import WEIGHTS, load_weights, open_lexicon, write_weights
from assay.text.compounds.language import load_language

Words = Sequence[GoldSplit]
DENSE = 4096  # features that mean the same in every language
RIDGE, CANDIDATES, ROUNDS = 3.0, 8, 2
SHIFT = {"de": -2.5, "da": 0.0, "sv": 0.5, "hu": 0.5}


def german() -> list[GoldSet]:
    """Two-part compounds by their one boundary, texts and full splits by all; some with a part removed."""
    two = shuffle(read_part("german-two-part"))
    deep, flat = expand(two)
    unknown = two[12000:14000]
    return [
        gold_set(two[:12000], parts=2),
        gold_set(read_part("de-words-with-linking"), weight=30),
        gold_set(read_part("german-words-n-part"), weight=30),
        gold_set(deep, weight=2),
        gold_set(shuffle(flat)[:1500]),
        gold_set(unknown, parts=4, removed=removed_lemmas(unknown)),
    ]


def danish() -> list[GoldSet]:
    """Compounds, some with a part removed, and frequent words."""
    words = shuffle(read_part("danish-ddo"))
    unknown = words[9000:11000]
    return [
        gold_set([*words[:9000], *words[11000:]]),
        gold_set(unknown, parts=4, removed=removed_lemmas(unknown)),
        gold_set(frequent("da", words), weight=0.3),
    ]


def swedish() -> list[GoldSet]:
    """Text, and frequent words."""
    words = read_part("sv-words-with-linking")
    return [gold_set(words, weight=10), gold_set(frequent("sv", words), weight=0.3)]


def hungarian() -> list[GoldSet]:
    """Text, and frequent words."""
    words = read_part("hu-words-with-linking")
    return [gold_set(words, weight=3), gold_set(frequent("hu", words), weight=0.3)]


def gold_set(words: Words, *, weight: float = 1.0, parts: int = 8, removed: Sequence[str] = ()) -> GoldSet:
    """Return words with their boundaries, and how much they count."""
    return GoldSet([(g.word, g.boundaries) for g in words], weight, parts, removed)


def shuffle(words: Words) -> list[GoldSplit]:
    """Return the words in an order that is the same every time."""
    return [words[i] for i in np.random.default_rng(0).permutation(len(words))]


def frequent(code: str, gold: Words) -> list[GoldSplit]:
    """Return frequent words that are not in the gold, as not split."""
    known = {g.word.lower() for g in gold}
    words = [w for w in wordfreq.top_n_list(code, 2500) if w.isalpha() and len(w) >= 5][:1200]
    return [GoldSplit(word, ()) for word in words if word not in known]


def prior_of(code: str) -> NDArray[np.float64]:
    """Return where to start: nothing for German, its general weights for others, Danish for Swedish."""
    prior = np.zeros_like(start_weights())
    if code == "sv":
        return load_weights(load_language("da")).astype(float)
    if code != "de":
        prior[:DENSE] = load_weights(load_language("de"))[:DENSE]
    return prior


def train(code: str, sets: Sequence[GoldSet]) -> None:
    """Fit in rounds: each finds the candidates that the weights so far take for good."""
    language, lexicon = load_language(code), open_lexicon(find_model(f"compounds/{code}.lex", "fitting"))
    prior = prior_of(code)
    weights = start_weights() if code == "de" else prior
    for _ in range(ROUNDS):
        candidates = [collect(lexicon, language, weights.astype(np.float32), gold, CANDIDATES) for gold in sets]
        weights = fit(candidates, prior, ridge=RIDGE, rounds=60)
    weights[0] += SHIFT[code]
    write_weights(WEIGHTS / f"{code}.npz", weights)


if __name__ == "__main__":
    for name, make in (("de", german), ("da", danish), ("sv", swedish), ("hu", hungarian)):
        if name in (sys.argv[1:] or SHIFT):
            train(name, make())
