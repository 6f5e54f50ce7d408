"""The stored tree decides as scikit-learn's does; guards; a tree for texts of one's own brackets."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.systems.compress import compress
from assay.systems.compress.decision_tree import DecisionTree
from assay.systems.compress.tree._cart import Cart, find_shipped, load_cart

TRAINING = Path(__file__).parent.parent.parent.parent / "training" / "systems" / "compress"


@pytest.fixture(scope="module")
def trainer():
    sys.path.insert(0, str(TRAINING))
    import train_tree

    yield train_tree
    sys.path.remove(str(TRAINING))


def test_as_scikit_learn_decides(trainer, tmp_path):
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    names = [f"f{k}" for k in range(12)]
    said = [[n for n in names if rng.random() < 0.4] for _ in range(600)]
    acts = [f"A{('f1' in s) + 2 * ('f3' in s and 'f5' not in s)}" if rng.random() < 0.9 else "A9" for s in said]
    cart = trainer.grow_tree(list(zip(said, acts, strict=True)), rare=1, leaf=5)
    cart.save(tmp_path / "tree")
    again = load_cart(tmp_path / "tree")
    places = {n: k for k, n in enumerate(sorted(names))}
    peer = DecisionTreeClassifier(min_samples_leaf=5, max_leaf_nodes=6000, random_state=0)
    rows = trainer.matrix(said, places)
    peer.fit(rows, acts)
    guess = [again.labels[again.choices(again.leaf(s))[0][0]] for s in said]
    share = peer.predict_proba(rows).max(axis=1)
    for s, mine, theirs, p in zip(said, guess, peer.predict(rows), share, strict=True):
        counts = [n for _, n in again.choices(again.leaf(s))]
        assert counts[0] / sum(counts) == pytest.approx(p)
        assert mine == theirs or counts.count(counts[0]) > 1


def always(*acts: str) -> Cart:
    """A tree of one leaf."""
    return Cart({}, acts, [-1], [-1], [-1], [0, len(acts)], list(range(len(acts))), [9.0] * len(acts), {})


@pytest.mark.parametrize(
    "acts", [("DROP S", "DROP NB", "DROP NOUN"), ("REDUCE NP 2",), ("SHIFT",), ("ASSIGNTYPE X",), ()]
)
def test_guards_leave_a_text_whatever_the_tree_says(acts, tmp_path):
    always(*acts).save(tmp_path / "odd")
    for made in compress(["The old man sat in the park.", "Dogs!"], DecisionTree(model=str(tmp_path / "odd"))):
        assert made.text.strip(" .!")


def test_a_tree_of_ones_own(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text("(S (NP (NNS Dogs)) (VP (VBP bark) (ADVP (RB today))) (. .))", "utf-8")
    always("DROP ADVP", "SHIFT").save(tmp_path / "model")
    model = DecisionTree(model=str(tmp_path / "model"), trees=str(path))
    assert compress(["Dogs bark today."], model)[0].text == "Dogs bark."


def test_missing_and_broken_models(tmp_path):
    with pytest.raises(InputError, match="there is no decision tree"):
        compress(["Dogs bark."], f"decision-tree(model={tmp_path}/none)")
    (tmp_path / "bad.json").write_text("{", "utf-8")
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match="cannot be read"):
        compress(["Dogs bark."], f"decision-tree(model={tmp_path}/bad)")
    with pytest.raises(InputError, match="there are no weights"):
        compress(["Dogs bark."], f"transducer(model={tmp_path}/none)")


def test_the_shipped_tree_knows_what_it_is():
    about = load_cart(find_shipped("decision-tree", "google")).about
    assert about["accuracy"]["all"] > 0.9  # Knight and Marcu: .872, of 210 actions
    assert about["majority"] < 0.4
