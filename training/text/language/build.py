"""Build the profiles by which languages are recognized from the lists of wordfreq. See README.md."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

import numpy as np
import wordfreq

from assay.text.language import NAMES, STEP, code_trigram, code_word, is_latin

ROOT = Path(__file__).resolve().parents[3]
PROFILES = ROOT / "models" / "base" / "assay_models" / "language" / "profiles.npz"
FREQUENT, FREQUENT_ENGLISH = 3000, 20000  # words of each language that are stored: what English lends it also borrows
LETTERS = 60  # that may follow two others, for smoothing
UNSEEN = 1e-4  # smoothing: the count of a trigram that a language's list does not have
LEAST = 0.02  # trigrams that are rarer in every language are not stored


def read_frequencies(language: str) -> dict[str, float]:
    """Return the share of each word among a language's words; what stands between apostrophes is a word."""
    shares: Counter[str] = Counter()
    for entry, frequency in wordfreq.get_frequency_dict(language, "best").items():
        for word in re.split("['’]", entry):
            if word.isalpha() and is_latin(word):
                shares[word] += frequency
    total = sum(shares.values())
    return {word: share / total for word, share in shares.items()}


def count_trigrams(shares: dict[str, float]) -> Counter[str]:
    """Count trigrams of letters; by the roots of frequencies, since they are for words that are not frequent."""
    counts: Counter[str] = Counter()
    for word, share in shares.items():
        framed = f"^^{word}$"
        for i in range(len(framed) - 2):
            counts[framed[i : i + 3]] += share**0.5
    return counts


def quantize(logarithms: np.ndarray) -> np.ndarray:
    """Write logarithms below 0 in 8 bits."""
    return np.clip(np.rint(-logarithms / STEP), 0, 255).astype(np.uint8)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=PROFILES)
    args = options.parse_args()
    languages = list(NAMES)
    shares = [read_frequencies(language) for language in languages]
    counted = [count_trigrams(of_language) for of_language in shares]
    stored = sorted({t for counts in counted for t, n in counts.items() if n >= LEAST}, key=code_trigram)
    contexts: list[Counter[str]] = []
    for counts in counted:
        context: Counter[str] = Counter()
        for trigram, count in counts.items():
            context[trigram[:2]] += count
        contexts.append(context)
    rows = [
        [
            (counts[t] + UNSEEN) / (context[t[:2]] + LETTERS * UNSEEN)
            for counts, context in zip(counted, contexts, strict=True)
        ]
        for t in stored
    ]
    rows.append([1 / LETTERS**2] * len(languages))
    frequent = [
        sorted(of_language, key=lambda w: (-of_language[w], w))[: FREQUENT_ENGLISH if n == "en" else FREQUENT]
        for n, of_language in zip(languages, shares, strict=True)
    ]
    entries: dict[int, dict[int, float]] = {}
    for number, words in enumerate(frequent):
        for word in words:
            entries.setdefault(code_word(word), {})[number] = shares[number][word]
    order = sorted(entries)
    args.out.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        args.out,
        trigrams=np.array([code_trigram(t) for t in stored], dtype=np.int64),
        trigram_scores=quantize(np.log(np.array(rows))),
        words=np.array(order, dtype=np.uint32),
        word_ends=np.cumsum([len(entries[code]) for code in order]).astype(np.uint32),
        word_languages=np.array([n for code in order for n in sorted(entries[code])], dtype=np.uint8),
        word_scores=quantize(np.log([entries[code][n] for code in order for n in sorted(entries[code])])),
    )
    print(f"{args.out}: {len(stored):,} trigrams, {len(order):,} words, {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
