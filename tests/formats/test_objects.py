"""Objects in Python: data frames, dicts, lists of dicts and datasets, and errors that name what was passed."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.errors import AssayError, InputError

COLUMNS = {
    "article": ["the cat sat", "a dog ran"],
    "prediction": ["the cat", "a dog"],
    "references": [["a cat", "cat"], ["dog"]],
    "fluency": [3.0, None],
}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


class Dataset:
    """What a Hugging Face dataset is to us: it has column names and iterates over rows."""

    column_names = tuple(COLUMNS)

    def __iter__(self):
        return iter(ROWS)


OBJECTS = {
    "pandas": pd.DataFrame(COLUMNS),
    "polars": pl.DataFrame(COLUMNS),
    "arrow": pa.table(COLUMNS),
    "dict of lists": COLUMNS,
    "list of dicts": ROWS,
    "dataset": Dataset(),
}


@pytest.mark.parametrize("data", OBJECTS.values(), ids=OBJECTS)
def test_all_are_the_same_set(data):
    read = assay.read(data)
    assert (read.items, read.systems, read.dimensions) == (("1", "2"), ("system",), ("fluency",))
    assert [[r.text for r in item.references] for item in read] == [["a cat", "cat"], ["dog"]]
    assert [item.sources for item in read] == [("the cat sat",), ("a dog ran",)]
    assert [len(item.judgments) for item in read] == [1, 0]
    assert assay.read(read) == read


def test_a_frame_is_scored_as_it_is():
    frame = OBJECTS["pandas"]
    assert assay.score(frame, "rouge1").means().tolist() == assay.score(assay.read(frame), "rouge1").means().tolist()
    index = pd.DataFrame({"output": ["a"], "reference": ["a b"]}, index=pd.Index(["x7"], name="id"))
    assert assay.read(index).items == ("x7",)
    assert assay.read({"x": ["a"], "y": ["b"]}, columns={"output": "x", "reference": "y"}).systems == ("x",)


def test_judgments_beside_an_object():
    judged = pd.DataFrame({"item": [1, 2], "worker": ["w", "w"], "adequacy": [2, 5]})
    data = assay.read({"prediction": ["a", "b"], "reference": ["c", "d"]}, judgments=judged)
    assert data.human("adequacy").values.tolist() == [[2.0, 5.0]]
    with pytest.raises(AssayError, match=r"1 of the 2 items that are judged are not in the dict: '2'"):
        assay.read({"prediction": ["a"], "reference": ["c"]}, judgments=judged)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "cannot read None as an evaluation set: give a file name, a pandas or polars DataFrame"),
        (3, "cannot read int 3 as an evaluation set"),
        (["a", "b"], r"give assay\.score\(outputs, references, metric\)"),
        (
            {"train": Dataset(), "test": Dataset()},
            r"several datasets \(train, test\); give one of them: data\['train'\]",
        ),
        ({"prediction": ["a"], "reference": ["b", "c"]}, "'prediction' has 1, 'reference' has 2"),
        ({"prediction": [3], "reference": ["b"]}, "row 1: 'prediction' should be a text; it is the number 3"),
        (pd.DataFrame({"x": ["a"]}), "the DataFrame: no column of outputs; the columns are 'x'"),
        (pd.DataFrame(), "no items"),
        (pl.DataFrame(COLUMNS).lazy(), r"not computed yet; give data\.collect\(\)"),
    ],
)
def test_errors_name_what_was_passed_and_what_is_accepted(data, message):
    with pytest.raises(AssayError, match=message):
        assay.read(data)
    with pytest.raises(AssayError):
        assay.read("x.csv", judgments=data)


def test_a_metric_is_called_on_one_pair():
    one = assay.metric("rouge2")("a b c", ["a b d"])
    assert one == assay.score(["a b c"], [["a b d"]], "rouge2").values[0, 0] == 0.5
    assert assay.metric("rouge1")("a b", "a b c") == pytest.approx(0.8)
    with pytest.raises(AssayError, match="the output must be a text"):
        assay.metric("rouge1")(3, "a")


def test_precision_recall_and_f_together():
    scores = assay.score(["a b c"], ["a b d e"], "rouge1(measure=all)")
    assert {name: float(s.means()[0]) for name, s in scores.items()} == pytest.approx(
        {"rouge1(measure=precision)": 2 / 3, "rouge1(measure=recall)": 0.5, "rouge1(measure=f)": 4 / 7}
    )
    with pytest.raises(AssayError, match="measure=all stands for three metrics"):
        assay.metric("rouge1(measure=all)")


TABLE = {"id": ["1", "2"], "output": ["a b", "c d"], "reference": ["a b", "c"], "fluency": [3, 4]}


@pytest.mark.parametrize("bare", [TABLE, ["a b", "c d"], [1.0, 2.0], "a b", None, 3])
@pytest.mark.parametrize(
    ("function", "says"),
    [
        (assay.compare, "compare takes Scores"),
        (lambda bare: assay.correlate(bare, bare), "correlate takes human Scores"),
        (lambda bare: assay.agreement(bare, "fluency"), "these are not ratings"),
        (assay.report, "report takes a set"),
    ],
)
def test_what_is_not_read_yet_is_refused_with_what_to_do(function, says, bare):
    with pytest.raises(InputError, match=rf"{says}.*give .*assay\.read\(data\)"):
        function(bare)


def test_a_frame_is_refused_where_scores_are_due():
    frame = pd.DataFrame(TABLE)
    for function in (assay.compare, assay.report, lambda data: assay.agreement(data, "fluency")):
        with pytest.raises(InputError, match=r"assay\.read\(data\)"):
            function(frame)


def test_every_level_of_an_index_is_a_column():
    frame = pd.DataFrame({**TABLE, "system": ["x", "y"]}).set_index(["id", "system"])
    assert assay.read(frame, allow_missing=True).systems == ("x", "y")
    assert assay.read(frame, allow_missing=True).items == ("1", "2")
