"""A session: a set, a configuration and what is to be judged, made and checked before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..data.evalset import EvalSet
from ..errors import InputError
from ..formats import read
from .assemble import JudgedQuestion, check_data, read_outcome
from .config import JudgeConfig
from .messages import MessageWriter, write_examples
from .question import AskedUnit, Question, list_questions
from .requests import RequestWriter, check_forms
from .rubric import Rubric
from .runner import Outcome


@dataclass(frozen=True)
class JudgeAssignment:
    """What is judged, and by which rubric; `instructions` are those of a study, for rubrics that show them."""

    rubrics: Mapping[str, Rubric]
    units: Mapping[str, Sequence[AskedUnit]]
    instructions: str = ""


class JudgeSession:
    """Everything that is needed to ask: made and checked before anything is sent."""

    def __init__(self, data: EvalSet, config: JudgeConfig, assignment: JudgeAssignment, folder: Path) -> None:
        self.data, self.config, self.assignment = data, config, assignment
        check_forms(config, assignment.rubrics)
        check_data(data, config, assignment.rubrics)
        self.writers = {d: self._writer(r, folder) for d, r in assignment.rubrics.items()}
        for dimension, units in assignment.units.items():
            for item in dict.fromkeys(unit.item for unit in units):
                self.writers[dimension].check(data[item])
        if not any(assignment.units.values()):
            raise InputError("there is nothing to judge: no dimension has outputs")
        self.request_writers = [RequestWriter(judge, config, self.writers, data) for judge in config.judge]

    def _writer(self, rubric: Rubric, folder: Path) -> MessageWriter:
        writer = MessageWriter(rubric, self.config, instructions=self.assignment.instructions)
        if rubric.examples is None:
            return writer
        path = folder / rubric.examples
        shots = write_examples(writer, read(path, allow_missing=True), self.data, self.config, path)
        return MessageWriter(rubric, self.config, instructions=self.assignment.instructions, examples=shots)

    def questions(self, judge: int) -> Iterator[Question]:
        """List the questions to one judge."""
        for dimension, rubric in self.assignment.rubrics.items():
            units = self.assignment.units[dimension]
            yield from list_questions(judge, self.data, rubric, units, self.config.repeats)

    def all_questions(self) -> Iterator[Question]:
        """List the questions to all judges."""
        for number in range(len(self.config.judge)):
            yield from self.questions(number)

    def read(self, outcome: Outcome) -> JudgedQuestion:
        """Read the reply to a question."""
        return read_outcome(outcome, self.assignment.rubrics[outcome.question.dimension], self.config)

    def find_failure(self, outcome: Outcome) -> str | None:
        """Return why an outcome is not a judgment; None where it is one."""
        return self.read(outcome).verdict.failure
