"""Make a set in which people judged only some items: SummEval with six LLM judges on all and its experts on a part.

python few_labels.py summeval.jsonl.gz summeval-llm-judges.jsonl.gz few.jsonl --items 40            (drawn at random)
python few_labels.py summeval.jsonl.gz summeval-llm-judges.jsonl.gz best.jsonl --items 40 --best    (picked by a judge)
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from assay import EvalSet, Item, read, write

JUDGE, DIMENSION = "gpt-4o", "coherence"  # by whose mean score items are picked


def keep_labels(item: Item, people: frozenset[str], keep: bool) -> Item:
    """Return the item with the judgments of people only where they are to be kept."""
    judgments = tuple(j for j in item.judgments if keep or j.rater not in people)
    return replace(item, judgments=judgments, extra={})


def main() -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set")
    parser.add_argument("judgments")
    parser.add_argument("out")
    parser.add_argument("--items", type=int, default=40, help="items with labels of people")
    parser.add_argument("--best", action="store_true", help="those that the judge likes best, instead of random ones")
    args = parser.parse_args()
    data = read(args.set, judgments=args.judgments).keep_raters(["expert*"])
    scores = data.human(DIMENSION, rater=JUDGE).values.mean(axis=0)
    order = np.argsort(-scores, kind="stable") if args.best else np.random.default_rng(0).permutation(len(data))
    labelled = set(order[: args.items].tolist())
    people = frozenset(data.raters)
    items = [keep_labels(item, people, n in labelled) for n, item in enumerate(data.entries)]
    write(EvalSet(items), args.out)


if __name__ == "__main__":
    main()
