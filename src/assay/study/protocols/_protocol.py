"""Protocol: what a screen shows and when, what an answer is, and the judgments it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from ...component import Component
from ...data.evalset import EvalSet
from ...data.item import Item
from ...data.scale import Scale
from ...errors import InputError, RefusedEvent
from ..settings import RatingScale
from ..task import LETTERS, Task

Answer = dict[str, Any]
Screen = dict[str, Any]
Row = dict[str, Any]
TOLERANCE = 0.5  # within which a known answer is met


@dataclass(frozen=True)
class Protocol(Component):
    """What raters are asked. Its fields are its parameters; the screen is told them as `settings`.

    `pages` are shown one after the other without a way back. `is_final` says that an answer cannot be taken back.
    """

    pages: ClassVar[int] = 1
    is_final: ClassVar[bool] = False
    numbers_pairs: ClassVar[bool] = False  # occasion counts the pairs of an item, as data of kind "pairs" do
    writes_texts: ClassVar[bool] = False  # answers are texts: the export has raters as systems
    keeps_edits: ClassVar[bool] = (
        False  # every change comes as an event before the answer; what they leave is the draft
    )
    keeps_items: ClassVar[bool] = False  # all tasks of an item come one after the other
    dimensions: ClassVar[tuple[RatingScale, ...]] = ()  # those it has where none are named
    takes_dimensions: ClassVar[bool] = True

    def fit_to(self, data: EvalSet) -> Protocol:
        """Return the protocol with what depends on the set filled in."""
        return self

    def check_item(self, item: Item) -> None:
        """Raise for an item that cannot be shown."""
        if not item.outputs:
            raise InputError(f"{item.place} has no outputs; {self.title} needs at least one")

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        """List what is judged at once of an item with outputs of these systems."""
        return [(system,) for system in systems]

    def needs_all(self) -> bool:
        """Check if what is judged at once needs an output of each of its systems."""
        return True

    def hides(self, page: int) -> bool:
        """Check if the texts of a page are hidden until the rater reveals them."""
        return False

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        """Return what is visible on a page before anything is revealed."""
        raise NotImplementedError

    def view_hidden(self, item: Item, task: Task, page: int) -> Screen:
        """Return what a reveal adds."""
        return {}

    def start_draft(self, item: Item) -> Any:
        """Return what is there before the first edit."""
        raise NotImplementedError

    def edit_draft(self, draft: Any, deltas: Sequence[Any], item: Item, task: Task) -> Any:
        """Return what edits make of a draft, which stays as it is; raise ValueError or RefusedEvent for others."""
        raise NotImplementedError

    def view_draft(self, draft: Any) -> Any:
        """Return a draft as the screen gets it, to go on from after a reload or undo."""
        return draft

    def is_draft_of(self, draft: Any, answer: Answer) -> bool:
        """Check if an answer is what its edits give."""
        raise NotImplementedError

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        """Return the answer as it is stored, or raise RefusedEvent."""
        raise NotImplementedError

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        """List the judgments an answer makes: system, dimension, score, and what else is exported of them."""
        raise NotImplementedError

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        """Return what the export states about the dimensions."""
        return {scale.name: scale.to_scale() for scale in scales}

    def meets(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> tuple[int, int]:
        """Count the judgments that meet the known ones of the item, and those that have a known one."""
        pairs = list(self._known_pairs(answer, item, task, scales))
        return sum(abs(row["score"] - right) <= TOLERANCE for row, right in pairs), len(pairs)

    def list_misses(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> list[Row]:
        """List the known answers that are not met: dimension, expected and given, and the letter of one of several."""
        letters = {system: task.letter(place) for place, system in enumerate(task.systems)}
        return [
            {
                "text": letters[row["system"]] if len(letters) > 1 else "",
                "dimension": row["dimension"],
                "expected": right,
                "given": row["score"],
            }
            for row, right in self._known_pairs(answer, item, task, scales)
            if abs(row["score"] - right) > TOLERANCE
        ]

    def _known_pairs(
        self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]
    ) -> Iterator[tuple[Row, float]]:
        known = {(judgment.system, judgment.dimension): judgment.score for judgment in item.judgments}
        for row in self.rows(answer, item, task, scales):
            if (row["system"], row["dimension"]) in known:
                yield row, known[row["system"], row["dimension"]]


def refuse(message: str, *, code: str = "invalid_answer") -> NoReturn:
    """Refuse an answer."""
    raise RefusedEvent(code, message)


def key_texts(item: Item, task: Task) -> list[dict[str, str]]:
    """Return the outputs of a task under their letters, as a screen shows them."""
    return [{"key": LETTERS[n], "text": text} for n, text in enumerate(task.texts(item))]


def read_field(answer: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return the one field of an answer, or refuse it."""
    if set(answer) != {name} or not isinstance(answer[name], kind):
        words = {"dict": "an object", "list": "a list", "str": "a text"}[kind.__name__]
        refuse(f"an answer is {{{name!r}: {words}}}; got the fields {', '.join(sorted(map(str, answer))) or 'none'}")
    return answer[name]


def read_ratings(answer: Mapping[str, Any], scales: Sequence[RatingScale]) -> dict[str, float]:
    """Return the rating on every scale, or refuse what is missing, unknown or off the scale."""
    ratings = read_field(answer, "ratings", dict)
    for name in ratings:
        if name not in {scale.name for scale in scales}:
            refuse(f"there is no scale {str(name)[:60]!r}")
    return {scale.name: _read_rating(scale, ratings) for scale in scales}


def _read_rating(scale: RatingScale, ratings: Mapping[str, Any]) -> float:
    if scale.name not in ratings:
        refuse(f"no rating of {scale.name!r}", code="incomplete_answer")
    value = ratings[scale.name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not scale.accepts(value):
        refuse(f"{scale.name!r} is rated from {scale.low:g} to {scale.high:g}; got {str(value)[:40]}")
    return float(value)


def rating_rows(answer: Answer, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
    """List the judgments of an answer of ratings of one text."""
    for scale in scales:
        yield {"system": task.systems[0], "dimension": scale.name, "score": answer["ratings"][scale.name]}
