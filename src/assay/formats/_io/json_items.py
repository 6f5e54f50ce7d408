"""One line of JSON Lines as an Item, and back without loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ...data.evalset import Item, Judgment, Reference, TextAlternative
from ...data.item import check_kind
from ...errors import FormatError
from .text_file import StrPath

NOTHING: dict[str, Any] = {}


class _Reference(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    text: str
    id: str


class _Judgment(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    system: str
    rater: str
    dimension: str
    score: float
    occasion: int | UnsetType = UNSET
    kind: str | UnsetType = UNSET


class _Line(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line as it is written here. Most are; the others are read more slowly as `_AnyLine`."""

    id: str
    references: list[str | _Reference] | UnsetType = UNSET
    outputs: dict[str, str] | UnsetType = UNSET
    source: str | UnsetType = UNSET
    sources: list[str] | UnsetType = UNSET
    group: str | UnsetType = UNSET
    cluster: str | UnsetType = UNSET
    run: str | UnsetType = UNSET
    judgments: list[_Judgment] | UnsetType = UNSET


class _AnyReference(msgspec.Struct):
    text: str
    id: str | int | None = None
    alternatives: list[tuple[int, int, str]] = []


class _AnyJudgment(msgspec.Struct):
    system: str
    rater: str | int
    dimension: str
    score: float
    occasion: int = 1
    kind: str | None = None


class _AnyLine(msgspec.Struct):
    id: str | int
    references: list[str | _AnyReference] | None = None
    outputs: dict[str, str] | None = None
    source: str | None = None
    sources: list[str] | None = None
    group: str | int | None = None
    cluster: str | int | None = None
    run: str | int | None = None
    judgments: list[_AnyJudgment] | None = None
    raters: Any = None


KEYS = frozenset(_AnyLine.__struct_fields__) - {"raters"}  # which a file may use for something else


def item_reader(path: StrPath) -> Callable[[bytes, int], Item]:
    """Return the function from a line to its item, with everything looked up once."""
    decode = msgspec.json.Decoder(_Line).decode
    read_judgments = _JudgmentReader().read
    prefix = f"{path}:"

    def read(raw: bytes, number: int) -> Item:
        try:
            line = decode(raw)
        except msgspec.ValidationError:
            return _any_item(raw, f"{prefix}{number}")
        texts, outputs, judged, source = line.references, line.outputs, line.judgments, line.source
        extra = NOTHING if texts and outputs and judged is UNSET else _empty_keys(line)
        references: tuple[Reference, ...] = ()
        if texts:
            references = tuple([Reference(t) if isinstance(t, str) else Reference(t.text, t.id) for t in texts])
        judgments: tuple[Judgment, ...] = ()
        if judged:
            rows = read_judgments(judged)
            if rows is None:
                return _any_item(raw, f"{prefix}{number}")
            judgments = rows
        if line.sources is not UNSET:
            if len(line.sources) < 2 or source is not UNSET:
                return _any_item(raw, f"{prefix}{number}")
            sources = tuple(line.sources)
        else:
            sources = () if source is UNSET else (source,)
        group = None if line.group is UNSET else line.group
        cluster = None if line.cluster is UNSET else line.cluster
        run = None if line.run is UNSET else line.run
        where = f"{prefix}{number}"
        return Item(line.id, references, outputs or {}, sources, group, judgments, extra, where, cluster, run)

    return read


class _JudgmentReader:
    """Makes the judgments of one item after another.

    Items mostly repeat systems, raters and dimensions in the same order: then the strings of the item before are used
    again, which takes a fraction of the memory, and comparing two of them later takes a glance.
    """

    def __init__(self) -> None:
        self._systems: list[str] = []
        self._raters: list[str] = []
        self._dimensions: list[str] = []

    def read(self, judged: list[_Judgment]) -> tuple[Judgment, ...] | None:
        """Return the judgments, or None where an occasion of 1 is stated, which we would leave out."""
        occasions = [j.occasion for j in judged]
        if 1 in occasions:
            return None
        self._systems = _share(self._systems, [j.system for j in judged])
        self._raters = _share(self._raters, [j.rater for j in judged])
        self._dimensions = _share(self._dimensions, [j.dimension for j in judged])
        rows = zip(
            self._systems,
            self._raters,
            self._dimensions,
            [j.score for j in judged],
            [1 if occasion is UNSET else occasion for occasion in occasions],
            [None if j.kind is UNSET else j.kind for j in judged],
            strict=True,
        )
        return tuple(map(_NEW_JUDGMENT, rows))


_NEW_JUDGMENT: Callable[[Iterable[Any]], Judgment] = partial(tuple.__new__, Judgment)  # as `_make`, but in C


def _share(before: list[str], now: list[str]) -> list[str]:
    """Return the strings, as the same objects as before where they are the same, and one object for equal ones."""
    if now == before:
        return before
    own = dict(zip(before, before, strict=True))
    return [own.setdefault(text, text) for text in now]


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What a first line states for all items: the scales of dimensions, and the kinds of raters."""

    scales: dict[str, dict[str, Any]] = {}
    raters: dict[str, str | dict[str, Any]] = {}

    def state(self, item: Item) -> Item:
        """Return the item with what the header states."""
        from ...data.assessor import state_kinds
        from ...data.scale import state_scales

        if self.raters:
            item = state_kinds(item, rater_kinds(self.raters, "the first line"))
        return state_scales(item, self.scales) if self.scales else item


def read_header(raw: bytes) -> Header | None:
    """Return what a line states that is not an item, or None if the line is not a header."""
    try:
        header = msgspec.json.decode(raw, type=Header)
    except (ValueError, RecursionError):
        return None
    return header if header.scales or header.raters else None


def rater_kinds(raters: Any, where: str) -> dict[str, str]:
    """Return the kinds that `raters` states: {"gpt": "llm"} or {"gpt": {"kind": "llm"}}; else nothing.

    >>> rater_kinds({"gpt": {"kind": "llm"}, "ann": {"age": 30}}, "")
    {'gpt': 'llm'}
    """
    if not isinstance(raters, dict):
        return {}
    stated = {name: keys.get("kind") if isinstance(keys, dict) else keys for name, keys in raters.items()}
    kinds = {name: kind for name, kind in stated.items() if isinstance(kind, str)}
    for name, kind in kinds.items():
        check_kind(kind, name, where)
    return kinds


def _empty_keys(line: _Line) -> dict[str, Any]:
    """Return the keys that are empty, for `extra`, so that writing gives the same line back."""
    empty: dict[str, Any] = {}
    if line.references is not UNSET and not line.references:
        empty["references"] = []
    if line.outputs is not UNSET and not line.outputs:
        empty["outputs"] = {}
    if line.judgments is not UNSET and not line.judgments:
        empty["judgments"] = []
    return empty


def _any_item(raw: bytes, where: str) -> Item:
    """Read a line that is not quite as we would write it; `extra` keeps every key that we would write otherwise."""
    keys = msgspec.json.decode(raw)
    item = _convert_item(keys, where)
    ours = _plain(item)
    extra = {key: value for key, value in keys.items() if key not in ours or ours[key] != value}
    return replace(item, extra=extra)


def _convert_item(keys: dict[str, Any], where: str) -> Item:
    line = msgspec.convert(keys, _AnyLine)
    if line.source is not None and line.sources is not None:
        raise msgspec.ValidationError("both `source` and `sources`; give one of them")
    kinds = rater_kinds(line.raters, where) if line.raters else {}
    references = (r if isinstance(r, _AnyReference) else _AnyReference(r) for r in line.references or ())
    return Item(
        str(line.id),
        tuple(
            Reference(r.text, None if r.id is None else str(r.id), tuple(TextAlternative(*a) for a in r.alternatives))
            for r in references
        ),
        line.outputs or {},
        tuple(line.sources or ()) if line.source is None else (line.source,),
        None if line.group is None else str(line.group),
        tuple(
            Judgment(j.system, str(j.rater), j.dimension, j.score, j.occasion, j.kind or kinds.get(str(j.rater)))
            for j in line.judgments or ()
        ),
        {},
        where,
        None if line.cluster is None else str(line.cluster),
        None if line.run is None else str(line.run),
    )


def _plain(item: Item) -> dict[str, Any]:
    """Return the item as it is written, without `extra`."""
    keys: dict[str, Any] = {"id": item.id}
    if item.group is not None:
        keys["group"] = item.group
    if item.cluster is not None:
        keys["cluster"] = item.cluster
    if item.run is not None:
        keys["run"] = item.run
    if len(item.sources) == 1:
        keys["source"] = item.sources[0]
    elif item.sources:
        keys["sources"] = list(item.sources)
    if item.references:
        keys["references"] = [
            _reference(r) if r.alternatives else r.text if r.id is None else {"id": r.id, "text": r.text}
            for r in item.references
        ]
    if item.outputs:
        keys["outputs"] = dict(item.outputs)
    if item.judgments:
        keys["judgments"] = [_judgment(j) for j in item.judgments]
    return keys


def _reference(reference: Reference) -> dict[str, Any]:
    named = {} if reference.id is None else {"id": reference.id}
    return {**named, "text": reference.text, "alternatives": [list(a) for a in reference.alternatives]}


def _judgment(judgment: Judgment) -> dict[str, Any]:
    keys = judgment._asdict()
    if judgment.occasion == 1:
        del keys["occasion"]
    if judgment.kind is None:
        del keys["kind"]
    return keys


def item_to_json(item: Item) -> dict[str, Any]:
    """Return the item with `extra`; an own key in `extra` is the file's spelling, used while it means the same."""
    for judgment in item.judgments:
        refuse_no_number(item, judgment)
    ours = _plain(item)
    if not item.extra:
        return ours
    keys = {**ours, **item.extra}
    if KEYS.isdisjoint(item.extra):
        return keys
    for one, other in (("source", "sources"), ("sources", "source")):
        if one in item.extra and other in ours:
            del keys[other]
    if _same(keys, item):
        return keys
    return {**ours, **{key: value for key, value in item.extra.items() if key not in KEYS}}


def refuse_no_number(item: Item, judgment: Judgment) -> None:
    """Raise for a judgment with a score that is not a number: it cannot be written."""
    if not isfinite(judgment.score):
        raise FormatError(f"{item.place}: a judgment of system {judgment.system!r} is {judgment.score}; leave it out")


def _same(keys: dict[str, Any], item: Item) -> bool:
    try:
        other = _convert_item(keys, "")
    except ValueError:
        return False
    return all(getattr(other, name) == getattr(item, name) for name in KEYS - {"source"})
