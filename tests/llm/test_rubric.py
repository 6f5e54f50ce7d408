"""Rubrics: every built-in one can be asked, and a prompt file is refused where it cannot."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, UnknownName
from assay.llm.config import DimensionSettings
from assay.llm.rubric import NEEDED, STUDY, STUDY_PAIRS, builtin_names, load_rubric, load_rubrics, split_prompt


def test_the_built_in_rubrics():
    expected = {"meaning", "grammar", "coherence", "consistency", "fluency", "relevance", "preference", "units"}
    assert set(builtin_names()) == expected
    rubrics = load_rubrics({name: DimensionSettings() for name in expected}, None)
    for rubric in rubrics.values():
        assert set(NEEDED[rubric.kind]) <= rubric.places
        assert len(rubric.text) > 100
    assert rubrics["grammar"].scale.high == 3
    assert rubrics["preference"].kind == "pairs"


def test_the_prompts_of_a_study():
    for name, kind in ((STUDY, "rating"), (STUDY_PAIRS, "pairs")):
        rubric = load_rubric("tone", DimensionSettings(), None, builtin=name)
        assert rubric.kind == kind
        assert "instructions" in rubric.places


def test_a_file_and_settings_over_its_head(tmp_path):
    (tmp_path / "tone.md").write_text('+++\nrange = [1, 3]\nbest = "low"\n+++\n\nTone of {output}?\n')
    rubric = load_rubric("tone", DimensionSettings(prompt="tone.md"), tmp_path)
    assert (rubric.text, rubric.scale.high, rubric.scale.best) == ("Tone of {output}?", 3, "low")
    other = load_rubric("tone", DimensionSettings(prompt="tone.md", range=(0, 100), best="high"), tmp_path)
    assert (other.scale.low, other.scale.high, other.scale.best) == (0, 100, "high")


def test_labels_go_with_their_scale():
    assert "2" in load_rubric("grammar", DimensionSettings(), None).scale.labels
    assert load_rubric("grammar", DimensionSettings(range=(1, 5)), None).scale.labels == {}
    own = {"5": "perfect"}
    assert load_rubric("grammar", DimensionSettings(range=(1, 5), labels=own), None).scale.labels == own


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Judge it.", r"does not show \{output\}, which a prompt of kind rating needs"),
        ("{output} {sauce}", r"has the place \{sauce\}; there are \{source\}"),
        ("+++\nrnage = [1, 2]\n+++\n{output}", "its head is wrong"),
        ('+++\nkind = "essay"\n+++\n{output}', "kind is one of rating, pairs, units; got 'essay'"),
        ("+++\nrange = [5, 1]\n+++\n{output}", "a scale has its lower end first"),
        ('+++\nkind = "units"\n+++\n{output}', r"does not show \{unit\}"),
    ],
)
def test_a_wrong_prompt(tmp_path, text, message):
    (tmp_path / "tone.md").write_text(text)
    with pytest.raises(FormatError, match=message):
        load_rubric("tone", DimensionSettings(prompt="tone.md"), tmp_path)


def test_no_such_rubric(tmp_path):
    with pytest.raises(UnknownName, match="unknown dimension 'coherense'; did you mean 'coherence'"):
        load_rubric("coherense", DimensionSettings(), tmp_path)
    with pytest.raises(FormatError, match="there is no such file"):
        load_rubric("tone", DimensionSettings(prompt="tone.md"), tmp_path)
    with pytest.raises(FormatError, match="is not UTF-8"):
        split_prompt(b"\xff{output}", "x.md")
