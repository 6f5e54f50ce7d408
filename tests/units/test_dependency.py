"""Triples of parses written by hand, under each scheme, and the bags that the switches make of them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet
from assay.errors import InputError, UnknownName
from assay.matching.batch import Batch
from assay.matching.triple_bags import TripleUnit
from assay.text.parse.relations import UNIVERSAL
from assay.text.parse.sentence import Parse, Word
from assay.units import dependency
from assay.units.collapsed import STYLES
from assay.units.dependency import SCHEMES, named, printed, triples
from assay.units.lfg import ATOMIC, RELATIONS

sys.path.insert(0, str(Path(__file__).parent))
import parses
import twins


def shown(parse: Parse, **how: str) -> set[str]:
    return set(map(str, triples(parse, **how)))


def test_as_the_papers_print_it():
    """Owczarzak et al. (2007a), 2; the order of words does not matter."""
    assert printed(triples(parses.JOHN)) == printed(triples(parses.JOHN_MOVED))
    assert printed(triples(parses.JOHN)).splitlines() == [
        "adj(resign, yesterday)",
        "num(john, sg)",
        "num(yesterday, sg)",
        "pers(john, 3)",
        "pers(yesterday, 3)",
        "subj(resign, john)",
        "tense(resign, past)",
    ]


def test_relations_and_features_of_lfg():
    found = shown(parses.GIVEN)
    assert {"subj(give, man)", "det(man, the)", "adj(man, old)", "quant(village, all)", "quant(book, two)"} <= found
    assert {"adj(man, of)", "obj(of, village)", "obl_ag(give, by)", "obj(by, sister)"} <= found
    assert {"relmod(sister, stand)", "subj(stand, who)", "topicrel(stand, who)", "obj(give, book)"} <= found
    assert {"passive(give, +)", "participle(give, past)", "tense(give, past)", "modal(stand, would)"} <= found
    assert {"degree(old, positive)", "degree(tall, comparative)", "part(stand, up)", "pron_form(who, who)"} <= found
    assert {"num(man, sg)", "num(book, pl)", "pers(book, 3)"} <= found


def test_function_words_say_something_of_others():
    found = shown(parses.BECAUSE)
    assert {"xcomp(want, sleep)", "inf(sleep, +)", "coord(sleep, eat)", "coord_form(sleep, or)"} <= found
    assert {"adj(sleep, because_of)", "obj(because_of, he)", "pron_form(he, him)"} <= found
    assert {"adj(want, rain)", "comp_form(rain, that)", "tense(rain, past)"} <= found
    assert not any(t.startswith(("mark", "case", "cc(")) for t in found)


def test_collapsed_as_in_toutanova():
    assert shown(parses.HOUSEHOLD, scheme="stanford", word="form") == {"nmod:poss(household, your)"}
    found = shown(parses.GIVEN, scheme="stanford")
    assert {"nmod:of(man, village)", "case(village, of)", "obl:by(give, sister)", "nsubj:pass(give, man)"} <= found
    found = shown(parses.BECAUSE, scheme="stanford")
    assert {"conj:or(sleep, eat)", "obl:because_of(sleep, he)", "advcl:that(want, rain)"} <= found
    assert not any("punct" in t for t in shown(parses.JOHN, scheme="stanford"))


def test_relations_of_rasp():
    found = shown(parses.GIVEN, scheme="rasp")
    assert {"ncsubj(give, man)", "ncmod:of(man, village)", "arg_mod:by(give, sister)", "dobj(give, book)"} <= found
    assert {"detmod(man, the)", "aux(give, be)", "cmod(sister, stand)"} <= found
    fifteen = "ncsubj xsubj csubj dobj obj2 iobj xcomp ccomp ncmod xmod cmod detmod arg_mod aux conj"
    assert set(STYLES["rasp"].names.values()) == set(fifteen.split()) - {"xsubj"} | {""}


def test_basic_elements_of_hovy():
    """After the example of Hovy et al. (2005): indicted|libyans|obj, bombing|lockerbie|nn, indicted|bombing|for."""
    found = shown(parses.LIBYANS, scheme="be", word="form")
    assert {"num(libyans, two)", "obj(indicted, libyans)", "nn(bombing, lockerbie)", "for(indicted, bombing)"} <= found
    assert "in(bombing, 1991)" in found
    heads = shown(parses.LIBYANS, scheme="be-heads", word="form")
    assert heads == {f"head({w})" for w in ("two", "libyans", "indicted", "lockerbie", "bombing", "1991")}


def test_words_as_lemma_stem_or_form():
    assert "obj(give, book)" in shown(parses.GIVEN, word="lemma")
    assert "obj(given, books)" in shown(parses.GIVEN, word="form")
    assert "adj(sister, taller)" in shown(parses.GIVEN, word="stem")
    no_lemma = Parse(((Word("Cats", "_", "NOUN", "NNS", "", -1, "root"),),))
    assert "pers(cats, 3)" in shown(no_lemma)


@pytest.mark.parametrize("relation", sorted(UNIVERSAL))
def test_every_universal_relation_is_in_every_table(relation):
    for table in (RELATIONS, *(style.names for style in STYLES.values())):
        named(relation, table)
        named(f"{relation}:anything", table)


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


def units(parse: Parse, unit: TripleUnit) -> Counter[tuple[str, str, str]]:
    """The plain twin of the switches, without wn."""
    found: list[tuple[str, str, str]] = []
    for t in triples(parse, scheme=unit.scheme, word=unit.word):
        if unit.pred and t.atomic:
            continue
        name = "" if unit.norel else t.relation
        halves = [(name, t.head, "\0"), (name, "\0", t.dependent)]
        found += halves if unit.pm and not t.atomic else [(name, t.head, t.dependent)]
    return Counter(set(found)) if unit.one else Counter(found)


@settings(max_examples=60, deadline=None)
@given(trees, st.lists(trees, min_size=1, max_size=3), st.tuples(*[st.booleans()] * 4))
def test_bags_equal_their_plain_twin(output, references, switches):
    pred, norel, pm, one = switches
    unit = TripleUnit(pred=pred, norel=norel, pm=pm, one=one)
    batch = Batch(EvalSet.from_texts(["o"], [["r"] * len(references)]))
    batch.outputs.remember(("parses", "en"), lambda: [output])
    batch.references.remember(("parses", "en"), lambda: references)
    found = batch.counts(unit)
    mine, bags = units(output, unit), [units(r, unit) for r in references]
    assert found.match.tolist() == [twins.overlap(mine, b) for b in bags]
    assert found.reference.tolist() == [b.total() for b in bags]
    assert found.output[0] == mine.total()
    assert found.union_total[0] == twins.union(bags).total()


def test_weights_by_relation():
    batch = Batch(EvalSet.from_texts(["o"], ["r"]))
    batch.outputs.remember(("parses", "en"), lambda: [parses.CAR])
    batch.references.remember(("parses", "en"), lambda: [parses.AUTOMOBILE])
    found = batch.counts(TripleUnit(weights=(("tense", 2.5), ("det", 0.0))))
    assert found.match[0] == 2.5  # of the five triples only the tense is shared
    assert found.reference[0] == 2.5 + 3.0
    nothing = batch.counts(TripleUnit(weights=(("*", 0.0), ("subj", 4.0))))
    assert (nothing.match[0], nothing.reference[0]) == (0.0, 4.0)


def test_synonyms_of_the_references_are_one_word():
    batch = Batch(EvalSet.from_texts({"A": ["o"], "B": ["p"]}, ["r"]))
    batch.outputs.remember(("parses", "en"), lambda: [parses.CAR, parses.JOHN])
    batch.references.remember(("parses", "en"), lambda: [parses.AUTOMOBILE])
    assert batch.counts(TripleUnit(wn=True)).match.tolist() == [5.0, 0.0]
    assert batch.counts(TripleUnit()).match.tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(batch.counts(TripleUnit(wn=True)).output, batch.counts(TripleUnit()).output)


def test_the_page_holds_the_table():
    page = (Path(__file__).parents[2] / "docs" / "dependencies.md").read_text("utf-8")
    for relation in RELATIONS.keys() - {"root"}:
        tables = (RELATIONS, STYLES["rasp"].names, STYLES["be"].names)
        cells = " | ".join(named(relation, table) or "–" for table in tables)
        assert f"| `{relation}` | {cells} |" in page
    for feature, what in ATOMIC.items():
        assert f"| {feature} |" in page
        assert f"| {what} |" in page
