"""Read DucView's pyramids (.pyr) and peer annotations (.pan).

Offsets in these files count characters of all model summaries in one text, lines joined by a newline; here they count
from the start of the model that they stand in. What does not fit is mended as DUCView counts it, with a note: parts of
a contributor that overlap are merged, a contributor over two models belongs to the first, words that are nowhere stay
at their offsets.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...data.content_units import ContentUnit, Contributor, PeerAnnotation, PeerUnit, Pyramid, TextSpan
from ...errors import FormatError, InputError
from ...patterns import check_pattern
from .._io.text_file import StrPath
from .._io.xml_tree import Element, read_xml
from .facts import PeerFacts, read_peer_facts, read_topic_facts
from .names import parse_name, plain_number, plain_topic

# Where a file has no expression of its own: a line between two lines of dashes.
DEFAULT_HEADER = r"-+[ \t]*\n[ \t]*\S+[ \t]*\n-+[ \t]*\n"
NOT_IN_PYRAMID, OUTSIDE = "0", "All non-matching"  # id and label of units outside the pyramid
ASPECTS = "aspects: "  # how a comment begins that lists the aspects of a unit
_WEIGHT = re.compile(r"\(([0-9]+)\) ?")
_ASPECT_CODES = re.compile(r"\((NONE|[0-9]+\.[0-9]+(?:[,; ]+[0-9]+\.[0-9]+)*)\)")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "`": "'"})


class Mend(NamedTuple):
    """What was mended in a file, and in which line."""

    words: str
    line: int


@dataclass(frozen=True)
class DucviewFile:
    """What a file holds: a pyramid, and in a .pan the peer's text; `glue` stands before, between and after models.

    `mends` are of the pyramid, `peer_mends` of the marks in the peer.
    """

    pyramid: Pyramid
    glue: tuple[str, ...]
    pattern: str | None
    peer_text: str | None = None
    mends: tuple[Mend, ...] = ()
    peer_mends: tuple[Mend, ...] = ()


def read_ducview(path: StrPath, *, header: str | None = None) -> DucviewFile:
    """Read a .pyr or .pan file; `header` is the expression that finds where model summaries begin."""
    reader = _Reader(path, header)
    roots = read_xml(path, lambda words, line: reader.mends.append(Mend(words, line)))
    annotations = [root for root in roots if root.name == "peerAnnotation"]
    pyramids = [root for root in roots if root.name == "pyramid"]
    if len(annotations) + len(pyramids) != len(roots) or len(annotations) > 1 or len(pyramids) > 1:
        names = " and ".join(f"<{root.name}>" for root in roots)
        raise FormatError(f"holds {names}; DucView's files hold one <pyramid> or <peerAnnotation>", path=path)
    if not annotations:
        return reader.read_pyramid(pyramids[0])
    inside = annotations[0].all("pyramid") or pyramids
    if len(inside) != 1:
        raise FormatError(f"needs one <pyramid>; it has {len(inside)}", path=path, line=annotations[0].line)
    return reader.read_peer(reader.read_pyramid(inside[0]), annotations[0].one("annotation", path))


def name_peer(path: StrPath) -> str:
    """Return the name of a peer from that of its file.

    >>> name_peer("D0706-A.M.100.B.04.pan"), name_peer("crowd.pan")
    ('4', 'crowd')
    """
    name = _stem(path)
    return plain_number(name.rsplit(".", 1)[-1] or name)


def name_annotator(path: StrPath) -> str | None:
    """Return who annotated a peer, where the name of the file begins with it.

    >>> name_annotator("101.D0601.M.250.A.14.pan"), name_annotator("D0706-A.M.100.B.14.pan")
    ('101', None)
    """
    parts = parse_name(_stem(path))
    return parts.annotator if parts else None


def _stem(path: StrPath) -> str:
    return re.sub(r"\.pan(\.gz)?$", "", os.path.basename(os.fspath(path)), flags=re.IGNORECASE)


@dataclass(frozen=True)
class _Model:
    name: str
    start: int
    end: int


class _Reader:
    """Read the elements of one file; errors name it."""

    def __init__(self, path: StrPath, header: str | None) -> None:
        self.path, self.header = path, header
        self.mends: list[Mend] = []

    def read_pyramid(self, root: Element) -> DucviewFile:
        text = self.read_text(root.one("text", self.path))
        stated = [child.text for child in root.all("startDocumentRegEx") if child.text.strip()]
        pattern = self.header or (stated[0] if stated else None)
        models, topic = self.find_models(text, pattern or DEFAULT_HEADER)
        facts = read_topic_facts(text[: models[0].start])
        models = [replace(m, name=facts.get(f"model {n}", m.name)) for n, m in enumerate(models, 1)]
        units = tuple(self.read_units(root.all("scu"), text, models))
        topic = facts.get("topic") or topic or Path(os.fspath(self.path)).name.split(".")[0]
        texts = {m.name: text[m.start : m.end] for m in models}
        about = {"group": facts.get("category"), "annotator": facts.get("annotator")}
        pyramid = self.check(Pyramid, topic, texts, units, **about)
        edges = [0, *(edge for model in models for edge in (model.start, model.end)), len(text)]
        glue = tuple(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
        return DucviewFile(pyramid, glue, stated[0] if stated else None, mends=tuple(self.mends))

    def check(self, make: Callable[..., Pyramid], *fields: object, **named: object) -> Pyramid:
        try:
            return make(*fields, **named)
        except InputError as error:
            raise FormatError(str(error), path=self.path) from error

    def read_text(self, element: Element) -> str:
        """Return the lines as one text, each with a newline, as DucView counts characters."""
        return "".join(line.text.replace("\r\n", "\n") + "\n" for line in element.all("line"))

    def find_models(self, text: str, pattern: str) -> tuple[list[_Model], str]:
        """Return where each model summary stands, and the topic that their headers name."""
        headers = list(self.compile(pattern).finditer(text))
        if not headers:
            words = "the model summaries cannot be told apart: give the expression of their headers (header=...)"
            raise FormatError(words, path=self.path)
        labels = [re.sub(r"[-\s]{2,}|\s", "", header.group()).strip("-") or str(n) for n, header in enumerate(headers)]
        topics = {label.split(".")[0] for label in labels if "." in label}
        names = [label.rsplit(".", 1)[-1] for label in labels]
        if len(set(names)) < len(names):
            names = labels if len(set(labels)) == len(labels) else [str(n) for n in range(1, len(labels) + 1)]
        ends = [*(header.start() for header in headers[1:]), len(text)]
        places = [(header.end(), end) for header, end in zip(headers, ends, strict=True)]
        models = [_Model(name, *_strip_lines(text, *place)) for name, place in zip(names, places, strict=True)]
        return models, plain_topic(topics.pop()) if len(topics) == 1 else ""

    def compile(self, pattern: str) -> re.Pattern[str]:
        try:
            check_pattern(pattern)
        except InputError as error:
            raise FormatError(f"the expression of the headers: {error}", path=self.path) from error
        return re.compile(pattern)

    def read_units(self, elements: Sequence[Element], text: str, models: Sequence[_Model]) -> Iterator[ContentUnit]:
        """Yield the units; one without a contributor weighs nothing, and an id that comes again gets a number."""
        ids: Counter[str] = Counter()
        for scu in elements:
            uid = scu.attribute("uid", self.path)
            if not scu.all("contributor"):
                self.mend(f"unit {uid!r} has no contributor: it is left out", scu)
                continue
            ids[uid] += 1
            unit = self.read_unit(scu, text, models)
            if ids[uid] > 1:
                self.mend(f"unit {uid!r} comes twice: {unit.label[:50]!r} is now {uid}#{ids[uid]}", scu)
                unit = replace(unit, id=f"{uid}#{ids[uid]}")
            yield unit

    def read_unit(self, scu: Element, text: str, models: Sequence[_Model]) -> ContentUnit:
        contributors = [self.read_contributor(each, text, models) for each in scu.all("contributor")]
        label, comment = scu.attribute("label", self.path), scu.attributes.get("comment", "")
        aspects, comment = split_aspects(label, comment)
        return ContentUnit(scu.attribute("uid", self.path), label, tuple(contributors), aspects, comment)

    def read_contributor(self, element: Element, text: str, models: Sequence[_Model]) -> Contributor:
        spans, labels = self.read_parts(element, text)
        owners = [self.owner(span, models, element) for span in spans]
        model = owners[0]
        if len(set(owners)) > 1:
            names = " and ".join(sorted({owner.name for owner in owners}))
            label = element.attributes.get("label", "")[:60]
            self.mend(f"the contributor {label!r} spans models {names}: it counts once, for {model.name}", element)
            own = [k for k, owner in enumerate(owners) if owner == model]
            spans, labels = [spans[k] for k in own], [labels[k] for k in own]
        own_text = text[model.start : model.end]
        inside = [_fit(max(s, model.start) - model.start, e - model.start, len(own_text)) for s, e in spans]
        return self.make_contributor(element, model.name, inside, labels, own_text)

    def mend(self, words: str, element: Element) -> None:
        """Keep what was mended."""
        self.mends.append(Mend(words, element.line))

    def read_parts(self, element: Element, text: str) -> tuple[list[TextSpan], list[str]]:
        """Return the places of the parts and how they are worded, with parts that overlap as one."""
        elements = element.all("part")
        if not elements:
            raise FormatError("a contributor has no part", path=self.path, line=element.line)
        parts = [(self.anchor(part, text), part.attribute("label", self.path)) for part in elements]
        while pair := _overlapping([span for span, _ in parts]):
            (first, _), (second, _) = (parts[k] for k in pair)
            self.mend(f"the parts {_range(first)} and {_range(second)} of a contributor overlap: merged", element)
            merged = TextSpan(first.start, max(first.end, second.end))
            parts[pair[0]] = merged, text[merged.start : merged.end].replace("\n", "")
            del parts[pair[1]]
        return [span for span, _ in parts], [label for _, label in parts]

    def make_contributor(
        self, element: Element, text_name: str, spans: Sequence[TextSpan], labels: Sequence[str], text: str
    ) -> Contributor:
        """Keep the labels of a file only where they are not what DucView would make of the spans."""
        plain = [text[start:end].replace("\n", "") for start, end in spans]
        label = element.attributes.get("label", "")
        return Contributor(
            text=text_name,
            spans=tuple(spans),
            label="" if label == join_label(spans, labels) else label,
            parts=() if list(labels) == plain else tuple(labels),
            comment=element.attributes.get("comment", ""),
        )

    def anchor(self, part: Element, text: str) -> TextSpan:
        """Return where a part stands: its offsets if its label stands there, else the nearest place where it does."""
        label = part.attribute("label", self.path)
        start, end = (self.number(part, name) for name in ("start", "end"))
        if 0 <= start < end <= len(text) and (not label or _same_words(text[start:end], label)):
            return TextSpan(start, end)
        folded, places = _fold(text)
        wanted = _fold(label)[0]
        places_of_label = [m.start() for m in re.finditer(re.escape(wanted), folded)] if wanted else []
        if not places_of_label:
            place = _fit(start, end, len(text.rstrip("\n")))
            there = text[place.start : min(place.end, place.start + 60)]
            words = f"the part {label[:60]!r} is not at {start}-{end}, nor elsewhere: it stays at {there!r}"
            self.mend(words, part)
            return place
        nearest = min(places_of_label, key=lambda place: abs(places[place] - start))
        return TextSpan(places[nearest], places[nearest + len(wanted) - 1] + 1)

    def number(self, part: Element, name: str) -> int:
        value = part.attribute(name, self.path)
        if not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise FormatError(f"{name} must be a number; got {value[:20]!r}", path=self.path, line=part.line)
        return int(value)

    def owner(self, span: TextSpan, models: Sequence[_Model], element: Element) -> _Model:
        for model in models:
            if model.start <= span.end - 1 < model.end or model.start <= span.start < model.end:
                return model
        nearest = min(models, key=lambda model: max(model.start - span.start, span.start - model.end))
        words = f"characters {span.start} to {span.end} stand in no model summary: they count for {nearest.name}"
        self.mend(words, element)
        return nearest

    def read_peer(self, file: DucviewFile, annotation: Element) -> DucviewFile:
        text = self.read_text(annotation.one("text", self.path)).rstrip("\n")
        before, self.mends = tuple(self.mends), []
        facts = next((self.peer_facts(scu) for scu in annotation.all("peerscu") if _is_outside(scu)), PeerFacts())
        peer = name_peer(self.path) if facts.peer is None else facts.peer
        units = [self.read_peer_unit(scu, text, peer, file.pyramid) for scu in annotation.all("peerscu")]
        units = [replace(unit, comment=facts.comment) if unit.unit is None else unit for unit in units]
        others = any(unit.unit is None and unit.contributors for unit in units)
        marked = PeerAnnotation(
            peer,
            tuple(unit for unit in units if unit.contributors or unit.comment),
            annotator=facts.annotator or name_annotator(self.path),
            exhaustive=others if facts.exhaustive is None else facts.exhaustive,
        )
        pyramid = self.check(replace, file.pyramid, peers=(marked,), peer_texts={peer: text})
        return DucviewFile(pyramid, file.glue, file.pattern, text, before, tuple(self.mends))

    def peer_facts(self, scu: Element) -> PeerFacts:
        return read_peer_facts(scu.attributes.get("comment", ""))

    def read_peer_unit(self, scu: Element, text: str, peer: str, pyramid: Pyramid) -> PeerUnit:
        contributors = []
        for element in scu.all("contributor"):
            spans, labels = self.read_parts(element, text + "\n")
            inside = [TextSpan(start, min(end, len(text))) for start, end in spans]
            contributors.append(self.make_contributor(element, peer, inside, labels, text))
        unit = self.find_unit(scu, pyramid)
        return PeerUnit(unit, tuple(contributors), scu.attributes.get("comment", ""))

    def find_unit(self, scu: Element, pyramid: Pyramid) -> str | None:
        """Return the unit of the pyramid that is meant: by its id, as in DUCView; by its label where no unit has it.

        None is outside the pyramid, where DUCView would stop if marks name a unit that is not there.
        """
        uid, label = scu.attribute("uid", self.path), scu.attribute("label", self.path)
        if _is_outside(scu) or (uid == NOT_IN_PYRAMID and uid not in pyramid.weights()):
            return None
        weight = _WEIGHT.match(label)
        wanted = _words(label[weight.end() :] if weight else label)
        by_label = [unit.id for unit in pyramid.units if wanted in (_words(unit.label), _words(_bare(unit.label)))]
        known = uid in pyramid.weights()
        if not known and len(by_label) != 1:
            if scu.all("contributor"):
                self.mend(f"unit {uid!r} ({label[:60]!r}) is not in this pyramid: it counts as outside it", scu)
            return None
        unit = uid if known else by_label[0]
        if known and uid not in by_label:
            self.mend(f"unit {uid!r} is {label[:50]!r} here and {pyramid.unit(uid).label[:50]!r} in the pyramid", scu)
        stated = int(weight.group(1)) if weight else 0
        if stated > len(pyramid.models) and stated != (own := pyramid.unit(unit).weight("contributors")):
            self.mend(f"unit {unit!r} has weight {stated}, but its contributors make {own}", scu)
        return unit


def _overlapping(spans: Sequence[TextSpan]) -> tuple[int, int] | None:
    """Return which two spans overlap, the one that begins first before the other."""
    order = sorted(range(len(spans)), key=lambda k: spans[k])
    pairs = ((a, b) for a, b in pairwise(order) if spans[b].start < spans[a].end)
    return next(pairs, None)


def _fit(start: int, end: int, size: int) -> TextSpan:
    """Return the nearest span of at least a character that is in a text of this size."""
    start = min(max(start, 0), size - 1)
    return TextSpan(start, min(max(end, start + 1), size))


def _range(span: TextSpan) -> str:
    return f"{span.start}-{span.end}"


def _is_outside(scu: Element) -> bool:
    """Check if this is where DucView puts units that are not in the pyramid."""
    return scu.attributes.get("uid") == NOT_IN_PYRAMID and scu.attributes.get("label", "").startswith(OUTSIDE)


def join_label(spans: Sequence[TextSpan], labels: Sequence[str]) -> str:
    """Return the label that DucView gives a contributor: its parts in the order of the text."""
    return "...".join(label for _, label in sorted(zip(spans, labels, strict=True)))


def _strip_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place without empty lines at both ends; a model without a word is left as it is."""
    while start < end and text[start] == "\n":
        start += 1
    while end > start and text[end - 1] == "\n":
        end -= 1
    return start, end


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text without white space and with plain quotes, and the place of each character in the text.

    >>> _fold("a \u201cb''")
    ('a"b"', [0, 2, 3, 4])
    """
    padded = text.replace("&quot;", '"     ').translate(_QUOTES)  # as long as before: places stay right
    letters: list[tuple[str, int]] = []
    for place, character in enumerate(padded):
        if character == "'" and letters and letters[-1][0] == "'":
            letters[-1] = ('"', letters[-1][1])
        elif not character.isspace():
            letters.append((character, place))
    return "".join(c for c, _ in letters), [place for _, place in letters]


@lru_cache(maxsize=4096)
def _words(label: str) -> str:
    """Return a label as `_fold` does; the labels of a pyramid are compared with each of a peer's, in every file."""
    return _fold(label)[0]


def _same_words(text: str, label: str) -> bool:
    return text == label or _fold(text)[0] == _fold(label)[0]


def _bare(label: str) -> str:
    """Return a label without the weight before it."""
    return _WEIGHT.sub("", label, count=1)


def split_aspects(label: str, comment: str) -> tuple[tuple[str, ...], str]:
    """Return the aspects that a label or comment names, and the comment without them."""
    if comment.startswith(ASPECTS):
        names, _, rest = comment.removeprefix(ASPECTS).partition("\n")
        return tuple(name.strip() for name in names.split(",") if name.strip()), rest
    codes = [code for match in _ASPECT_CODES.findall(label) for code in re.split(r"[,; ]+", match)]
    return tuple("other" if code == "NONE" else code for code in dict.fromkeys(codes)), comment
