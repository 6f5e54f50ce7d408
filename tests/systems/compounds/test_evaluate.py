"""Evaluation: figures computed by hand, intervals, and the guesser without a part of every compound."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import InputError
from assay.systems.compounds.evaluate import GRID, calibration_error, evaluate, evaluate_guesser, removed_lemmas
from assay.systems.compounds.gold import GoldSplit
from assay.text.compounds.splitter import load_splitter

GOLD = [
    GoldSplit("Prüfungsprogramm", (8,), ("Prüfung", "Programm")),
    GoldSplit("Sklavenmoral", (7,), ("Sklave", "Moral")),
    GoldSplit("Freitag", (), ()),
    GoldSplit("ehemals", (3,), ("ehe", "mals")),  # wrong on purpose: one of three boundaries is missed
]


def test_figures_are_those_computed_by_hand():
    result = evaluate(load_splitter("de"), GOLD, resamples=50)
    every = result.scores[0]
    assert (every.precision, every.recall, every.f1, every.accuracy) == (1.0, 2 / 3, 0.8, 0.75)
    assert (every.lemma_precision, every.lemma_recall) == (1.0, 4 / 6)
    assert result.never_split_accuracy == 0.25
    assert result.compounds == 3
    assert result.accuracy_low <= 0.75 <= result.accuracy_high
    assert [s.group for s in result.scores] == ["all", "compounds", "dynamic", "unsplit"]
    assert math.isnan(result.scores[-1].precision)


def test_intervals_depend_on_the_seed_alone():
    one, two = (evaluate(load_splitter("de"), GOLD, resamples=50, seed=7) for _ in range(2))
    assert repr(one) == repr(two)  # NaN is not equal to itself
    assert math.isnan(evaluate(load_splitter("de"), GOLD, resamples=0).f1_low)


def test_the_guesser_is_tried_without_a_part_of_every_compound():
    gold = GOLD[:2]
    result = evaluate_guesser(load_splitter("de"), gold, resamples=20)
    assert result.removed_lemmas == len(removed_lemmas(gold)) == 2
    assert result.removed_forms >= 2
    assert 0 <= result.accuracy <= 1
    assert [c.limit for c in result.correlations] == list(GRID)
    assert result.best[0].accuracy >= result.best[-1].accuracy
    shared = load_splitter("de").split(["Prüfungsprogramm"])[0]
    assert shared.source == "dynamic"  # the splitter that was given still has its words


def test_the_guesser_needs_compounds_with_lemmas():
    with pytest.raises(InputError, match="gold has none"):
        evaluate_guesser(load_splitter("de"), GOLD[2:3])


def test_scores_as_high_as_the_share_that_is_right_have_no_error():
    scores = np.repeat([0.2, 0.6], 50)
    right = np.concatenate([np.tile([1.0, 0, 0, 0, 0], 10), np.tile([1.0, 1, 1, 0, 0], 10)])
    assert calibration_error(scores, right) == pytest.approx(0)
    assert calibration_error(np.full(100, 0.9), np.array([1.0, 0.0] * 50)) == pytest.approx(0.4)


def test_the_evaluation_says_how_far_scores_are_off():
    splitter = load_splitter("de")
    splits = splitter.split([g.word for g in GOLD])
    right = [s.boundaries == g.boundaries for s, g in zip(splits, GOLD, strict=True)]
    by_hand = sum(abs(s.score - r) for s, r in zip(splits, right, strict=True)) / len(GOLD)  # four groups of one word
    assert evaluate(splitter, GOLD, resamples=0).calibration_error == pytest.approx(by_hand)
