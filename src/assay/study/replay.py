"""Derive everything from the log anew, and check what must hold of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..data.result import Result
from ..errors import RefusedEvent
from .content import StudyContent
from .state import StudyState
from .store import StudyDatabase


@dataclass(frozen=True)
class ReplayedLog(Result, question="study", kind="replayed_log"):
    """What the log says, and what is wrong with it.

    `gaps` are numbers of events that are missing; `twice` answers to one task that count both; `refused` answers that
    the protocol would not accept; `unlike` answers that are not what their edits give (none, where nothing was lost).
    """

    folder: str
    events: int
    first_at: str | None
    last_at: str | None
    kinds: Mapping[str, int]
    raters: int
    complete: int
    answers: int
    gaps: int
    twice: int
    refused: int
    unlike: int

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.gaps or self.twice or self.refused)


def replay_log(content: StudyContent, database: StudyDatabase) -> ReplayedLog:
    """Apply every event of a study in order, and check the answers against the protocol."""
    state, kinds = content.new_state(), Counter[str]()
    first_at = last_at = None
    gaps = expected = 0
    for event in database.events():
        expected += 1
        gaps, expected = gaps + event.id - expected, event.id
        first_at, last_at = first_at or event.at, event.at
        kinds[event.kind] += 1
        state.apply(event)
    answered = [number for rater in state.raters.values() for number in rater.answered]
    return ReplayedLog(
        folder=str(content.folder.path),
        events=sum(kinds.values()),
        first_at=first_at,
        last_at=last_at,
        kinds=dict(sorted(kinds.items())),
        raters=len(state.raters),
        complete=sum(rater.is_complete for rater in state.raters.values()),
        answers=len(answered),
        gaps=gaps,
        twice=sum(len(r.answered) - len(set(r.answered)) for r in state.raters.values()),
        refused=sum(1 for _ in _refused_answers(content, state)),
        unlike=_count_unlike(content, state),
    )


def _refused_answers(content: StudyContent, state: StudyState) -> list[tuple[int, int]]:
    places = []
    for rater in state.raters.values():
        for number in rater.answered:
            task, answer = rater.tasks[number - 1], rater.records[number].answer
            try:
                if answer is not None:
                    content.protocol.read_answer(answer, content.item_of(task), task, content.settings.dimensions)
            except RefusedEvent:
                places.append((rater.number, number))
    return places


def _count_unlike(content: StudyContent, state: StudyState) -> int:
    records = [r for rater in state.raters.values() for r in rater.records.values() if r.draft is not None]
    return sum(r.answer is not None and not content.protocol.is_draft_of(r.draft, r.answer) for r in records)
