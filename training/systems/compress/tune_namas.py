"""Tunes the weights of namas's features by MERT on the twentieth of MSR's training sources that is held back for it.

    python training/systems/compress/tune_namas.py OUT      # OUT/namas.json, which is written again with the weights

The score is BLEU, as in the released code, at a rate of .72. As there, log p has the weight 1 and reordering none
above 0; the length, which the released code leaves at 0, is tuned too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from mert import Candidates, Tuning, tune_weights
from text_pairs import Rewrites, is_for_tuning, msr

import assay
from assay.metrics.bleu import Bleu
from assay.systems.compress.namas import Namas, Sentence
from assay.systems.compress.neural.namas_network import NamasNetwork
from assay.text.tokens.offsets import split_lexical_tokens

START = (1.0, 1.0, 0.5, 0.2, -0.5, 0.0)
TUNING = Tuning(free=(1, 2, 3, 4, 5), low=(1, -5, -5, -5, -5, -5), high=(1, 5, 5, 5, 0, 5))
RATE = 0.72
ROUNDS = 6
BEST = 40  # texts of a list that a round adds
BLEU = Bleu(lower=True)


def decode(network: NamasNetwork, system: Namas, sources: Sequence[Rewrites]) -> list[tuple[list[str], np.ndarray]]:
    """Return the n-best texts of each source, and their features."""
    lists = []
    for source in sources:
        sentence = Sentence(network, source.source, split_lexical_tokens(source.source))
        high = max(1, int(RATE * sentence.cost))
        texts = (system.search(sentence, high - high // 8, high) or system.search(sentence, 0, high))[:BEST]
        lists.append(([sentence.write(text.words) for text in texts], np.array([text.features for text in texts])))
    return lists


def count(texts: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Return BLEU's statistics of texts, each with the same references."""
    data = assay.EvalSet.from_texts(list(texts), [list(references)] * len(texts))
    statistics = assay.score(data, BLEU).statistics
    assert statistics is not None
    return np.asarray(statistics.rows[0])


def tune(path: Path, features: str, rounds: int = ROUNDS) -> list[float]:
    """Decode and tune in turn, the lists of all rounds joined; return the weights whose own texts score highest."""
    network = NamasNetwork.load(path)
    sources = [source for source in msr(held_back=False) if is_for_tuning(source)]
    weights = best = np.array(START)
    highest = -np.inf
    lists: list[dict[str, tuple[np.ndarray, np.ndarray]]] = [{} for _ in sources]
    for number in range(rounds):
        network.weights[features] = tuple(weights)
        fresh = decode(network, Namas(features=features), sources)
        first = sum(count(texts[:1], source.compressions)[0] for source, (texts, _) in zip(sources, fresh, strict=True))
        new = 0
        for source, known, (texts, rows) in zip(sources, lists, fresh, strict=True):
            for text, row, statistics in zip(texts, rows, count(texts, source.compressions), strict=True):
                new += text not in known
                known.setdefault(text, (row, statistics))
        score = float(BLEU.corpus(np.asarray(first)[None])[0])
        best, highest = (weights, score) if score > highest else (best, highest)
        print(
            f"{features}, round {number}: BLEU {score:.2f}, {new} new texts, weights {np.round(weights, 3)}", flush=True
        )
        if number == rounds - 1 or not new:
            break
        candidates = [
            Candidates(np.array([row for row, _ in known.values()]), np.array([s for _, s in known.values()]))
            for known in lists
        ]
        weights, reached = tune_weights(candidates, weights, BLEU.corpus, TUNING)
        print(f"  tuned on the lists to BLEU {reached:.2f}", flush=True)
    return [round(float(weight), 3) for weight in best]


def write_weights(path: Path) -> None:
    """Tune both kinds of features and write them to the model."""
    weights = {features: tune(path, features) for features in ("paper", "released")}
    about = json.loads(path.read_text(encoding="utf-8"))
    about["weights"] = weights
    path.write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description="tune the features of the compressor namas")
    options.add_argument("folder", type=Path, help="with namas.json")
    write_weights(options.parse_args().folder / "namas.json")


if __name__ == "__main__":
    main()
