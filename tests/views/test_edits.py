"""What is said of edits and their effects."""

from __future__ import annotations

from dataclasses import replace

from assay import EvalSet
from assay.corpus import EditEffect, EditEffects, EditModel, JointComparison, JointScore, ModelEffect, edits

DATA = EvalSet.from_texts(
    {"A": ["The cat slept.", "The cat slept."], "B": ["The old cat slept.", "It slept, the cat."]},
    sources=["The old cat slept."] * 2,
)


def test_all_outputs_then_each_system():
    view = edits(DATA).summary().view()
    assert view.headline.startswith(
        "Of 4 outputs, 50.0% only delete words, 0.0% also reorder them, and 25.0% rephrase."
    )
    assert [row[0] for row in view.tables[0].rows()] == ["all", "A", "B"]
    assert [table.title for table in view.tables] == ["Types of edits", "Words", "Operations"]


def test_many_systems_are_shown_as_one():
    outputs = {f"s{k}": ["The cat slept."] for k in range(21)}
    view = edits(EvalSet.from_texts(outputs, sources=["The old cat slept."])).summary().view()
    assert [row[0] for row in view.tables[0].rows()] == ["all"]
    assert view.notes[-1] == "21 systems are shown as one; --json has a record for each."


def test_every_output():
    (table,) = edits(DATA).view().tables
    assert [row[2] for row in table.rows()] == ["delete", "unchanged", "delete", "rephrase"]


def test_effects_that_are_significant_are_named():
    liked = EditEffect("substitute", "meaning", 4.0, 2.0, 20, 0.001, 4.0, 2.0, 20, 20)
    chance = EditEffect("delete", "meaning", 3.0, 3.1, 20, 0.6, 3.0, 3.1, 20, 20)
    result = EditEffects((liked, chance))
    assert result.view().headline == "For the same source, outputs that substitute words score higher on meaning."
    assert EditEffects((chance,)).view().headline.startswith("No operation makes a significant difference")
    assert [record["operation"] for record in result.rows()] == ["substitute", "delete"]


def test_the_headline_is_of_effects_all_else_equal():
    """A raw difference that other edits explain is not in the first sentence; the second one names it."""
    real = EditEffect("substitute", "meaning", 2.8, 2.6, 20, 0.001, 2.8, 2.6, 20, 20, ModelEffect(0.2, 0.1, 0.3, 0.001))
    beside = EditEffect("reorder", "meaning", 2.8, 2.7, 20, 0.02, 2.8, 2.7, 20, 20, ModelEffect(0.01, -0.1, 0.12, 0.8))
    length = ModelEffect(0.1, 0.05, 0.15, 0.001)
    model = EditModel("meaning", 40, 20, 20, 8, "random", length, 0.1, 0.1, 0.3, 0.95)
    rows = (replace(real, effect_p=0.001, effect_holm=0.002), replace(beside, effect_p=0.8, effect_holm=0.8))
    view = EditEffects(rows, (model,)).view()
    assert view.headline == (
        "With the same input, editor, length and other edits, outputs that substitute words score 0.200 higher on "
        "meaning."
    )
    assert "reorder on meaning" in view.sentences[1]
    assert view.tables[0].rows()[1][2:5] == ("+0.010", "-0.100 to 0.120", "0.800 ")
    assert "20 inputs and 8 editors" in view.notes[0]
    none = EditEffects((rows[1],), (model,)).view()
    assert none.headline.endswith("no operation makes a significant difference to the scores.")


def test_joint_and_separate():
    view = JointComparison((JointScore("meaning", 2.5, 2.0, 1, 1.0),)).view()
    assert view.headline.startswith("No significant difference between two sentences shortened together")
    assert view.tables[0].rows() == [("meaning", "2.50", "2.00", "1.000 ", "1")]
    better = JointComparison((JointScore("meaning", 2.5, 2.0, 90, 0.01),)).view()
    assert better.headline == "Two sentences shortened together score higher on meaning than one by one."
