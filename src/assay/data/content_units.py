"""Content units: facts that people marked in model texts, and where other texts state them (the Pyramid method).

An annotated item of an evaluation set carries them under two keys: `units`, made from its references, and `peers`, what
was marked in outputs, or in the `text` of a peer, where another one was annotated; `pyramid_models` names the
references that the units were made from, if not all. `read_pyramid(item)` checks them against the texts,
`add_pyramid(item, pyramid)` writes them.

    {"id": "D1", "references": [{"id": "A", "text": "A train left the rails."}],
     "outputs": {"sys": "A train derailed."},
     "units": [{"id": "1", "label": "a train derailed", "aspects": ["what"],
                "contributors": [{"text": "A", "spans": [[0, 22]]}]}],
     "peers": [{"peer": "sys", "exhaustive": true, "units": [{"unit": "1", "contributors": [{"spans": [[0, 16]]}]}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from ..errors import InputError
from .item import Item

WEIGHTS = ("models", "contributors")
DIMENSION = "pyramid"  # of scores of units as judgments
MODELS = "pyramid_models"  # the references that the pyramid was made from, where it was not made from all


class TextSpan(NamedTuple):
    """Characters from `start` to before `end` of a text."""

    start: int
    end: int


@dataclass(frozen=True)
class Contributor:
    """Words of one text that state a unit, in one or more parts; `text` names the text.

    `label` and `parts` are how a file worded them where that differs from the words in the text.
    """

    text: str
    spans: tuple[TextSpan, ...]
    label: str = ""
    parts: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True)
class ContentUnit:
    """A fact, where the models state it, and the aspects of the topic it belongs to."""

    id: str
    label: str
    contributors: tuple[Contributor, ...]
    aspects: tuple[str, ...] = ()
    comment: str = ""

    @property
    def models(self) -> tuple[str, ...]:
        """The texts that state it, each once."""
        return tuple(dict.fromkeys(contributor.text for contributor in self.contributors))

    def weight(self, count: str = "models") -> int:
        """Return the number of models that state it, or of contributors, as DucView counts."""
        return len(self.models if count == "models" else self.contributors)


@dataclass(frozen=True)
class PeerUnit:
    """Where a peer states a unit, perhaps more than once; `unit` is None for a fact that is not in the pyramid."""

    unit: str | None
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""


@dataclass(frozen=True)
class PeerAnnotation:
    """What was marked in one peer text.

    `exhaustive`: facts that are not in the pyramid were marked too, so that all units of the text are known.
    """

    peer: str
    units: tuple[PeerUnit, ...]
    annotator: str | None = None
    exhaustive: bool = False

    @cached_property
    def unit_ids(self) -> tuple[str, ...]:
        """The units of the pyramid that the text states, each once."""
        ids = (marked.unit for marked in self.units if marked.unit is not None and marked.contributors)
        return tuple(dict.fromkeys(ids))

    @property
    def other_units(self) -> int:
        """How many facts were marked that are not in the pyramid."""
        return sum(len(marked.contributors) for marked in self.units if marked.unit is None)

    @property
    def repeats(self) -> int:
        """How often the text states a unit of the pyramid again."""
        counts: dict[str, int] = {}
        for marked in self.units:
            if marked.unit is not None:
                counts[marked.unit] = counts.get(marked.unit, 0) + len(marked.contributors)
        return sum(count - 1 for count in counts.values() if count > 1)


@dataclass(frozen=True)
class Pyramid:
    """The units of one item, made from its model texts, and what was marked in peers.

    >>> models = {"A": "It rained hard.", "B": "It rained."}
    >>> rain = ContentUnit("1", "rain", (Contributor("A", (TextSpan(0, 9),)), Contributor("B", (TextSpan(0, 9),))))
    >>> hard = ContentUnit("2", "hard", (Contributor("A", (TextSpan(10, 14),)),))
    >>> pyramid = Pyramid("weather", models, (rain, hard))
    >>> pyramid.weights(), pyramid.average_size
    ({'1': 2, '2': 1}, 1.5)
    """

    item: str
    models: Mapping[str, str]
    units: tuple[ContentUnit, ...]
    peers: tuple[PeerAnnotation, ...] = ()
    peer_texts: Mapping[str, str] | None = None
    group: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        _check_units(self)
        keys: set[tuple[str, str | None]] = set()
        for annotation in self.peers:
            _check_peer(self, annotation)
            if (key := (annotation.peer, annotation.annotator)) in keys:
                by = "" if annotation.annotator is None else f" by {annotation.annotator!r}"
                hint = "name the annotators" if annotation.annotator is None else "remove one"
                raise InputError(f"item {self.item!r}: peer {annotation.peer!r} was annotated twice{by}: {hint}")
            keys.add(key)

    def weights(self, count: str = "models", models: Iterable[str] | None = None) -> dict[str, int]:
        """Return the weight of each unit; with `models`, of the pyramid that these models alone would make."""
        if models is None:
            return {unit.id: unit.weight(count) for unit in self.units}
        selection = frozenset(models)
        parts = {unit.id: [c.text for c in unit.contributors if c.text in selection] for unit in self.units}
        sizes = {unit: len(set(texts) if count == "models" else texts) for unit, texts in parts.items()}
        return {unit: size for unit, size in sizes.items() if size}

    def unit(self, id: str) -> ContentUnit:
        """Return the unit with this id."""
        return self._by_id[id]

    @cached_property
    def _by_id(self) -> dict[str, ContentUnit]:
        return {unit.id: unit for unit in self.units}

    @property
    def average_size(self) -> float:
        """The mean number of units in a model: the sum of the weights by the number of models."""
        return sum(self.weights().values()) / len(self.models) if self.models else float("nan")

    def units_of(self, model: str) -> tuple[str, ...]:
        """Return the ids of the units that a model states."""
        return tuple(unit.id for unit in self.units if model in unit.models)


def read_pyramid(item: Item) -> Pyramid | None:
    """Return the pyramid that an item carries, checked against its texts; None if it carries none."""
    units = item.extra.get("units")
    if not isinstance(units, list) or not any(isinstance(unit, dict) for unit in units):
        return None
    place = item.place
    try:
        return Pyramid(
            item=item.id,
            models=_pyramid_models(item),
            units=tuple(_read_unit(unit, place) for unit in units),
            peers=tuple(_read_peer(peer, place) for peer in _list(item.extra.get("peers", []), "peers", place)),
            peer_texts={**model_texts(item), **item.outputs, **_annotated_texts(item)},
            group=item.group,
            annotator=_optional_text(item.extra.get("annotator"), "annotator", place),
        )
    except InputError as error:
        if str(error).startswith(place):
            raise
        raise InputError(f"{place}: {str(error).removeprefix(f'item {item.id!r}: ')}") from error


def add_pyramid(item: Item, pyramid: Pyramid) -> Item:
    """Return the item with this annotation in place of its own."""
    extra = {key: value for key, value in item.extra.items() if key not in ("units", "peers", "annotator", MODELS)}
    extra["units"] = [_unit_to_json(unit) for unit in pyramid.units]
    if pyramid.peers:
        texts = {**model_texts(item), **item.outputs}
        own = {name: text for name, text in (pyramid.peer_texts or {}).items() if text != texts.get(name, text)}
        extra["peers"] = [_peer_to_json(peer, own.get(peer.peer)) for peer in pyramid.peers]
    if pyramid.annotator is not None:
        extra["annotator"] = pyramid.annotator
    if set(pyramid.models) < set(model_texts(item)):
        extra[MODELS] = list(pyramid.models)
    return replace(item, extra=extra)


def _pyramid_models(item: Item) -> dict[str, str]:
    """Return the references that the pyramid was made from: all of them, or those that the item names."""
    texts = model_texts(item)
    names = [_text(name, "a model", item.place) for name in _list(item.extra.get(MODELS, []), MODELS, item.place)]
    if missing := [name for name in names if name not in texts]:
        raise InputError(f"{item.place}: {MODELS} names {missing[0]!r}; the references are {', '.join(texts)}")
    return {name: text for name, text in texts.items() if name in names} if names else texts


def _annotated_texts(item: Item) -> dict[str, str]:
    """Return the texts in which peers were annotated, where they are not the outputs."""
    peers = (peer for peer in _list(item.extra.get("peers", []), "peers", item.place) if isinstance(peer, dict))
    return {peer["peer"]: _text(peer["text"], "the text of a peer", item.place) for peer in peers if "text" in peer}


def model_texts(item: Item) -> dict[str, str]:
    """Return the references by their id, or by their number where they have none."""
    return {reference.id or str(n): reference.text for n, reference in enumerate(item.references, 1)}


def words_of(text: str, spans: Sequence[TextSpan]) -> str:
    """Return the words of some parts of a text, joined as DucView labels them.

    >>> words_of("A small dog ran.", (TextSpan(0, 1), TextSpan(8, 11)))
    'A...dog'
    """
    return "...".join(text[start:end] for start, end in spans)


def _check_units(pyramid: Pyramid) -> None:
    ids: set[str] = set()
    for unit in pyramid.units:
        if unit.id in ids:
            raise InputError(f"item {pyramid.item!r}: unit {unit.id!r} comes twice: ids must be unique")
        ids.add(unit.id)
        where = f"item {pyramid.item!r}: unit {unit.id!r}"
        if not unit.contributors:
            raise InputError(f"{where} has no contributor: remove it, or mark where a model states it")
        for contributor in unit.contributors:
            if contributor.text not in pyramid.models:
                names = ", ".join(map(repr, pyramid.models))
                raise InputError(f"{where} has a contributor in {contributor.text!r}; the models are {names}")
            _check_spans(contributor.spans, pyramid.models[contributor.text], f"{where}, model {contributor.text!r}")


def _check_peer(pyramid: Pyramid, annotation: PeerAnnotation) -> None:
    where = f"item {pyramid.item!r}: peer {annotation.peer!r}"
    texts = pyramid.peer_texts
    if texts is not None and annotation.peer not in texts:
        raise InputError(f"{where} was annotated but there is no text of it")
    ids = {unit.id for unit in pyramid.units}
    for marked in annotation.units:
        if marked.unit is not None and marked.unit not in ids:
            raise InputError(f"{where} states unit {marked.unit!r}, which is not in the pyramid")
        for contributor in marked.contributors:
            if texts is not None:
                _check_spans(contributor.spans, texts[annotation.peer], f"{where}, unit {marked.unit!r}")


def _check_spans(spans: Sequence[TextSpan], text: str, where: str) -> None:
    if not spans:
        raise InputError(f"{where}: a contributor marks no words")
    for start, end in spans:
        if not 0 <= start < end <= len(text):
            raise InputError(f"{where}: characters {start} to {end} are not in the text, which has {len(text)}")
    ordered = sorted(spans)
    for first, second in pairwise(ordered):
        if second.start < first.end:
            raise InputError(
                f"{where}: the parts {first.start}-{first.end} and {second.start}-{second.end} of a contributor overlap"
            )


def _read_unit(unit: Any, place: str) -> ContentUnit:
    fields = _object(unit, "a unit", place)
    where = f"{place}: unit {fields.get('id')!r}"
    contributors = _list(fields.get("contributors", []), "contributors", where)
    content_unit = ContentUnit(
        id=_text(fields.get("id"), "the id of a unit", place),
        label=_text(fields.get("label", ""), "label", where),
        contributors=tuple(_read_contributor(each, where, None) for each in contributors),
        aspects=tuple(_text(a, "an aspect", where) for a in _list(fields.get("aspects", []), "aspects", where)),
        comment=_text(fields.get("comment", ""), "comment", where),
    )
    _check_weight(fields.get("weight"), content_unit, where)
    return content_unit


def _check_weight(weight: Any, unit: ContentUnit, where: str) -> None:
    """Refuse a weight that the contributors do not make; it is computed from them and may be left out."""
    counts = dict.fromkeys(unit.weight(count) for count in WEIGHTS)
    if unit.contributors and weight is not None and weight not in counts:
        raise InputError(
            f"{where} has weight {weight!r}"[:150] + f"; its contributors give {' or '.join(map(str, counts))}"
        )


def _read_peer(peer: Any, place: str) -> PeerAnnotation:
    fields = _object(peer, "a peer", place)
    name = _text(fields.get("peer"), "the name of a peer", place)
    where = f"{place}: peer {name!r}"
    return PeerAnnotation(
        peer=name,
        units=tuple(_read_peer_unit(unit, name, where) for unit in _list(fields.get("units", []), "units", where)),
        annotator=_optional_text(fields.get("annotator"), "annotator", where),
        exhaustive=fields.get("exhaustive", False) is True,
    )


def _read_peer_unit(unit: Any, peer: str, where: str) -> PeerUnit:
    fields = _object(unit, "a unit", where)
    contributors = _list(fields.get("contributors", []), "contributors", where)
    return PeerUnit(
        unit=_optional_text(fields.get("unit"), "unit", where),
        contributors=tuple(_read_contributor(each, where, peer) for each in contributors),
        comment=_text(fields.get("comment", ""), "comment", where),
    )


def _read_contributor(contributor: Any, where: str, text: str | None) -> Contributor:
    fields = _object(contributor, "a contributor", where)
    return Contributor(
        text=_text(fields.get("text"), "the text of a contributor", where) if text is None else text,
        spans=tuple(_read_span(span, where) for span in _list(fields.get("spans", []), "spans", where)),
        label=_text(fields.get("label", ""), "label", where),
        parts=tuple(_text(part, "a part", where) for part in _list(fields.get("parts", []), "parts", where)),
        comment=_text(fields.get("comment", ""), "comment", where),
    )


def _read_span(span: Any, where: str) -> TextSpan:
    if not isinstance(span, list) or len(span) != 2 or not all(type(end) is int for end in span):
        raise InputError(f"{where}: a span is [start, end] in characters; got {span!r}")
    return TextSpan(*span)


def _unit_to_json(unit: ContentUnit) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": unit.id, "label": unit.label}
    if unit.aspects:
        fields["aspects"] = list(unit.aspects)
    fields["contributors"] = [{"text": c.text, **_contributor_to_json(c)} for c in unit.contributors]
    return fields | ({"comment": unit.comment} if unit.comment else {})


def _peer_to_json(peer: PeerAnnotation, text: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"peer": peer.peer} if text is None else {"peer": peer.peer, "text": text}
    if peer.annotator is not None:
        fields["annotator"] = peer.annotator
    fields["exhaustive"] = peer.exhaustive
    fields["units"] = [
        {"unit": marked.unit, "contributors": [_contributor_to_json(c) for c in marked.contributors]}
        | ({"comment": marked.comment} if marked.comment else {})
        for marked in peer.units
    ]
    return fields


def _contributor_to_json(contributor: Contributor) -> dict[str, Any]:
    fields: dict[str, Any] = {"spans": [list(span) for span in contributor.spans]}
    optional = {"label": contributor.label, "parts": list(contributor.parts), "comment": contributor.comment}
    return fields | {key: value for key, value in optional.items() if value}


def _object(value: Any, what: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: {what} must be an object; got {value!r}"[:200])
    return value


def _list(value: Any, what: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{where}: {what} must be a list; got {value!r}"[:200])
    return value


def _text(value: Any, what: str, where: str) -> str:
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise InputError(f"{where}: {what} must be a text; got {value!r}"[:200])
    return value


def _optional_text(value: Any, what: str, where: str) -> str | None:
    return None if value is None else _text(value, what, where)


def carries_units(data: Iterable[Item]) -> bool:
    """Check if outputs of the set were annotated, so that scores of their units can be judgments.

    Plain marks of items with judgments were counted already: light pyramids come with them.
    """
    return any(item.extra.get("peers") or (item.extra.get("present") and not item.judgments) for item in data)
