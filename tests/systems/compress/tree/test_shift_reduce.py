"""Replay: the actions that are read from a pair make its short sentence again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1]))
from random_trees import drawn

from assay.systems.compress.tree._brackets import read_brackets
from assay.systems.compress.tree.shift_reduce import Action, begin, replay

TRAINING = Path(__file__).parents[4] / "training" / "systems" / "compress"


@given(st.integers(1, 12), st.integers(0, 10**6), st.data())
@settings(max_examples=300, deadline=None)
def test_any_pair_over_any_tree(tokens, seed, data):
    tree = drawn(tokens, seed)
    kept = data.draw(st.lists(st.booleans(), min_size=tokens, max_size=tokens))
    state = None
    for state, act in replay(tree, kept):
        assert state.legal(act) or act.kind == "DROP"  # people may keep punctuation alone
    if any(kept):
        assert state is not None
        assert state.finished
        assert [bool(bit) for bit in state.status] == kept
        assert state.stack[0].leaves == sum(kept)
    else:
        assert state is None


def test_the_largest_constituent_goes():
    [found] = read_brackets("(S (NP (DT The) (NN man) (PP (IN in) (NP (DT the) (NN park)))) (VP (VBD sat)) (. .))")
    kept = [True, True, False, False, False, True, True]
    acts = [str(act) for _, act in replay(found.tree, kept)]
    assert acts == [
        "SHIFT",
        "ASSIGNTYPE DT",
        "SHIFT",
        "ASSIGNTYPE NN",
        "DROP PP",
        "REDUCE NP 2",
        "SHIFT",
        "ASSIGNTYPE VBD",
        "SHIFT",
        "ASSIGNTYPE .",
        "REDUCE S 3",
    ]


def test_one_of_several_with_the_same_label():
    """Only the smaller of the two NPs that start here may go."""
    [found] = read_brackets("(S (NP (NP (NN dogs)) (CC and) (NP (NN cats))) (VP (VB bark)))")
    kept = [False, True, True, True]
    assert next(str(act) for _, act in replay(found.tree, kept)) == "DROP NP 2"


def test_guards():
    [found] = read_brackets("(S (NP (DT The) (NN man)) (VP (VBD sat)) (. .))")
    state = begin(found.tree)
    assert not state.legal(Action("ASSIGNTYPE", "DT"))
    assert not state.legal(Action("REDUCE", "NP", 2))
    assert not state.legal(Action("DROP", "S"))  # nothing would be left
    assert not state.legal(Action("DROP", "PP"))
    assert state.legal(Action("DROP", "NP"))
    state.do(Action("DROP", "NP"))
    assert not state.legal(Action("DROP", "VP"))  # only the full stop would be left
    state.do(Action("SHIFT"))
    assert not state.legal(Action("SHIFT"))  # the word waits for its type


@pytest.fixture(scope="module")
def parsed_pairs(shared):
    shared("google-compression-9k.jsonl.gz")  # skips where there is no data
    sys.path.insert(0, str(TRAINING))
    from google_pairs import pairs
    from parsed_pairs import parse_pairs

    yield lambda step: parse_pairs(pairs(step=step))
    sys.path.remove(str(TRAINING))


@pytest.mark.parametrize("step", [900, pytest.param(20, marks=pytest.mark.slow)])
def test_all_pairs_that_were_trained_on(parsed_pairs, step):
    n = 0
    for pair in parsed_pairs(step):
        *_, (state, _) = replay(pair.tree, pair.kept)
        assert tuple(map(bool, state.status)) == pair.kept
        n += 1
    assert n >= 200 * 900 // step - 10
