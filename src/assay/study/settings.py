"""What a study is: its protocol, scales and design, as `study.json` holds them."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from ..data.scale import Scale
from ..errors import InputError

FORMAT = 1
MAX_POINTS = 11  # of a scale that is answered by one key
ASSIGNMENTS = ("complete", "random", "latin-square")
_SPAN = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:-|\.\.|to)\s*(-?\d+(?:\.\d+)?)")


class RatingScale(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One scale that is rated on: its ends, which of them is best, and labels of its points.

    With `slider` every number of `step` between the ends can be chosen, and it starts unset.
    """

    name: str
    low: float = 1.0
    high: float = 5.0
    step: float = 1.0
    best: Literal["high", "low"] = "high"
    slider: bool = False
    labels: dict[str, str] = {}

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InputError("a dimension needs a name")
        if not self.low < self.high or self.step <= 0:
            raise InputError(f"scale of {self.name!r}: the low end must be below the high one, and the step above 0")
        if not self.slider and len(self.points) > MAX_POINTS:
            raise InputError(
                f"scale of {self.name!r} has {len(self.points)} points; up to {MAX_POINTS} can be chosen by a key: "
                "add slider"
            )

    @property
    def points(self) -> tuple[float, ...]:
        """The numbers that can be chosen; of a slider only the ends."""
        if self.slider:
            return (self.low, self.high)
        count = int((self.high - self.low) / self.step + 1e-9) + 1
        return tuple(self.low + n * self.step for n in range(count))

    def accepts(self, value: float) -> bool:
        """Check if a number is on the scale.

        >>> RatingScale(name="meaning", high=3).accepts(2), RatingScale(name="meaning", high=3).accepts(2.5)
        (True, False)
        """
        steps = (value - self.low) / self.step
        return self.low <= value <= self.high and abs(steps - round(steps)) < 1e-9

    def to_scale(self) -> Scale:
        """Return what the export states about it."""
        return Scale(self.best, (self.low, self.high), self.labels)


def read_scale(name: str, text: str) -> RatingScale:
    """Read a scale as it is typed: `1-3; best=low; 1=poor; 3=fluent; slider`.

    >>> scale = read_scale("grammar", "1-3; 3=fluent")
    >>> scale.low, scale.high, scale.labels
    (1.0, 3.0, {'3': 'fluent'})
    """
    first, *rest = [part.strip() for part in text.split(";")]
    ends = _SPAN.fullmatch(first)
    if ends is None:
        raise InputError(f"scale of {name!r}: write its ends first, as 1-5; got {first!r}")
    keys: dict[str, Any] = {"low": float(ends[1]), "high": float(ends[2])}
    labels: dict[str, str] = {}
    for part in filter(None, rest):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key == "slider" and not equals:
            keys["slider"] = True
        elif key == "best" and value in ("high", "low"):
            keys["best"] = value
        elif key == "step" and value.replace(".", "", 1).isdigit():
            keys["step"] = float(value)
        elif equals and key.lstrip("-").replace(".", "", 1).isdigit():
            labels[key] = value
        else:
            raise InputError(f"scale of {name!r}: {part!r} is none of best=high, best=low, step=N, slider, POINT=LABEL")
    return RatingScale(name=name, labels=labels, **keys)


class StudyDesign(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sees what: how outputs are assigned to raters, how often, and in what order."""

    assignment: Literal["complete", "random", "latin-square"] = "complete"
    raters: int | None = None  # places in all; None: as many as come
    per_output: int = 3  # raters per output, of a random assignment
    per_rater: int | None = None  # most outputs that one rater sees, of a random assignment
    overlap: float = 0.0  # share of outputs that one rater more sees, of a random assignment
    one_per_source: bool = False  # of a random assignment; a Latin square always has it
    whole_items: bool = False  # of a random assignment: who sees one output of an item sees them all
    repeats: float = 0.0  # share of a rater's tasks that come a second time
    distance: int = 10  # least number of tasks from the first to the second time
    merge_identical: bool = False
    checks: int = 0  # attention checks per rater
    abandoned_after: float = 120.0  # minutes without an event after which a place is given to somebody else
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("raters", "per_rater"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise InputError(f"{name.replace('_', ' ')} must be 1 or more; got {value}")
        for name in ("per_output", "distance"):
            if getattr(self, name) < 1:
                raise InputError(f"{name.replace('_', ' ')} must be 1 or more; got {getattr(self, name)}")
        for name in ("repeats", "overlap"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is a share from 0 to 1; got {getattr(self, name)}")
        if self.whole_items and (self.one_per_source or self.assignment != "random"):
            raise InputError("whole items are for a random assignment that may show several outputs of one source")
        if self.checks < 0 or self.abandoned_after <= 0:
            raise InputError("checks must be 0 or more, and abandoned-after above 0")


class Crowd(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a crowd platform sends people and takes them back: as Prolific does."""

    id_parameter: str = "PROLIFIC_PID"
    completion_code: str = ""
    completion_url: str = ""  # {code} stands for the code
    signed: bool = False  # links need a signature, which `assay study links --ids` makes
    failed_code: str = ""  # of whoever fails the practice
    screened_code: str = ""  # of whoever finds no place, loses it, or comes after the end

    def code_of(self, stage: str) -> str:
        """Return the code that the page of a stage shows; empty where it shows none."""
        if stage in ("place_taken", "full", "closed"):
            return self.screened_code
        return {"done": self.completion_code, "failed": self.failed_code}.get(stage, "")


class StudySettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A study as `study.json` holds it.

    Protocol, design and texts never change; title, scales' labels, language, consent and instructions may, which makes
    a new version that is recorded with every event.
    """

    id: str
    protocol: str
    items: int
    texts_sha256: str
    format: int = FORMAT
    title: str = "Study"
    language: str = "en"
    text_language: str = ""  # of the texts, for screen readers and direction: "ar" is shown right to left
    dimensions: tuple[RatingScale, ...] = ()
    design: StudyDesign = StudyDesign()
    crowd: Crowd | None = None
    pass_mark: float = 0.8  # share of the qualification's known answers to be met
    tries: int = 2
    allow_skip: bool = False
    loud_checks: bool = False  # raters are told that there are attention checks, and when they fail one
    auto_advance: bool = True
    idle_seconds: float = 60.0  # after which time without a key or pointer is not counted as active
    created: str = ""
    like: str = ""  # the ready design it was made from

    def fixed_part(self) -> dict[str, Any]:
        """Return what may never change once somebody rated."""
        names = ("id", "protocol", "items", "texts_sha256", "design", "tries", "pass_mark")
        values = {name: msgspec.to_builtins(getattr(self, name)) for name in names}
        return {**values, "dimensions": [d.name for d in self.dimensions]}

    def scale(self, name: str) -> RatingScale:
        """Return the scale of a dimension."""
        return next(d for d in self.dimensions if d.name == name)


def check_dimensions(dimensions: tuple[RatingScale, ...]) -> None:
    """Refuse two dimensions of one name."""
    names = [d.name for d in dimensions]
    if len(set(names)) < len(names):
        raise InputError(f"a dimension is named twice: {', '.join(names)}")
