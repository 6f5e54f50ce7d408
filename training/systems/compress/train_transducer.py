"""Learns the weights of the tree deletion transducer from the 200k Google pairs: averaged perceptron with margin.

python training/systems/compress/train_transducer.py  # 7,500 pairs, into the package
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from google_pairs import ROOT, pairs
from parsed_pairs import ParsedPair, parse_pairs

from assay.systems.compress.tree._decision_features import Case
from assay.systems.compress.tree.constituents import ConstituentTree
from assay.systems.compress.tree.transducer import (
    DELETE,
    ENTER,
    KEEP,
    DerivationChart,
    NodeRows,
    TransducerWeights,
    node_features,
    rows,
    steps,
)

MODEL = ROOT / "models" / "base" / "assay_models" / "compress" / "transducer"
FIRST = 3


class Example(NamedTuple):
    """A text in numbers, the right derivation, and how many tokens of each node are kept."""

    text: NodeRows
    gold: dict[int, int]
    kept: np.ndarray  # per node
    sizes: np.ndarray  # per node


def gold(tree: ConstituentTree, kept: Sequence[bool]) -> dict[int, int]:
    """The derivation of a pair: a constituent is kept or deleted where that says all, else entered."""
    total = np.concatenate([[0], np.cumsum(kept)])
    actions, todo = {}, [0]
    while todo:
        n = todo.pop()
        node = tree.nodes[n]
        inside = int(total[node.end] - total[node.start])
        actions[n] = DELETE if inside == 0 else KEEP if inside == node.end - node.start else ENTER
        if actions[n] == ENTER:
            todo += node.children
    return actions


def learn_weights(
    data: Iterable[ParsedPair], *, rare: int = 5, epochs: int = 5, cost: float = 1.0, seed: int = 0
) -> TransducerWeights:
    """Weights averaged over all updates; wrong tokens cost `cost` each in training (a margin)."""
    cases = [(Case.of(p.tree, p.analysis), p.kept) for p in data if any(p.kept)]
    often = Counter(f for case, _ in cases for n in range(len(case.tree.nodes)) for f in node_features(case, n))
    features = {f: k for k, f in enumerate(["<pad>", *sorted(f for f, n in often.items() if n >= rare)])}
    names = sorted({node.label for case, _ in cases for node in case.tree.nodes})
    labels = {name: k for k, name in enumerate(["<other>", *names])}
    examples = [example(case, kept, features, labels) for case, kept in cases]
    w, t = np.zeros((3, len(features))), np.zeros((4, 3, len(labels)))
    sum_w, sum_t, seen = np.zeros_like(w), np.zeros_like(t), 1
    rng = random.Random(seed)
    for epoch in range(epochs):
        rng.shuffle(examples)
        wrong, start = 0.0, time.process_time()
        for e in examples:
            actions = decode(TransducerWeights(features, labels, w, t, {}), e, cost)
            wrong += update(w, t, sum_w, sum_t, seen, e, actions)
            seen += 1
        print(
            f"epoch {epoch}: {wrong / len(examples):.3f} updates, {time.process_time() - start:.0f} s", file=sys.stderr
        )
    return TransducerWeights(
        features, labels, w - sum_w / seen, t - sum_t / seen, {"pairs": len(examples), "epochs": epochs}
    )


def example(case: Case, kept: Sequence[bool], features: dict[str, int], labels: dict[str, int]) -> Example:
    total = np.concatenate([[0], np.cumsum(kept)])
    nodes = case.tree.nodes
    inside = np.array([total[n.end] - total[n.start] for n in nodes])
    sizes = np.array([n.end - n.start for n in nodes])
    return Example(rows(case, features, labels), gold(case.tree, kept), inside, sizes)


def decode(weights: TransducerWeights, e: Example, cost: float) -> dict[int, int]:
    """The best derivation when wrong tokens are worth `cost`; lengths do not matter, so tokens have none."""
    local = weights.w[:, e.text.features].sum(axis=2)
    local[DELETE] += cost * e.kept
    local[KEEP] += cost * (e.sizes - e.kept)
    chart = DerivationChart(e.text.tree, local, steps(weights, e.text), [0] * len(e.text.tree.leaves))
    return chart.derivation(0).actions


def update(w, t, sum_w, sum_t, seen, e: Example, guess: dict[int, int]) -> bool:  # type: ignore[no-untyped-def]
    if guess == e.gold:
        return False
    for actions, sign in ((e.gold, 1.0), (guess, -1.0)):
        for n, act in actions.items():
            ids = e.text.features[n]
            ids = ids[ids > 0]
            np.add.at(w[act], ids, sign)
            np.add.at(sum_w[act], ids, sign * seen)
        for n, before in befores(e.text.tree, actions):
            t[before, actions[n], e.text.labels[n]] += sign
            sum_t[before, actions[n], e.text.labels[n]] += sign * seen
    return True


def befores(tree: ConstituentTree, actions: dict[int, int]) -> Iterable[tuple[int, int]]:
    """Each node that is met, with the action at the sibling before it."""
    yield 0, FIRST
    for n, act in actions.items():
        if act == ENTER:
            before = FIRST
            for child in tree.nodes[n].children:
                yield child, before
                before = actions[child]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=24, help="every so many of the 180,000 pairs (24)")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--cost", type=float, default=1.0, help="of a wrong token in training (1)")
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    weights = learn_weights(parse_pairs(pairs("train", step=args.step)), epochs=args.epochs, cost=args.cost)
    right = total = 0
    for p in parse_pairs(pairs("val", step=40)):
        e = example(Case.of(p.tree, p.analysis), p.kept, weights.features, weights.labels)
        chart = DerivationChart(
            p.tree, weights.w[:, e.text.features].sum(axis=2), steps(weights, e.text), [0] * len(p.kept)
        )
        kept = set(chart.derivation(0).kept_tokens(p.tree))
        right += sum((i in kept) == bit for i, bit in enumerate(p.kept))
        total += len(p.kept)
    weights.about["tokens_right"] = round(right / total, 4)
    weights.about["step"] = args.step
    weights.save(args.out)
    print(weights.about, len(weights.features), file=sys.stderr)


if __name__ == "__main__":
    main()
