"""What rules are worth: grammars with rules from one source on, from five on, and with pivot paraphrases.

    python training/systems/abstractive/t3_variants.py      # a few minutes

Each learns its weights from the same few sources in one round, so the figures are lower than those of the shipped
model; they are to be compared with each other. All are of the held-back tenth.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from t3 import build_grammar, read_parts
from t3_data import HELD_BACK, TUNING, Example, parse_items
from t3_figures import RATE, print_figures
from t3_learn import feature_names, learn, names_of
from t3_pivot import pivot_rules

from assay.systems.compress.tree.model import TreeGrammar
from assay.systems.compress.tree.rules import RuleIndex
from assay.text.lm.trigrams import load


def without_rules(grammar: TreeGrammar, examples: list[Example]) -> TreeGrammar:
    """Copies and deletions only."""
    features = feature_names(examples, (), 5)
    return TreeGrammar(RuleIndex(()), (), features, np.zeros(len(features)), grammar.about)


def with_pivot(grammar: TreeGrammar, examples: list[Example]) -> TreeGrammar:
    chances = dict(zip(grammar.index.rules, grammar.chances, strict=True))
    chances = pivot_rules(examples, names_of(examples)) | chances
    features = feature_names(examples, list(chances), 5)
    return TreeGrammar(
        RuleIndex(list(chances)), tuple(chances.values()), features, np.zeros(len(features)), grammar.about
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=int, default=300, help="sources that weights are learned from (default: 300)")
    args = parser.parse_args()
    parts = read_parts()
    examples = list(
        parse_items([item for part in range(10) if part not in (HELD_BACK, TUNING) for item in parts[part]])
    )
    shipped = build_grammar(examples, 5)
    grammars = {
        "no rules": without_rules(shipped, examples),
        "rules of 5 sources": shipped,
        "rules of 1 source, names too": build_grammar(examples, 1, named=True),
        "rules of 5 sources, and pivot": with_pivot(shipped, examples),
    }
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, grammar) in enumerate(grammars.items()):
            path = Path(folder) / f"t3-{number}"
            learn(grammar, examples[: args.sources], load(), epochs=1, step=0.05, log=False).save(path)
            print_figures(
                path, parts[HELD_BACK], f"{name} ({len(grammar.index.rules)} rules), held-back part", (), (RATE,)
            )


if __name__ == "__main__":
    main()
