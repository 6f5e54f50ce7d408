"""Fit the weights of compound splitting: German, then Danish, Swedish and Hungarian, which start from another's.

python training/systems/compounds/lexicons.py      (first: the words)
python training/systems/compounds/fit.py           (some minutes; writes models/base/assay_models/compounds)

What the numbers are: texts count much (30, 10, 3), as they are small and the only words that are not compounds. The
last one is added to the score of every split: it was chosen by three-fold cross-validation on the same part, for German
so that both the two-part compounds and the texts are split well. The most frequent words count as not split, a little.
The temperature comes from cross-validation on the same part: each fourth of it by weights that have not seen it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import wordfreq
from fitting import GoldSet, collect, fit, fit_temperature, make_splitter, score_words, start_weights
from gold import FOLDS, expand, fold_of, read_part
from lexicons import FOLDER
from numpy.typing import NDArray

from assay.extras import find_model
from assay.systems.compounds.evaluate import removed_lemmas
from assay.systems.compounds.gold import GoldSplit
from assay.text.compounds.files import load_weights, open_lexicon, write_model
from assay.text.compounds.language import load_language

Words = Sequence[GoldSplit]
Keep = Callable[[str], bool]
DENSE = 4096  # features that mean the same in every language
RIDGE, CANDIDATES, ROUNDS = 3.0, 8, 2
SHIFT = {"de": -3.0, "da": 0.0, "sv": 0.0, "hu": 0.5}
# What the temperature is fitted to: gold sets, how many words, and how many parts they may have.
TUNING = {
    "de": [("german-two-part", 1000, 2), ("de-words-with-linking", 2000, 8), ("german-words-n-part", 2000, 8)],
    "da": [("danish-ddo", 4000, 8)],
    "sv": [("sv-words-with-linking", 2000, 8)],
    "hu": [("hu-words-with-linking", 4000, 8)],
}


def german(keep: Keep) -> list[GoldSet]:
    """Two-part compounds by their one boundary, texts and full splits; some with a part removed; frequent words."""
    two = shuffle(read_part("german-two-part", keep))
    texts = read_part("de-words-with-linking", keep)
    deep, flat = expand(two)
    unknown = two[12000:14000]
    return [
        gold_set(two[:12000], parts=2),
        gold_set(texts, weight=30),
        gold_set(read_part("german-words-n-part", keep), weight=30),
        gold_set(deep, weight=2),
        gold_set(shuffle(flat)[:1500]),
        gold_set(unknown, parts=4, removed=removed_lemmas(unknown)),
        gold_set(frequent("de", [*two, *texts]), weight=0.3),
    ]


def danish(keep: Keep) -> list[GoldSet]:
    """Compounds, most of them again with a part removed, and frequent words."""
    words = shuffle(read_part("danish-ddo", keep))
    batches = [words[i : i + 2000] for i in range(0, 8000, 2000)]
    return [
        gold_set(words),
        *(gold_set(batch, parts=4, removed=removed_lemmas(batch)) for batch in batches),
        gold_set(frequent("da", words), weight=0.3),
    ]


def swedish(keep: Keep) -> list[GoldSet]:
    """Text, and frequent words."""
    words = read_part("sv-words-with-linking", keep)
    return [gold_set(words, weight=10), gold_set(frequent("sv", words), weight=0.3)]


def hungarian(keep: Keep) -> list[GoldSet]:
    """Text, its compounds again with a part removed, and frequent words."""
    words = read_part("hu-words-with-linking", keep)
    compounds = [g for g in words if g.boundaries and g.lemmas]
    return [
        gold_set(words, weight=3),
        gold_set(compounds, weight=3, parts=4, removed=removed_lemmas(compounds)),
        gold_set(frequent("hu", words), weight=0.3),
    ]


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


MAKERS = {"de": german, "da": danish, "sv": swedish, "hu": hungarian}


def prior_of(code: str) -> NDArray[np.float64]:
    """Return where to start: nothing for German, its general weights for others, Danish for Swedish."""
    prior = np.zeros_like(start_weights())
    if code == "sv":
        return load_weights(load_language("da")).astype(float)
    if code != "de":
        prior[:DENSE] = load_weights(load_language("de"))[:DENSE]
    return prior


def fit_weights(code: str, keep: Keep = lambda _: True) -> NDArray[np.float64]:
    """Fit in rounds: each finds the candidates that the weights so far take for good."""
    language, lexicon = load_language(code), open_lexicon(find_model(f"compounds/{code}.lex", "fitting"))
    sets, prior = MAKERS[code](keep), prior_of(code)
    weights = start_weights() if code == "de" else prior
    for _ in range(ROUNDS):
        candidates = [collect(lexicon, language, weights.astype(np.float32), gold, CANDIDATES) for gold in sets]
        weights = fit(candidates, prior, ridge=RIDGE, rounds=60)
    weights[0] += SHIFT[code]
    return weights


def find_temperature(code: str) -> float:
    """Fit without a fourth of the words, see how sure the weights may be of it, and so on for every fourth."""
    language, lexicon = load_language(code), open_lexicon(find_model(f"compounds/{code}.lex", "fitting"))
    chances = []
    for fold in range(FOLDS):
        weights = fit_weights(code, lambda word, fold=fold: fold_of(word) != fold).astype(np.float32)
        for name, most, parts in TUNING[code]:
            gold = shuffle(read_part(name, lambda word, fold=fold: fold_of(word) == fold))[: most // FOLDS]
            splitter = make_splitter(lexicon, language, weights, parts=parts, candidates=CANDIDATES)
            chances += score_words(splitter, [(g.word, g.boundaries) for g in gold])
    return fit_temperature(chances)


def train(code: str, folder: Path = FOLDER) -> None:
    """Fit the weights of a language and write them."""
    temperature = find_temperature(code)
    write_model(folder / f"{code}.npz", fit_weights(code), temperature)
    print(f"{code}: temperature {temperature:.2f}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        train(name)
