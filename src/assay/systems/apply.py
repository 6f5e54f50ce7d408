"""Apply a system to an evaluation set: a compressor to each item's source, a fuser to its sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..component import plain_name, split_call
from ..data.evalset import EvalSet, Item
from ..errors import AlignmentError, InputError, UnknownName
from . import compress, fuse
from ._budget import Budget
from ._system import check_patterns
from ._texts import check_texts
from .compress import Compression
from .compress import System as Compressor
from .fuse import Fuser, Fusion

System = Compressor | Fuser
Result = Compression | Fusion


class Output(NamedTuple):
    """What a system makes of an item."""

    item: Item
    result: Result


@dataclass(frozen=True)
class Request:
    """What is asked of a system: how long its texts may be, and patterns that must stay or go."""

    budget: Budget = field(default_factory=Budget)
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


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
) -> EvalSet:
    """The set with the system's outputs added under its name, or under `name`.

    A compressor shortens the one source of each item (with the sentences in its `context`, if it has that key), a fuser
    makes one text of all its sources. The other arguments are those of `compress` and `fuse`.

    >>> data = EvalSet([Item("1", sources=("The cat sat on the mat.",))])
    >>> apply("lead", data, words=3)["1"].outputs
    {'lead': 'The cat sat.'}
    """
    chosen = find_system(system)
    request = Request(Budget(ratio, words, chars), tuple(keep), tuple(drop))
    outputs = apply_chunks(chosen, [data], request)
    items = [add_output(output, name or chosen.name) for chunk in outputs for output in chunk]
    return EvalSet(items, allow_missing=data.allow_missing)


def apply_chunks(system: System, chunks: Iterable[EvalSet], request: Request) -> Iterator[list[Output]]:
    """The outputs for each chunk of a set, one chunk in memory at a time."""
    families = compress.families() if isinstance(system, Compressor) else fuse.families()
    check_patterns(system, [*request.keep, *request.drop], families)
    for chunk in chunks:
        results: list[Result] = []
        if isinstance(system, Compressor):
            results += system.compress([_source(item, request) for item in chunk])
        else:
            results += system.fuse([_cluster(item, request) for item in chunk])
        yield [Output(item, result) for item, result in zip(chunk, results, strict=True)]


def add_output(output: Output, name: str) -> Item:
    """The item with the text added under this name, which must be new: its judgments are of other texts."""
    item = output.item
    if name in item.outputs:
        raise AlignmentError(f"{item.place} has an output of system {name!r} already; give the new one another name")
    return replace(item, outputs={**item.outputs, name: output.result.text})


def find_system(text: str | System) -> System:
    """The compressor or fuser that a text stands for.

    >>> find_system("lead").signature(), find_system("longer").signature()
    ('lead(ratio=0.5)', 'longer')
    """
    if not isinstance(text, str):
        return text
    called, _ = split_call(text, "system", "lead(ratio=0.5)")
    if any(plain_name(cls.name) == plain_name(called) for cls in compress.families()):
        return compress.system(text)
    if any(plain_name(cls.name) == plain_name(called) for cls in fuse.families()):
        return fuse.fuser(text)
    known = [cls.name for cls in (*compress.families(), *fuse.families())]
    raise UnknownName("system", called, known, hint="`assay compress --list` and `assay fuse --list` show them")


def _source(item: Item, request: Request) -> compress.Source:
    texts = _texts(item)
    if len(texts) != 1:
        raise InputError(f"{item.place} has {len(texts)} sources, and a compressor takes one: fuse takes several")
    context = item.extra.get("context", ())
    if not isinstance(context, list | tuple) or not all(isinstance(sentence, str) for sentence in context):
        raise InputError(f'{item.place}: "context" must be a list of sentences')
    return compress.Source(texts[0], request.budget, tuple(context), request.keep, request.drop)


def _cluster(item: Item, request: Request) -> fuse.Cluster:
    texts = _texts(item)
    sentences = tuple(texts[0].split("\n")) if len(texts) == 1 else texts
    return fuse.Cluster(sentences, request.budget, request.keep, request.drop)


def _texts(item: Item) -> tuple[str, ...]:
    """The item's sources; in JSON Lines a text may stand under "text"."""
    texts = item.sources
    if not texts and isinstance(item.extra.get("text"), str):
        texts = (item.extra["text"],)
    if not texts:
        raise InputError(f"{item.place} has no source to work on; give it one")
    return check_texts(texts, f"the sources of {item.place}", f"{item.place}: source")
