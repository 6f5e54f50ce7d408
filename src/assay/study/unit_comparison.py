"""Two annotators of one topic side by side: their units or marks, and how far they agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..data.content_units import Contributor, PeerAnnotation, Pyramid, model_texts, read_pyramid
from ..errors import InputError, UnknownName
from ..pyramid.annotated import score_topic
from ..pyramid.unit_agreement import peer_agreement, pyramid_agreement
from .annotations import UnitAnswer, peers_marked, pyramid_protocol, pyramids_made
from .content import StudyContent


def list_annotators(content: StudyContent, answers: Iterable[UnitAnswer]) -> list[dict[str, Any]]:
    """List the items that two or more annotated, with their names."""
    names: dict[str, dict[str, None]] = {}
    for name, task, record in answers:
        if record.answer is not None:
            names.setdefault(task.item, {})[name] = None
    return [{"item": item.id, "annotators": list(names.get(item.id, ()))} for item in content.data if item.id in names]


def compare_annotators(
    content: StudyContent, answers: Iterable[UnitAnswer], item: str, first: str, second: str
) -> dict[str, Any]:
    """Return what two annotators did with an item, as the page shows it: texts, both sides, pairs and agreement."""
    if first == second:
        raise InputError("a comparison needs two annotators")
    own = [answer for answer in answers if answer[1].item == item]
    if not own:
        raise InputError(f"no one has annotated item {item!r} yet")
    if pyramid_protocol(content).makes_units:
        return _compare_pyramids(pyramids_made(content, own)[item], first, second)
    return _compare_peers(content, peers_marked(content, own)[item], item, first, second)


def _compare_pyramids(pyramids: Mapping[str, Pyramid], first: str, second: str) -> dict[str, Any]:
    a, b = (_choose(pyramids, name) for name in (first, second))
    agreement = pyramid_agreement([a], [b], names=(first, second))
    labels = {unit.label: unit.id for unit in reversed(b.units)}
    pairs = [
        {"first": unit.id, "second": labels.get(match.second), "overlap": match.overlap}
        for unit, match in zip(a.units, agreement.matches, strict=True)
    ]
    measures = {
        "alpha_masi": agreement.alpha_masi,
        "alpha_jaccard": agreement.alpha_jaccard,
        "span_f": agreement.span_f,
    }
    return {
        "stage": "models",
        "texts": [{"name": name, "text": text} for name, text in a.models.items()],
        "first": {"name": first, "units": _view_units(a)},
        "second": {"name": second, "units": _view_units(b)},
        "pairs": pairs,
        "measures": _finite(measures),
    }


def _compare_peers(
    content: StudyContent, peers: Iterable[PeerAnnotation], item: str, first: str, second: str
) -> dict[str, Any]:
    entry = content.data[item]
    pyramid = read_pyramid(entry)
    assert pyramid is not None  # checked when the study was made
    by_name: dict[str, dict[str, PeerAnnotation]] = {}
    for peer in peers:
        by_name.setdefault(peer.annotator or "", {})[peer.peer] = peer
    sides = [_choose(by_name, name) for name in (first, second)]
    shared = [name for name in entry.outputs if all(name in side for side in sides)]
    both = replace(pyramid, peers=tuple(side[name] for side in sides for name in shared))
    measures: dict[str, float] = {}
    if shared:
        agreement = peer_agreement([both])
        measures = {
            "presence_alpha": agreement.presence_alpha,
            "same": agreement.same,
            "score_alpha": agreement.score_alpha,
        }
    scores = {(text.text, text.annotator): text.modified for text in score_topic(both)}
    return {
        "stage": "peers",
        "texts": [{"name": name, "text": entry.outputs[name]} for name in shared],
        "models": [{"name": name, "text": text} for name, text in model_texts(entry).items()],
        "units": _view_units(pyramid),
        "first": {"name": first, "marks": _view_marks(sides[0], shared)},
        "second": {"name": second, "marks": _view_marks(sides[1], shared)},
        "scores": [{"name": name, "first": scores[name, first], "second": scores[name, second]} for name in shared],
        "measures": _finite(measures),
    }


def _choose(by_name: Mapping[str, Any], name: str) -> Any:
    if name not in by_name:
        raise UnknownName("annotator", name, list(by_name), hint=f"(annotated by {', '.join(by_name)})")
    return by_name[name]


def _view_units(pyramid: Pyramid) -> list[dict[str, Any]]:
    return [
        {
            "id": unit.id,
            "label": unit.label,
            "weight": unit.weight(),
            "aspects": list(unit.aspects),
            "contributors": [{"text": c.text, "spans": _view_spans(c)} for c in unit.contributors],
        }
        for unit in pyramid.units
    ]


def _view_marks(peers: Mapping[str, PeerAnnotation], shared: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {"text": name, "unit": unit.unit, "spans": _view_spans(contributor)}
        for name in shared
        for unit in peers[name].units
        for contributor in unit.contributors
    ]


def _view_spans(contributor: Contributor) -> list[list[int]]:
    return [list(span) for span in contributor.spans]


def _finite(measures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in measures.items()}
