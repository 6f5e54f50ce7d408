"""Rubrics: what a judge is told about one dimension, as a file of text with places for the texts to judge.

A prompt file is Markdown, with a head of TOML between two lines `+++` that states kind, range, step, best and labels.
Its places are {source}, {output}, {references}, {first}, {second}, {unit}, {scale}, {dimension} and {instructions}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from ..errors import FormatError, InputError, UnknownName
from ..formats import read_whole
from .config import KINDS, DimensionSettings, PointScale, explain

TEXTS = ("source", "output", "references", "first", "second", "unit")  # places of texts that are judged, or shown
WORDS = ("scale", "dimension", "instructions")
NEEDED = {"rating": ("output",), "pairs": ("first", "second"), "units": ("output", "unit")}
PLACE = re.compile(r"\{([a-z_]+)\}")
_HEAD = re.compile(r"\A\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*\r?\n", re.DOTALL | re.MULTILINE)
STUDY = "_study"  # the built-in prompt for a study's own dimensions
STUDY_PAIRS = "_study_pairs"


class PromptHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a prompt file states about itself."""

    kind: str = "rating"
    range: tuple[float, float] = (1.0, 5.0)
    step: float = 1.0
    best: str = "high"
    labels: dict[str, str] = {}


@dataclass(frozen=True)
class Rubric:
    """What is asked about one dimension: the text, and the scale of the answers."""

    dimension: str
    kind: str
    text: str
    scale: PointScale
    origin: str  # where the text is from
    examples: str | None = None

    @property
    def places(self) -> frozenset[str]:
        """The places in the text."""
        return frozenset(PLACE.findall(self.text))


def builtin_names() -> list[str]:
    """List the dimensions that have a built-in rubric."""
    names = (path.name.removesuffix(".md") for path in files(__package__).joinpath("prompts").iterdir())
    return sorted(name for name in names if not name.startswith("_"))


def load_rubrics(settings: Mapping[str, DimensionSettings], folder: Path) -> dict[str, Rubric]:
    """Load the rubric of each dimension; prompt files are named from the folder of the configuration."""
    return {name: load_rubric(name, each, folder) for name, each in settings.items()}


def load_rubric(dimension: str, settings: DimensionSettings, folder: Path, *, builtin: str | None = None) -> Rubric:
    """Load one rubric: the file that is named, else the built-in one of that name."""
    if not dimension.strip():
        raise InputError("a dimension needs a name")
    if settings.prompt is not None:
        path: object = folder / settings.prompt
        raw = read_whole(folder / settings.prompt)
    else:
        name = builtin or dimension
        if builtin is None and name not in builtin_names():
            raise UnknownName(
                "dimension", name, builtin_names(), hint="(it has no built-in rubric: name a file, prompt = ...)"
            )
        path = f"assay/llm/prompts/{name}.md"
        raw = files(__package__).joinpath("prompts", f"{name}.md").read_bytes()
    head, text = split_prompt(raw, path)
    return _make_rubric(dimension, settings, head, text, path)


def split_prompt(raw: bytes, path: object) -> tuple[PromptHead, str]:
    """Split a prompt file into what its head states and the text.

    >>> head, text = split_prompt(b"+++\\nrange = [1, 3]\\n+++\\nJudge: {output}\\n", "x.md")
    >>> head.range, text
    ((1.0, 3.0), 'Judge: {output}')
    """
    try:
        whole = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8", path=path) from error
    match = _HEAD.match(whole)
    if match is None:
        return PromptHead(), whole.strip()
    try:
        head = msgspec.toml.decode(match[1], type=PromptHead)
    except msgspec.DecodeError as error:  # a ValidationError is one too
        raise FormatError(f"its head is wrong: {explain(str(error))}", path=path) from error
    return head, whole[match.end() :].strip()


def _make_rubric(dimension: str, settings: DimensionSettings, head: PromptHead, text: str, path: object) -> Rubric:
    kind = settings.kind or head.kind
    if kind not in KINDS:
        raise FormatError(f"kind is one of {', '.join(KINDS)}; got {kind[:40]!r}", path=path)
    low, high = settings.range or head.range
    labels = head.labels if (low, high) == head.range else {}  # they are of the points of another scale
    try:
        scale = PointScale(
            low=low,
            high=high,
            step=settings.step or head.step,
            best=settings.best or head.best,
            labels=settings.labels if settings.labels is not None else labels,
        )
    except InputError as error:
        raise FormatError(str(error), path=path) from error
    rubric = Rubric(dimension, kind, text, scale, str(path), settings.examples)
    for name in sorted(rubric.places):
        if name not in (*TEXTS, *WORDS):
            raise FormatError(f"has the place {{{name}}}; there are {_list_places((*TEXTS, *WORDS))}", path=path)
    for name in NEEDED[kind]:
        if name not in rubric.places:
            raise FormatError(f"does not show {{{name}}}, which a prompt of kind {kind} needs", path=path)
    return rubric


def _list_places(names: tuple[str, ...]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)
