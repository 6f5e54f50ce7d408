"""Which column plays which role."""

from __future__ import annotations

import pytest

from assay import formats
from assay.errors import AssayError
from assay.formats._io.layout import parse_columns, recognize

NUMBERS = ("fluency", "adequacy", "score", "year", "rouge1", "annotator")


def layout(headers, columns=None, **holds):
    names = headers.split()
    known = {h: holds.get(h) or ("number" if h.rstrip("_0123456789") in NUMBERS else "text") for h in names}
    return recognize(names, known, path="x.csv", system="x", columns=columns)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("id prediction highlights", "output = prediction, reference = highlights, id = id"),
        ("Segment_ID MT Ref", "output = MT, reference = Ref, id = Segment_ID"),
        ("text reference", "output = text, reference = reference"),
        ("system text", "output = text, system = system"),
        ("text summary prediction", "output = prediction, reference = summary, source = text"),
        ("summary target article", "output = summary, reference = target, source = article"),
        ("reference bart t5", "output = bart + t5, reference = reference"),
        ("reference question bart t5", "output = bart + t5, reference = reference, source = question"),
        ("reference model_1 model_2", "output = model_1 + model_2, reference = reference"),
        ("hyp ref1 ref0", "output = hyp, reference = ref0 + ref1"),
        (
            "output ref fluency year rouge1",
            "output = output, reference = ref, ratings = fluency; not used: year, rouge1",
        ),
        ("output fluency_1 fluency_2", "output = output, ratings = fluency_1, fluency_2"),
        ("output reference label", "output = output, reference = reference, ratings = label"),
    ],
)
def test_names_that_people_use(headers, expected):
    assert layout(headers, label="number").reading("x.csv").line() == expected


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ("output prediction ref", "--columns output=output,reference=ref or output=prediction,reference=ref"),
        ("reference target output", "--columns reference=reference or reference=target"),
        ("system text summary", "'summary' and 'text' could both be the output"),
        ("reference text summary", "'summary' and 'text' could both be the output"),
        ("id bart t5", r"no column of outputs; the columns are 'id', 'bart', 't5'; .*--columns output=bart\+t5"),
        ("text summary", "no column of outputs"),
        ("id rater fluency", "give it as --judgments with the outputs"),
        ("output dimension fluency adequacy", "'fluency' and 'adequacy' could both be the score"),
    ],
)
def test_what_could_be_read_two_ways_is_an_error_with_the_option_to_type(headers, message):
    with pytest.raises(AssayError, match=message):
        layout(headers, rater="text")


def test_columns_always_win():
    columns = parse_columns("output=prediction,reference=ref0+ref1")
    found = layout("id output prediction ref0 ref1 reference", columns)
    assert (
        found.reading("x.csv").line()
        == "output = prediction, reference = ref0 + ref1, id = id; not used: output, reference"
    )
    wide = layout("id output prediction ref", {"output": ["output", "prediction"]})
    assert [slot.system for slot in wide.of("output")] == ["output", "prediction"]
    assert layout("a+b ref", parse_columns("output=a+b")).of("output")[0].header == "a+b"


def test_systems_and_raters_of_columns():
    assert [s.system for s in layout("reference bart").of("output")] == ["bart"]
    assert [s.system for s in layout("reference output").of("output")] == [""]
    scores = layout("output fluency_1 fluency_2").of("score")
    assert [(s.name, s.rater) for s in scores] == [("fluency", "rater1"), ("fluency", "rater2")]
    wide = recognize(
        ["ref", "bart", "t5", "bart_fluency", "length"],
        {"ref": "text", "bart": "text", "t5": "text", "bart_fluency": "number", "length": "number"},
        path="x",
        system="x",
    )
    assert [(s.system, s.name) for s in wide.of("score")] == [("bart", "fluency")]
    assert wide.unused == ("length",)


OUTPUTS = ("the old bridge goes", "bread is sold by weight", "two hikers were found", "tools are lent out")


def test_one_column_named_after_an_output_does_not_take_the_place_of_those_of_systems():
    columns = {"reference": OUTPUTS, "bart": OUTPUTS, "t5": OUTPUTS[::-1], "extra_sentence": OUTPUTS[1:] + OUTPUTS[:1]}
    assert formats.read(columns).systems == ("bart", "t5", "extra_sentence")
    assert formats.read({"reference": OUTPUTS, "extra_sentence": OUTPUTS}).systems == ("extra",)


def test_a_rating_is_of_the_system_with_the_longest_name_in_its_header():
    texts = {"reference": OUTPUTS, "bart": OUTPUTS, "bart large": OUTPUTS[::-1]}
    data = formats.read({**texts, "bart fluency": [1, 4, 2, 5], "bart large fluency": [3, 2, 5, 4]})
    judged = [(j.system, j.dimension, j.score) for j in next(iter(data)).judgments]
    assert sorted(judged) == [("bart", "fluency", 1), ("bart large", "fluency", 3)]
