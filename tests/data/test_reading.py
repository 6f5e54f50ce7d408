"""How files were understood."""

from __future__ import annotations

from assay.data.evalset import EvalSet
from assay.data.item import Item, Judgment
from assay.data.reading import ReadColumn, Reading

OUTPUT = ReadColumn("a.csv", "pred", "output", "named as an output")
RATING = ReadColumn("b.csv", "fluency", "judgment", "named as a rating", dimension="fluency", judge="human")
COMET = ReadColumn("b.csv", "comet", "judgment", "named as a metric", dimension="comet", judge="metric")
COST = ReadColumn("b.csv", "cost", "metadata", "a cost", candidate="score")


def test_a_line_says_what_was_read_in_each_file():
    both = Reading(("a.csv",), "csv", columns=(OUTPUT,)).join(Reading(("b.csv",), "csv", columns=(RATING, COMET, COST)))
    assert both.files == ("a.csv", "b.csv")
    assert both.line() == (
        "output = pred; b.csv: ratings = fluency, metrics = comet; not used: cost "
        "(if a number among these is a rating: --columns score=cost)"
    )
    assert both.unused == ("cost",)
    assert both.to_columns() == {"output": ["pred"], "score": ["fluency", "comet"]}


def test_a_text_that_may_be_an_output_too_is_named_with_the_option():
    other = ReadColumn("a.csv", "draft", "metadata", "", candidate="output")
    assert Reading(("a.csv",), "csv", columns=(OUTPUT, other)).line() == (
        "output = pred; not used: draft (if these are outputs too: --columns output=pred+draft)"
    )


def test_a_format_with_columns_of_its_own_has_no_line_but_its_notes():
    assert Reading(("a.jsonl",), "jsonl").line() == ""
    assert Reading(("a.jsonl",), "jsonl", notes=("2 texts are 'NA'",)).line() == "2 texts are 'NA'"


def test_a_set_counts_what_was_read_and_keeps_it_through_changes():
    judgments = (
        Judgment("A", "ann", "fluency", 3.0, kind="human"),
        Judgment("A", "gpt", "fluency", 3.0, kind="llm"),
        Judgment("A", "bob", "meaning", 3.0),
    )
    items = [Item("1", outputs={"A": "a"}, judgments=judgments), Item("2", outputs={"A": "b"})]
    data = EvalSet(items, reading=Reading(("a.csv",), "csv", columns=(OUTPUT,)))
    assert data.reading.raters == {"human": 1, "llm": 1, "unknown": 1}
    assert (data.reading.items, data.reading.systems, data.reading.dimensions) == (2, ("A",), ("fluency", "meaning"))
    for changed in (data.select(["1"]), data.with_kinds({"bob": "llm"}), data.use_assessors("llm")):
        assert changed.reading.columns == (OUTPUT,)
    assert data.select(["1"]).reading.items == 1
    assert EvalSet(items).reading.columns == ()
