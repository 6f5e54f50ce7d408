"""DUC and TAC: a folder of NIST's evaluation data, with what it has of texts, Basic Elements, pyramids and judgments.

Files are known by their names (TOPIC[-SET].M.LENGTH.SELECTOR.SUMMARIZER) and folders (models, peers; .pyr and .pan
anywhere below), tables of judgments and annotators by headers or name (manual.peer). An item is a topic, or its update
set: then the set is the group and the topic the cluster. References are the models, outputs the peers; people among the
peers are scored against the other models. Where a text is there twice, as NIST scored it and in an annotation, the
first counts, and units have their places in it; a peer annotated in another text keeps that next to its units.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ..data.content_units import Pyramid, add_pyramid
from ..data.item import Item, Judgment, Reference
from ..data.reading import Reading
from ..errors import NoOutputs
from ._ducview.moves import Move, move_contributor, move_peer
from ._ducview.names import NameParts, parse_name, split_set
from ._ducview.tables import (
    UNNAMED,
    Annotators,
    TableJudgment,
    is_judgments,
    is_manual,
    read_annotators,
    read_judgments,
    read_manual,
)
from ._io.format import ReadOnlyFormat
from ._io.judgment_rows import JudgmentRow
from ._io.layout import ColumnMap
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath, read_whole
from .ducview import is_ducview, read_topics

DEEPEST = 4  # folders below the one that is given
LOOK_AT = 5000  # files, to tell what a folder is
_TABLES = (".table", ".txt")
_LARGEST = 4 << 20  # bytes of a table
ELEMENTS = "basic_elements"
_XML = "<?xml"  # how an annotated peer begins that has no ending (TAC)


class Duc(ReadOnlyFormat):
    """A folder of evaluation data as NIST gives it out: DUC, TAC."""

    name: ClassVar[str] = "duc"
    endings = (".table",)

    def recognizes(self, path: Path) -> bool:
        """Check if a folder has files named as NIST names them below it, and none of DUCView's right in it."""
        if not path.is_dir() or any(is_ducview(file) for file in path.iterdir()):
            return False
        files = (file for file, _ in zip(_walk(path), range(LOOK_AT), strict=False))
        return any(is_ducview(file) or parse_name(file.name) or file.suffix == ".table" for file in files)

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the topics of a folder, with what its files say of each."""
        progress = progress or ReadProgress()
        folder = _read_folder(Path(path), progress)
        if not folder.topics:
            raise NoOutputs(
                f"holds judgments ({self.name}) and no outputs; give it with the outputs: OUTPUTS --judgments {path}",
                path=path,
            )
        skipped = Skipped(path)
        for name in folder.drop_bare_pyramids():
            progress.note("this pyramid has neither peers nor texts: it is left out", path=name)
        items = [_make_item(topic, folder, progress) for _, topic in sorted(folder.topics.items())]
        for row in folder.judgments:
            if row.topic not in folder.topics:
                skipped.add("judgments of topics without texts")
        progress.reading = Reading((str(path),), self.name, notes=(folder.describe(), *progress.notes))
        for item, unknown in items:
            for _ in range(unknown):
                skipped.add("judgments of texts that are not there")
            yield item
        skipped.warn()

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of the items; of a table, or a folder of tables alone, all of them."""
        folder = _read_folder(Path(path), ReadProgress())
        if folder.topics:
            yield from super().read_judgments(path, progress=progress)
            return
        for row in folder.judgments:
            yield JudgmentRow(row.topic, row.system, row.rater, row.dimension, row.score, place=str(path))


@dataclass
class _Topic:
    """What the files of a folder hold of a topic: texts and Basic Elements by name, and the annotated pyramid."""

    id: str
    models: dict[str, str] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    model_elements: dict[str, list[list[str]]] = field(default_factory=dict)
    peer_elements: dict[str, list[list[str]]] = field(default_factory=dict)
    pyramid: Pyramid | None = None

    @property
    def is_bare(self) -> bool:
        """Check if there is a pyramid here and nothing to score by it."""
        texts = (self.models, self.peers, self.model_elements, self.peer_elements)
        return not any(texts) and not (self.pyramid and self.pyramid.peers)


@dataclass
class _Folder:
    """What a folder holds, by topic."""

    path: Path
    topics: dict[str, _Topic] = field(default_factory=dict)
    judgments: list[TableJudgment] = field(default_factory=list)
    annotators: dict[str, Annotators] = field(default_factory=dict)

    def topic(self, name: str) -> _Topic:
        """Return a topic by its name; a new one where there was none."""
        return self.topics.setdefault(name, _Topic(name))

    def drop_bare_pyramids(self) -> list[str]:
        """Drop topics with nothing but a pyramid (of both update sets, say), unless all are so; return their names."""
        bare = [name for name, topic in self.topics.items() if topic.is_bare]
        if len(bare) == len(self.topics):
            return []
        for name in bare:
            del self.topics[name]
        return bare

    def describe(self) -> str:
        """Say what was read."""
        topics = self.topics.values()
        annotated = [t.pyramid for t in topics if t.pyramid is not None]
        counts = {
            "texts of models": sum(len(t.models) for t in topics),
            "texts of peers": sum(len(t.peers) for t in topics),
            "texts as Basic Elements": sum(len(t.model_elements) + len(t.peer_elements) for t in topics),
            "pyramids": len(annotated),
            "annotated peers": sum(len(pyramid.peers) for pyramid in annotated),
            "judgments in tables": len(self.judgments),
        }
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def _walk(path: Path) -> Iterator[Path]:
    """Yield the files below a folder in order, not more than some folders deep."""
    for folder, folders, files in os.walk(path):
        depth = len(Path(folder).relative_to(path).parts)
        folders[:] = sorted(folders) if depth < DEEPEST else []
        for name in sorted(files):
            yield Path(folder, name)


def _read_folder(path: Path, progress: ReadProgress) -> _Folder:
    files = [path] if path.is_file() else list(_walk(path))
    folder, annotations = _Folder(path), []
    for file in files:
        if is_ducview(file):
            annotations.append(file)
        elif parts := parse_name(file.name):
            text = _read_text(file, progress)
            if text.lstrip().startswith(_XML):
                annotations.append(file)
            else:
                _add_text(folder.topic(parts.topic), parts, file, text, progress)
        elif is_manual(file.name):
            _add_manual(folder, file, progress)
        elif file.suffix in _TABLES and file.stat().st_size <= _LARGEST:
            _add_table(folder, file, progress)
    for name, topic in read_topics(annotations, progress).items():
        folder.topic(name).pyramid = topic.to_pyramid()
    return folder


def _add_text(topic: _Topic, parts: NameParts, file: Path, text: str, progress: ReadProgress) -> None:
    """Add a text, or its Basic Elements; where a text is there in other words too, the first file counts."""
    is_model = "model" in file.parent.name.lower()
    elements = [] if _is_empty_elements(file, text) else _read_elements(text)
    table: dict[str, Any] = topic.models if is_model else topic.peers
    value: Any = text
    if elements is not None:
        table, value = (topic.model_elements if is_model else topic.peer_elements), elements
    known = table.setdefault(parts.peer, value)
    if known != value and (elements is not None or Move.between(known, value) is None):
        words = f"topic {topic.id!r} has another text of {parts.peer!r} in another file: the first one counts"
        progress.note(words, path=file)


def _is_empty_elements(file: Path, text: str) -> bool:
    """Check if a file without a line is one of Basic Elements: of a text that has none."""
    return not text.strip() and file.parent.name.upper().startswith("BE")


def _read_text(file: Path, progress: ReadProgress) -> str:
    data = read_whole(file).removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        words = f"byte 0x{data[error.start]:02x} is not UTF-8: the file was read as windows-1252"
        progress.note(words, path=file, line=data.count(b"\n", 0, error.start) + 1)
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").strip("\n")


def _read_elements(text: str) -> list[list[str]] | None:
    """Return Basic Elements, head|modifier|relation in each line; None if the text is not of them."""
    rows = [line.split("|") for line in text.split("\n") if line.strip()]
    return rows if rows and all(len(row) == 3 for row in rows) else None


def _add_table(folder: _Folder, file: Path, progress: ReadProgress) -> None:
    text = _read_text(file, progress)
    if is_judgments(text):
        folder.judgments += read_judgments(file, text)
    else:
        folder.annotators |= read_annotators(text, file.name)


def _add_manual(folder: _Folder, file: Path, progress: ReadProgress) -> None:
    """Add the judgments of a table of TAC; who judged a topic also annotated it."""
    rows = list(read_manual(file, _read_text(file, progress)))
    folder.judgments += rows
    folder.annotators |= {row.topic: Annotators(row.rater, row.rater) for row in rows if row.rater != UNNAMED}


def _make_item(topic: _Topic, folder: _Folder, progress: ReadProgress) -> tuple[Item, int]:
    """Return a topic as an item, and how many judgments of it are of texts that are not there."""
    pyramid = topic.pyramid
    models, texts = dict(topic.models), dict(topic.peers)
    if pyramid is not None:
        pyramid = _sign(pyramid, folder.annotators.get(topic.id))
        pyramid = _join_texts(pyramid, models, texts, progress)
        models = {**pyramid.models, **{name: text for name, text in models.items() if name not in pyramid.models}}
        for peer in pyramid.peers:
            texts.setdefault(peer.peer, (pyramid.peer_texts or {})[peer.peer])
    for elements, own in ((topic.model_elements, models), (topic.peer_elements, texts)):
        for name, lines in elements.items():
            own.setdefault(name, "\n".join("|".join(line) for line in lines))
    rows = [row for row in folder.judgments if row.topic == topic.id]
    texts |= {row.system: models[row.system] for row in rows if row.system in models and row.system not in texts}
    scores: dict[tuple[str, str, str], float] = {}
    for row in rows:
        if row.system in texts and scores.setdefault((row.system, row.rater, row.dimension), row.score) != row.score:
            words = f"{row.rater!r} gave {row.system!r} two scores for {row.dimension!r}: the first one counts"
            progress.note(words, path=topic.id)
    cluster, group = split_set(topic.id) or (None, None)
    item = Item(
        topic.id,
        references=tuple(Reference(text, name) for name, text in models.items()),
        outputs=texts,
        group=(pyramid.group if pyramid else None) or group,
        cluster=cluster,
        judgments=tuple(Judgment(*key, score) for key, score in scores.items()),
        extra={ELEMENTS: {"references": topic.model_elements, "outputs": topic.peer_elements}}
        if topic.peer_elements
        else {},
    )
    if pyramid is not None:
        peer_texts = {**models, **texts, **_other_texts(pyramid, texts)}
        item = add_pyramid(item, replace(pyramid, peer_texts=peer_texts))
    return item, sum(row.system not in texts for row in rows)


def _other_texts(pyramid: Pyramid, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts that peers were annotated in, where these are not their outputs."""
    annotated = {peer.peer for peer in pyramid.peers}
    every = (pyramid.peer_texts or {}).items()
    return {name: text for name, text in every if name in annotated and texts.get(name) != text}


def _sign(pyramid: Pyramid, annotators: Annotators | None) -> Pyramid:
    """Return the pyramid with the names of a table of annotators, where its own files name no one."""
    if annotators is None:
        return pyramid
    peers = tuple(p if p.annotator is not None else replace(p, annotator=annotators.peers) for p in pyramid.peers)
    return replace(pyramid, annotator=pyramid.annotator or annotators.pyramid, peers=peers)


# Texts that are there twice


def _join_texts(
    pyramid: Pyramid, models: Mapping[str, str], texts: Mapping[str, str], progress: ReadProgress
) -> Pyramid:
    """Return the pyramid in the words of NIST's texts, where these are the same but for white space."""
    own = dict(pyramid.peer_texts or {})
    moves = {}
    for name, other in [*models.items(), *((name, text) for name, text in texts.items() if name not in models)]:
        text = pyramid.models.get(name, own.get(name))
        if text is None or text == other:
            continue
        if (move := Move.between(text, other)) is not None:
            moves[name] = move
            continue
        where = (
            "references are as in the pyramid" if name in pyramid.models else "its units stand in the annotated text"
        )
        progress.note(
            f"{name!r} was annotated in another text than the one that was scored: {where}", path=pyramid.item
        )
    units = tuple(
        replace(unit, contributors=tuple(move_contributor(c, moves.get(c.text)) for c in unit.contributors))
        for unit in pyramid.units
    )
    return replace(
        pyramid,
        models={name: moves[name].text if name in moves else text for name, text in pyramid.models.items()},
        units=units,
        peers=tuple(move_peer(peer, moves.get(peer.peer)) for peer in pyramid.peers),
        peer_texts={name: moves[name].text if name in moves else text for name, text in own.items()},
    )
