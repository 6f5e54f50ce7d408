"""Write DucView's pyramids (.pyr) and peer annotations (.pan), with the DTD that DucView checks them against."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...data.content_units import ContentUnit, Contributor, PeerAnnotation, Pyramid, TextSpan
from ...errors import FormatError
from .._io.text_file import StrPath
from .._io.xml_tree import escape_attribute, escape_text, refuse_unwritable
from .facts import PeerFacts, add_topic_facts, write_peer_facts
from .names import split_set
from .read import ASPECTS, NOT_IN_PYRAMID, OUTSIDE, join_label, name_annotator, name_peer, split_aspects

_PYRAMID_DTD = """ <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>
"""
_PEER_DTD = """ <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
"""
_DASHES = "-" * 10  # above and below the names of models


def pyramid_file(pyramid: Pyramid, glue: Sequence[str], pattern: str | None, path: StrPath) -> str:
    """Return the text of a .pyr file."""
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            "<!DOCTYPE pyramid [",
            _PYRAMID_DTD,
            "]>",
            "",
            *_pyramid(pyramid, glue, pattern, path),
        ]
    )


def peer_file(
    pyramid: Pyramid,
    peer: PeerAnnotation,
    text: str,
    glue: Sequence[str],
    pattern: str | None,
    *,
    name: str,
    path: StrPath,
) -> str:
    """Return the text of a .pan file of this name: the pyramid, and what was marked in the peer."""
    lines = ['<?xml version="1.0"?>', "<!DOCTYPE peerAnnotation [", _PEER_DTD + _PYRAMID_DTD, "]>", ""]
    lines += ["<peerAnnotation>", *_pyramid(pyramid, glue, pattern, path), "<annotation>"]
    lines += [
        *_lines(text + "\n", path),
        *_peer_units(pyramid, peer, text, name, path),
        "</annotation>",
        "</peerAnnotation>",
    ]
    return "\n".join([*lines, ""])


def plain_glue(pyramid: Pyramid, path: StrPath) -> tuple[list[str], str]:
    """Return headers for models that come without, topic and model between lines of dashes, and how to find them."""
    topic = re.sub(r"\s", "_", pyramid.item)
    names = [f"{topic}." + re.sub(r"[.\s]", "_", model) for model in pyramid.models]
    if len(set(names)) < len(names):
        raise FormatError(f"item {pyramid.item!r}: the names of its models are too alike", path=path)
    pattern = f"{_DASHES}\\n{re.escape(topic)}\\.\\S+\\n{_DASHES}\\n"
    for model, text in pyramid.models.items():
        if re.search(pattern, text):
            raise FormatError(f"item {pyramid.item!r}: model {model!r} holds what would be read as a header", path=path)
    headers = [f"{_DASHES}\n{name}\n{_DASHES}\n" for name in names]
    plain = zip(pyramid.models, names, strict=True)
    facts: dict[str, str | None] = {"topic": pyramid.item if topic.split(".")[0] != pyramid.item else None}
    facts |= {f"model {n}": m for n, (m, name) in enumerate(plain, 1) if name.rsplit(".", 1)[-1] != m}
    first = add_topic_facts(headers[0], facts)
    return [first, *("\n\n" + header for header in headers[1:]), "\n"], pattern


def add_facts(pyramid: Pyramid, glue: Sequence[str]) -> list[str]:
    """Return what stands around the models with the category and the annotator of the pyramid before them."""
    named = split_set(pyramid.item)
    category = pyramid.group if named is None or pyramid.group != named[1] else None
    return [add_topic_facts(glue[0], {"category": category, "annotator": pyramid.annotator}), *glue[1:]]


def _pyramid(pyramid: Pyramid, glue: Sequence[str], pattern: str | None, path: StrPath) -> Iterator[str]:
    starts: dict[str, int] = {}
    text = ""
    for before, (name, model) in zip(glue, pyramid.models.items(), strict=False):
        text += before
        starts[name] = len(text)
        text += model
    text += glue[-1]
    yield "<pyramid>"
    if pattern:
        yield f"<startDocumentRegEx><![CDATA[{pattern}]]></startDocumentRegEx>"
    yield from _lines(text, path)
    for unit in pyramid.units:
        yield f" <scu{_attributes({'uid': unit.id, 'label': unit.label, 'comment': _comment(unit)}, path)}>"
        for contributor in unit.contributors:
            model = pyramid.models[contributor.text]
            yield from _contributor(contributor, model, starts[contributor.text], path)
        yield " </scu>"
    yield "</pyramid>"


def _comment(unit: ContentUnit) -> str:
    """Return the comment, with the aspects on a line of their own where the label does not name them."""
    coded, _ = split_aspects(unit.label, "")
    return unit.comment if coded == unit.aspects else f"{ASPECTS}{', '.join(unit.aspects)}\n{unit.comment}"


def _peer_units(pyramid: Pyramid, peer: PeerAnnotation, text: str, file_name: str, path: StrPath) -> Iterator[str]:
    marked: dict[str | None, tuple[list[Contributor], list[str]]] = {}
    for unit in peer.units:
        contributors, comments = marked.setdefault(unit.unit, ([], []))
        contributors += unit.contributors
        comments += [unit.comment] if unit.comment else []
    weights = pyramid.weights("contributors")
    rows: list[tuple[str | None, str, str]] = [(u.id, u.id, f"({weights[u.id]}) {u.label}") for u in pyramid.units]
    for unit_id, uid, label in [*rows, (None, NOT_IN_PYRAMID, f"{OUTSIDE} SCUs go here")]:
        contributors, comments = marked.get(unit_id, ([], []))
        comment = " ".join(comments)
        if unit_id is None:
            comment = write_peer_facts(_peer_facts(peer, bool(contributors), comment, file_name))
        yield f" <peerscu{_attributes({'uid': uid, 'label': label, 'comment': comment}, path)}>"
        for contributor in contributors:
            yield from _contributor(contributor, text, 0, path)
        yield " </peerscu>"


def _peer_facts(peer: PeerAnnotation, others: bool, comment: str, file_name: str) -> PeerFacts:
    """Return what the file would not say by its name and marks."""
    return PeerFacts(
        peer=None if name_peer(file_name) == peer.peer else peer.peer,
        annotator=None if name_annotator(file_name) == peer.annotator else peer.annotator,
        exhaustive=None if peer.exhaustive == others else peer.exhaustive,
        comment=comment,
    )


def _contributor(contributor: Contributor, text: str, first: int, path: StrPath) -> Iterator[str]:
    plain = [text[start:end].replace("\n", "") for start, end in contributor.spans]
    labels = list(contributor.parts) or plain
    label = contributor.label or join_label(contributor.spans, labels)
    yield f"  <contributor{_attributes({'label': label, 'comment': contributor.comment}, path)}>"
    for (start, end), part in zip(contributor.spans, labels, strict=True):
        place = TextSpan(first + start, first + end)
        yield f'   <part{_attributes({"label": part}, path)} start="{place.start}" end="{place.end}"/>'
    yield "  </contributor>"


def _attributes(values: Mapping[str, str], path: StrPath) -> str:
    """Return the attributes of an element; an empty comment is left out."""
    for name, value in values.items():
        refuse_unwritable(value, f"the {name} {value[:30]!r}", path)
    return "".join(
        f' {name}="{escape_attribute(value)}"' for name, value in values.items() if value or name != "comment"
    )


def _lines(text: str, path: StrPath) -> Iterator[str]:
    refuse_unwritable(text, "a text", path)
    yield " <text>"
    for line in text.removesuffix("\n").split("\n"):
        yield f"  <line>{escape_text(line)}</line>"
    yield " </text>"
