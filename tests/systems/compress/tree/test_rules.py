"""Rules of the tree grammar: written and read again, and where they fit."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.systems.compress.tree._brackets import read_brackets
from assay.systems.compress.tree.rules import RuleIndex, parse_rule

RULES = [
    "(NOUN information) => info",
    "(NB (DET a) (NOUN lot)) (PP (ADP of) NOUN#0) => much #0",
    "S: PP#0 NB#1 VP#- => #1 , #0",
    "VP: CONJ#0 => , #0",
]


@pytest.mark.parametrize("text", RULES)
def test_a_rule_is_read_as_it_is_written(text):
    assert str(parse_rule(text)) == text
    assert parse_rule(text).kind == {0: "replace", 1: "rephrase", 2: "reorder", 3: "insert"}[RULES.index(text)]


@pytest.mark.parametrize("text", ["", "NOUN#0", "=> a", "(NOUN x => y", "NOUN#0 => #1", "NOUN#x => a", "(NOUN) => a"])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(InputError, match="is not a rule of a tree grammar"):
        parse_rule(text)


def test_rules_fit_siblings_from_a_place_on():
    [bracketed] = read_brackets("(NP (NB (DET a) (NOUN lot)) (PP (ADP of) (NOUN noise)) (PP (ADP of) (NOUN lot)))")
    tree, words = bracketed.tree, [word.lower() for word in bracketed.words]
    rules = [*map(parse_rule, RULES), parse_rule("(NOUN lot) => lots"), parse_rule("NP: PP#0 PP#1 => #1 #0")]
    index = RuleIndex(rules)
    [match] = index.match(tree, words, 0, 0)
    assert (match.rule, match.width, match.deleted) == (1, 2, ())
    assert [tree.nodes[n].start for n in match.variables] == [3]
    assert [words[i] for i in match.tokens] == ["a", "lot", "of"]
    [match] = index.match(tree, words, 0, 1)
    assert (match.rule, [tree.nodes[n].start for n in match.variables]) == (5, [2, 4])
    assert index.match(tree, words, 0, 2) == []
    nominal = tree.nodes[0].children[0]
    assert [m.rule for m in index.match(tree, words, nominal, 1)] == [4]


def test_a_parent_is_asked_for_where_a_rule_names_one():
    [bracketed] = read_brackets("(S (NB (NOUN dogs)) (VP (VERB bark) (CONJ (CCONJ and) (VERB bite))))")
    tree = bracketed.tree
    verbs = tree.nodes[0].children[1]
    conjunct = tree.nodes[verbs].children.index(next(n for n, k in enumerate(tree.nodes) if k.label == "CONJ"))
    for parent, fits in (("VP", 1), ("NP", 0)):
        index = RuleIndex([parse_rule(f"{parent}: CONJ#0 => , #0")])
        assert len(index.match(tree, bracketed.words, verbs, conjunct)) == fits


def test_a_rule_that_changes_negation_is_known():
    rules = ["(PART not) => n't", "(PART to) => n't", "(AUX will) => wo", "S: VP#0 => do n't #0", "(NOUN x) => y"]
    assert [parse_rule(rule).changes_negation for rule in rules] == [False, True, True, True, False]
