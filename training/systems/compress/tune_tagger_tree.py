"""Print what the settings of tagger-tree are chosen by: python training/systems/compress/tune_tagger_tree.py.

Limits of 60 % and more: Google pairs (cased; the last 1,000, which figures are reported on, are left out) with a
headline that keeps 60 to 90 % of at least ten words, each compressed to the length of its headline, with and without a
bonus for neighbours. No limit: the share of tokens that is kept of Google sentences and of the development part of EWT.
Neither the MSR compressions nor Broadcast News are read.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "reproduce"))
from common import data_folder, google_pairs
from tables import grid

import assay
from assay import EvalSet
from assay.systems.budget import Budget, count_words
from assay.systems.compress import COMPRESSORS, Source, compress

REPORTED = 1000
MIN_WORDS, SHARES = 10, (0.6, 0.9)
BONUSES = (0.0, 0.5, 1.0, 2.0)
THRESHOLDS = (0.5, 0.41, 0.3, 0.2, 0.1)
SENTENCES = 1000
METRICS = ("tokenf1", "rouge2", "relations(refs=mean)")


def long_headlines() -> list[tuple[str, str]]:
    """Return sentences and their headlines, where these keep most of the words."""
    pairs = [(item.sources[0], item.references[0].text) for item in list(google_pairs())[:-REPORTED]]
    return [
        (source, short)
        for source, short in pairs
        if count_words(source) >= MIN_WORDS and SHARES[0] <= count_words(short) / count_words(source) <= SHARES[1]
    ]


def score_bonuses(pairs: Sequence[tuple[str, str]]) -> str:
    """Compress each sentence to the length of its headline."""
    rows = []
    for faithful in (True, False):
        sources = [Source(text, Budget(words=count_words(short)), faithful=faithful) for text, short in pairs]
        for bonus in BONUSES:
            texts = [c.text for c in COMPRESSORS.build(f"tagger-tree(adjacency={bonus})").compress(sources)]
            data = EvalSet.from_texts({"x": texts}, [[short] for _, short in pairs])
            scores = assay.score(data, list(METRICS)).values()
            label = f"adjacency={bonus:g}{'' if faithful else ', --no-faithful'}"
            rows.append([label, *(f"{s.means()[0]:.4f}" for s in scores)])
    return grid([f"{len(pairs)} Google pairs", *METRICS], rows)


def read_treebank() -> list[str]:
    """Return the sentences of the development part of EWT."""
    with gzip.open(data_folder() / "ud-english-ewt" / "en_ewt-ud-dev.conllu.gz", "rt", encoding="utf-8") as file:
        return [line.removeprefix("# text = ").strip() for line in file if line.startswith("# text = ")]


def list_rates() -> str:
    """Return the table of token rates without a limit, by threshold."""
    texts = {"Google": [item.sources[0] for item in list(google_pairs())[:SENTENCES]], "EWT dev": read_treebank()}
    rows = []
    for faithful in (True, False):
        for threshold in THRESHOLDS:
            system = f"tagger-tree(threshold={threshold})"
            rates = [
                np.mean([c.token_rate for c in compress(part, system, faithful=faithful)]) for part in texts.values()
            ]
            label = f"threshold={threshold:g}{'' if faithful else ', --no-faithful'}"
            rows.append([label, *(f"{rate:.3f}" for rate in rates), f"{np.mean(rates):.3f}"])
    return grid(["token rate, no limit", *(f"{len(t):,} {name}" for name, t in texts.items()), "mean"], rows)


def main() -> None:
    """Print the tables."""
    print(score_bonuses(long_headlines()), list_rates(), sep="\n\n")


if __name__ == "__main__":
    main()
