"""Triples as integers say what the triples in words say."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.text.parse.relations import UNIVERSAL
from assay.text.parse.sentence import Parse, Sentence, Word
from assay.units.dependency import WORDS, Triple, triples
from assay.units.lfg import RELATIONS
from assay.units.packed import POS, PackedReader, unpack

sys.path.insert(0, str(Path(__file__).parent))
import parses

words = st.builds(
    Word,
    st.sampled_from(["a", "b", "By", "by", "to", "of", ""]),
    st.sampled_from(["a", "b", "by", "_", ""]),
    st.sampled_from(["NOUN", "PROPN", "VERB", "PRON", "ADP", "PART", "ADJ", "ADV", "AUX", "DET"]),
    st.sampled_from(["MD", "POS", "NN"]),
    st.sampled_from(
        [
            "",
            "Number=Sing|Person=",
            "VerbForm=Fin|Tense=Past",
            "VerbForm=Part|Voice=Pass",
            "Voice=Pass",
            "PronType=Rel",
            "PronType=Tot",
            "Degree=Cmp",
            "broken",
        ]
    ),
    st.integers(-1, 5),
    st.sampled_from([*sorted(UNIVERSAL), *sorted(RELATIONS), "nsubj:pass", "mark:x", "cc:preconj", "aux:pass"]),
)
sentences = st.lists(words, min_size=6, max_size=6).map(tuple)


def plain(sentence: Sentence, word: str, active: bool) -> list[tuple[str, str, str, int, int, bool]]:
    """The twin: the triples in words, with the numbers of their parts of speech."""
    return [
        (t.relation, t.head, t.dependent, POS.get(t.head_pos, 0), POS.get(t.dependent_pos, 0), t.atomic)
        for t in triples(Parse((sentence,)), word=word, active=active)
    ]


def packed(reader: PackedReader, sentence: Sentence) -> list[tuple[str, str, str, int, int, bool]]:
    columns = unpack(np.array(reader.read(sentence), dtype=np.int64))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(*(reader.texts[place] for place in row[:3]), row[3], row[4], bool(row[5])) for row in rows]


@given(st.lists(sentences, max_size=3), st.sampled_from(list(WORDS)), st.booleans())
def test_any_graph_gives_the_same_triples(some, word, active):
    reader = PackedReader(word, active=active)
    for sentence in [*some, *some]:
        assert packed(reader, sentence) == plain(sentence, word, active)


@pytest.mark.parametrize("active", [False, True])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("name", ["JOHN", "HOUSEHOLD", "GIVEN", "BECAUSE", "LIBYANS", "CAR"])
def test_parses_written_by_hand(name, word, active):
    [sentence] = getattr(parses, name).sentences
    rows = packed(PackedReader(word, active=active), sentence)
    assert rows
    assert rows == plain(sentence, word, active)


def test_a_triple_as_in_words():
    [sentence] = parses.JOHN.sentences
    assert packed(PackedReader("lemma"), sentence)[0] == ("subj", "resign", "john", 2, 1, False)
    assert str(Triple("subj", "resign", "john")) == "subj(resign, john)"


def test_unknown_relations_are_refused():
    with pytest.raises(InputError, match="relation 'SBJ' is not one of Universal Dependencies"):
        PackedReader("lemma").read((Word("a", "a", "X", "", "", -1, "SBJ"),))
