"""Content: items by the role of a task, known answers."""

from __future__ import annotations

import assay
from assay.study.content import StudyContent
from assay.study.task import Task


def test_items_are_found_by_role_and_known_answers_counted(make_study, three_systems):
    item = assay.Item("1", outputs={"A": "a"}, sources=("s",), judgments=(assay.Judgment("A", "gold", "quality", 4.0),))
    folder = make_study(three_systems, qualification=assay.EvalSet([item]))
    content = StudyContent(folder)
    task = Task("1", ("A",), 1, "qualification")
    assert content.item_of(task).outputs == {"A": "a"}
    assert content.item_of(Task(three_systems.items[0])).outputs.keys() == set(three_systems.systems)
    assert content.known_answers(task, {"ratings": {"quality": 4.0}}) == (1, 1)
    assert content.known_answers(task, {"ratings": {"quality": 2.0}}) == (0, 1)
    assert content.derive_state(folder.database()).raters == {}
    assert content.new_state().status == "open"
