"""Bad input about content units: JSON Lines and DucView's files that do not fit their texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bad_files import Case, Content

CATEGORY = "Content units"
ITEM: dict[str, Any] = {
    "id": "D1",
    "references": [{"id": "A", "text": "A dam broke."}, {"id": "B", "text": "At dawn a dam gave way."}],
    "outputs": {"7": "A dam broke at dawn."},
    "units": [
        {"id": "1", "label": "a dam broke", "contributors": [{"text": "A", "spans": [[0, 11]]}]},
        {"id": "2", "label": "at dawn", "contributors": [{"text": "B", "spans": [[0, 7]]}]},
    ],
    "peers": [{"peer": "7", "units": [{"unit": "1", "contributors": [{"spans": [[0, 11]]}]}]}],
}
PYRAMID = """<pyramid><startDocumentRegEx>----\\nD1\\.\\S+\\n----\\n</startDocumentRegEx>
<text>
<line>----</line>
<line>D1.A</line>
<line>----</line>
<line>A dam broke.</line>
<line>----</line>
<line>D1.B</line>
<line>----</line>
<line>At dawn a dam gave way.</line>
</text>
<scu uid="1" label="a dam broke">
<contributor label="A dam broke"><part label="A dam broke" start="15" end="26"/></contributor>
</scu>
<scu uid="2" label="at dawn">
<contributor label="At dawn"><part label="At dawn" start="43" end="50"/></contributor>
</scu>
</pyramid>
"""
PEER = f"""<peerAnnotation>
{PYRAMID}<annotation>
<text><line>A dam broke at dawn.</line></text>
<peerscu uid="1" label="(1) a dam broke">
<contributor label="A dam broke"><part label="A dam broke" start="0" end="11"/></contributor>
</peerscu>
</annotation>
</peerAnnotation>
"""


def change(place: str, **fields: Any) -> str:
    """The item as a line, with these fields of one of its units, contributors or peers changed."""
    item = json.loads(json.dumps(ITEM))
    places = {
        "unit": item["units"][1],
        "contributor": item["units"][0]["contributors"][0],
        "peer": item["peers"][0],
        "mark": item["peers"][0]["units"][0],
    }
    places[place].update(fields)
    return json.dumps(item) + "\n"


LINES = {
    "spans that overlap": change("contributor", spans=[[0, 5], [3, 8]]),
    "a span outside the text": change("contributor", spans=[[0, 99]]),
    "a span that is no pair of numbers": change("contributor", spans=["0-5"]),
    "a contributor in two models": change("contributor", text="A+B"),
    "a unit without contributors": change("unit", contributors=[]),
    "a weight above the number of models": change("unit", weight=3),
    "a unit that comes twice": change("unit", id="1"),
    "a mark of an unknown unit": change("mark", unit="9"),
    "a peer without a text": change("peer", peer="8"),
    "half a line": change("unit")[:150],
}
FILES: dict[str, tuple[str, str]] = {
    "DucView: parts that overlap": (
        "bad.pyr",
        PYRAMID.replace('end="26"/>', 'end="26"/><part label="dam" start="17" end="20"/>'),
    ),
    "DucView: words that are nowhere": ("bad.pyr", PYRAMID.replace('part label="At dawn"', 'part label="At noon"')),
    "DucView: a contributor in two models": (
        "bad.pyr",
        PYRAMID.replace('end="26"/>', 'end="26"/><part label="At dawn" start="43" end="50"/>'),
    ),
    "DucView: a unit without contributors": ("bad.pyr", re.sub("<contributor.*?</contributor>", "", PYRAMID, count=1)),
    "DucView: a weight above the number of models": ("D1.7.pan", PEER.replace("(1) a dam", "(3) a dam")),
    "DucView: a unit that comes twice": ("bad.pyr", PYRAMID.replace('uid="2"', 'uid="1"')),
    "DucView: an entity": ("bad.pyr", f'<!DOCTYPE pyramid [<!ENTITY a "ha">]>{PYRAMID}'),
    "DucView: an entity from a file": ("bad.pyr", f'<!DOCTYPE pyramid [<!ENTITY a SYSTEM "/etc/passwd">]>{PYRAMID}'),
    "DucView: a DTD from elsewhere": ("bad.pyr", f'<!DOCTYPE pyramid SYSTEM "http://example.org/x.dtd">{PYRAMID}'),
    "DucView: half a file": ("bad.pyr", PYRAMID[:400]),
    "DucView: an empty file": ("bad.pyr", ""),
}


def make_folder(**files: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.mkdir()
        for name, content in files.items():
            (path / name.replace("__", ".")).write_text(content, "utf-8")

    return make


def unit_cases() -> Iterator[Case]:
    for name, line in LINES.items():
        yield Case(f"units: {name}", CATEGORY, ("pyramid", "score", "bad.jsonl"), {"bad.jsonl": line})
    for name, (file, content) in FILES.items():
        yield Case(name, CATEGORY, ("pyramid", "score", "--strict", file), {file: content})
    other = PEER.replace("D1", "D2").replace("A dam broke", "A bank broke").replace("a dam broke", "a bank broke")
    folders: dict[str, Content] = {
        "DucView: a peer of another topic": make_folder(D1__pyr=PYRAMID, D1__7__pan=other),
        "DucView: a peer of another pyramid": make_folder(
            D1__pyr=PYRAMID, D1__7__pan=PEER.replace("gave way", "burst")
        ),
        "DucView: a peer that comes twice": make_folder(D1__7__pan=PEER, other__7__pan=PEER),
    }
    for name, content in folders.items():
        yield Case(name, CATEGORY, ("pyramid", "score", "--strict", "bad"), {"bad": content})
    judged = {**ITEM, "judgments": [{"system": "7", "rater": "r", "dimension": "d", "score": 1}]}
    to_ducview = ("pyramid", "convert", "set-of-units.jsonl", "topics")
    yield Case("DucView: judgments cannot be written", CATEGORY, to_ducview, {"set-of-units.jsonl": json.dumps(judged)})
    good = {"units.jsonl": json.dumps(ITEM) + "\n"}
    scheme = ("pyramid", "analyze", "units.jsonl", "--aspects", "scheme.json")
    for name, text in {"no lists": '{"A": "what"}', "half of it": '{"A": ['}.items():
        yield Case(f"a scheme of aspects: {name}", CATEGORY, scheme, {**good, "scheme.json": text})
    yield Case("no scheme of aspects", CATEGORY, scheme, good)
    yield Case("partial scores of no one", CATEGORY, ("pyramid", "analyze", "units.jsonl", "--aspects-of", "9"), good)
    yield Case("models of one system", CATEGORY, ("pyramid", "score", "units.jsonl", "--models"), good)
