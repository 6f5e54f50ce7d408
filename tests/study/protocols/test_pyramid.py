"""Content units: made from models, marked in peers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import assay
from assay import Item, Reference
from assay.data.content_units import add_pyramid, read_pyramid
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.protocols.pyramid import PyramidProtocol
from assay.study.task import Task

# An emoji is one code point here and two in a browser's strings; the second model is hostile, the third right to left.
MODELS = ("A 🚢 sank near Kerno.", "<b>The ferry</b> went down\u0007.", "غرقت العبارة")
ITEM = Item(
    "t/1",
    tuple(Reference(text, name) for text, name in zip(MODELS, "ABC", strict=True)),
    {"s": "A 🚢 sank. Oil leaked."},
)
TASK = Task("t/1", ())
PEER = Task("t/1", ("s",))


def build(text: str = "pyramid", item: Item = ITEM) -> Any:
    return PROTOCOLS.build(text).fit_to(assay.EvalSet([item], allow_missing=True))


def unit(*contributors, label="a ferry sank", **more):
    return {"label": label, "contributors": [{"text": text, "spans": spans} for text, *spans in contributors], **more}


SANK = unit(("a", [0, 8]), ("b", [3, 12], [16, 25]), ("c", [0, 12]))
KERNO = unit(("a", [9, 19]), label="near Kerno")
MAKE = build()


def read(units, protocol=MAKE):
    listed = [{"id": str(n), **each} for n, each in enumerate(units, 1)]
    return protocol.read_answer({"units": listed}, ITEM, TASK, protocol.dimensions)


def annotated_item() -> Item:
    return add_pyramid(ITEM, MAKE.pyramid_made(read([SANK, KERNO]), ITEM, "ann"))


def test_the_stage_follows_from_the_set():
    assert build().stage == "models"
    assert build(item=annotated_item()).stage == "peers"
    assert build("pyramid(models)", annotated_item()).stage == "models"
    mixed = assay.EvalSet([annotated_item(), replace(ITEM, id="t/2")], allow_missing=True)
    with pytest.raises(InputError, match=r"t/2.*no content units, .*t/1.* has some"):
        PROTOCOLS.build("pyramid").fit_to(mixed)


@pytest.mark.parametrize("text", ["pyramid(stage=other)", "pyramid(suggest=guess)"])
def test_other_parameters_are_refused(text):
    with pytest.raises(InputError, match="is one of"):
        PROTOCOLS.build(text)


def test_topics_without_words_are_refused():
    for item in (Item("e", (), {"s": "x"}), Item("e", (Reference(" ", "A"),), {"s": "x"})):
        with pytest.raises(InputError, match="no reference with words"):
            MAKE.check_item(item)
    with pytest.raises(InputError, match="no content units to mark"):
        PROTOCOLS.build("pyramid(peers)").check_item(ITEM)
    with pytest.raises(InputError, match="up to 20"):
        MAKE.check_item(Item("e", tuple(Reference("x", str(n)) for n in range(21)), {}))
    with pytest.raises(InputError, match="same id"):
        MAKE.check_item(Item("e", (Reference("x", "A"), Reference("y", "A")), {}))


def test_no_name_is_on_the_screen():
    screen = MAKE.view_page(ITEM, TASK, 1)
    assert [model["key"] for model in screen["models"]] == ["a", "b", "c"]
    marking = build(item=annotated_item())
    units = marking.view_page(annotated_item(), PEER, 1)["units"]
    assert [(u["id"], u["weight"], u["label"]) for u in units] == [("1", 3, "a ferry sank"), ("2", 1, "near Kerno")]
    assert units[0]["contributors"][1] == {"text": "b", "spans": [[3, 12], [16, 25]]}


def test_units_become_a_pyramid_with_offsets_in_code_points():
    pyramid = MAKE.pyramid_made(read([SANK, KERNO]), ITEM, "ann")
    assert pyramid.weights() == {"1": 3, "2": 1}
    words = [pyramid.models[c.text][c.spans[0].start : c.spans[0].end] for c in pyramid.units[0].contributors]
    assert words == ["A 🚢 sank", "The ferry", "غرقت العبارة"]
    assert read_pyramid(add_pyramid(ITEM, pyramid)) == replace(pyramid, peer_texts={**pyramid.models, **ITEM.outputs})


def test_a_given_pyramid_is_where_making_begins():
    item = annotated_item()
    protocol = build("pyramid(stage=models)", item)
    assert protocol.start_draft(item) == {"1": SANK, "2": KERNO}
    assert protocol.view_page(item, TASK, 1)["units"][0]["id"] == "1"
    assert protocol.edit_draft(protocol.start_draft(item), [[5, "2", None]], item, TASK) == {"1": SANK}


def test_what_others_made_is_offered_without_their_names():
    item = annotated_item()
    shorter = {**item.extra["units"][0], "contributors": item.extra["units"][0]["contributors"][:1]}
    both = replace(item, extra={**item.extra, "pyramids": {"ann": item.extra["units"], "zoe": [shorter]}})
    others = build("pyramid(stage=models)", both).view_page(both, TASK, 1)["others"]
    assert others == [unit(("a", [0, 8]))]
    assert MAKE.view_page(ITEM, TASK, 1)["others"] == []
    seen = replace(both, extra={**both.extra, "pyramids": {"zoe": [{**shorter, "aspects": ["seen by zoe"]}]}})
    protocol = build("pyramid(stage=models)", seen)
    (other,) = protocol.view_page(seen, TASK, 1)["others"]
    assert protocol.edit_draft({}, [[0, "9", other]], seen, TASK) == {"9": other}  # can be taken over as it is
    broken = replace(item, extra={**item.extra, "pyramids": {"zoe": [{**shorter, "contributors": [{"text": "Z"}]}]}})
    with pytest.raises(InputError, match="'Z'"):
        MAKE.check_item(broken)


def test_aspects_are_those_of_the_category_or_named():
    guided = replace(ITEM, group="Health")
    assert build().aspects_of(guided) == ("what", "who affected", "how", "why", "countermeasures", "other")
    assert build().aspects_of(ITEM) == ()
    assert build("pyramid(aspects=who did it|when)").aspects_of(guided) == ("who did it", "when")
    assert build("pyramid(aspects=none)").aspects_of(guided) == ()
    protocol = build("pyramid(aspects=who|when)")
    assert read([{**SANK, "aspects": ["when", "when"]}], protocol)["units"][0]["aspects"] == ["when"]
    with pytest.raises(RefusedEvent, match="aspect"):
        read([{**SANK, "aspects": ["why"]}], protocol)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (unit(("a", [0, 8]), label=" "), "label"),
        (unit(label="x"), "words of a model"),
        (unit(("d", [0, 1])), "not on this screen"),
        (unit(("a", [0, 21])), "within the text, 0 to 20"),
        (unit(("a", [3, 3])), "within"),
        (unit(("a", [-1, 3])), "within"),
        (unit(("a", [0, True])), "characters"),
        (unit(("a", [0, 8], [7, 9])), "overlap"),
        (unit(("a",)), "1 to 100 parts"),
        ({**SANK, "weight": 9}, "expected an object"),
        ({**SANK, "comment": 1}, "comment"),
        ({"label": 1}, "label"),
    ],
)
def test_other_units_are_refused(wrong, message):
    with pytest.raises(RefusedEvent, match=message):
        read([wrong])
    with pytest.raises(RefusedEvent, match=message):
        MAKE.edit_draft({}, [[0, "1", wrong]], ITEM, TASK)


@pytest.mark.parametrize("answer", [{}, {"units": {}}, {"units": [1]}, {"units": [{"id": ""}]}, {"units": []}])
def test_other_answers_are_refused(answer):
    with pytest.raises(RefusedEvent):
        MAKE.read_answer(answer, ITEM, TASK, MAKE.dimensions)
    with pytest.raises(RefusedEvent, match="id of its own"):
        MAKE.read_answer({"units": [{"id": "1", **SANK}, {"id": "1", **KERNO}]}, ITEM, TASK, MAKE.dimensions)


@pytest.mark.parametrize("edit", [None, [], [0, "1"], [0, 1, None], ["0", "1", None], [0, "x" * 101, None]])
def test_edits_have_a_form(edit):
    with pytest.raises(ValueError, match="an edit is"):
        MAKE.edit_draft({}, [edit], ITEM, TASK)


def test_edits_give_the_answer_and_leave_the_draft_before():
    first = MAKE.edit_draft({}, [[0, "1", SANK], [9, "2", KERNO]], ITEM, TASK)
    second = MAKE.edit_draft(first, [[20, "1", {**SANK, "label": "ferry sinks"}], [25, "2", None]], ITEM, TASK)
    assert first == {"1": SANK, "2": KERNO}
    assert list(second) == ["1"]
    answer = MAKE.read_answer({"units": MAKE.view_draft(second)}, ITEM, TASK, MAKE.dimensions)
    assert MAKE.is_draft_of(second, answer)
    assert not MAKE.is_draft_of(first, answer)
    assert MAKE.read_answer(answer, ITEM, TASK, MAKE.dimensions) == answer  # as a replay reads it again


def mark(item, marks, text="pyramid", **more):
    protocol = build(text, item)
    listed = [{"id": str(n), "unit": number, "spans": spans} for n, (number, *spans) in enumerate(marks, 1)]
    answer = protocol.read_answer({"marks": listed, **more}, item, PEER, protocol.dimensions)
    return protocol, answer


def test_marks_become_an_annotation_and_its_score():
    protocol, answer = mark(annotated_item(), [("1", [0, 8]), (None, [10, 21])])
    (annotation,) = protocol.annotations(answer, annotated_item(), PEER, "ann")
    assert annotation.unit_ids == ("1",)
    assert annotation.other_units == 1
    assert not annotation.exhaustive
    (row,) = protocol.rows(answer, annotated_item(), PEER, protocol.dimensions)
    assert row == {"system": "s", "dimension": "pyramid", "score": 1.0}  # weight 3 of 3: models have 4 / 3 units, so 1
    protocol, answer = mark(annotated_item(), [("2", [0, 8])])
    assert next(protocol.rows(answer, annotated_item(), PEER, protocol.dimensions))["score"] == pytest.approx(1 / 3)


def test_exhaustive_marking_says_that_nothing_is_left():
    with pytest.raises(RefusedEvent, match="words are left"):
        mark(annotated_item(), [("1", [0, 8])], "pyramid(exhaustive=true)")
    protocol, answer = mark(annotated_item(), [("1", [0, 8])], "pyramid(exhaustive=true)", complete=True)
    assert protocol.annotations(answer, annotated_item(), PEER, "ann")[0].exhaustive


def test_an_empty_peer_needs_no_mark():
    item = replace(annotated_item(), outputs={"s": ""})
    protocol, answer = mark(item, [])
    assert next(protocol.rows(answer, item, PEER, protocol.dimensions))["score"] == 0


@pytest.mark.parametrize("wrong", [("3", [0, 8]), ("1", [0, 80]), (1, [0, 8]), ("1",)])
def test_other_marks_are_refused(wrong):
    with pytest.raises(RefusedEvent):
        mark(annotated_item(), [wrong])


def test_identical_peers_judged_once_are_both_annotated():
    item = replace(annotated_item(), outputs={"s": "A 🚢 sank.", "t": "A 🚢 sank."})
    protocol, answer = mark(item, [])
    assert [a.peer for a in protocol.annotations(answer, item, Task("t/1", ("s+t",)), "ann")] == ["s", "t"]


def test_suggestions_come_from_models_and_from_the_annotators_other_peers():
    protocol: PyramidProtocol = build("pyramid(suggest=exact)", annotated_item())
    assert protocol.suggestions(annotated_item(), PEER, []) == [{"unit": "1", "spans": [[0, 8]], "suggested": "exact"}]
    item = replace(annotated_item(), outputs={"s": "It sank. Oil leaked.", "t": "Oil leaked."})
    marking, answer = mark(item, [("2", [0, 10])])
    own = [(Task("t/1", ("t",)), answer)]
    assert [s["unit"] for s in marking.suggestions(item, PEER, own)] == ["2"]
    assert build("pyramid(suggest=none)", item).suggestions(item, PEER, own) == []


def test_words_and_units_to_rank_are_those_on_the_screen():
    assert MAKE.words_at(ITEM, TASK, "a", [[0, 3], [4, 8]]) == "A 🚢 sank"
    assert MAKE.unit_texts(ITEM, {"7": KERNO}) == {"7": ["near Kerno", "near Kerno"]}
    marking = build(item=annotated_item())
    assert marking.words_at(annotated_item(), PEER, "a", [[10, 13]]) == "Oil"
    assert marking.unit_texts(annotated_item(), None)["2"] == ["near Kerno", "near Kerno"]
    with pytest.raises(RefusedEvent):
        MAKE.words_at(ITEM, TASK, "d", [[0, 1]])
