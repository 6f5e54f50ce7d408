"""What a study asks about: its settings, protocol, texts and plan, read once; and the state that its log gives."""

from __future__ import annotations

from typing import Any

from ..data.item import Item
from .design import make_plan
from .folder import CHECKS, CONSENT, INSTRUCTIONS, QUALIFICATION, StudyFolder
from .state import StudyState
from .store import StudyDatabase
from .task import Task


class StudyContent:
    """Everything of a study that does not change while it is served."""

    def __init__(self, folder: StudyFolder) -> None:
        self.folder, self.settings, self.protocol = folder, folder.settings, folder.protocol
        folder.check_texts()
        data = folder.texts()
        assert data is not None  # its hash was right
        self.data = data
        qualification, checks = folder.texts(QUALIFICATION), folder.texts(CHECKS)
        self._sets = {"main": data, "qualification": qualification, "check": checks}
        self.plan = make_plan(data, self.protocol, self.settings.design, qualification=qualification, checks=checks)
        self.instructions, self.consent = folder.document(INSTRUCTIONS), folder.document(CONSENT)

    def item_of(self, task: Task) -> Item:
        """Return the item of a task."""
        data = self._sets[task.role]
        assert data is not None
        return data[task.item]

    def known_answers(self, task: Task, answer: dict[str, Any]) -> tuple[int, int]:
        """Count the known answers that an answer meets, and how many there are."""
        return self.protocol.meets(answer, self.item_of(task), task, self.settings.dimensions)

    def list_misses(self, task: Task, answer: dict[str, Any]) -> list[dict[str, Any]]:
        """List the known answers that an answer does not meet."""
        return self.protocol.list_misses(answer, self.item_of(task), task, self.settings.dimensions)

    def edit_draft(self, task: Task, draft: Any, deltas: list[Any]) -> Any:
        """Return what edits make of a draft; None stands for what it begins with."""
        item = self.item_of(task)
        start = self.protocol.start_draft(item) if draft is None else draft
        return self.protocol.edit_draft(start, deltas, item, task)

    def derive_state(self, database: StudyDatabase) -> StudyState:
        """Derive the state of the study from its log."""
        return self.new_state().apply_all(database.events())

    def new_state(self) -> StudyState:
        """Return the state before the first event."""
        return StudyState(
            known_answers=self.known_answers,
            edit_draft=self.edit_draft,
            tries=self.settings.tries,
            pass_mark=self.settings.pass_mark,
        )
