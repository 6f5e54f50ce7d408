"""Basic Elements that come with a set, as bags."""

from __future__ import annotations

import pytest

from assay import EvalSet, Item, Reference
from assay.errors import InputError
from assay.matching.batch import Batch
from assay.matching.element_bags import ElementUnit, without_elements

ELEMENTS = {
    "references": {"A": [["mills", "best one", "mod"], ["child", "NIL", "NIL"]]},
    "outputs": {"sys": [["mill", "well one", "obj"], ["children", "NIL", "NIL"]]},
}


def batch(elements) -> Batch:
    item = Item("1", (Reference("x", "A"),), {"sys": "y"}, extra={"basic_elements": elements})
    return Batch(EvalSet([item]))


@pytest.mark.parametrize(("unit", "matches", "size"), [("h", 2, 2), ("hm", 1, 1), ("hmr", 0, 1)])
def test_each_word_is_stemmed_with_irregular_forms(unit, matches, size):
    """Heads count without a modifier (NIL), pairs do not; the relation is compared as it is."""
    counts = ElementUnit(unit).count(batch(ELEMENTS), keep_own=False)
    assert (counts.match.item(), counts.reference.item(), counts.output.item()) == (matches, size, size)


def test_forms_as_they_are():
    assert ElementUnit("h", stem=False).count(batch(ELEMENTS), keep_own=False).match.item() == 0


def test_texts_without_elements():
    assert not without_elements(batch(ELEMENTS)).any()
    assert without_elements(batch({**ELEMENTS, "outputs": {}})).all()
    assert without_elements(batch({**ELEMENTS, "references": {}})).all()


@pytest.mark.parametrize("wrong", [[], {"references": []}, {"references": {"A": [["a"]]}, "outputs": {}}])
def test_other_shapes_are_refused(wrong):
    with pytest.raises(InputError, match="basic_elements must be"):
        without_elements(batch(wrong))
