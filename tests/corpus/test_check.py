"""What is missing or odd in a set."""

from __future__ import annotations

from assay import EvalSet, Item, Reference
from assay.corpus.check import check_data


def test_empty_and_missing_outputs_are_counted():
    items = [
        Item("1", (Reference("r"), Reference("s")), {"A": "a", "B": " "}),
        Item("2", (Reference("r"),), {"A": "a"}),
    ]
    check = check_data(EvalSet(items, allow_missing=True))
    assert (check.items, check.systems, check.empty_outputs, check.missing_outputs) == (2, 2, 1, 1)
    assert (check.fewest_references, check.most_references) == (1, 2)


def test_people_may_leave_items_out():
    items = [Item("1", (Reference("r"),), {"A": "a", "P": "p"}), Item("2", (Reference("r"),), {"A": "a"})]
    check = check_data(EvalSet(items, allow_missing=True, people=("P",)))
    assert (check.systems, check.people, check.missing_outputs) == (1, ("P",), 0)
