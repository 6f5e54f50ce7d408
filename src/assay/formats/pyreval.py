"""PyrEval's pyramids: units with the wording of their contributors, but neither texts nor offsets.

Either `<Pyramid><scu uid="0"><contributor label="..."/></scu></Pyramid>` or lines `SCU TAB unit TAB weight TAB words`.
The files do not say which model a contributor comes from, so the k-th contributor of every unit is put into a text k:
weights are the number of contributors, as PyrEval counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from ..data.content_units import Pyramid, read_pyramid
from ..data.item import Item
from ..errors import FormatError
from ..files import whole_file
from ._io.format import Format
from ._io.losses import refuse_losses
from ._io.text_file import ReadProgress, StrPath, read_blocks, read_texts
from ._io.unit_words import item_of_words, words_of_units
from ._io.xml_tree import escape_attribute, read_xml, refuse_unwritable

_MARKS = (b"<Pyramid", b"SCU\t")


class PyrEval(Format):
    """PyrEval's pyramids."""

    name: ClassVar[str] = "pyreval"

    def recognizes(self, path: Path) -> bool:
        """Check if a .pyr file is in PyrEval's dialect."""
        return path.name.lower().removesuffix(".gz").endswith(".pyr") and path.is_file() and is_pyreval(path)

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the pyramid as one item, named after the file."""
        units = _read_lines(path) if _first_bytes(path).startswith(_MARKS[1]) else _read_tree(path)
        if not units:
            raise FormatError("holds no content units", path=path)
        yield item_of_words(Path(path).name.split(".")[0], units, str(path))

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what such a file cannot hold: all but the words of contributors."""
        return ("judgments", "groups", "clusters", "runs", "scales", "all but words of units")

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write the pyramid of one item."""
        items = list(items)
        pyramids = [read_pyramid(item) for item in items]
        if len(pyramids) != 1 or pyramids[0] is None:
            raise FormatError("PyrEval's file holds the units of one item; give one", path=path)
        refuse_losses(items, self.lacks(path), path)
        with whole_file(path) as file:
            file.write(_write_tree(pyramids[0], path).encode())


def is_pyreval(path: Path) -> bool:
    """Check if the file begins as PyrEval's do."""
    try:
        return _first_bytes(path).startswith(_MARKS)
    except FormatError:
        return False  # whoever reads it will say what is wrong


def _first_bytes(path: StrPath) -> bytes:
    block = next(read_blocks(path), b"").removeprefix(b"\xef\xbb\xbf").lstrip()
    return block.partition(b"?>")[2].lstrip()[:16] if block.startswith(b"<?xml") else block[:16]


def _read_tree(path: StrPath) -> dict[str, list[str]]:
    units: dict[str, list[str]] = {}
    for root in read_xml(path):
        for scu in root.all("scu"):
            uid = scu.attribute("uid", path)
            if uid in units:
                raise FormatError(f"unit {uid!r} comes twice", path=path, line=scu.line)
            units[uid] = [each.attribute("label", path) for each in scu.all("contributor")]
            if not all(units[uid]) or not units[uid]:
                raise FormatError(f"unit {uid!r} has no contributor, or one without words", path=path, line=scu.line)
    return units


def _read_lines(path: StrPath) -> dict[str, list[str]]:
    units: dict[str, list[str]] = {}
    weights: dict[str, str] = {}
    for number, line in enumerate(read_texts(path, ReadProgress()), 1):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != 4 or fields[0] != "SCU" or not fields[3].strip():
            raise FormatError("a line is SCU, unit, weight and words, with tabs between", path=path, line=number)
        units.setdefault(fields[1], []).append(fields[3])
        weights[fields[1]] = fields[2]
    for uid, words in units.items():
        if weights[uid] != str(len(words)):
            raise FormatError(f"unit {uid!r} has weight {weights[uid]} but {len(words)} contributors", path=path)
    return units


def _write_tree(pyramid: Pyramid, path: StrPath) -> str:
    lines = ["<Pyramid>"]
    for uid, contributors in words_of_units(pyramid).items():
        lines.append(f'<scu uid="{escape_attribute(uid)}">')
        for words in contributors:
            refuse_unwritable(words, f"unit {uid!r}", path)
            lines.append(f'<contributor label="{escape_attribute(words)}" />')
        lines.append("</scu>")
    return "".join([*lines, "</Pyramid>", "\n"])
