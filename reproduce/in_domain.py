"""Decision tree and transducer trained on stories of Broadcast News by the scripts of training/systems/compress."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from common import ROOT
from compressors import as_words

sys.path.insert(0, str(ROOT / "training" / "systems" / "compress"))
from google_pairs import Pair
from parsed_pairs import parse_pairs
from train_transducer import learn_weights
from train_tree import cases, grow_tree

from assay import Item
from assay.systems.compress import Compressor, compress
from assay.systems.compress.decision_tree import DecisionTree
from assay.systems.compress.tree_transducer import TreeTransducer
from assay.text.tokens.subsequence import kept_places


def pairs(items: Sequence[Item]) -> list[Pair]:
    """Each sentence with each annotator's compression."""
    found = []
    for item in items:
        words = item.sources[0].split()
        for reference in item.references:
            places = set(kept_places(words, reference.text.split()))
            found.append(Pair(tuple(words), tuple(i in places for i in range(len(words)))))
    return found


def decision_tree(training: Sequence[Item], items: Sequence[Item]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        grow_tree(list(cases(parse_pairs(pairs(training))))).save(Path(folder) / "tree")
        return _made(DecisionTree(model=f"{folder}/tree"), items)


def transducer(training: Sequence[Item], items: Sequence[Item]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        learn_weights(parse_pairs(pairs(training)), epochs=3).save(Path(folder) / "weights")
        return _made(TreeTransducer(model=f"{folder}/weights", word=0.0), items)


def _made(system: Compressor, items: Sequence[Item]) -> list[str]:
    return [as_words(made) for made in compress([item.sources[0] for item in items], system)]
