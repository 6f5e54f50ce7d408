"""Constituents from dependencies and from Penn brackets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.systems.compress.tree._brackets import read_brackets, squeeze
from assay.systems.compress.tree._trees import build_tree
from assay.systems.compress.tree.constituents import ConstituentTree, constituents, projective
from assay.text.parse.flat import parse_texts


def sound(tree: ConstituentTree, tokens: int) -> None:
    """Every token has a leaf, children cover their parent without gap or overlap, the root covers all."""
    assert [tree.nodes[leaf].start for leaf in tree.leaves] == list(range(tokens))
    assert (tree.nodes[0].start, tree.nodes[0].end, tree.nodes[0].parent) == (0, tokens, -1)
    for n, node in enumerate(tree.nodes):
        if node.children:
            assert [tree.nodes[c].parent for c in node.children] == [n] * len(node.children)
            edges = [node.start, *(tree.nodes[c].end for c in node.children)]
            assert [tree.nodes[c].start for c in node.children] == edges[:-1]
            assert edges[-1] == node.end


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (
            "He said that she left.",
            "(S (PRON He) (VP (VERB said) (SBAR (SCONJ that) (S (PRON she) (VERB left)))) (PUNCT .))",
        ),
        ("Cats and dogs sleep.", "(S (NP (NOUN Cats) (CONJ (CCONJ and) (NOUN dogs))) (VERB sleep) (PUNCT .))"),
        (
            "The roof of the house fell.",
            "(S (NP (NB (DET The) (NOUN roof)) (PP (ADP of) (NB (DET the) (NOUN house)))) (VERB fell) (PUNCT .))",
        ),
        ("Hello", "(INTJ Hello)"),
    ],
)
def test_phrases(text, tree):
    [analysis] = parse_texts([text])
    assert constituents(analysis).to_brackets([t.text for t in analysis.tokens]) == tree


def test_sentences_stand_under_a_top():
    [analysis] = parse_texts(["Cats sleep. Dogs bark."])
    tree = constituents(analysis)
    sound(tree, 6)
    assert (tree.nodes[0].label, [tree.nodes[c].label for c in tree.nodes[0].children]) == ("TOP", ["S", "S"])


heads = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*(st.integers(0, n) for _ in range(n)), st.permutations(range(n)))
)


@given(heads)
@settings(max_examples=200, deadline=None)
def test_any_arcs_become_projective(drawn):
    """Arcs of a random tree: each word hangs on one that comes before it in a random order."""
    *choice, order = drawn
    found = [-1] * len(order)
    for k, word in enumerate(order[1:], 1):
        found[word] = order[choice[k] % k]
    lifted = projective(found)
    assert lifted.count(-1) == 1
    for i, head in enumerate(lifted):
        for k in range(min(i, head) + 1, max(i, head)) if head >= 0 else ():
            above = k
            while above not in (-1, head):
                above = lifted[above]
            assert above == head
    if projective(found) == found:
        assert lifted == found


def test_long_chains_do_not_exhaust_the_stack():
    [analysis] = parse_texts([" ".join(["the dog that saw"] * 130)])
    sound(constituents(analysis), len(analysis.tokens))


PENN = """( (S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)) (PP-LOC (IN in)
  (NP (DT the) (`` ``) (NN park) ('' '')))))  (. .)) )"""


def test_penn_brackets():
    [found] = read_brackets(PENN)
    assert found.words == ("The", "cat", "was", "seen", "in", "the", '"', "park", '"', ".")
    sound(found.tree, 10)
    assert [(n.label, n.relation) for n in found.tree.nodes if n.relation != "head"] == [("NP", "sbj"), ("PP", "loc")]
    assert "NONE" not in found.tree.to_brackets(found.words)
    again = read_brackets(found.tree.to_brackets(found.words))[0]
    assert [n[:3] for n in again.tree.nodes] == [n[:3] for n in found.tree.nodes]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NP (DT The)", "2 brackets are open"),
        ("(S (DT The)))", "closes that was not opened"),
        ("(S The cat)", "every word needs a bracket"),
        ("cat", "no words in brackets"),
        ("(S (NP ))", "no words"),
    ],
)
def test_broken_brackets(text, message):
    with pytest.raises(InputError, match=message):
        read_brackets(text, "my.mrg")


def test_trees_from_a_file(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text(PENN, "utf-8")
    text = 'The cat was seen in the "park".'
    assert squeeze(text) == squeeze("The cat was seen in the `` park '' .")
    [analysis, other] = parse_texts([text, "Dogs bark."])
    tree = build_tree(analysis, str(path))
    sound(tree, len(analysis.tokens))
    assert tree.nodes[1].label == "NP"
    assert analysis.tokens[tree.nodes[1].head].text == "cat"
    with pytest.raises(InputError, match="holds no tree for 'Dogs bark"):
        build_tree(other, str(path))
    with pytest.raises(InputError, match="cannot be read"):
        build_tree(other, str(tmp_path / "none.mrg"))
