"""The invented topics of topics.txt as evaluation sets with content units."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from assay.data.content_units import (
    ContentUnit,
    Contributor,
    PeerAnnotation,
    PeerUnit,
    Pyramid,
    TextSpan,
    add_pyramid,
    read_pyramid,
)
from assay.data.evalset import EvalSet, Item, Reference

_MARK = re.compile(r"\[([0-9]+|-)(\+?)\|([^\]]*)\]")
_FILE = Path(__file__).parent / "topics.txt"


def read_topics(*annotators: str) -> EvalSet:
    """Return the set with the marks of these annotators; of ann, and without naming her, if none is given."""
    return EvalSet(
        [_item(block, annotators) for block in _FILE.read_text("utf-8").split("\n\n") if block.startswith("topic")]
    )


def _item(block: str, annotators: tuple[str, ...]) -> Item:
    lines = [line.split(" ", 2) for line in block.splitlines() if line and not line.startswith("#")]
    [(_, topic, group)] = [line for line in lines if line[0] == "topic"]
    texts = {kind: {name: text for k, name, text in lines if k == kind} for kind in ("model", "peer", "bob", "unit")}
    marked = {name: _read_marks(text) for name, text in texts["model"].items()}
    models = {name: text for name, (text, _) in marked.items()}
    contributors: dict[str, list[Contributor]] = defaultdict(list)
    for name, (_, marks) in marked.items():
        for unit, spans in marks:
            contributors[unit].append(Contributor(name, spans))
    units = []
    for id, description in texts["unit"].items():
        aspect, label = description.split(" | ")
        units.append(ContentUnit(id, label, tuple(contributors[id]), (aspect,)))
    peers = [
        _peer(name, texts["bob"].get(name, text) if who == "bob" else text, who)
        for who in annotators or (None,)
        for name, text in texts["peer"].items()
    ]
    outputs = {name: _read_marks(text)[0] for name, text in texts["peer"].items()}
    item = Item(topic, tuple(Reference(text, name) for name, text in models.items()), outputs, group=group)
    return add_pyramid(item, Pyramid(topic, models, tuple(units), tuple(peers), {**models, **outputs}, group))


def _peer(name: str, text: str, annotator: str | None) -> PeerAnnotation:
    found: dict[str, list[Contributor]] = defaultdict(list)
    for unit, spans in _read_marks(text)[1]:
        found[unit].append(Contributor(name, spans))
    units = tuple(PeerUnit(None if unit == "-" else unit, tuple(each)) for unit, each in found.items())
    return PeerAnnotation(name, units, annotator, exhaustive=True)


def _read_marks(marked: str) -> tuple[str, list[tuple[str, tuple[TextSpan, ...]]]]:
    """Return the text without marks, and the spans of each contributor in order."""
    text, at = "", 0
    marks: list[tuple[str, tuple[TextSpan, ...]]] = []
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        span = TextSpan(len(text), len(text) + len(match[3]))
        text, at = text + match[3], match.end()
        if match[2]:
            unit, spans = marks.pop()
            assert unit == match[1]
            marks.append((unit, (*spans, span)))
        else:
            marks.append((match[1], (span,)))
    return text + marked[at:], marks


def read_topic(name: str, *annotators: str) -> Pyramid:
    """Return the pyramid of one topic."""
    pyramid = read_pyramid(read_topics(*annotators)[name])
    assert pyramid is not None
    return pyramid
