"""Items as columns: the same items, systems, scores and errors as from items one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.data.columns import ItemColumns, UniqueNames
from assay.data.evalset import EvalSet
from assay.data.item import Item, Reference
from assay.data.positions import list_columns

texts = st.text(max_size=8)


@st.composite
def inputs(draw):
    n, names = draw(st.integers(1, 6)), draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    outputs = {name: draw(st.lists(texts, min_size=n, max_size=n)) for name in names}
    references = draw(st.lists(st.lists(texts, max_size=3), min_size=n, max_size=n))
    sources = draw(st.sampled_from([[], [f"source {i}" for i in range(n)]]))
    return outputs, references, sources


@given(inputs())
def test_the_same_set_as_from_items(parts):
    outputs, references, sources = parts
    items = [
        Item(
            str(i + 1),
            tuple(map(Reference, references[i])),
            {name: texts_of[i] for name, texts_of in outputs.items()},
            (sources[i],) if sources else (),
        )
        for i in range(len(references))
    ]
    columns, plain = EvalSet.from_texts(outputs, references, sources), EvalSet(items)
    assert columns.columns is not None
    assert columns == plain
    for name in ("items", "systems", "people", "leaked", "has_alternatives", "has_reference_ids", "dimensions"):
        assert getattr(columns, name) == getattr(plain, name)
    assert [list(part) for part in columns.flat] == [list(part) for part in plain.flat]
    assert columns["1"] == plain["1"]
    assert len(columns) == len(plain)


def test_places_and_slices():
    columns = list_columns({"A": ["a", "b", "c"]}, ["x", "y", "z"], [])
    assert isinstance(columns, ItemColumns)
    assert [item.id for item in columns] == ["1", "2", "3"]
    assert columns[-1].outputs == {"A": "c"}
    assert [item.id for item in columns[::2]] == ["1", "3"]
    with pytest.raises(IndexError):
        columns[3]


def test_repeated_references_are_found_in_columns():
    texts_of = [f"one two three number {i}" for i in range(12)]
    outputs = {"leaks": texts_of, "other": ["something else altogether here"] * 12}
    data = EvalSet.from_texts(outputs, [[text, "a second reference"] for text in texts_of])
    plain = EvalSet(tuple(data))
    assert data.leaked == plain.leaked == ("leaks",)
    assert data.repeats == plain.repeats
    scores = [assay.score(each.skip_repeats(), "rouge1").values for each in (data, plain)]
    assert np.array_equal(*scores)


def test_unique_names_are_a_tuple():
    names = UniqueNames(["a", "b"])
    assert names == ("a", "b")
    assert repr(names) == "('a', 'b')"
