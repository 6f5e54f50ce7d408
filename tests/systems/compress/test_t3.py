"""The tree-to-tree compressor: its rules from pairs made by hand, its learning on toys, and the system in use."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "tree"))
sys.path.insert(0, str(Path(__file__).parents[3] / "training" / "systems" / "abstractive"))
import t3_learn
from t3_data import Example, MsrItem, Reference, untokenize
from t3_extract import PairOfTrees
from test_chart import all_texts

from assay.errors import InputError, UnknownName
from assay.extras import RESEARCH, find_model
from assay.systems.compress import COMPRESSORS, compress
from assay.systems.compress.edits.rewrite import list_edits
from assay.systems.compress.tree._brackets import read_brackets
from assay.systems.compress.tree._decision_features import Case
from assay.systems.compress.tree._derived_text import write_pieces
from assay.systems.compress.tree.model import GrammarText, TreeGrammar
from assay.systems.compress.tree.rules import RuleIndex, parse_rule
from assay.text.parse.flat import ParsedText, parse_texts
from assay.text.parse.sentence import Parse, Word
from assay.text.tokens.offsets import place


def extract(source: str, target: str, links: str, **options) -> set[str]:
    """The rules of a pair; links are written 0-0 1-2."""
    [bracketed] = read_brackets(source)
    pairs = {tuple(map(int, link.split("-"))) for link in links.split()}
    return set(map(str, PairOfTrees(bracketed.tree, bracketed.words, target.split(), pairs, **options).rules()))


PAIRS = {
    "a phrase becomes a word": (
        "(S (NP (NB (DET A) (NOUN lot)) (PP (ADP of) (NOUN people))) (VP (VERB left)))",
        "many people left",
        "0-0 1-0 2-0 3-1 4-2",
        {"(NB (DET a) (NOUN lot)) (PP (ADP of) NOUN#0) => many #0"},
    ),
    "a word for a word": ("(S (NOUN dogs) (VERB depart))", "dogs leave", "0-0 1-1", {"(VERB depart) => leave"}),
    "a copy and a deletion need no rule": (
        "(S (NB (DET the) (NOUN dog)) (VP (ADV suddenly) (VERB left)))",
        "the dog left",
        "0-0 1-1 3-2",
        set(),
    ),
    "constituents change places": (
        "(NP (NB (DET the) (NOUN tax)) (PP (ADP of) (PROPN Ohio)))",
        "Ohio 's tax",
        "1-2 3-0",
        {"NP: NB#0 PP#1 => #1 's #0"},
    ),
    "a new word": (
        "(S (NB (NOUN men)) (VP (VERB came) (CONJ (VERB left))))",
        "men came and left",
        "0-0 1-1 2-3",
        {"VP: CONJ#0 => and #0"},
    ),
    "new words where something was deleted": (
        "(S (NOUN men) (ADVP (ADV at) (ADV once)) (VERB left))",
        "men immediately left",
        "0-0 3-2",
        {"(ADVP (ADV at) (ADV once)) => immediately"},
    ),
    "a deletion inside a rule": (
        "(NP (NB (DET the) (ADJ new) (NOUN tax)) (PROPN Ohio))",
        "the Ohio tax",
        "0-0 2-2 3-1",
        {"NP: (NB DET#0 ADJ#- NOUN#1) PROPN#2 => #0 #2 #1"},
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_extraction_gives_the_rules_that_a_reader_sees(name):
    source, target, links, rules = PAIRS[name]
    assert extract(source, target, links) == rules


def test_strict_extraction_asks_for_constituents_on_both_sides():
    source, target, links, _ = PAIRS["a phrase becomes a word"]
    [whole] = read_brackets("(S (NB (ADJ many) (NOUN people)) (VERB left))")
    [crossing] = read_brackets("(S (ADJ many) (VP (NOUN people) (VERB left)))")
    assert extract(source, target, links, target_tree=whole.tree) == extract(source, target, links)
    assert extract(source, target, links, target_tree=crossing.tree) != extract(source, target, links)


def test_names_and_numbers_are_not_passed_on():
    names = {"ohio"}
    passed = [t3_learn.may_pass_on(parse_rule(r), names) for r in ("(NOUN x) => y", "(NOUN two) => y", "(NUM x) => y")]
    assert passed == [True, False, False]
    assert not t3_learn.may_pass_on(parse_rule("(NOUN x) => ohio"), names)
    assert not t3_learn.may_pass_on(parse_rule("(PROPN x) => y"), names)
    assert t3_learn.may_pass_on(parse_rule("NP: PROPN#0 NOUN#1 => #1 #0"), names)


def build_example(source: str, target: str, links: str) -> Example:
    """An example without a parser."""
    [bracketed] = read_brackets(source)
    tags = [bracketed.tree.nodes[leaf].label for leaf in bracketed.tree.leaves]
    analysis = _parse(bracketed.words, tags)
    pairs = frozenset((int(a), int(b)) for a, b in (link.split("-") for link in links.split()))
    return Example(analysis, Case.of(bracketed.tree, analysis), (Reference(target, _parse(target.split()), pairs),))


def _parse(forms: Sequence[str], tags: Sequence[str] = ()) -> ParsedText:
    """Words without heads."""
    text = " ".join(forms)
    words = tuple(
        Word(w, w.lower(), t, t, "", -1, "dep") for w, t in zip(forms, tags or ["X"] * len(forms), strict=True)
    )
    none = (-1,) * len(words)
    return ParsedText(text, place(text, list(forms)), words, none, (0,) * len(words), Parse((words,)))


def draw_examples(count: int, seed: int) -> list[Example]:
    """A toy language: adjectives go, `in order to` becomes `to`, `big` becomes `large`, possessives move."""
    rng = random.Random(seed)
    examples = []
    for _ in range(count):
        noun, other, verb = *rng.sample(["dog", "man", "tree", "city"], 2), rng.choice(["saw", "left"])
        subject, out, links = f"(NB (DET the) (NOUN {noun}))", f"the {noun}", [(0, 0), (1, 1)]
        if rng.random() < 0.5:
            subject, links = f"(NB (DET the) (ADJ old) (NOUN {noun}))", [(0, 0), (2, 1)]
        n, m = links[-1][0] + 1, 2
        if rng.random() < 0.5:
            middle, new = "(SBAR (PP (ADP in) (NOUN order)) (PART to) (VERB help))", "to help"
            links += [(n, m), (n + 1, m), (n + 2, m), (n + 3, m + 1)]
            n, m = n + 4, m + 2
        else:
            middle, new = "(ADJ big)", "large"
            links += [(n, m)]
            n, m = n + 1, m + 1
        ending = f"(VP (VERB {verb}) (NOUN {other}))"
        links += [(n, m), (n + 1, m + 1)]
        text = f"(S {subject} {middle} {ending})"
        examples.append(build_example(text, f"{out} {new} {verb} {other}", " ".join(f"{a}-{b}" for a, b in links)))
    return examples


def learn_toy(examples: list[Example], **options) -> TreeGrammar:
    counts = t3_learn.count_rules(examples)
    rules = sorted((rule for rule, n in counts.sources.items() if n >= 2), key=str)
    chances = t3_learn.chances_of(rules, counts.times, examples)
    features = t3_learn.feature_names(examples, rules, 1)
    grammar = TreeGrammar(RuleIndex(rules), chances, features, np.zeros(len(features)))
    return t3_learn.learn(grammar, examples, None, log=False, **options)


def test_a_toy_language_is_learned():
    grammar = learn_toy(draw_examples(60, 1), epochs=3, step=0.2)
    assert {str(rule) for rule in grammar.index.rules} == {
        "(ADJ big) => large",
        "(PP (ADP in) (NOUN order)) (PART to) => to",
    }
    new = draw_examples(60, 2)
    for example in new:
        text = GrammarText(grammar, example.case, example.words)
        best = t3_learn.search(text, grammar.weights, None, 8)
        assert " ".join(best.words(example.words)) == example.references[0].text


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_search_with_a_loss_equals_looking_at_every_derivation(sign):
    examples = draw_examples(12, 3)
    grammar = learn_toy(examples, epochs=1, step=0.02)
    rng = np.random.default_rng(0)
    for example in examples:
        weights = rng.normal(size=len(grammar.features))
        weights[grammar.features["lm"]] = 0.0
        text = GrammarText(grammar, example.case, example.words)
        loss = t3_learn.loss_of(example, example.references)
        pairs = t3_learn.pair_loss(example.references, 0.25, sign)
        best = t3_learn.search(text, weights, None, None, loss=loss, sign=sign, pairs=pairs)
        # by hand: the score without a loss, then the loss of the whole text
        bonus = weights[grammar.features["word"]]
        values = []
        local = text.scores(weights, loss, sign)
        for value, pieces in all_texts(text.tree, local, 0):
            row = ["<s>", *(example.words[p].lower() if isinstance(p, int) else p for p in pieces), "</s>"]
            values.append(value + bonus * len(pieces) + sum(pairs(a, b) for a, b in pairwise(row)))
        assert best.score == pytest.approx(max(values))
        counts = text.features(best, 0.0, len(best.pieces))
        model = sum(weights[f] * value for f, value in counts.items())
        lost = t3_learn.measure_loss(text, best, loss, example.references, 0.25)
        assert best.score == pytest.approx(model + sign * lost)


def test_a_source_is_in_one_part_whatever_its_spaces():
    first = MsrItem("The man, who left.", ())
    assert first.part == MsrItem("The man , who left .", ()).part
    assert {MsrItem(f"text {n}", ()).part for n in range(200)} == set(range(10))
    assert untokenize("He ca n't ( -LRB- 3 -RRB- ) .") == "He can't ((3))."


def test_pieces_are_written_as_text():
    [a] = parse_texts(["Dogs will not leave a very old house (or barn), said Ann."])
    words = [t.text for t in a.tokens]
    assert write_pieces([0, 1, "n't", 3, 4, 6, 7, len(words) - 1], a) == "Dogs won't leave an old house."
    assert write_pieces([len(words) - 2, ":", 0, 1, 3], a) == "Ann: dogs will leave."
    assert write_pieces([0, 3, 4, 7, 8, 9, 10, len(words) - 1], a) == "Dogs leave a house or barn."


def has_model() -> bool:
    try:
        find_model("abstractive/t3.npz", "t3", package=RESEARCH)
    except InputError:
        return False
    return True


SENTENCE = "In order to help, the company will not receive more than 20 percent of the information, according to Ann."


def test_deletion_only_is_the_transducer():
    for options in ({}, {"words": 8}):
        old, new = (compress([SENTENCE], name, **options) for name in ("transducer", "t3(rules=delete)"))
        assert old == new


@pytest.mark.skipif(not has_model(), reason="needs assay-eval-research")
def test_it_rewrites_within_the_limit():
    texts = [SENTENCE, "He left."]
    for options in ({"words": 6}, {"chars": 50}, {"ratio": 0.7}, {"words": 1}):
        for c in compress(texts, "t3", **options):
            assert c.words
            assert not c.notes
    [c] = compress([SENTENCE], "t3", ratio=1.0)
    assert c.word_rate > 0.8
    assert compress([SENTENCE], "t3", words=2**31 - 1) == [c]


@pytest.mark.skipif(not has_model(), reason="needs assay-eval-research")
def test_more_is_rewritten_if_asked():
    plain, strong = (compress([SENTENCE], name)[0] for name in ("t3", "t3(rewrite=4)"))
    new = [sum(len(e.text) for e in list_edits(c) if e.kind in ("replace", "insert")) for c in (plain, strong)]
    assert new[1] > new[0]


@pytest.mark.skipif(not has_model(), reason="needs assay-eval-research")
def test_odd_texts():
    texts = ["", "   ", "Hello", "...", "( )", "!!! ???", "a\nb\nc", "Der Hund lief gestern schnell nach Hause."]
    for text, c in zip(texts, compress(texts, "t3", language="en"), strict=True):
        assert c.source == text
        assert bool(c.text.strip()) == bool(text.strip())
    assert compress(texts[2:3], "t3")[0].text == "Hello"
    assert "of its words are unknown" in compress(texts[-1:], "t3", language="en")[0].notes[0]


def test_bad_parameters():
    with pytest.raises(UnknownName, match="rules of t3"):
        COMPRESSORS.build("t3(rules=some)")
    with pytest.raises(InputError, match="width of t3 must be"):
        COMPRESSORS.build("t3(width=0)")
    with pytest.raises(InputError, match="there is no tree grammar"):
        compress(["Dogs bark."], "t3(model=none)")
