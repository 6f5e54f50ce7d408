"""DucView: a pyramid (.pyr), an annotated peer (.pan), or a folder of both, a topic each.

An item is a topic, or the update set of one (D0703-B: the set is its group, the topic its cluster): its references are
the model summaries, its outputs the peers, and it carries the content units and what was marked in each peer (see
`assay.data.content_units`). A span that does not hold the words of its label is put where these words are. What else
does not fit is mended as DUCView counts it, and noted with file and line: words that are nowhere, parts that overlap, a
contributor that spans two models; `strict` refuses it. The annotator is a number before the topic in the file's name.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from ..data.content_units import Contributor, PeerAnnotation, Pyramid, add_pyramid, read_pyramid
from ..data.item import Item, Reference
from ..data.reading import Reading
from ..errors import FormatError
from ..files import path_inside, whole_file, whole_folder
from ._ducview.moves import Move, move_peer
from ._ducview.names import split_set
from ._io.format import Format
from ._io.losses import refuse_losses
from ._io.text_file import ReadProgress, StrPath, read_errors

_ENDINGS = (".pyr", ".pan")
_KEY = "ducview"  # what writing a file back needs: headers, and the expression that finds them


class DucView(Format):
    """DucView's pyramids and peer annotations."""

    name: ClassVar[str] = "ducview"
    endings = _ENDINGS

    def recognizes(self, path: Path) -> bool:
        """Check if this is a folder of such files, or an XML file with one of its elements at the top."""
        if path.is_dir():
            return any(is_ducview(each) for each in path.iterdir())
        return is_ducview(path) and path.is_file() and not _is_pyreval(path)

    def read_items(
        self, path: StrPath, *, header: str | None = None, progress: ReadProgress | None = None
    ) -> Iterator[Item]:
        """Read the topics of a file or folder; `header` is the expression that finds where model summaries begin."""
        with read_errors(path):
            files = sorted(filter(is_ducview, Path(path).iterdir())) if Path(path).is_dir() else [Path(path)]
        progress = progress or ReadProgress()
        topics = read_topics(files, progress, header)
        if progress.notes:
            progress.reading = Reading((str(path),), self.name, notes=tuple(progress.notes))
        for topic in topics.values():
            yield topic.item()

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what these files cannot hold: they are about texts and their units only."""
        return ("sources", "judgments", "scales", "alternatives", "runs", "extra but content units")

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one pyramid (.pyr), one annotated peer (.pan), or a folder with a .pyr and .pan files a topic.

        What was written is read again before it appears: what the files cannot hold is an error.
        """
        topics = [(item, _pyramid_of(item, path)) for item in items]
        refuse_losses([item for item, _ in topics], self.lacks(path), path)
        ending = Path(path).suffix.lower()
        if ending not in _ENDINGS:
            with whole_folder(path) as folder:
                for item, pyramid in topics:
                    _write_files(folder, _files_of(item, pyramid, path), path)
                _check_whole(topics, self.read_items(folder), path)
            return
        content = _single_file(topics, path)
        with tempfile.TemporaryDirectory() as folder:
            _write_files(Path(folder), [(Path(path).name, content)], path)
            _check_whole(topics, self.read_items(Path(folder) / Path(path).name), path)
        with whole_file(path) as file:
            file.write(content.encode())


class Topic:
    """A topic as its files come in."""

    def __init__(self, pyramid: Pyramid, extra: dict[str, Any], path: Path) -> None:
        self.pyramid, self.extra, self.path = pyramid, extra, path
        self.peers: list[PeerAnnotation] = []
        self.texts: dict[str, str] = {}

    def item(self) -> Item:
        """Return the topic with its pyramid and its annotated peers."""
        references = tuple(Reference(text, name) for name, text in self.pyramid.models.items())
        cluster, group = split_set(self.pyramid.item) or (None, None)
        item = Item(
            id=self.pyramid.item,
            references=references,
            outputs=self.texts,
            group=self.pyramid.group or group,
            cluster=cluster,
            extra={_KEY: self.extra},
            where=str(self.path),
        )
        return add_pyramid(item, self.to_pyramid())

    def to_pyramid(self) -> Pyramid:
        """Return the pyramid with the peers."""
        return replace(self.pyramid, peers=tuple(self.peers), peer_texts={**self.pyramid.models, **self.texts})


def is_ducview(path: Path) -> bool:
    """Check by its name if this is a pyramid or an annotated peer."""
    return path.name.lower().removesuffix(".gz").endswith(_ENDINGS)


def _is_pyreval(path: Path) -> bool:
    from .pyreval import is_pyreval

    return is_pyreval(path)


def read_topics(files: Iterable[Path], progress: ReadProgress, header: str | None = None) -> dict[str, Topic]:
    """Read pyramids and annotated peers by topic; what is mended in a pyramid is noted once, not for each peer."""
    topics: dict[str, Topic] = {}
    noted: set[tuple[str, str]] = set()
    for file in sorted(files, key=lambda each: (".pyr" not in each.name.lower(), each.name)):
        _add_file(topics, file, header, progress, noted)
    return topics


def _add_file(
    topics: dict[str, Topic], file: Path, header: str | None, progress: ReadProgress, noted: set[tuple[str, str]]
) -> None:
    from ._ducview.read import read_ducview

    read = read_ducview(file, header=header)
    pyramid = read.pyramid
    for mend in read.mends:
        if (pyramid.item, mend.words) not in noted:
            progress.note(mend.words, path=file, line=mend.line)
            noted.add((pyramid.item, mend.words))
    for mend in read.peer_mends:
        progress.note(mend.words, path=file, line=mend.line)
    extra = {"glue": list(read.glue)} | ({"header": read.pattern} if read.pattern else {})
    own = Topic(replace(pyramid, peers=(), peer_texts=None), extra, file)
    topic = topics.setdefault(pyramid.item, own)
    if _fold(topic.pyramid.models) != _fold(pyramid.models):
        words = f"its pyramid is not that of topic {pyramid.item!r} in {topic.path.name}: the model summaries differ"
        raise FormatError(words, path=file)
    named = file.name.split(".")[0]
    if named != pyramid.item and named in topics:
        words = f"its pyramid is that of topic {pyramid.item!r}; {topics[named].path.name} is that of {named!r}"
        raise FormatError(words, path=file)
    changed = _find_changes(topic.pyramid, pyramid) if pyramid.peers else []
    if changed:  # what was annotated, and scored, is the copy in the peers' files
        label = pyramid.unit(changed[0]).label[:50]
        counts = "the copy with the peers" if not topic.peers else "the other copy"
        words = f"{len(changed)} units differ from {topic.path.name} ({label!r}): {counts} counts"
        if (pyramid.item, words) not in noted:
            progress.note(words, path=file)
            noted.add((pyramid.item, words))
    if changed and not topic.peers:
        topic = topics[pyramid.item] = own
    for peer in pyramid.peers:
        _add_peer(topic, _translate(peer, pyramid, topic.pyramid), read.peer_text or "", file, progress)


def _add_peer(topic: Topic, peer: PeerAnnotation, text: str, file: Path, progress: ReadProgress) -> None:
    """Add a peer, whose text may have other white space than by another annotator; the same again counts once."""
    where = f"peer {peer.peer!r} of topic {topic.pyramid.item!r}"
    known = topic.texts.setdefault(peer.peer, text)
    if known != text:
        if (move := Move.between(text, known)) is None:
            raise FormatError(f"{where} has another text in another file", path=file)
        peer = move_peer(peer, move)
    again = [other for other in topic.peers if (other.peer, other.annotator) == (peer.peer, peer.annotator)]
    if again and again != [peer]:
        raise FormatError(f"{where} comes twice, with other marks", path=file)
    if again:
        progress.note(f"{where} comes twice, with the same marks: it counts once", path=file)
    else:
        topic.peers.append(peer)


def _translate(peer: PeerAnnotation, own: Pyramid, other: Pyramid) -> PeerAnnotation:
    """Return a peer's marks by another copy of its pyramid: by label, or by id; what it does not have is outside."""
    if own.units == other.units:
        return peer
    labels: dict[str, list[str]] = {}
    for unit in other.units:
        labels.setdefault(unit.label, []).append(unit.id)
    known = other.weights()
    ids: dict[str | None, str | None] = {}
    for unit in own.units:
        same = labels.get(unit.label, [])
        by_id = unit.id if unit.id in known else None
        ids[unit.id] = same[0] if len(same) == 1 else by_id
    return replace(peer, units=tuple(replace(unit, unit=ids.get(unit.unit)) for unit in peer.units))


def _find_changes(topic: Pyramid, other: Pyramid) -> list[str]:
    """Return the units of a pyramid that are not in another one, or have another label or weight there."""
    known = {unit.id: (unit.label, unit.weight("contributors")) for unit in topic.units}
    return [unit.id for unit in other.units if known.get(unit.id) != (unit.label, unit.weight("contributors"))]


def _fold(models: Mapping[str, str]) -> dict[str, list[str]]:
    """Return models with plain white space, without the lines of dashes that headers leave in some copies."""
    return {name: re.sub(r"(?<!\S)-{3,}(?!\S)|\s+", " ", text).split() for name, text in models.items()}


def _pyramid_of(item: Item, path: StrPath) -> Pyramid:
    pyramid = read_pyramid(item)
    if pyramid is None:
        raise FormatError(f"item {item.id!r} has no content units to write", path=path)
    lost = [system for system in item.outputs if system not in {peer.peer for peer in pyramid.peers}]
    if lost:
        raise FormatError(f"item {item.id!r}: output {lost[0]!r} was not annotated and would be lost", path=path)
    if len(pyramid.models) < len(item.references):
        raise FormatError(f"item {item.id!r}: references without content units would be lost", path=path)
    return pyramid


def _write_files(folder: Path, files: Iterable[tuple[str, str]], path: StrPath) -> None:
    for name, content in files:
        with whole_file(path_inside(folder, name, path=path)) as file:
            file.write(content.encode())


def _check_whole(topics: Sequence[tuple[Item, Pyramid]], written: Iterable[Item], path: StrPath) -> None:
    """Refuse what would be read back as something else."""
    again = {item.id: item for item in written}
    for item, pyramid in topics:
        if item.id not in again:
            raise FormatError(f"DucView's files cannot hold the id {item.id!r} of an item", path=path)
        other = read_pyramid(again[item.id])
        before, after = (_parts(each) for each in (pyramid, other))
        if item.cluster not in (None, again[item.id].cluster):
            before["cluster"] = item.cluster
        for what, part in before.items():
            if part != after.get(what):
                words = f"item {item.id!r}: DucView's files cannot hold its {what} as they are; write JSON Lines"
                raise FormatError(words, path=path)


def _parts(pyramid: Pyramid | None) -> dict[str, Any]:
    """Return what is compared, with marks in the order of DucView: by unit, those outside the pyramid last."""
    if pyramid is None:
        return {}
    place: dict[str | None, int] = {unit.id: k for k, unit in enumerate(pyramid.units)}
    peers = {}
    for peer in pyramid.peers:
        marks: dict[str | None, tuple[list[Contributor], list[str]]] = {}
        for unit in sorted(peer.units, key=lambda unit: place.get(unit.unit, len(place))):
            contributors, comments = marks.setdefault(unit.unit, ([], []))
            contributors += unit.contributors
            comments += [unit.comment] if unit.comment else []
        stated = [(unit, own, " ".join(comments)) for unit, (own, comments) in marks.items() if own or comments]
        peers[peer.peer, peer.annotator] = (stated, peer.exhaustive)
    return {
        "models": {name: text.strip("\n") for name, text in pyramid.models.items()},
        "outputs": {peer.peer: (pyramid.peer_texts or {})[peer.peer].strip("\n") for peer in pyramid.peers},
        "category": pyramid.group or (split_set(pyramid.item) or (None, None))[1],
        "annotator": pyramid.annotator,
        "units": pyramid.units,
        "peers": peers,
    }


def _single_file(topics: Sequence[tuple[Item, Pyramid]], path: StrPath) -> str:
    ending = Path(path).suffix.lower()
    files = [content for item, pyramid in topics for _, content in _files_of(item, pyramid, path)]
    if len(topics) != 1 or len(files) != (1 if ending == ".pyr" else 2):
        words = f"one {ending} file cannot hold {len(topics)} topics with their peers; give the name of a folder"
        raise FormatError(words, path=path)
    return files[-1]


def _files_of(item: Item, pyramid: Pyramid, path: StrPath) -> Iterator[tuple[str, str]]:
    """Yield the names and contents of the files of a topic."""
    from ._ducview.write import add_facts, peer_file, plain_glue, pyramid_file

    stored = item.extra.get(_KEY)
    stored = stored if isinstance(stored, dict) else {}
    glue, pattern = stored.get("glue"), stored.get("header")
    if not isinstance(glue, list) or len(glue) != len(pyramid.models) + 1:
        glue, pattern = plain_glue(pyramid, path)
    glue = add_facts(pyramid, glue)
    yield f"{pyramid.item}.pyr".replace(os.sep, "_"), pyramid_file(pyramid, glue, pattern, path)
    single = Path(path).suffix.lower() == ".pan"
    for peer in pyramid.peers:
        text = (pyramid.peer_texts or {})[peer.peer]
        parts = filter(None, [pyramid.item, peer.annotator, peer.peer])
        name = Path(path).name if single else f"{'.'.join(parts)}.pan".replace(os.sep, "_")
        yield name, peer_file(pyramid, peer, text, glue, pattern, name=name, path=path)
