"""What a format cannot hold: named, counted in a set, and taken out of it where the user accepts the loss."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ...data.item import Item, Reference
from ...errors import FormatError
from .json_items import KEYS
from .unit_words import is_words_only, keep_words

_BREAKS = re.compile(r"[\n\r\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
Items = Sequence[Item]


@dataclass(frozen=True)
class Part:
    """Something that items may hold: how its loss reads, how many items hold it, and the items without it."""

    what: str
    count: Callable[[Items], int]
    drop: Callable[[Items], list[Item]]


def _each(what: str, holds: Callable[[Item], object], drop: Callable[[Item], Item]) -> Part:
    return Part(
        what,
        lambda items: sum(bool(holds(item)) for item in items),
        lambda items: [drop(item) if holds(item) else item for item in items],
    )


def _systems(items: Items) -> dict[str, int]:
    counts: dict[str, int] = {}
    for item in items:
        for system in item.outputs:
            counts[system] = counts.get(system, 0) + 1
    return counts


def _count_partial(items: Items) -> int:
    return sum(count < len(items) for count in _systems(items).values())


def _drop_partial(items: Items) -> list[Item]:
    whole = {system for system, count in _systems(items).items() if count == len(items)}
    return [_keep_systems(item, whole) for item in items]


def _keep_systems(item: Item, systems: set[str]) -> Item:
    outputs = {system: text for system, text in item.outputs.items() if system in systems}
    judgments = [j for j in item.judgments if systems.issuperset(item.judged_systems(j))]
    return replace(item, outputs=outputs, judgments=tuple(judgments))


def _average_occasions(item: Item) -> Item:
    scores: dict[tuple[str, str, str, str | None], list[float]] = {}
    for j in item.judgments:
        scores.setdefault((*j[:3], j.kind), []).append(j.score)
    judgments = [
        j._replace(occasion=1, score=sum(own) / len(own))
        for j in item.judgments
        if (own := scores.pop((*j[:3], j.kind), None))
    ]
    return replace(item, judgments=tuple(judgments))


def _keys_but(item: Item, *names: str) -> dict[str, object]:
    return {key: value for key, value in item.extra.items() if key not in names}


def _other_keys(what: str, *own: str) -> Part:
    """Return the part that is all extra keys but those that a format has a place for."""
    return _each(
        f"extra keys other than {what}",
        lambda i: _keys_but(i, "scales", *own),
        lambda i: replace(i, extra={key: value for key, value in i.extra.items() if key in ("scales", *own)}),
    )


def _join_lines(item: Item) -> Item:
    return replace(
        item,
        sources=tuple(_one_line(text) for text in item.sources),
        references=tuple(r._replace(text=_one_line(r.text)) for r in item.references),
        outputs={system: _one_line(text) for system, text in item.outputs.items()},
    )


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text)


def _texts(item: Item) -> Iterable[str]:
    yield from item.sources
    yield from item.outputs.values()
    yield from (reference.text for reference in item.references)


def _count_differing(items: Items, value: Callable[[Item], object]) -> int:
    return sum(value(item) != value(items[0]) for item in items)


def _drop_reference_ids(items: Items) -> list[Item]:
    return [replace(i, references=tuple(r._replace(id=None) for r in i.references)) for i in items]


def _even_references(items: Items) -> list[Item]:
    fewest = min(len(item.references) for item in items)
    return [replace(item, references=item.references[:fewest]) for item in items]


PARTS: dict[str, Part] = {
    "judgments": _each("judgments", lambda i: i.judgments, lambda i: replace(i, judgments=())),
    "occasions": _each(
        "repeated judgments by one rater (their mean is kept)",
        lambda i: any(j.occasion > 1 for j in i.judgments),
        _average_occasions,
    ),
    "kinds": _each(
        "the kinds of raters",
        lambda i: any(j.kind is not None for j in i.judgments),
        lambda i: replace(i, judgments=tuple(j._replace(kind=None) for j in i.judgments)),
    ),
    "machines": _each(
        "judgments by raters that are not people",
        lambda i: any(j.kind in ("llm", "metric") for j in i.judgments),
        lambda i: replace(i, judgments=tuple(j for j in i.judgments if j.kind not in ("llm", "metric"))),
    ),
    "scales": _each(
        "the scales of dimensions (which end is best)",
        lambda i: i.extra.get("scales"),
        lambda i: replace(i, extra=_keys_but(i, "scales")),
    ),
    "texts": _each(
        "texts of outputs, references and sources",
        lambda i: i.sources or i.references or any(i.outputs.values()),
        lambda i: replace(i, sources=(), references=(), outputs=dict.fromkeys(i.outputs, "")),
    ),
    "groups": _each("groups", lambda i: i.group is not None, lambda i: replace(i, group=None)),
    "clusters": _each("clusters", lambda i: i.cluster is not None, lambda i: replace(i, cluster=None)),
    "runs": _each("runs (the ids keep them apart)", lambda i: i.run is not None, lambda i: replace(i, run=None)),
    "extra": _each(
        "extra keys",
        lambda i: _keys_but(i, "scales"),
        lambda i: replace(i, extra={key: value for key, value in i.extra.items() if key == "scales"}),
    ),
    **{f"extra but {key}": _other_keys(key, key) for key in ("mqm", "wmt")},
    "extra but content units": _other_keys("content units", "units", "peers", "annotator", "ducview"),
    "all but words of units": _each(
        "texts, labels, places and peers of content units (the words of contributors are kept)",
        lambda i: not is_words_only(i),
        keep_words,
    ),
    "references": _each("references", lambda i: i.references, lambda i: replace(i, references=())),
    "several references": _each(
        "more than one reference", lambda i: len(i.references) > 1, lambda i: replace(i, references=i.references[:1])
    ),
    "reference ids": _each(
        "ids of references",
        lambda i: any(r.id is not None for r in i.references),
        lambda i: replace(i, references=tuple(r._replace(id=None) for r in i.references)),
    ),
    "alternatives": _each(
        "alternatives in references",
        lambda i: any(r.alternatives for r in i.references),
        lambda i: replace(i, references=tuple(Reference(r.text, r.id) for r in i.references)),
    ),
    "sources": _each("sources", lambda i: i.sources, lambda i: replace(i, sources=())),
    "several sources": _each(
        "more than one source", lambda i: len(i.sources) > 1, lambda i: replace(i, sources=(" ".join(i.sources),))
    ),
    "line breaks": _each(
        "line breaks in texts (spaces are written)",
        lambda i: any(_BREAKS.search(text) for text in _texts(i)),
        _join_lines,
    ),
    "reference ids that differ": Part(
        "ids of references that differ from item to item",
        lambda items: _count_differing(items, lambda i: [r.id for r in i.references]),
        _drop_reference_ids,
    ),
    "uneven references": Part(
        "references that only some items have",
        lambda items: _count_differing(items, lambda i: len(i.references)),
        _even_references,
    ),
    "uneven sources": Part(
        "sources that only some items have",
        lambda items: _count_differing(items, lambda i: bool(i.sources)),
        lambda items: [replace(item, sources=()) for item in items],
    ),
    "outputs of some items": Part("systems without an output for every item", _count_partial, _drop_partial),
    "item ids": Part(
        "ids of items (they are numbered)",
        lambda items: sum(item.id != str(number) for number, item in enumerate(items, 1)),
        lambda items: [replace(item, id=str(number)) for number, item in enumerate(items, 1)],
    ),
}


def drop_spellings(items: Iterable[Item]) -> list[Item]:
    """Return the items without the extra keys that only keep how a JSON file spelled something (`"judgments": []`)."""
    return [item if KEYS.isdisjoint(item.extra) else replace(item, extra=_keys_but(item, *KEYS)) for item in items]


def find_losses(items: Items, lacking: Iterable[str]) -> dict[str, int]:
    """Return what items hold of the parts that a format lacks, with the number of items (or systems) that hold it."""
    counts = {name: PARTS[name].count(items) for name in lacking}
    return {name: count for name, count in counts.items() if count}


def drop_parts(items: Items, names: Iterable[str]) -> list[Item]:
    """Return the items without these parts."""
    remaining = list(items)
    for name in names:
        remaining = PARTS[name].drop(remaining)
    return remaining


def refuse_losses(items: Items, lacking: Iterable[str], path: object) -> None:
    """Raise where items hold something that a format has no place for."""
    if losses := find_losses(items, lacking):
        lost = "; ".join(f"{PARTS[part].what} ({count:,})" for part, count in losses.items())
        raise FormatError(f"this format has no place for {lost}; write JSON Lines", path=path)
