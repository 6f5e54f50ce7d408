"""Texts that callers hand over: read by position whatever holds them, and refused where they are none."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Reference, score
from assay.errors import AlignmentError, AssayError, InputError

TEXTS = ["the cat sat", "a dog", "rain fell", "it is late"]
OTHERS = ["the cat sat", "a dog", "rain fell", "no match"]


def pandas_series(texts):
    pd = pytest.importorskip("pandas")
    return pd.Series(texts, index=[2, 0, 3, 1])  # labels that are not positions, as after a shuffle


def polars_series(texts):
    return pytest.importorskip("polars").Series(texts)


SEQUENCES = {
    "list": list,
    "tuple": tuple,
    "generator": lambda texts: (text for text in texts),
    "iterator": iter,
    "numpy": np.array,
    "numpy objects": lambda texts: np.array(texts, dtype=object),
    "pandas": pandas_series,
    "polars": polars_series,
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_any_sequence_is_read_by_position(name):
    make = SEQUENCES[name]
    expected = EvalSet.from_texts({"A": TEXTS}, OTHERS, TEXTS)
    data = EvalSet.from_texts({"A": make(TEXTS)}, make(OTHERS), make(TEXTS))
    assert data == expected
    assert {type(t) for i in data for t in (*i.outputs.values(), *i.sources, i.references[0].text)} == {str}
    assert EvalSet.from_texts(make(TEXTS), make(OTHERS)).systems == ("system",)
    assert score(data, "rouge1").values.tolist() == [[1.0, 1.0, 1.0, 0.0]]


@pytest.mark.parametrize("name", SEQUENCES)
def test_several_references_of_an_item_too(name):
    rows = [SEQUENCES[name](TEXTS) for _ in TEXTS]
    assert EvalSet.from_texts(TEXTS, rows) == EvalSet.from_texts(TEXTS, [TEXTS] * 4)


def test_a_data_frame_has_a_system_per_column():
    expected = EvalSet.from_texts({"A": TEXTS, "B": OTHERS}, TEXTS)
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    shuffled = pd.DataFrame({"A": TEXTS, "B": OTHERS}, index=[3, 1, 0, 2])
    assert EvalSet.from_texts(shuffled, TEXTS) == expected
    assert EvalSet.from_texts(pl.DataFrame({"A": TEXTS, "B": OTHERS}), TEXTS) == expected
    with pytest.raises(InputError, match=r"references must be a sequence .* got a DataFrame"):
        EvalSet.from_texts(TEXTS, shuffled)


def test_references_keep_their_ids():
    data = EvalSet.from_texts(["x", "y"], [Reference("a", "ann"), [Reference("b", "bob"), "c"]])
    assert [item.references for item in data] == [
        (Reference("a", "ann"),),
        (Reference("b", "bob"), Reference("c")),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"A": "the cat"}, "the dog"), "the outputs of system 'A' must be a sequence .* got one text, str 'the cat'"),
        (("the cat", ["the dog"]), "the outputs of system 'system' must be a sequence"),
        ((["the cat"], "the dog"), "references must be a sequence .* got one text"),
        ((["the cat"], ["the dog"], "a source"), "sources must be a sequence .* got one text"),
        ((["the cat"], b"the dog"), "references must be a sequence"),
        (({"A": {0: "x"}}, ["r"]), "got a dict: give a list"),
        (({"A": {"x"}}, ["r"]), "got a set: give a list"),
        (({"A": 7}, ["r"]), "got int 7"),
        (({7: ["x"]}, ["r"]), "the name of a system must be a text"),
        ((["x"], [{"a", "b"}]), "item '1': its references .* got a set"),
    ],
)
def test_what_is_no_sequence_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        EvalSet.from_texts(*arguments)


NO_TEXTS = [b"bytes", 7, 3.5, float("nan"), None, ["list"], np.float64("nan")]


@pytest.mark.parametrize("wrong", NO_TEXTS, ids=repr)
def test_no_text_names_item_and_system(wrong):
    with pytest.raises(AssayError, match=r"item '2'.* system 'B'"):  # None is a missing output, and that is said
        EvalSet.from_texts({"A": ["x", "y"], "B": ["x", wrong]})
    with pytest.raises(InputError, match="item 'i': the output of system 'B' must be a text"):
        Item("i", outputs={"A": "x", "B": wrong})
    with pytest.raises(InputError, match="item 'i': the text of reference 2 must be a text"):
        Item("i", (Reference("x"), Reference(wrong)))
    with pytest.raises(InputError, match="item 'i': source 1 must be a text"):
        Item("i", sources=(wrong,))
    with pytest.raises(InputError, match="item '2': source 1 must be a text"):
        EvalSet.from_texts(["x", "y"], sources=["x", wrong])
    if wrong != ["list"]:  # which is a list of references
        with pytest.raises(InputError, match="item '2': its reference must be a text"):
            EvalSet.from_texts(["x", "y"], ["x", wrong])
    with pytest.raises(InputError, match="item '2': a reference must be a text"):
        EvalSet.from_texts(["x", "y"], ["x", ["x", wrong]])


def test_missing_values_of_pandas_are_no_texts():
    pd = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="item '2': the output of system 'A' must be a text"):
        EvalSet.from_texts({"A": pd.Series(["x", pd.NA], dtype="string")})


def test_an_item_of_letters():
    with pytest.raises(InputError, match="item 'i': sources must be a tuple; got one text, str 'the dog'"):
        Item("i", sources="the dog")
    with pytest.raises(InputError, match="item 'i': references must be a tuple; got one text"):
        Item("i", "the dog")
    with pytest.raises(InputError, match=r"item 'i': reference 1 must be a Reference\(text\); got str 'the dog'"):
        Item("i", ("the dog",))
    with pytest.raises(InputError, match="the id of an item must be a text"):
        Item(7)
    with pytest.raises(InputError, match="item 'i': the name of a system must be a text"):
        Item("i", outputs={7: b"x"})


def test_a_generator_that_ran_dry_is_not_no_references():
    texts = iter(["r"])
    EvalSet.from_texts(["x"], texts)
    with pytest.raises(AlignmentError, match="references for 0 items but outputs for 1"):
        EvalSet.from_texts(["x"], texts)
    with pytest.raises(AlignmentError, match="0 sources for 1 outputs"):
        EvalSet.from_texts(["x"], sources=texts)
    assert EvalSet.from_texts(["x"], []) == EvalSet.from_texts(["x"])
