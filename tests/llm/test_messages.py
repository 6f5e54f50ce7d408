"""Messages: texts in their places, and nothing in a text that ends its tag or speaks as somebody else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import EvalSet, Item
from assay.data.item import Judgment, Reference
from assay.errors import AlignmentError, InputError
from assay.llm.config import DimensionSettings, JudgeConfig, JudgeSettings, PointScale
from assay.llm.messages import (
    TAGS,
    MessageWriter,
    ask,
    describe_scale,
    enclose,
    neutralize,
    response_format,
    write_examples,
)
from assay.llm.question import Question
from assay.llm.rubric import Rubric, load_rubric

CONFIG = JudgeConfig(judge=(JudgeSettings(model="m", url="http://localhost/v1"),))
JSON = JudgeConfig(judge=CONFIG.judge, answer="json", reason=True)
RUBRIC = Rubric("tone", "rating", "Judge the {dimension}.\n{source}\n{output}", PointScale(), "tone.md")
ITEM = Item(
    "secret-item", sources=("A source.",), outputs={"secret-system": "An output."}, references=(Reference("R"),)
)
ASKED = Question(0, "secret-item", ("secret-system",), "tone")
MARKS = [f"<{slash}{tag}>" for tag in TAGS.values() for slash in ("", "/")]
MARKS += [
    "<|im_end|>",
    "<|im_start|>",
    "<|eot_id|>",
    "[INST]",
    "[/INST]",
    "</s>",
    "<<SYS>>",
    "<end_of_turn>",
    "< /TEXT >",
]
MARKS += ["<｜User｜>", "</think>", "<bos>"]


def write(item: Item = ITEM, rubric: Rubric = RUBRIC, question: Question = ASKED) -> str:
    return MessageWriter(rubric, CONFIG).write(item, question)[-1]["content"]


def test_texts_stand_in_their_places():
    text = write()
    assert "Judge the tone.\n<source>\nA source.\n</source>\n<text>\nAn output.\n</text>" in text
    assert text.endswith("Answer with one whole number from 1 to 5 and nothing else.")


def test_no_name_is_sent():
    assert "secret" not in write()


@pytest.mark.parametrize("mark", MARKS)
def test_marks_are_neutralized(mark):
    assert mark not in neutralize(f"a {mark} b")
    assert neutralize("x < y and <b>bold</b> [1]") == "x < y and <b>bold</b> [1]"


@given(
    st.lists(st.one_of(st.sampled_from([*MARKS, "<", "|", "/", "text", ">", "\n", "{output}"]), st.text(max_size=3)))
)
def test_whatever_a_text_holds_it_has_one_beginning_and_one_end(parts):
    item = Item("1", sources=("s",), outputs={"A": "".join(parts)})
    text = write(item, question=Question(0, "1", ("A",), "tone"))
    assert len(re.findall(r"<\s*/?\s*text\s*>", text, re.I)) == 2
    assert "<|" not in text.partition("<source>")[2]


def test_places_in_texts_stay_texts():
    item = Item("1", sources=("{output} {unit}",), outputs={"A": "{source} {scale}"})
    text = write(item, question=Question(0, "1", ("A",), "tone"))
    assert "<source>\n{output} {unit}\n</source>\n<text>\n{source} {scale}\n</text>" in text


def test_pairs_and_units():
    item = Item("1", sources=("s",), outputs={"A": "one", "B": "two"}, extra={"units": ["u0", "u1"]})
    pairs = load_rubric("preference", DimensionSettings(), None)
    text = write(item, pairs, Question(0, "1", ("B", "A"), "preference"))
    assert "<text_a>\ntwo\n</text_a>\n\n<text_b>\none\n</text_b>" in text
    assert text.endswith("Answer with A, B or tie and nothing else.")
    units = load_rubric("units", DimensionSettings(), None)
    assert "<unit>\nu1\n</unit>\n\n<text>\ntwo\n</text>" in write(item, units, Question(0, "1", ("B",), "units", 1))


def test_a_missing_source_is_an_error_before_anything_is_sent():
    with pytest.raises(InputError, match="item '1' has no source, and the prompt of 'tone' shows a source"):
        MessageWriter(RUBRIC, CONFIG).check(Item("1", outputs={"A": "a"}))


def test_the_scale_is_described():
    rubric = Rubric("tone", "rating", "{output}", PointScale(low=0, high=2, best="low", labels={"0": "kind"}), "")
    assert describe_scale(rubric) == "The scale goes from 0 to 2; 0 is best.\n0: kind"
    assert "The scale goes" in MessageWriter(rubric, CONFIG).prompt
    once = Rubric("tone", "rating", "{scale} {output}", PointScale(), "")
    assert MessageWriter(once, CONFIG).prompt.count("The scale goes") == 1


def test_the_schema_holds_the_scale():
    assert ask(RUBRIC, JSON).startswith("Answer with a JSON object")
    schema = response_format(RUBRIC, JSON)["json_schema"]["schema"]
    assert schema["properties"] == {"reason": {"type": "string"}, "score": {"enum": [1, 2, 3, 4, 5]}}
    wide = Rubric("tone", "rating", "{output}", PointScale(low=0, high=100), "")
    score = response_format(wide, CONFIG)["json_schema"]["schema"]["properties"]["score"]
    assert score == {"type": "integer", "minimum": 0, "maximum": 100}


def test_examples_are_asked_and_answered():
    judged = (Judgment("A", "ann", "tone", 4.0), Judgment("A", "bob", "tone", 2.0), Judgment("A", "ann", "other", 1.0))
    shots = EvalSet([Item("e", sources=("s",), outputs={"A": "example"}, judgments=judged)])
    data = EvalSet([ITEM])
    messages = write_examples(MessageWriter(RUBRIC, CONFIG), shots, data, CONFIG, "e.jsonl")
    assert [m["role"] for m in messages] == ["user", "assistant"]
    assert messages[1]["content"] == "3"
    assert "<text>\nexample\n</text>" in messages[0]["content"]
    writer = MessageWriter(RUBRIC, CONFIG, examples=messages)
    assert len(writer.write(ITEM, ASKED)) == 3
    assert "example" in writer.prompt


def test_an_example_that_is_to_be_judged_is_refused():
    shots = EvalSet(
        [Item("e", sources=("s",), outputs={"A": "An output."}, judgments=(Judgment("A", "r", "tone", 4.0),))]
    )
    with pytest.raises(AlignmentError, match="the example of item 'e' is among the outputs to judge"):
        write_examples(MessageWriter(RUBRIC, CONFIG), shots, EvalSet([ITEM]), CONFIG, "e.jsonl")


def test_examples_have_no_reasons():
    shots = EvalSet([Item("e", sources=("s",), outputs={"A": "x"}, judgments=(Judgment("A", "r", "tone", 4.0),))])
    with pytest.raises(InputError, match=r"e\.jsonl: examples hold no reasons"):
        write_examples(MessageWriter(RUBRIC, JSON), shots, EvalSet([ITEM]), JSON, "e.jsonl")


def test_enclose():
    assert enclose("first", "x") == "<text_a>\nx\n</text_a>"
