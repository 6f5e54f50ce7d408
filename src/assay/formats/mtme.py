"""mt-metrics-eval: a folder of line-aligned texts and score files, for one or several language pairs.

`sources/PAIR.txt`, `references/PAIR.NAME.txt`, `system-outputs/PAIR/SYSTEM.txt`, `documents/PAIR.docs` (a line is
`DOMAIN DOCUMENT`), `human-scores/PAIR.NAME.seg.score` and `metric-scores/PAIR/NAME-REF.seg.score` (a line is
`SYSTEM SCORE`; a block of lines for each system; None for no score). An item is a line; its domain is the group, its
document the cluster. A human score file is a dimension, with the rater `mean`; `metrics=*` reads the metric score files
too, as assessors of kind metric. `pair=*` reads all language pairs: then an item is PAIR:LINE, and the pair the group.
A folder without system outputs holds judgments alone. Scores of systems without scores of segments are named.

Written, a dimension with several raters is a file of the mean over people, which their programs use, and one for each
rater (`PAIR.NAME.rater=ann.seg.score`, `llm=` for an LLM). System scores are means. Item ids are in
`documents/PAIR.ids`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote, unquote

from ..data.item import Item, Judgment, Reference
from ..errors import AlignmentError, FormatError, NoOutputs, UnknownName
from ..files import whole_folder, write_whole
from ._io.cells import parse_score
from ._io.format import Format
from ._io.judgment_rows import JudgmentRow
from ._io.layout import ColumnMap
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath, decode_line, read_lines, read_texts
from .lines import zip_files

MEAN = "mean"  # the rater of a file that does not say who rated
NO_GROUP = "-"
NO_PAIR = "src-tgt"
ALL = "*"  # language pairs
SEGMENTS = ".seg.score"
_ANONYMOUS = re.compile(r"ref[0-9]+")
_REFERENCE_NAME = re.compile(r"[^-.\s/%]+")
_KIND_WORDS = {"rater": None, "llm": "llm", "metric": "metric"}
_RATER_FILE = re.compile(r"(.+)\.(rater|llm|metric)=(.*)")
_METRIC_NAME = re.compile(r".+-[^-\s]+")
Table = dict[str, list[float | None]]  # by system, a score for each line


@dataclass(frozen=True)
class Mtme(Format):
    """A folder as mt-metrics-eval has it; `pair` is the language pair, `metrics` the names of metric scores to read."""

    name: ClassVar[str] = "mtme"
    whole = "mtme(metrics=*)"
    pair: str = ""
    metrics: str = ""

    def recognizes(self, path: Path) -> bool:
        """Check if this is a folder with the folders sources and system-outputs in it, or human-scores alone."""
        texts = (path / "system-outputs").is_dir() and (path / "sources").is_dir()
        return texts or any((path / "human-scores").glob(f"*{SEGMENTS}"))

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what the layout has no place for."""
        return (
            *("scales", "extra", "occasions", "alternatives", "several sources", "line breaks"),
            *("runs", "outputs of some items"),
            *("reference ids that differ", "uneven references", "uneven sources"),
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the items of one language pair, or of all."""
        folder, progress = Path(path), progress or ReadProgress()
        if not (folder / "system-outputs").is_dir():
            raise NoOutputs(
                f"holds judgments ({self.name}) and no outputs; give it with the outputs: OUTPUTS --judgments {path}",
                path=path,
            )
        if self.pair == ALL:
            return self._all_pairs(folder, progress)
        return self._read_pair(folder, self._find_pair(folder), progress)

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of the items; of a folder without outputs, those in its score files, by line."""
        folder = Path(path)
        if (folder / "system-outputs").is_dir():
            yield from super().read_judgments(path, progress=progress)
            return
        skipped = Skipped(folder)
        for (dimension, rater, kind), file in self._score_files(folder, self._find_judged_pair(folder), skipped):
            for system, scores in _scores(file, None, None).items():
                for number, score in enumerate(scores, 1):
                    if score is not None:
                        yield JudgmentRow(str(number), system, rater, dimension, score, kind=kind, place=str(file))
        skipped.warn()

    def _find_judged_pair(self, folder: Path) -> str:
        files = (folder / "human-scores").glob(f"*{SEGMENTS}")
        return self._choose_pair(sorted({file.name.split(".")[0] for file in files}), folder)

    def _choose_pair(self, pairs: list[str], folder: Path) -> str:
        if self.pair and self.pair not in pairs:
            raise UnknownName("language pair", self.pair, pairs, hint=f"({folder} has {', '.join(pairs) or 'none'})")
        if not self.pair and len(pairs) > 1:
            message = f'holds {len(pairs)} language pairs; choose one as --input-format "mtme(pair={pairs[0]})"'
            raise FormatError(f"{message}: {', '.join(pairs)}", path=folder)
        return self.pair or pairs[0]

    def _all_pairs(self, folder: Path, progress: ReadProgress) -> Iterator[Item]:
        for file in sorted((folder / "sources").glob("*.txt")):
            pair = replace(self, pair=file.stem)._find_pair(folder)
            for item in self._read_pair(folder, pair, progress):
                extra = item.extra if item.group is None else {**item.extra, "domain": item.group}
                cluster = None if item.cluster is None else f"{pair}:{item.cluster}"
                yield replace(item, id=f"{pair}:{item.id}", group=pair, cluster=cluster, extra=extra)

    def _read_pair(self, folder: Path, pair: str, progress: ReadProgress) -> Iterator[Item]:
        systems = _outputs(folder, pair)
        names, references = _references(folder, pair, systems)
        ids = folder / "documents" / f"{pair}.ids"
        items = zip_files(
            {unquote(name): file for name, file in systems.items()},
            references,
            folder / "sources" / f"{pair}.txt",
            ids if ids.exists() else None,
            progress,
        )
        return self._add_judgments(folder, pair, [unquote(name) for name in systems], names, items)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write a folder for one language pair: `pair`, or src-tgt."""
        entries = list(items)
        if not entries:
            raise FormatError("there are no items to write", path=path)
        _refuse_uneven(entries, path)
        with whole_folder(path) as folder:
            for name, lines in _files(entries, self.pair or NO_PAIR, path):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write_whole(folder / name, "".join(f"{line}\n" for line in lines))

    def _find_pair(self, folder: Path) -> str:
        sources = {file.stem for file in (folder / "sources").glob("*.txt")}
        outputs = {file.name for file in (folder / "system-outputs").glob("*") if file.is_dir()}
        pairs = sorted(sources | outputs)
        if not pairs:
            raise FormatError("the folder sources is empty", path=folder)
        pair = self._choose_pair(pairs, folder)
        if pair not in sources:
            raise FormatError(f"there are outputs of {pair} and no sources/{pair}.txt", path=folder)
        if pair not in outputs:
            raise FormatError(f"there are sources of {pair} and no folder system-outputs/{pair}", path=folder)
        return pair

    def _add_judgments(
        self, folder: Path, pair: str, systems: list[str], names: Sequence[str | None], items: Iterator[Item]
    ) -> Iterator[Item]:
        lines = _count_lines(folder / "sources" / f"{pair}.txt")
        skipped = Skipped(folder)
        documents = _documents(folder / "documents" / f"{pair}.docs", lines)
        tables = [(key, _scores(file, systems, lines)) for key, file in self._score_files(folder, pair, skipped)]
        bare = not any(read_texts(folder / "sources" / f"{pair}.txt", ReadProgress()))
        for number, item in enumerate(items):
            group, document = documents[number] if documents else (None, None)
            judgments = tuple(
                Judgment(system, rater, dimension, score, kind=kind)
                for (dimension, rater, kind), table in tables
                for system, scores in table.items()
                if (score := scores[number]) is not None
            )
            yield replace(
                item,
                references=tuple(Reference(r.text, name) for r, name in zip(item.references, names, strict=True)),
                sources=() if bare else item.sources,
                group=group,
                judgments=judgments,
                cluster=document if document != item.id else None,
            )
        skipped.warn()

    def _score_files(
        self, folder: Path, pair: str, skipped: Skipped
    ) -> Iterator[tuple[tuple[str, str, str | None], Path]]:
        """Yield dimension, rater and kind of each segment score file to be read, with the file."""
        ending = SEGMENTS
        human = sorted((folder / "human-scores").glob(f"{pair}.*{ending}"))
        for file in sorted((folder / "human-scores").glob(f"{pair}.*.sys.score")):
            if not file.with_name(f"{file.name.removesuffix('.sys.score')}{ending}").exists():
                skipped.add(f"scores of systems, as there are none of segments ({file.name})")
        own = [(file.name[len(pair) + 1 : -len(ending)], file) for file in human]
        parts = [(_RATER_FILE.fullmatch(name), name, file) for name, file in own]
        means = {match[1] for match, _, _ in parts if match}
        for match, name, file in parts:
            if match:
                yield (unquote(match[1]), unquote(match[3]), _KIND_WORDS[match[2]]), file
            elif name not in means:  # else it is the mean of the files of its raters
                yield (unquote(name), MEAN, None), file
        patterns = [pattern.strip() for pattern in self.metrics.split("+") if pattern.strip()]
        for file in sorted((folder / "metric-scores" / pair).glob(f"*{ending}")):
            name = file.name[: -len(ending)]
            if match := _RATER_FILE.fullmatch(name.removesuffix("-src")):
                yield (unquote(match[1]), unquote(match[3]), _KIND_WORDS[match[2]]), file
            elif any(fnmatchcase(name, pattern) for pattern in patterns):
                yield (unquote(name), unquote(name), "metric"), file
            else:
                skipped.add('files of metric scores (format "mtme(metrics=*)" reads them)')


def _outputs(folder: Path, pair: str) -> dict[str, Path]:
    files = sorted((folder / "system-outputs" / pair).glob("*.txt"))
    if not files:
        raise FormatError("the folder holds no system outputs (SYSTEM.txt)", path=folder / "system-outputs" / pair)
    return {file.stem: file for file in files}


def _references(folder: Path, pair: str, systems: dict[str, Path]) -> tuple[list[str | None], list[StrPath]]:
    """Return names and files of the references; ref0, ref1, ... have no name unless they are systems too."""
    files = sorted((folder / "references").glob(f"{pair}.*.txt"), key=lambda file: (len(file.name), file.name))
    names = [file.name[len(pair) + 1 : -len(".txt")] for file in files]
    return [None if _ANONYMOUS.fullmatch(name) and name not in systems else name for name in names], list(files)


def _documents(file: Path, lines: int) -> list[tuple[str | None, str]]:
    if not file.exists():
        return []
    rows = []
    for number, text in enumerate(read_texts(file, ReadProgress()), 1):
        words = text.split()
        if len(words) != 2:
            raise FormatError(f"a line is DOMAIN DOCUMENT; got {text[:40]!r}", path=file, line=number)
        rows.append((None if words[0] == NO_GROUP else unquote(words[0]), unquote(words[1])))
    if len(rows) != lines:
        raise AlignmentError(f"{file} has {len(rows)} lines, and there are {lines} segments")
    return rows


def _count_lines(file: Path) -> int:
    return sum(1 for _ in read_lines(file, ReadProgress()))


def _scores(file: Path, systems: list[str] | None, lines: int | None) -> Table:
    """Read a file of segment scores: as many lines for each system as there are segments, where that is known."""
    table: Table = {}
    for number, raw in read_lines(file, progress := ReadProgress()):
        words = decode_line(raw, file, number, progress).split()
        if len(words) != 2:
            raise FormatError(f"a line is SYSTEM SCORE; got {len(words)} fields", path=file, line=number)
        system = unquote(words[0])
        if systems is not None and system not in systems:
            raise FormatError(f"scores of system {system!r}, which has no outputs", path=file, line=number)
        table.setdefault(system, []).append(parse_score(words[1], "the score", file, number))
    for system, scores in table.items():
        if lines is not None and len(scores) != lines:
            raise AlignmentError(f"{file} has {len(scores)} scores of system {system!r} for {lines} segments")
    return table


def _refuse_uneven(items: Sequence[Item], path: StrPath) -> None:
    first = items[0]
    for item in items:
        for own, other, what in (
            (len(item.sources), len(first.sources), "sources"),
            (len(item.references), len(first.references), "references"),
            (item.outputs.keys(), first.outputs.keys(), "systems"),
        ):
            if own != other:
                raise FormatError(
                    f"{item.place} has other {what} than the first item; every line of the files needs all", path=path
                )
        if item.sources[1:] or item.extra or any(r.alternatives for r in item.references):
            raise FormatError(f"{item.place} has several sources, extra keys or alternatives: no place", path=path)
        if any(mark in text for text in _texts(item) for mark in "\n\r\0"):
            raise FormatError(f"{item.place} has a line break or NUL in a text; lines cannot hold it", path=path)
        if any(j.occasion > 1 for j in item.judgments):
            raise FormatError(f"{item.place} has repeated judgments by one rater: no place", path=path)


def _texts(item: Item) -> Iterator[str]:
    yield from (*item.sources, *item.outputs.values(), *(r.text for r in item.references))


def _files(items: Sequence[Item], pair: str, path: StrPath) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each file with its lines."""
    yield f"sources/{pair}.txt", [item.sources[0] if item.sources else "" for item in items]
    documents = [item.cluster or item.id for item in items]
    groups = [NO_GROUP if item.group is None else _quote(item.group) for item in items]
    yield f"documents/{pair}.docs", [f"{g} {_quote(d)}" for g, d in zip(groups, documents, strict=True)]
    if any(item.id != str(number) for number, item in enumerate(items, 1)):
        yield f"documents/{pair}.ids", [item.id for item in items]
    for at, name in enumerate(_reference_names(items, path)):
        yield f"references/{pair}.{name}.txt", [item.references[at].text for item in items]
    for system in items[0].outputs:
        yield f"system-outputs/{pair}/{_quote(system)}.txt", [item.outputs[system] for item in items]
    yield from _score_lines(items, pair)


def _reference_names(items: Sequence[Item], path: StrPath) -> list[str]:
    """Return the names of the references: their ids where all items have the same ones, else ref0, ref1, ..."""
    ids = [reference.id for reference in items[0].references]
    if any([reference.id for reference in item.references] != ids for item in items):
        raise FormatError("items have references with different ids; a file of references has one name", path=path)
    names = [f"ref{at}" if name is None else name for at, name in enumerate(ids)]
    for name in names:
        if not _REFERENCE_NAME.fullmatch(name) or name in ("all", "src") or names.count(name) > 1:
            message = f"a reference cannot be called {name!r}: no '.', '-', space or '/', and not all or src"
            raise FormatError(message, path=path)
    return names


def _score_lines(items: Sequence[Item], pair: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the files of scores: of each rater, and for people of their mean, by segment and by system."""
    tables: dict[tuple[str, str, str | None], Table] = {}
    for number, item in enumerate(items):
        for j in item.judgments:
            kind = None if j.kind == "human" else j.kind
            for system in item.judged_systems(j):
                table = tables.setdefault((j.dimension, j.rater, kind), {s: [None] * len(items) for s in item.outputs})
                table[system][number] = j.score
    people: dict[str, list[Table]] = {}
    for (dimension, rater, kind), table in tables.items():
        name = _quote(dimension)
        if kind is None:
            people.setdefault(dimension, []).append(table)
        if kind is None and rater == MEAN:
            continue
        if kind == "metric" and rater == dimension and _METRIC_NAME.fullmatch(name):
            yield from _levels(f"metric-scores/{pair}/{name}", table)
            continue
        word = kind or "rater"
        whole = kind is not None and all(None not in scores for scores in table.values())
        where = f"metric-scores/{pair}/" if whole else f"human-scores/{pair}."
        yield from _levels(f"{where}{name}.{word}={_quote(rater)}{'-src' if whole else ''}", table)
    for dimension, own in people.items():
        mean = {s: [_mean([t[s][n] for t in own]) for n in range(len(items))] for s in own[0]}
        yield from _levels(f"human-scores/{pair}.{_quote(dimension)}", mean)


def _levels(start: str, table: Table) -> Iterator[tuple[str, list[str]]]:
    rows = [(_quote(system), score) for system, scores in table.items() for score in scores]
    yield f"{start}.seg.score", [f"{system}\t{score}" for system, score in rows]
    yield f"{start}.sys.score", [f"{_quote(system)}\t{_mean(scores)}" for system, scores in table.items()]


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known else None


def _quote(name: str) -> str:
    """Return a name without spaces and slashes, which reading turns back."""
    return quote(name, safe="!#$&'()+,;@[]{}^~:|-_.")
