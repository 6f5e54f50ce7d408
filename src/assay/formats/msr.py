"""The MSR abstractive compression data in its original form (Toutanova et al. 2016), ratings included.

A line is a source and its compressions: `id TAB domain TAB source ||| compression ||| compression ...`, and a
compression is `text TAB worker TAB number of ratings`, then `TAB code TAB words` for each rating.

Each compression is a reference under its worker's number and an output under the same name: it was written by a
person. A worker who wrote a second one for a source is `62#2` there. The domain is the group. Each rating is two
judgments from 1 to 3, `meaning` and `grammar`. The file does not say who rated, so raters are called `rater1`,
`rater2`, ... by their place on the line: `rater1` of one compression is not `rater1` of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import ClassVar

from ..data.evalset import Item, Judgment, Reference
from ..data.item import author_of
from ..errors import FormatError
from ..files import whole_file
from ._io.format import Format
from ._io.text_file import BOM, ReadProgress, StrPath, decode_line, read_lines

BAR = " ||| "
MEANING = {3: "Most important meaning", 2: "Much meaning", 1: "Little or none meaning"}
GRAMMAR = {3: "Flawless language", 2: "Minor errors", 1: "Disfluent or incomprehensible"}
CODES = {"6": (3, 3), "7": (3, 2), "9": (3, 1), "11": (2, 3), "12": (2, 2), "14": (2, 1)} | {
    "21": (1, 3),
    "22": (1, 2),
    "24": (1, 1),
}
WORDS = {code: f"{MEANING[meaning]} {GRAMMAR[grammar]}" for code, (meaning, grammar) in CODES.items()}
CODE_OF = {scores: code for code, scores in CODES.items()}


class Msr(Format):
    """The MSR abstractive compression data."""

    name: ClassVar[str] = "msr"
    one_pass = True

    def recognizes(self, path: Path) -> bool:
        """Check if the first line of a .tsv or .txt has an id, a domain and a source before the first bar."""
        if not path.name.removesuffix(".gz").endswith((".tsv", ".txt")) or not path.is_file():
            return False
        try:
            first = next(read_lines(path, ReadProgress()), (1, b""))[1]
        except FormatError:
            return False  # whoever reads it will say what is wrong
        return first.split(BAR.encode())[0].count(b"\t") == 2 and BAR.encode() in first

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the items of the file in order."""
        progress = progress or ReadProgress()
        for number, line in read_lines(path, progress):
            text = decode_line(line, path, number, progress).removesuffix("\n").removesuffix("\r")
            if not text:
                continue
            try:
                yield _item(text, f"{path}:{number}")
            except _Wrong as wrong:
                raise FormatError(f"{wrong}; is this the MSR compression file?", path=path, line=number) from wrong

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what a line cannot hold; other outputs, references and ratings than its own are refused."""
        return ("scales", "extra", "alternatives", "clusters", "runs")

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write the same bytes that were read: a byte order mark, and lines that end as in the original."""
        with whole_file(path) as file:
            file.write(BOM)
            for item in items:
                try:
                    file.write((_line(item) + "\r\n").encode())
                except (_Wrong, UnicodeEncodeError) as wrong:
                    raise FormatError(f"item {item.id!r} cannot be written as MSR data: {wrong}", path=path) from wrong


class _Wrong(Exception):
    """What is wrong with a line or an item."""


def _item(text: str, where: str) -> Item:
    head, *compressions = text.split(BAR)
    start = head.split("\t")
    if len(start) != 3:
        raise _Wrong(f"{len(start)} fields before the first ' ||| ', not id, domain and source")
    outputs: dict[str, str] = {}
    judgments: list[Judgment] = []
    written: Counter[str] = Counter()
    for compression in compressions:
        fields = compression.split("\t")
        if len(fields) < 3 or not fields[2].isdecimal() or len(fields) != 3 + 2 * int(fields[2][:9]):
            raise _Wrong("a compression is not text, worker, number of ratings and that many ratings")
        written[fields[1]] += 1
        name = fields[1] if written[fields[1]] == 1 else f"{fields[1]}#{written[fields[1]]}"
        if name in outputs:
            raise _Wrong(f"two compressions of worker {name!r}")
        outputs[name] = fields[0]
        judgments += _ratings(name, fields[3:])
    references = tuple(Reference(output, name) for name, output in outputs.items())
    return Item(start[0], references, outputs, (start[2],), start[1] or None, tuple(judgments), {}, where)


def _ratings(name: str, fields: list[str]) -> Iterator[Judgment]:
    for number, (code, words) in enumerate(zip(fields[::2], fields[1::2], strict=True), 1):
        if WORDS.get(code) != words:
            raise _Wrong(f"rating {code!r} {words!r} is none of the nine known ones")
        meaning, grammar = CODES[code]
        yield Judgment(name, f"rater{number}", "meaning", float(meaning))
        yield Judgment(name, f"rater{number}", "grammar", float(grammar))


def _line(item: Item) -> str:
    if len(item.sources) != 1 or item.extra:
        raise _Wrong("it needs one source and no extra keys")
    if {r.id: r.text for r in item.references} != item.outputs or len(item.references) != len(item.outputs):
        raise _Wrong("its outputs must be its references, under the same names")
    rated: dict[str, list[Judgment]] = {}
    for judgment in item.judgments:
        rated.setdefault(judgment.system, []).append(judgment)
    parts = [[item.id, item.group or "", item.sources[0]]]
    for reference in item.references:
        ratings = _codes(reference.id or "", rated.get(reference.id or "", []))
        pairs = chain.from_iterable((code, WORDS[code]) for code in ratings)
        parts.append([reference.text, author_of(reference.id or ""), str(len(ratings)), *pairs])
    line = BAR.join("\t".join(fields) for fields in parts)
    if [field for part in line.split(BAR) for field in part.split("\t")] != list(chain.from_iterable(parts)):
        raise _Wrong("a text holds a tab or ' ||| '")
    if any(mark in line for mark in "\r\n\0"):
        raise _Wrong("a text holds a newline or a NUL character")
    return line


def _codes(name: str, judgments: list[Judgment]) -> list[str]:
    codes = [
        CODE_OF.get((int(m.score), int(g.score)), "") for m, g in zip(judgments[::2], judgments[1::2], strict=False)
    ]
    parsed = list(_ratings(name, list(chain.from_iterable((code, WORDS[code]) for code in codes if code))))
    if parsed != judgments:
        raise _Wrong("its judgments must be of meaning and grammar, from 1 to 3, by rater1, rater2, ...")
    return codes
