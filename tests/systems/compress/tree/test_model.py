"""Weights and rules of the tree grammar in a file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.systems.compress.tree.model import TreeGrammar, load_grammar, rule_features
from assay.systems.compress.tree.rules import RuleIndex, parse_rule


@pytest.fixture
def grammar(tmp_path):
    rules = [parse_rule("(DET a) => any"), parse_rule("NP: NB#0 PP#1 => #1 #0")]
    features = {"lm": 0, "word": 1, "d|bias": 2}
    path = tmp_path / "grammar"
    TreeGrammar(RuleIndex(rules), (0.5, 0.25), features, np.array([1.0, 2.0, -3.0]), {"sources": 7}).save(path)
    return path


def test_a_grammar_is_read_as_it_was_saved(grammar):
    again = load_grammar(grammar)
    assert [str(rule) for rule in again.index.rules] == ["(DET a) => any", "NP: NB#0 PP#1 => #1 #0"]
    assert (again.chances, again.weights.tolist(), again.about) == ((0.5, 0.25), [1.0, 2.0, -3.0], {"sources": 7})


def test_a_damaged_grammar_is_refused(grammar, tmp_path):
    names = json.loads(grammar.with_suffix(".json").read_text("utf-8"))
    for change in (
        {"rules": ["no rule"]},
        {"rules": names["rules"][:1]},
        {"features": ["lm"]},
        {"features": 3},
        {"features": ["lm", "x", "y"]},
    ):
        grammar.with_suffix(".json").write_text(json.dumps(names | change), "utf-8")
        load_grammar.cache_clear()
        with pytest.raises((FormatError, InputError)):
            load_grammar(grammar)
    with pytest.raises(InputError, match="there is no tree grammar"):
        load_grammar(tmp_path / "none")


def test_features_of_a_rule_by_hand():
    values = rule_features(parse_rule("(NOUN cats) => cat"), 0.5, "NP")
    assert values == {
        "r|(NOUN cats) => cat": 1.0,
        "kind|replace": 1.0,
        "kind|replace|NP": 1.0,
        "chance": pytest.approx(np.log(0.5)),
        "size|replace|1>1": 1.0,
        "letters": -0.2,
        "pos|NOUN": 1.0,
        "inflect": 1.0,
    }
    assert "inflect" not in rule_features(parse_rule("(NOUN cats) => dog"), 0.5, "NP")
    assert rule_features(parse_rule("(DET a) => any"), 0.0, "NP")["chance"] == pytest.approx(np.log(1e-4))
