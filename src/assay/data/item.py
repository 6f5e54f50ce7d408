"""Item: one input with its sources, references, outputs and judgments."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from ..errors import AlignmentError, InputError
from .sequences import preview, refuse_no_text

_SECOND_TEXT = re.compile(r"#[0-9]+$")
KINDS = ("human", "llm", "metric")  # of who judges
_KEY = itemgetter(0, 1, 2, 4)  # of a judgment: system, rater, dimension and occasion


PARAPHRASE = "paraphrase: "  # how the id of a reference begins that was made from another by a replacement


def author_of(name: str) -> str:
    """Return the person behind a name: `62#2` is the second text that 62 wrote for the same input.

    >>> author_of("62#2"), author_of("62")
    ('62', '62')
    """
    return _SECOND_TEXT.sub("", name)


class TextAlternative(NamedTuple):
    """A text that may replace the characters from `start` to before `end` of a reference."""

    start: int
    end: int
    text: str


class Reference(NamedTuple):
    """A text written by a person; `id` says by whom, where that is known.

    With `alternatives` it stands for every text that some of them make, as far as they do not overlap.
    """

    text: str
    id: str | None = None
    alternatives: tuple[TextAlternative, ...] = ()

    def __repr__(self) -> str:
        more = f", alternatives={self.alternatives!r}" if self.alternatives else ""
        return f"Reference(text={self.text!r}, id={self.id!r}{more})"


class Judgment(NamedTuple):
    """The score one rater gave one system's output; `occasion` counts up where they judged the same output again.

    `kind` says what the rater is: human, llm or metric; None where the file does not say, which counts as human.
    """

    system: str
    rater: str
    dimension: str
    score: float
    occasion: int = 1
    kind: str | None = None


def check_kind(kind: str, rater: str, where: str) -> None:
    """Raise unless this is what a rater may be."""
    if kind not in KINDS:
        one_of = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
        raise InputError(f"{where}: the kind of rater {rater!r} must be {one_of}; got {preview(kind)}")


@dataclass(frozen=True, slots=True)
class Item:
    """One input with its references, outputs and judgments.

    `group` is a label to break results down by (genre, category). `cluster` names what was drawn together: a document,
    story, topic or passage with several items. `run` says which repeat of the same input this is: an epoch, seed or
    sample. Ids are unique, so a repeat is an item of its own with the id `ID@RUN` (`q7`, `q7@2`, `q7@3`), and runs of
    one input are one cluster unless they are in a larger one. Seeds of one system are runs, not systems.

    `extra` keeps the other keys of a file, so that writing it back loses nothing; `where` is for error messages.
    """

    id: str
    references: tuple[Reference, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    group: str | None = None
    judgments: tuple[Judgment, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    where: str = field(default="", compare=False, repr=False)
    cluster: str | None = None
    run: str | None = None

    def __post_init__(self) -> None:
        if not self._holds_texts():
            self._refuse_no_texts()
        if self.judgments and not self._holds_plain_judgments():
            self._refuse_judgments()

    def _holds_texts(self) -> bool:
        """Check quickly, as every item of every file passes here; `_refuse_no_texts` says what is wrong."""
        if type(self.id) is not str or type(self.sources) is not tuple:
            return False
        if not (self.cluster is None or type(self.cluster) is str) or not (self.run is None or type(self.run) is str):
            return False
        for text in self.outputs.values():
            if type(text) is not str:
                return False
        for text in self.sources:
            if type(text) is not str:
                return False
        for reference in self.references:
            if type(reference) is not Reference or type(reference[0]) is not str:
                return False
        return True

    def _refuse_no_texts(self) -> None:
        refuse_no_text(self.id, "the id of an item")
        for what, name in (("cluster", self.cluster), ("run", self.run)):
            if name is not None:
                refuse_no_text(name, f"{self.place}: its {what}")
        for what, texts in (("references", self.references), ("sources", self.sources)):
            if isinstance(texts, str | bytes):
                raise InputError(f"{self.place}: {what} must be a tuple; got one text, {preview(texts)}")
        for system, text in self.outputs.items():
            refuse_no_text(system, f"{self.place}: the name of a system")
            hint = "" if isinstance(text, bytes | int) else "; a missing output is left out (None in from_texts)"
            refuse_no_text(text, f"{self.place}: the output of system {system!r}", hint=hint)
        for n, reference in enumerate(self.references, 1):
            if not isinstance(reference, Reference):
                raise InputError(f"{self.place}: reference {n} must be a Reference(text); got {preview(reference)}")
            refuse_no_text(reference.text, f"{self.place}: the text of reference {n}")
        for n, text in enumerate(self.sources, 1):
            refuse_no_text(text, f"{self.place}: source {n}")

    def _holds_plain_judgments(self) -> bool:
        """Check quickly, as most items hold what no one objects to; else `_refuse_judgments` looks at each judgment."""
        judgments = self.judgments
        if set(map(type, judgments)) != {Judgment}:
            return False
        systems, kinds = set(map(itemgetter(0), judgments)), list(map(itemgetter(5), judgments))
        if kinds.count(None) < len(kinds) or not self.outputs.keys() >= systems:
            return False
        occasions = list(map(itemgetter(4), judgments))
        if set(map(type, occasions)) != {int} or min(occasions) < 1:
            return False
        return len(systems) == len(judgments) or len(set(map(_KEY, judgments))) == len(judgments)

    def _refuse_judgments(self) -> None:
        """Check every judgment in order, also those of joined systems, and raise for the first that is wrong."""
        keys = set()
        for judgment in self.judgments:
            for system in self.judged_systems(judgment):
                if system not in self.outputs:
                    raise AlignmentError(f"{self.place}: a judgment names system {system!r}, which has no output here")
                key = (system, judgment.rater, judgment.dimension, judgment.occasion)
                if key in keys:
                    raise AlignmentError(
                        f"{self.place}: rater {judgment.rater!r} judged system {system!r} twice for "
                        f"{judgment.dimension!r}; remove one, or number repeats with occasion: 2, 3, ..."
                    )
                keys.add(key)
            if type(judgment.occasion) is not int or judgment.occasion < 1:
                raise InputError(
                    f"{self.place}: the occasion of a judgment of system {judgment.system!r} must be a whole number "
                    f"from 1 on; got {preview(judgment.occasion)}"
                )
            if judgment.kind is not None:
                check_kind(judgment.kind, judgment.rater, self.place)

    def judged_systems(self, judgment: Judgment) -> tuple[str, ...]:
        """List the systems that a judgment is of: WMT joins with "+" systems with equal outputs that were judged once.

        >>> Item("1", outputs={"A": "x", "B": "x"}).judged_systems(Judgment("A+B", "r", "adequacy", 1.0))
        ('A', 'B')
        """
        if judgment.system in self.outputs or "+" not in judgment.system:
            return (judgment.system,)
        return tuple(judgment.system.split("+"))

    @property
    def place(self) -> str:
        """Where the item stands, for error messages."""
        return f"{self.where}: item {self.id!r}" if self.where else f"item {self.id!r}"


def output_of(item: Item, system: str) -> str:
    """Return the output of a system; of identical outputs under one name (`A+B`), the one that all have."""
    return item.outputs[system] if system in item.outputs else item.outputs[system.split("+")[0]]


def listed_units(item: Item) -> list[str]:
    """Return the content units that an item lists under its key `units`, or raise."""
    units = item.extra.get("units")
    if not isinstance(units, (list, tuple)) or not units or not all(isinstance(u, str) and u.strip() for u in units):
        raise InputError(f'{item.place} lists no content units; write "units": ["...", "..."] next to its outputs')
    return list(units)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: walking over new items, none in a cycle, would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
