"""What holds of every choice of words: the budget, the order of the source, and notes on what was lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.systems.budget import Budget
from assay.systems.compress import Source, compress
from assay.systems.compress.truth._protected import find_protected, parse_kinds
from assay.systems.compress.truth.word_choice import CHARGES, Laws, WordChoice
from assay.systems.compress.truth.word_groups import CONSTRAINTS
from assay.text.parse.flat import parse_texts

SUBJECTS = ("The alleged thief", "Ann Miller", "No member of the board", "Almost every shop in Leeds")
VERBS = ("denied on Monday that", "said in London that", "did not think that", "wrote, after a long debate, that")
CLAUSES = ("the bridge would be closed", "at least 3 cars were sold", "only the old houses had been saved")
ENDS = ("unless it rains.", "in 1999, when nobody was there.", "for the first time since March.", ".")
texts = st.tuples(*(st.sampled_from(part) for part in (SUBJECTS, VERBS, CLAUSES, ENDS))).map(
    lambda parts: " ".join(parts).replace(" .", ".")
)


@settings(max_examples=25)
@given(texts, st.floats(0.2, 1.0), st.booleans(), st.sampled_from((1, 1, 1, 3)))
def test_budget_order_and_notes(text, ratio, faithful, parses):
    [c] = compress([text], f"tagger-tree(parses={parses})", ratio=ratio, faithful=faithful)
    limit = Budget(ratio=ratio).limit(text)
    assert limit is not None
    assert limit.holds(c.text) or any(note.startswith("longer than the limit") for note in c.notes)
    assert list(c.kept_tokens) == sorted(set(c.kept_tokens))
    rest = iter(text.lower().replace(",", " ,").split())
    words = c.text.lower().replace(",", " ,").rstrip(".").split()
    assert all(any(word in (other, other.rstrip(".")) for other in rest) or word in ("a", "an") for word in words)
    if c.deletions is not None:
        lost = [d for d in c.deletions if d.label == "not entailed"]
        note = next((note for note in c.notes if "changed what is said" in note), "")
        assert bool(lost) == bool(note)
        assert all(f'"{" ".join(c.tokens[i].text for i in d.words)}"' in note for d in lost)


@settings(max_examples=15)
@given(texts, st.floats(0.2, 0.9))
def test_a_note_names_the_protected_words_that_went(text, ratio):
    [c] = compress([text], ratio=ratio)
    [a] = parse_texts([text])
    lost = [i for i in find_protected(a, parse_kinds("all")) - set(c.kept_tokens) if not a.punctuation[i]]
    note = next((note for note in c.notes if "protected" in note), "")
    assert bool(lost) == bool(note)
    assert all(f'"{a.tokens[i].text}"' in note for i in sorted(lost)[:8])


@pytest.mark.parametrize("adjacency", [0.0, 1.5])
def test_the_charge_gives_the_best_of_all_choices(adjacency):
    """Every allowed choice of a short text, at several charges: none is worth more."""
    [a] = parse_texts(["The old man in the park fed two grey birds."])
    rng = np.random.default_rng(3)
    laws = Laws(frozenset(), frozenset(CONSTRAINTS), adjacency)
    choice = WordChoice(Source(a.text, faithful=False), [a], rng.uniform(0.1, 0.9, len(a.tokens)), 0.5, laws)
    groups = choice.join("plain")
    values = groups.spread(choice.logit)
    sizes = groups.spread(np.ones(len(a.tokens)))
    n = len(groups.parents)
    assert n <= 10

    def worth(bits, charge: float) -> float:
        return float((values - charge * sizes) @ bits) + adjacency * groups.count_neighbours(bits)

    allowed = []
    for number in range(1, 2**n):
        bits = np.array([number >> k & 1 for k in range(n)], np.uint8)
        if all(p < 0 or bits[p] or not bits[g] for g, p in enumerate(groups.parents)):
            allowed.append(bits)
    for charge in (-3.0, -0.7, 0.0, 0.4, 1.1, 5.0, CHARGES):
        words = choice.at_charge(charge, 1)
        bits = np.array([any(groups.group[i] == g for i in words) for g in range(n)], np.uint8)
        assert worth(bits, charge) == pytest.approx(max(worth(other, charge) for other in allowed))


def test_a_clause_that_lost_its_end_keeps_both_commas():
    text = "Engineers said on Friday that the dam, which was built in 1931 and repaired twice since, is not safe."
    [c] = compress([text], ratio=0.7, drop=["repaired"])
    assert "the dam, which was built in 1931, is not safe" in c.text


def test_a_clause_at_the_start_or_end_keeps_its_comma():
    text = (
        "Since the heating in our classroom has not worked for three weeks now, we would be most grateful if you could "
        "send somebody before the end of the month."
    )
    [c] = compress([text], ratio=0.77)
    assert "worked, we would be" in c.text
    text = "The firm must pay the families of the workers, although it denied it."
    [c] = compress([text], keep=["although it denied it"], drop=["of the workers"])
    assert c.text == "The firm must pay the families, although it denied it."
