"""Bags of dependency triples equal their plain twin."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.triple_bags import Columns, TripleUnit, read_columns
from assay.text import Lexicon, Texts
from assay.text.parse.relations import UNIVERSAL
from assay.text.parse.sentence import Parse, Word
from assay.units.dependency import triples
from assay.units.packed import POS

sys.path += [str(Path(__file__).parent), str(Path(__file__).parent.parent / "units")]
import parses
import twins

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


def plain_columns(texts: Texts, parses: list[Parse], unit: TripleUnit) -> list[list[int]]:
    """The plain twin: triple by triple, each part a word of the vocabulary when it first comes."""
    rows: list[list[int]] = []
    for text, parse in enumerate(parses):
        for t in triples(parse, scheme=unit.scheme, word=unit.word, active=unit.active):
            ids = [texts.lexicon.vocab.intern(part) + 1 for part in (t.relation, t.head, t.dependent)]
            rows.append([text, *ids, *(POS.get(pos, 0) for pos in (t.head_pos, t.dependent_pos)), int(t.atomic)])
    return rows


@settings(max_examples=60, deadline=None)
@given(st.lists(trees, max_size=4), st.sampled_from(["lfg", "stanford", "be-heads"]), st.booleans())
def test_columns_equal_their_plain_twin(some, scheme, active):
    unit = TripleUnit(scheme=scheme, active=active and scheme == "lfg")
    some = [*some, *some[:1], Parse(tuple(s for parse in some for s in parse.sentences))]
    fast, plain = (Texts([""] * len(some), Lexicon()) for _ in range(2))
    columns = read_columns(fast, some, unit)
    rows = plain_columns(plain, some, unit)
    assert [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)] == rows
    assert fast.lexicon.vocab.words() == plain.lexicon.vocab.words()
    assert isinstance(columns, Columns)
