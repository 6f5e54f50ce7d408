"""Scores by category: means of topics, letters, and two conditions against each other."""

from __future__ import annotations

import pytest
from topics import read_topics

from assay.pyramid.categories import CategoryChange, TopicMean, compare_conditions, score_categories
from assay.pyramid.guided import analyze_units


def test_letters_need_two_topics_in_each_category():
    rows = [row for row in analyze_units(read_topics()).categories if row.texts == "systems"]
    assert [(row.category, row.anova, row.tukey) for row in rows] == [
        ("Trials", "", ""),
        ("Accidents", "", ""),
        ("Health", "", ""),
    ]


def test_letters_are_of_topic_means():
    """Attacks 0.9 against 0.1 differ, 0.9 and 0.85 do not."""
    topics = {"Attacks": (0.9, 0.88, 0.92), "Trials": (0.85, 0.91, 0.9), "Health": (0.1, 0.12, 0.11)}
    means = [
        TopicMean(f"{name}{k}", "all", name, "systems", "modified pyramid", score)
        for name, scores in topics.items()
        for k, score in enumerate(scores)
    ]
    rows = list(score_categories(means))
    assert [(row.category, row.anova, row.tukey) for row in rows] == [
        ("Attacks", "A", "A"),
        ("Trials", "A", "A"),
        ("Health", "B", "B"),
    ]


def test_initial_against_update_summaries_are_paired_by_topic():
    """Differences 0.1, 0.2, 0.3: t = 0.2 / (0.1 / sqrt 3) = 3.464 with 2 degrees of freedom, p = 0.0742."""
    means = [
        TopicMean(f"D{k}", part, "Trials", "systems", "modified pyramid", 0.5 - drop)
        for k, change in enumerate((0.1, 0.2, 0.3))
        for part, drop in (("initial", 0.0), ("update", change))
    ]
    [row] = compare_conditions(means)
    assert row == CategoryChange(
        *("initial", "update", "systems", "modified pyramid", "Trials", 3),
        pytest.approx(0.5),
        pytest.approx(0.3),
        pytest.approx(0.07418, abs=1e-5),
    )


def test_models_against_systems():
    rows = [row for row in analyze_units(read_topics()).changes if row.category == "Trials"]
    [row] = rows
    assert (row.first, row.second, row.within, row.topics) == ("models", "systems", "all", 1)
    scores = {(r.texts, r.category): r.score for r in analyze_units(read_topics()).categories}
    assert (row.first_score, row.second_score) == (scores["models", "Trials"], scores["systems", "Trials"])
