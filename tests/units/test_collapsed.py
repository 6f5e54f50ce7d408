"""Collapsed dependencies: Stanford's, RASP's, Basic Elements."""

from __future__ import annotations

import sys
from pathlib import Path

from assay.text.parse.sentence import Parse
from assay.units.collapsed import STYLES
from assay.units.dependency import triples

sys.path.insert(0, str(Path(__file__).parent))
import parses


def list_triples(parse: Parse, **how: str) -> set[str]:
    return set(map(str, triples(parse, **how)))


def test_collapsed_as_in_toutanova():
    assert list_triples(parses.HOUSEHOLD, scheme="stanford", word="form") == {"nmod:poss(household, your)"}
    found = list_triples(parses.GIVEN, scheme="stanford")
    assert {"nmod:of(man, village)", "case(village, of)", "obl:by(give, sister)", "nsubj:pass(give, man)"} <= found
    found = list_triples(parses.BECAUSE, scheme="stanford")
    assert {"conj:or(sleep, eat)", "obl:because_of(sleep, he)", "advcl:that(want, rain)"} <= found
    assert not any("punct" in t for t in list_triples(parses.JOHN, scheme="stanford"))


def test_relations_of_rasp():
    found = list_triples(parses.GIVEN, scheme="rasp")
    assert {"ncsubj(give, man)", "ncmod:of(man, village)", "arg_mod:by(give, sister)", "dobj(give, book)"} <= found
    assert {"detmod(man, the)", "aux(give, be)", "cmod(sister, stand)"} <= found
    fifteen = "ncsubj xsubj csubj dobj obj2 iobj xcomp ccomp ncmod xmod cmod detmod arg_mod aux conj"
    assert set(STYLES["rasp"].names.values()) == set(fifteen.split()) - {"xsubj"} | {""}


def test_basic_elements_of_hovy():
    """After the example of Hovy et al. (2005): indicted|libyans|obj, bombing|lockerbie|nn, indicted|bombing|for."""
    found = list_triples(parses.LIBYANS, scheme="be", word="form")
    assert {"num(libyans, two)", "obj(indicted, libyans)", "nn(bombing, lockerbie)", "for(indicted, bombing)"} <= found
    assert "in(bombing, 1991)" in found
    heads = list_triples(parses.LIBYANS, scheme="be-heads", word="form")
    assert heads == {f"head({w})" for w in ("two", "libyans", "indicted", "lockerbie", "bombing", "1991")}
