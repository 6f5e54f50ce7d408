"""Equivalence sets from a bitext whose synonyms are known."""

from __future__ import annotations

import random

import pytest

from assay import EvalSet
from assay.errors import InputError
from assay.systems.paraphrase import EquivalenceSet, Member, Paraphrases, paraphrases
from assay.systems.paraphrase._closed_class import CLOSED, is_word, split_words

SYNONYMS = {"antwort": ["answer", "reply"], "bürger": ["people", "citizens"], "volk": ["people", "nation"]}
PLAIN = {"haus": "house", "alt": "old", "baum": "tree", "rot": "red", "kommt": "comes", "geht": "goes", "neu": "new"}


def bitext(n=300, seed=0):
    rng = random.Random(seed)
    sources, references = [], []
    for _ in range(n):
        words = rng.sample([*SYNONYMS, *PLAIN], 5)
        sources.append(" ".join(words))
        references.append(" ".join(rng.choice(SYNONYMS[w]) if w in SYNONYMS else PLAIN[w] for w in words))
    return EvalSet.from_texts({"A": references}, references, sources)


def test_known_synonyms_are_found_with_counts_and_probabilities():
    found = paraphrases(bitext(), longest=1, threshold=0.1)
    by_source = {group.source: group for group in found.sets}
    for source, words in SYNONYMS.items():
        group = by_source[source]
        assert {m.text for m in group.members} == set(words)
        assert sum(m.count for m in group.members) <= group.count
        for m in group.members:
            assert m.given_source == pytest.approx(m.count / group.count)
            assert 0 < m.source_given <= 1
    assert set(by_source) == set(SYNONYMS)


def test_no_transitivity_and_pivot_products():
    found = paraphrases(bitext(), longest=1, threshold=0.1)
    assert [r.new for r in found.of("citizens")] == ["people"]  # not nation, though people is nation's equal
    assert {r.new for r in found.of("people")} == {"citizens", "nation"}
    (one,) = found.of("reply")
    group = next(g for g in found.sets if g.source == "antwort")
    old, new = (next(m for m in group.members if m.text == t) for t in ("reply", "answer"))
    assert one.probability == pytest.approx(old.source_given * new.given_source)
    assert found.of("tree") == ()


def test_the_strongest_source_speaks_for_a_replacement():
    sets = (
        EquivalenceSet("f", 4, (Member("a", 2, 0.5, 0.2), Member("b", 2, 0.5, 0.2))),
        EquivalenceSet("g", 4, (Member("a", 2, 0.5, 0.8), Member("b", 2, 0.5, 0.8))),
    )
    (only,) = Paraphrases(sets, "by hand", 0).of("A")
    assert (only.source, only.probability) == ("g", 0.4)


def test_prepositions_numbers_and_marks_are_left_out():
    sources = ["in 5 .", "in 5 !"] * 20 + ["haus"] * 20
    references = ["at 5 .", "in five !"] * 20 + ["house", "home"] * 10
    found = paraphrases(EvalSet.from_texts({"A": references}, references, sources))
    assert [g.source for g in found.sets] == ["haus"]
    found = paraphrases(EvalSet.from_texts({"A": references}, references, sources), closed=[])
    assert {"in", "haus"} <= {g.source for g in found.sets}
    assert "closed=0 words" in found.signature


def test_threshold_and_least():
    references = ["house"] * 9 + ["home"] + ["tree"] * 10
    data = EvalSet.from_texts({"A": references}, references, ["haus"] * 10 + ["baum"] * 10)
    assert paraphrases(data).sets == ()
    assert len(paraphrases(data, least=1).sets) == 1
    assert paraphrases(data, least=1, threshold=0.2).sets == ()


def test_phrases():
    rng = random.Random(1)
    options = {"selbstverständlich": ["of course", "naturally"], "derzeit": ["right now", "currently"]}
    sources, references = [], []
    for _ in range(200):
        words = rng.sample([*options, *PLAIN], 4)
        sources.append(" ".join(words))
        references.append(" ".join(rng.choice(options[w]) if w in options else PLAIN[w] for w in words))
    found = paraphrases(EvalSet.from_texts({"A": references}, references, sources), threshold=0.1)
    assert "currently" in {r.new for r in found.of("right now")}


def test_bad_input():
    with pytest.raises(InputError, match="item '1' has no source"):
        paraphrases(EvalSet.from_texts(["a"], ["b"]))
    with pytest.raises(InputError, match="no item has references"):
        paraphrases(EvalSet.from_texts(["a"], [], ["b"]))
    with pytest.raises(InputError, match="threshold=2"):
        paraphrases(EvalSet.from_texts(["a"], ["b"], ["c"]), threshold=2)


def test_empty_sides_and_endless_lines_are_counted():
    long = "wort " * 10_000
    data = EvalSet.from_texts(["a"] * 3, ["", long, "x"], ["a", long, "y"])
    found = paraphrases(data)
    assert (found.sets, found.lines, found.skipped) == ((), 3, 2)


def test_words():
    assert [w.text for w in split_words("U.S. &quot;don't&quot; 東京 1,000.5")] == [
        "u",
        ".",
        "s",
        ".",
        "&quot;",
        "don't",
        "&quot;",
        "東",
        "京",
        "1,000.5",
    ]
    assert all(text[w.start : w.end].lower() == w.text for text in ("Ein Haus, alt.",) for w in split_words(text))
    assert not is_word("b2b")
    assert {"to", "of", "the", "she"} <= CLOSED
