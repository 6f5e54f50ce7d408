"""A judge that sees what the raters of a study saw: the same outputs, scales and instructions."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from assay import EvalSet, Item
from assay.cli._judge_study import study_assignment
from assay.errors import InputError
from assay.llm.config import DimensionSettings, JudgeConfig, JudgeSettings
from assay.study.creation import create_study
from assay.study.events import ClientEvent
from assay.study.protocols import PROTOCOLS
from assay.study.service import StudyService
from assay.study.settings import RatingScale, StudyDesign

JUDGE = JudgeSettings(model="m", url="https://x.org/v1")
TONE = (RatingScale(name="tone", high=3, labels={"3": "kind"}),)


def texts() -> EvalSet:
    return EvalSet(
        [
            Item(str(i), sources=(f"s{i}",), outputs={s: f"{s}{i}" for s in "ABC"}, extra={"units": ["u", "v"]})
            for i in range(6)
        ]
    )


def make(folder: Path, protocol: str, *, raters: int = 0, **options) -> Path:
    """Make a study, and let raters start: they get their tasks."""
    options = {"design": StudyDesign(), **options}
    study = create_study(folder, texts(), PROTOCOLS.build(protocol), instructions="Be strict.", **options)
    service = StudyService(study, study.database())
    try:
        for n in range(raters):
            number = service.run(service.register).result(10)
            event = ClientEvent(key=f"key{n:08d}", kind="started")
            service.run(lambda number=number, event=event: service.take_events(number, [event])).result(10)
    finally:
        service.close()
    return folder


def assign(folder: Path, *, dimension=(), **settings):
    args = argparse.Namespace(like=str(folder), config=str(folder / "judge.toml"), dimension=list(dimension))
    return study_assignment(args, JudgeConfig(judge=(JUDGE,), **settings), texts())


def test_where_nobody_has_started_all_outputs_are_judged(tmp_path):
    assignment = assign(make(tmp_path / "study", "rate", dimensions=TONE))
    assert len(assignment.units["tone"]) == 18
    assert assignment.instructions == "Be strict."
    scale = assignment.rubrics["tone"].scale
    assert (scale.low, scale.high, scale.labels) == (1, 3, {"3": "kind"})


def test_one_list_of_a_latin_square(tmp_path):
    """One rater sees one output of each item; so does the judge."""
    folder = make(tmp_path / "study", "rate", dimensions=TONE, raters=1, design=StudyDesign(assignment="latin-square"))
    units = assign(folder).units["tone"]
    assert sorted(unit.item for unit in units) == [str(i) for i in range(6)]
    assert len({unit.systems for unit in units}) == 3


@pytest.mark.parametrize(("orders", "count"), [("both", 36), ("one", 18)])
def test_pairs(tmp_path, orders, count):
    assignment = assign(make(tmp_path / "study", "compare", raters=2), orders=orders)
    units = assignment.units["preference"]
    assert len(units) == len(set(units)) == count
    assert assignment.rubrics["preference"].kind == "pairs"


def test_units_side_by_side_are_judged_one_by_one(tmp_path):
    assignment = assign(make(tmp_path / "study", "factoids(together=true)", raters=1))
    assert len(assignment.units["units"]) == 18
    assert all(len(unit.systems) == 1 for unit in assignment.units["units"])


def test_a_rubric_of_the_configuration_on_the_scale_of_the_study(tmp_path):
    folder = make(tmp_path / "study", "rate", dimensions=(RatingScale(name="coherence", high=7),))
    own = assign(folder).rubrics["coherence"]
    assert own.origin.endswith("_study.md")
    built_in = assign(folder, dimensions={"coherence": DimensionSettings()}).rubrics["coherence"]
    assert built_in.origin.endswith("coherence.md")
    assert built_in.scale.high == 7


def test_what_the_study_does_not_ask(tmp_path):
    folder = make(tmp_path / "study", "rate", dimensions=TONE)
    with pytest.raises(InputError, match="asks about tone; -d names none of them"):
        assign(folder, dimension=["fluency"])
    wrong = {"tone": DimensionSettings(prompt="pairs.md")}
    (folder / "pairs.md").write_text('+++\nkind = "pairs"\n+++\n{first}{second}')
    with pytest.raises(InputError, match="the prompt of 'tone' is of kind pairs; the study asks for rating"):
        assign(folder, dimensions=wrong)
