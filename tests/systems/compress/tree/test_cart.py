"""A stored decision tree: the way down, and files that do not make one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.systems.compress.tree._cart import Cart, load_cart

# 0: a? -> 1, else 2; 1: b? -> 3, else 4; leaves 2, 3, 4
TREE = {
    "feature": [0, 1, -1, -1, -1],
    "yes": [1, 3, 0, 0, 0],
    "no": [2, 4, 0, 0, 0],
    "first": [0, 0, 0, 2, 3, 3],
    "classes": [1, 0, 0],
    "counts": [5, 2, 7],
}


@pytest.fixture
def path(tmp_path):
    Cart({"a": 0, "b": 1}, ("keep", "drop"), **TREE, about={"pairs": 9}).save(tmp_path / "tree")
    return tmp_path / "tree"


def test_the_way_down(path):
    cart = load_cart(path)
    assert [cart.leaf(names) for names in ([], ["b"], ["a"], ["a", "b", "unknown"])] == [2, 2, 4, 3]
    assert [cart.choices(leaf) for leaf in (2, 3, 4)] == [[(1, 5), (0, 2)], [(0, 7)], []]
    assert (cart.labels, cart.about, cart.features) == (("keep", "drop"), {"pairs": 9}, {"a": 0, "b": 1})


@pytest.mark.parametrize(
    "change",
    [
        {"feature": [2, 1, -1, -1, -1]},
        {"feature": [-2, 1, -1, -1, -1]},
        {"yes": [0, 3, 0, 0, 0]},  # back to itself
        {"no": [5, 4, 0, 0, 0]},
        {"first": [1, 1, 1, 2, 3, 3]},
        {"first": [0, 0, 0, 2, 3, 2]},
        {"first": [0, 0, 2, 0, 3, 3]},
        {"first": [0, 3]},
        {"classes": [1, 0, 2]},
        {"classes": [1, 0, -1]},
        {"counts": [5, 2]},
        {"counts": [0.5, 2.0, 7.0]},
        {"yes": [1, 3, 0, 0]},
    ],
)
def test_arrays_that_make_no_tree_are_refused(path, change):
    np.savez(path.with_suffix(".npz"), **{k: np.array(v) for k, v in {**TREE, **change}.items()})
    with pytest.raises(FormatError, match="do not make a decision tree"):
        load_cart(path)


def test_names_that_cannot_be_read_and_files_that_are_missing(path, tmp_path):
    names = json.loads(path.with_suffix(".json").read_text("utf-8"))
    path.with_suffix(".json").write_text(json.dumps({**names, "labels": 3}), "utf-8")
    with pytest.raises(FormatError, match="names of a decision tree cannot be read"):
        load_cart(path)
    with pytest.raises(InputError, match=r"no decision tree .*none.npz is missing"):
        load_cart(tmp_path / "none")
