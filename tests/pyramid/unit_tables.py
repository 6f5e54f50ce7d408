"""Tables of content units, drawn at random."""

from __future__ import annotations

from hypothesis import strategies as st

from assay.formats import ItemUnits
from assay.pyramid.content_units import UnitTable

NAMES = ("A", "B", "C", "sys", "other")


@st.composite
def tables(draw):
    items = []
    for k in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 6))
        marks = {name: tuple(draw(st.lists(st.booleans(), min_size=n, max_size=n))) for name in NAMES}
        if draw(st.booleans()):
            del marks["other"]
        items.append(ItemUnits(str(k), tuple(f"u{i}" for i in range(n)), marks))
    return UnitTable(tuple(items))


def sets(table, name, item):
    return {k for k, mark in enumerate(item.present[name]) if mark}
