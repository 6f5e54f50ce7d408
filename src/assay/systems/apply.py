"""Apply a system to an evaluation set: a compressor to each item's source, a fuser to its sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..component import Folder, split_call
from ..data.evalset import EvalSet, Item
from ..errors import AlignmentError, InputError, UnknownName
from .budget import Budget
from .compress import COMPRESSORS, Compression, Compressor, Source, compress_through
from .compress._base import Threshold
from .system import LanguageGate, System, check_patterns, check_texts

if TYPE_CHECKING:
    from .fuse import Cluster, FusedText


class SystemOutput(NamedTuple):
    """What a system makes of an item."""

    item: Item
    result: Compression | FusedText


@dataclass(frozen=True)
class Requirements:
    """What the texts of a system must be like: length, patterns to keep or to drop, no change of meaning."""

    budget: Budget = field(default_factory=Budget)
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    faithful: bool = True
    threshold: Threshold | None = None  # that all texts share: average_threshold finds it
    language: str | None = None  # of all texts, whatever they look like


def apply(
    system: str | System,
    data: EvalSet,
    *,
    name: str | None = None,
    ratio: float | None = None,
    words: int | None = None,
    chars: int | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    faithful: bool = True,
    average_ratio: float | None = None,
    language: str | None = None,
) -> EvalSet:
    """Add the system's outputs to the set under its name, or under `name`.

    A compressor shortens the one source of each item (with the sentences in its `context`, if it has that key), a fuser
    makes one text of all its sources. The other arguments are those of `compress` and `fuse`.

    >>> data = EvalSet([Item("1", sources=("The cat sat on the mat.",))])
    >>> apply("lead", data, words=3)["1"].outputs
    {'lead': 'The cat sat.'}
    """
    built = build_system(system)
    requirements = Requirements(Budget(ratio, words, chars), tuple(keep), tuple(drop), faithful, language=language)
    if average_ratio is not None:
        threshold = average_threshold(built, [data], requirements, average_ratio)
        requirements = replace(requirements, threshold=threshold)
    outputs = apply_chunks(built, [data], requirements)
    items = [add_output(output, name or built.name) for chunk in outputs for output in chunk]
    return EvalSet(items, allow_missing=data.allow_missing)


def apply_chunks(system: System, chunks: Iterable[EvalSet], requirements: Requirements) -> Iterator[list[SystemOutput]]:
    """Make the outputs for each chunk of a set, one chunk in memory at a time."""
    check_patterns(system, [*requirements.keep, *requirements.drop], _folder_of(system))
    gate = LanguageGate(system, requirements.language)
    for chunk in chunks:
        results = _run(gate, chunk, requirements)
        yield [SystemOutput(item, result) for item, result in zip(chunk, results, strict=True)]


def average_threshold(system: System, chunks: Iterable[EvalSet], requirements: Requirements, ratio: float) -> Threshold:
    """Find the one threshold at which the texts of a set have this mean token rate, one chunk in memory at a time."""
    if not isinstance(system, Compressor):
        raise InputError(f"{system.name} is not a compressor, and only these have a mean rate")
    from .compress.length.average import check_average, find_threshold

    check_average(system, ratio, bool(requirements.budget))
    waiting = replace(requirements, threshold=Threshold(ratio))
    gate = LanguageGate(system, requirements.language)
    return find_threshold(system, ([_source(item, waiting) for item in chunk] for chunk in chunks), ratio, gate)


def _folder_of(system: System) -> Folder[Any]:
    if isinstance(system, Compressor):
        return COMPRESSORS
    from .fuse import FUSERS

    return FUSERS


def _run(gate: LanguageGate, chunk: EvalSet, requirements: Requirements) -> Sequence[Compression | FusedText]:
    system = gate.system
    if isinstance(system, Compressor):
        return compress_through(gate, system, [_source(item, requirements) for item in chunk])
    from .fuse import Fuser, fuse_through

    if isinstance(system, Fuser):
        return fuse_through(gate, system, [_cluster(item, requirements) for item in chunk])
    raise InputError(f"a system must be a compressor or a fuser; got {type(system).__name__}")


def add_output(output: SystemOutput, name: str) -> Item:
    """Add the text to its item under this name, which must be new: its judgments are of other texts."""
    item = output.item
    if name in item.outputs:
        raise AlignmentError(f"{item.place} has an output of system {name!r} already; give the new one another name")
    return replace(item, outputs={**item.outputs, name: output.result.text})


def build_system(text: str | System) -> System:
    """Build the compressor or fuser that a text stands for.

    >>> build_system("lead").signature(), build_system("longer").signature()
    ('lead(ratio=0.5)', 'longer')
    """
    if not isinstance(text, str):
        return text
    if (compressor := COMPRESSORS.find(text)) is not None:
        return compressor
    from .fuse import FUSERS

    if (fuser := FUSERS.find(text)) is not None:
        return fuser
    name, _ = split_call(text, "system", "lead(ratio=0.5)")
    known = [*COMPRESSORS.names, *FUSERS.names]
    raise UnknownName("system", name, known, hint="`assay compress --list` and `assay fuse --list` show them")


def _source(item: Item, requirements: Requirements) -> Source:
    texts = _texts(item)
    if len(texts) != 1:
        raise InputError(f"{item.place} has {len(texts)} sources, and a compressor takes one: fuse takes several")
    context = item.extra.get("context", ())
    if not isinstance(context, list | tuple) or not all(isinstance(sentence, str) for sentence in context):
        raise InputError(f'{item.place}: "context" must be a list of sentences')
    keep, drop = requirements.keep, requirements.drop
    return Source(
        texts[0], requirements.budget, tuple(context), keep, drop, requirements.faithful, requirements.threshold
    )


def _cluster(item: Item, requirements: Requirements) -> Cluster:
    from .fuse import Cluster

    texts = _texts(item)
    sentences = tuple(texts[0].split("\n")) if len(texts) == 1 else texts
    return Cluster(sentences, requirements.budget, requirements.keep, requirements.drop)


def _texts(item: Item) -> tuple[str, ...]:
    """Return the item's sources; in JSON Lines a text may be under "text"."""
    texts = item.sources
    if not texts and isinstance(item.extra.get("text"), str):
        texts = (item.extra["text"],)
    if not texts:
        raise InputError(f"{item.place} has no source to work on; give it one")
    return check_texts(texts, f"the sources of {item.place}", f"{item.place}: source")
