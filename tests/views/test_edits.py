"""What is said of edits and their effects."""

from __future__ import annotations

from assay import EvalSet
from assay.corpus import Effect, JointEffects, JointSeparate, OperationEffects, OutputEdits, edits

DATA = EvalSet.from_texts(
    {"A": ["The cat slept.", "The cat slept."], "B": ["The old cat slept.", "It slept, the cat."]},
    sources=["The old cat slept."] * 2,
)


def test_all_outputs_then_each_system():
    view = edits(DATA).view()
    assert view.headline.startswith("Of 4 outputs, 50.0% only delete words, 0.0% delete and reorder, 25.0% rephrase.")
    assert [row[0] for row in view.tables[0].rows()] == ["all", "A", "B"]
    assert [table.title for table in view.tables] == ["Kinds of outputs", "Words", "Operations"]


def test_every_output():
    (table,) = OutputEdits(edits(DATA).edits).view().tables
    assert [row[2] for row in table.rows()] == ["delete", "unchanged", "delete", "rephrase"]


def test_effects_that_are_significant_are_named():
    liked = Effect("substitute", "meaning", 4.0, 2.0, 20, 0.001, 4.0, 2.0, 20, 20)
    chance = Effect("delete", "meaning", 3.0, 3.1, 20, 0.6, 3.0, 3.1, 20, 20)
    assert OperationEffects((liked, chance)).view().headline == (
        "For the same source, outputs that substitute words score higher on meaning."
    )
    assert OperationEffects((chance,)).view().headline.startswith("No operation makes a significant difference")


def test_joint_and_separate():
    view = JointEffects((JointSeparate("meaning", 2.5, 2.0, 1, 1.0),)).view()
    assert view.tables[0].rows() == [("meaning", "2.50", "2.00", "1.000 ", "1")]
