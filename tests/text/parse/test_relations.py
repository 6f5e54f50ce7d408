"""Labels of other schemes become Universal Dependencies, or are refused."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.text.parse.parser import _warned
from assay.text.parse.relations import check_relations, to_universal
from assay.text.parse.sentence import Word


def is_tree(sentence) -> bool:
    """Every word reaches a root."""
    for word in sentence:
        seen = 0
        while word.head >= 0:
            word, seen = sentence[word.head], seen + 1
            if seen > len(sentence):
                return False
    return True


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


def test_unknown_labels_are_listed():
    with pytest.raises(InputError, match=r"parser 'tiger'.*: oa, sb;"):
        check_relations(["sb", "oa", "nsubj", "dobj"], "tiger")


def sentence(*words: str) -> tuple[Word, ...]:
    """form/POS/head/relation, heads from 1, 0 for none."""
    split = [word.rsplit("/", 3) for word in words]
    return tuple(Word(f, {"is": "be"}.get(f, f), p, "", "", int(h) - 1, r) for f, p, h, r in split)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (  # a passive with an agent
            ["It/PRON/3/nsubjpass", "was/AUX/3/auxpass", "seen/VERB/0/ROOT", "by/ADP/3/agent", "me/PRON/4/pobj"],
            "nsubj:pass(seen, It) aux:pass(seen, was) root(, seen) case(me, by) obl:agent(seen, me)",
        ),
        (  # a copula keeps its subject, a noun's preposition makes an nmod
            ["He/PRON/2/nsubj", "is/AUX/0/ROOT", "king/NOUN/2/attr", "of/ADP/3/prep", "Spain/PROPN/4/pobj"],
            "nsubj(king, He) cop(king, is) root(, king) case(Spain, of) nmod(king, Spain)",
        ),
        (
            ["ran/VERB/0/ROOT", "out/ADP/1/prep", "of/ADP/2/prep", "Rome/PROPN/3/pobj"],
            "root(, ran) case(Rome, out) case(Rome, of) obl(ran, Rome)",
        ),
        (
            [
                "went/VERB/0/ROOT",
                "to/ADP/1/prep",
                "A/PROPN/2/pobj",
                "and/CCONJ/2/cc",
                "to/ADP/2/conj",
                "B/PROPN/5/pobj",
            ],
            "root(, went) case(A, to) obl(went, A) cc(A, and) case(B, to) conj(A, B)",
        ),
        (
            ["left/VERB/0/ROOT", "after/ADP/1/prep", "eating/VERB/2/pcomp"],
            "root(, left) mark(eating, after) advcl(left, eating)",
        ),
        (["In/ADP/0/ROOT", "Rome/PROPN/1/pobj"], "case(Rome, In) root(, Rome)"),
    ],
)
def test_clearnlp_trees_become_universal(given_, expected):
    turned = to_universal(sentence(*given_))
    assert is_tree(turned)
    said = [f"{w.relation}({turned[w.head].form if w.head >= 0 else ''}, {w.form})" for w in turned]
    assert " ".join(said) == expected
