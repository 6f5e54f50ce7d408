"""Grows the decision tree of `assay compress --system decision-tree` from the 200k Google pairs.

python training/systems/compress/train_tree.py  # 9,000 pairs, into the package
python training/systems/compress/train_tree.py --step 400 --out /tmp/tree
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from google_pairs import ROOT, pairs
from parsed_pairs import ParsedPair, parse_pairs
from scipy.sparse import csr_matrix

from assay.systems.compress.tree._cart import Cart
from assay.systems.compress.tree._decision_features import Case, features
from assay.systems.compress.tree.shift_reduce import replay

MODEL = ROOT / "models" / "base" / "assay_models" / "compress" / "decision-tree"
KEPT_CLASSES = 12  # at a leaf: a guard hardly ever asks for more


def cases(data: Iterable[ParsedPair]) -> Iterator[tuple[list[str], str]]:
    """Every learning case: the features of a state and the action that was right in it."""
    for pair in data:
        case = Case.of(pair.tree, pair.analysis)
        for state, act in replay(pair.tree, pair.kept):
            yield features(state, case), str(act)


def grow_tree(
    examples: Sequence[tuple[list[str], str]], *, rare: int = 10, leaf: int = 10, leaves: int = 6000, seed: int = 0
) -> Cart:
    """A tree by CART (Gini), with at least `leaf` cases at a leaf; features seen fewer than `rare` times go."""
    from sklearn.tree import DecisionTreeClassifier

    often = Counter(f for said, _ in examples for f in said)
    names = {f: k for k, f in enumerate(sorted(f for f, n in often.items() if rare <= n < len(examples)))}
    labels = sorted({act for _, act in examples})
    place = {label: k for k, label in enumerate(labels)}
    grower = DecisionTreeClassifier(min_samples_leaf=leaf, max_leaf_nodes=leaves, random_state=seed)
    grower.fit(matrix((said for said, _ in examples), names), [place[act] for _, act in examples])
    return pack_tree(grower, names, labels, len(examples))


def matrix(rows: Iterable[list[str]], names: dict[str, int]) -> csr_matrix:
    """Rows of zeros and ones."""
    columns, ends = [], [0]
    for said in rows:
        columns += sorted({names[f] for f in said if f in names})
        ends.append(len(columns))
    ones = np.ones(len(columns), dtype=np.float32)
    return csr_matrix((ones, np.array(columns, dtype=np.int32), np.array(ends)), shape=(len(ends) - 1, len(names)))


def pack_tree(grower: object, names: dict[str, int], labels: Sequence[str], examples: int) -> Cart:
    """The grown tree in our own form, with the features it asks for alone."""
    tree = grower.tree_  # type: ignore[attr-defined]
    asked = sorted({int(f) for f in tree.feature if f >= 0})
    by_place = {k: name for name, k in names.items()}
    kept = {by_place[f]: k for k, f in enumerate(asked)}
    renumbered = {f: k for k, f in enumerate(asked)}
    feature = [renumbered[int(f)] if f >= 0 else -1 for f in tree.feature]
    first, classes, counts = [0], list[int](), list[int]()
    weights = tree.value[:, 0, :] * tree.weighted_n_node_samples[:, None]
    if tree.value[0].sum() > 1.5:  # scikit-learn before 1.3 keeps counts, not shares
        weights = tree.value[:, 0, :]
    for node, asked_for in enumerate(feature):
        if asked_for < 0:
            best = [k for k in np.argsort(-weights[node], kind="stable")[:KEPT_CLASSES] if weights[node, k] > 0]
            classes += [int(k) for k in best]
            counts += [round(float(weights[node, k])) for k in best]
        first.append(len(classes))
    about = {"cases": examples, "actions": len(labels), "leaves": int(tree.n_leaves), "depth": int(tree.max_depth)}
    yes, no = tree.children_right.tolist(), tree.children_left.tolist()  # x > 0.5 is the right child
    return Cart(kept, tuple(labels), feature, yes, no, first, classes, counts, about)


def accuracy(cart: Cart, examples: Iterable[tuple[list[str], str]]) -> dict[str, tuple[int, int]]:
    """Right and all actions, by kind: `words` counts the choices between SHIFT and DROP alone."""
    found: dict[str, list[int]] = {}
    for said, act in examples:
        guess = cart.labels[cart.choices(cart.leaf(said))[0][0]]
        kind = act.split(" ")[0]
        for name in ("all", kind, *(["words"] if kind in ("SHIFT", "DROP") else [])):
            cell = found.setdefault(name, [0, 0])
            cell[0] += guess == act
            cell[1] += 1
    return {name: (right, n) for name, (right, n) in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=20, help="every so many of the 180,000 pairs (20)")
    parser.add_argument("--leaf", type=int, default=10, help="fewest cases at a leaf (10)")
    parser.add_argument("--leaves", type=int, default=6000, help="most leaves (6000)")
    parser.add_argument("--check", type=int, default=20, help="every so many of the 20,000 for validation (20)")
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    train = list(cases(parse_pairs(pairs("train", step=args.step))))
    cart = grow_tree(train, leaf=args.leaf, leaves=args.leaves)
    found = accuracy(cart, cases(parse_pairs(pairs("val", step=args.check))))
    cart.about["accuracy"] = {name: round(right / n, 4) for name, (right, n) in found.items()}
    cart.about["step"], cart.about["checked"] = args.step, found["all"][1]
    common = Counter(act for _, act in train).most_common(1)[0][1] / len(train)
    cart.about["majority"] = round(common, 4)
    cart.save(args.out)
    print(cart.about, file=sys.stderr)


if __name__ == "__main__":
    main()
