"""The integer program: equal to exhaustive search, without the faults of its open implementation."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest

from assay.systems.budget import Budget
from assay.systems.compress import COMPRESSORS, Source, compress
from assay.systems.compress.ilp import Ilp, Problem, clause_depths, significances
from assay.systems.compress.truth.constraints import rows
from assay.text.lm.trigrams import load
from assay.text.parse.flat import parse_texts

SHORT = [
    "She did not see John's old dog.",
    "Ann and Bob left because it rained.",
    "He said that the plan is dead.",
    "The cat (grey) sat on mats.",
]


def exhaustive(source: Source, lam: float, least: int, most: int | None = None) -> tuple[float, set[tuple[int, ...]]]:
    """The best allowed choices by trying them all."""
    model = load()
    [a] = parse_texts([source.text])
    constraints, n = rows(a), len(a.tokens)
    gains = lam * significances(source, a, model)
    ids = model.ids([t.text for t in a.tokens])
    best, chosen = -np.inf, set()
    for keep in itertools.product((False, True), repeat=n):
        kept = [i for i in range(n) if keep[i]]
        if len(kept) < least or (most is not None and len(kept) > most) or all(a.punctuation[i] for i in kept):
            continue
        if not all(row.holds(keep) for row in constraints):
            continue
        value = gains[kept].sum() + float(model.grams.sentence(np.ascontiguousarray(ids[kept])).sum())
        if value > best + 1e-4:
            best, chosen = value, {tuple(kept)}
        elif value > best - 1e-4:
            chosen.add(tuple(kept))
    return best, chosen


def solved(source: Source, lam: float, length, *, trigrams: bool = True):
    model = load()
    [a] = parse_texts([source.text])
    n = len(a.tokens)
    problem = Problem(a, model, lam * significances(source, a, model), np.ones(n), rows(a), 0, n, 20.0)
    problem.trigrams = trigrams
    found = problem.solve(length(n))
    return found.value, tuple(i for i in range(n) if found.values[i] > 0.5)


@pytest.mark.parametrize("lam", [0.0, 1.4])
@pytest.mark.parametrize("text", SHORT)
def test_equals_exhaustive_search(text, lam):
    source = Source(text)
    least = int(0.4 * len(parse_texts([text])[0].tokens))
    value, kept = solved(source, lam, lambda n: (np.ones(n), float(least), float("inf")))
    best, choices = exhaustive(source, lam, least)
    assert value == pytest.approx(best, abs=1e-3)
    assert kept in choices


def test_a_longest_length_takes_effect():
    """The open implementation computes the least length anew each time, so that a target never does."""
    source = Source(SHORT[2])
    value, kept = solved(source, 1.4, lambda n: (np.ones(n), 3.0, 5.0))
    assert len(kept) <= 5
    assert value == pytest.approx(exhaustive(source, 1.4, 3, 5)[0], abs=1e-3)


def test_the_second_word_is_not_free():
    """The open implementation leaves out trigrams that begin with the start: a whole sentence's value shows them."""
    text = "She left."
    model = load()
    value, kept = solved(Source(text), 0.0, lambda n: (np.ones(n), float(n), float(n)))
    assert kept == (0, 1, 2)
    assert value == pytest.approx(float(model.log_prob(["She", "left", "."]).sum()), abs=1e-4)


def test_bigrams_for_long_sentences():
    model = load()
    value, kept = solved(Source("She left."), 0.0, lambda n: (np.ones(n), float(n), float(n)), trigrams=False)
    ids = np.concatenate([[1], model.ids(["She", "left", "."]), [2]]).astype(np.uint32)
    none = np.full(4, 2**32 - 1, dtype=np.uint32)
    assert value == pytest.approx(float(model.grams.log_probs(none, ids[:-1].copy(), ids[1:].copy()).sum()), abs=1e-4)
    assert kept == (0, 1, 2)


def test_clause_depth():
    [a] = parse_texts(["He said that she knows that it rains."])
    depth = dict(zip([t.text for t in a.tokens], clause_depths(a), strict=True))
    assert (depth["said"], depth["knows"], depth["rains"]) == (1, 2, 3)


def test_significance_keeps_more_of_what_matters():
    """The model alone likes short sentences of common words; significance keeps nouns and verbs."""
    text = "The old carburettor of the truck has finally failed near the village."
    alone, weighted = (compress([text], f"ilp(lambda={lam})")[0] for lam in (0, 5))
    assert len(weighted.kept_tokens) > len(alone.kept_tokens)


def test_table_3_runs():
    made = compress(["Apparently Fergie very much wants to have a career in television."], "ilp", faithful=False)
    assert made[0].text == "Fergie wants to have a career."


def test_patterns():
    text = "The old carburettor of the truck has failed near the village."
    [c] = Ilp().compress([Source(text, Budget(), (), ("village",), ("old",))])
    assert "village" in c.text
    assert "old" not in c.text


def test_impossible_budget_is_said():
    [c] = compress(["She told him that they saw her."], "ilp", words=2)
    assert c.notes == (f"longer than the limit of 2 words: the shortest possible text has {c.words}",)
    assert c.words > 2


def test_long_sentences_say_what_was_done():
    text = "The man saw a dog near the old house, " * 12
    [c] = COMPRESSORS.build("ilp(seconds=2)").compress([Source(text)])
    assert c.notes[0].startswith("the text has 120 tokens and was solved in ")
    assert "bigrams were used instead of trigrams" in c.notes[1]


def test_the_solver_prints_nothing(capfd):
    """HiGHS leaves lines of debugging on standard output for this sentence."""
    text = "The region has a high rate of unemployment and very little industry apart from fishing."
    [made] = compress([text], "ilp(seconds=60)", ratio=0.7)
    ctypes.CDLL(None).fflush(None)
    assert made.text
    assert capfd.readouterr().out == ""
