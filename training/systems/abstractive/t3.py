"""Trains t3, the tree-to-tree grammar, on the MSR training texts: rules and weights, no text.

python training/systems/abstractive/t3.py OUT                 # OUT.npz and OUT.json; two minutes of CPU time
python training/systems/abstractive/t3.py OUT --test          # and the figures of the held-back tenth
python training/systems/abstractive/t3.py models/research/assay_research/abstractive/t3   # the one that is shipped
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from t3_data import HELD_BACK, PARTS, TUNING, Example, MsrItem, parse_items, read_items
from t3_figures import print_figures
from t3_learn import can_be_written, chances_of, count_rules, feature_names, is_plain, learn, may_pass_on, names_of

from assay.systems.compress.tree.model import TreeGrammar
from assay.systems.compress.tree.rules import RuleIndex
from assay.text.lm.trigrams import load


def build_grammar(examples: list[Example], least: int, named: bool = False, strict: bool = False) -> TreeGrammar:
    """A grammar without weights: rules that at least so many sources show."""
    counts = count_rules(examples, strict)
    names = names_of(examples)
    for number in sorted({1, 2, 3, 5, 10, least}):
        often = [rule for rule, sources in counts.sources.items() if sources >= number]
        plain = sum(may_pass_on(rule, names) for rule in often)
        print(f"rules in at least {number} sources: {len(often)}, without names and numbers: {plain}", file=sys.stderr)
    rules = [
        rule for rule, sources in counts.sources.items() if sources >= least and is_plain(rule) and can_be_written(rule)
    ]
    rules = sorted((rule for rule in rules if named or may_pass_on(rule, names)), key=str)
    chances = chances_of(rules, counts.times, examples)
    features = feature_names(examples, rules, 5)
    about = {"sources": len(examples), "pairs": sum(len(e.references) for e in examples), "least": least}
    return TreeGrammar(RuleIndex(rules), chances, features, np.zeros(len(features)), about)


def read_parts() -> dict[int, list[MsrItem]]:
    """The items of each tenth."""
    items = read_items()
    return {part: [item for item in items if item.part == part] for part in range(PARTS)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--least", type=int, default=5, help="sources that must show a rule (default: 5)")
    parser.add_argument("--named", action="store_true", help="also rules with names and numbers (not to be passed on)")
    parser.add_argument("--strict", action="store_true", help="target sides must be constituents, as in the paper")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--step", type=float, default=0.02, help="largest step of the weights (default: 0.02)")
    parser.add_argument(
        "--pair-cost", type=float, default=0.25, help="loss of two words that no reference has together"
    )
    parser.add_argument("--one-reference", action="store_true", help="learn from one reference at a time")
    parser.add_argument(
        "--sources", type=int, default=0, help="learn weights from the first so many only; rules are from all"
    )
    parser.add_argument("--test", action="store_true", help="print the figures of the held-back tenth")
    args = parser.parse_args()
    begin = time.process_time()
    parts = read_parts()
    training = [item for part in range(PARTS) if part not in (HELD_BACK, TUNING) for item in parts[part]]
    examples = list(parse_items(training))
    grammar = build_grammar(examples, args.least, args.named, args.strict)
    learned = learn(
        grammar,
        examples[: args.sources or None],
        load(),
        epochs=args.epochs,
        step=args.step,
        pair_cost=args.pair_cost,
        one_reference=args.one_reference,
        save=lambda grammar: grammar.save(args.out),
    )
    learned.save(args.out)
    print(f"{len(grammar.index.rules)} rules, {time.process_time() - begin:.0f} s CPU", file=sys.stderr)
    print_figures(args.out, parts[TUNING], "tuning part")
    if args.test:
        print_figures(args.out, parts[HELD_BACK], "held-back part")


if __name__ == "__main__":
    main()
