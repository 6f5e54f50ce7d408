"""Relations and features of Lexical-Functional Grammar."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.text.parse.sentence import Parse
from assay.units.dependency import triples

sys.path.insert(0, str(Path(__file__).parent))
import parses


def list_triples(parse: Parse, **how: str | bool) -> set[str]:
    return set(map(str, triples(parse, **how)))


def test_relations_and_features_of_lfg():
    found = list_triples(parses.GIVEN)
    assert {"subj(give, man)", "det(man, the)", "adj(man, old)", "quant(village, all)", "quant(book, two)"} <= found
    assert {"adj(man, of)", "obj(of, village)", "obl_ag(give, by)", "obj(by, sister)"} <= found
    assert {"relmod(sister, stand)", "subj(stand, who)", "topicrel(stand, who)", "obj(give, book)"} <= found
    assert {"passive(give, +)", "participle(give, past)", "tense(give, past)", "modal(stand, would)"} <= found
    assert {"degree(old, positive)", "degree(tall, comparative)", "part(stand, up)", "pron_form(who, who)"} <= found
    assert {"num(man, sg)", "num(book, pl)", "pers(book, 3)"} <= found


def test_function_words_say_something_of_others():
    found = list_triples(parses.BECAUSE)
    assert {"xcomp(want, sleep)", "inf(sleep, +)", "coord(sleep, eat)", "coord_form(sleep, or)"} <= found
    assert {"adj(sleep, because_of)", "obj(because_of, he)", "pron_form(he, him)"} <= found
    assert {"adj(want, rain)", "comp_form(rain, that)", "tense(rain, past)"} <= found
    assert not any(t.startswith(("mark", "case", "cc(")) for t in found)


def test_a_passive_clause_as_the_active_one():
    plain, active = list_triples(parses.GIVEN), list_triples(parses.GIVEN, active=True)
    assert plain - active == {"subj(give, man)", "obl_ag(give, by)", "obj(by, sister)"}
    assert active - plain == {"obj(give, man)", "subj(give, sister)"}


def test_only_lfg_makes_active_clauses():
    with pytest.raises(InputError, match="by scheme lfg only; got be"):
        triples(parses.GIVEN, scheme="be", active=True)
