"""Letters stand for systems, so that no name leaves the server."""

from __future__ import annotations

import msgspec

from assay import Item
from assay.data.item import output_of
from assay.study.task import LETTERS, Task


def test_letters_stand_for_systems_in_their_order():
    task = Task("1", ("B", "A"))
    assert [task.system_of(letter) for letter in ("a", "b", "c", "", "ab", None)] == ["B", "A", None, None, None, None]
    assert task.letter(1) == "b"
    assert len(LETTERS) == 20


def test_a_task_comes_back_from_the_log():
    task = Task("1", ("B",), 2, "check")
    assert msgspec.convert(task.to_payload(), Task) == task


def test_identical_outputs_have_one_name():
    item = Item("1", outputs={"A": "x", "B": "x", "C+": "y"})
    assert output_of(item, "A+B") == "x"
    assert output_of(item, "C+") == "y"
    assert Task("1", ("A+B",)).texts(item) == ["x"]
