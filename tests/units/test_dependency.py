"""Triples of parses written by hand, under each scheme, and the bags that the switches make of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UnknownName
from assay.text.parse.relations import UNIVERSAL
from assay.text.parse.sentence import Parse, Word
from assay.units import dependency
from assay.units.collapsed import STYLES
from assay.units.dependency import SCHEMES, format_triples, scheme_name, triples
from assay.units.lfg import ATOMIC, RELATIONS

sys.path.insert(0, str(Path(__file__).parent))
import parses


def list_triples(parse: Parse, **how: str) -> set[str]:
    return set(map(str, triples(parse, **how)))


def test_as_the_papers_print_it():
    """Owczarzak et al. (2007a), 2; the order of words does not matter."""
    assert format_triples(triples(parses.JOHN)) == format_triples(triples(parses.JOHN_MOVED))
    assert format_triples(triples(parses.JOHN)).splitlines() == [
        "adj(resign, yesterday)",
        "num(john, sg)",
        "num(yesterday, sg)",
        "pers(john, 3)",
        "pers(yesterday, 3)",
        "subj(resign, john)",
        "tense(resign, past)",
    ]


def test_words_as_lemma_stem_or_form():
    assert "obj(give, book)" in list_triples(parses.GIVEN, word="lemma")
    assert "obj(given, books)" in list_triples(parses.GIVEN, word="form")
    assert "adj(sister, taller)" in list_triples(parses.GIVEN, word="stem")
    no_lemma = Parse(((Word("Cats", "_", "NOUN", "NNS", "", -1, "root"),),))
    assert "pers(cats, 3)" in list_triples(no_lemma)


@pytest.mark.parametrize("relation", sorted(UNIVERSAL))
def test_every_universal_relation_is_in_every_table(relation):
    for table in (RELATIONS, *(style.names for style in STYLES.values())):
        scheme_name(relation, table)
        scheme_name(f"{relation}:anything", table)


def test_unknown_names_are_refused():
    foreign = Parse(((Word("a", "a", "X", "", "", -1, "root"), Word("b", "b", "X", "", "", 0, "SBJ")),))
    with pytest.raises(InputError, match="relation 'SBJ' is not one of Universal Dependencies"):
        triples(foreign)
    with pytest.raises(UnknownName, match="unknown scheme of triples 'minipar'"):
        triples(parses.JOHN, scheme="minipar")
    with pytest.raises(UnknownName, match="unknown word 'token'"):
        triples(parses.JOHN, word="token")


def test_no_words_no_triples():
    for scheme in SCHEMES:
        assert triples(parses.EMPTY, scheme=scheme) == []


words = st.builds(
    Word,
    st.sampled_from(["a", "b", "c", "by", "to"]),
    st.sampled_from(["a", "b", "_"]),
    st.sampled_from(["NOUN", "VERB", "PRON", "ADP", "ADJ", "AUX"]),
    st.sampled_from(["MD", "POS", "NN"]),
    st.sampled_from(["", "Number=Sing", "VerbForm=Fin|Tense=Past", "Voice=Pass", "PronType=Rel", "broken"]),
    st.integers(-1, 4),
    st.sampled_from([*sorted(UNIVERSAL), "acl:relcl", "nmod:poss", "compound:prt"]),
)

trees = st.lists(words, min_size=5, max_size=5).map(lambda ws: Parse((tuple(ws),)))


@given(trees, st.sampled_from(SCHEMES), st.sampled_from(list(dependency.WORDS)))
def test_any_graph_gives_triples(tree, scheme, word):
    """Cycles, heads of their own, punctuation with dependents: whatever a parser says."""
    found = triples(tree, scheme=scheme, word=word)
    assert all(t.head or t.relation for t in found)
    if scheme == "lfg":
        assert {t.relation for t in found if t.atomic} <= ATOMIC.keys()


def test_the_page_holds_the_table():
    page = (Path(__file__).parents[2] / "docs" / "dependencies.md").read_text("utf-8")
    for relation in RELATIONS.keys() - {"root"}:
        tables = (RELATIONS, STYLES["rasp"].names, STYLES["be"].names)
        cells = " | ".join(scheme_name(relation, table) or "–" for table in tables)
        assert f"| `{relation}` | {cells} |" in page
    for feature, what in ATOMIC.items():
        assert f"| {feature} |" in page
        assert f"| {what} |" in page
