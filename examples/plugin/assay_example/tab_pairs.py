"""Tab pairs: one output a line, as item, system, output and reference with tabs between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay import Item, Reference
from assay.errors import FormatError
from assay.files import write_whole
from assay.formats import Format


@dataclass(frozen=True)
class TabPairs(Format):
    """Lines of item, system, output and reference, separated by tabs."""

    name = "tab-pairs"
    endings = (".pairs",)

    def read_items(self, path: str | Path, *, progress: object = None) -> Iterator[Item]:
        items: dict[str, tuple[str, dict[str, str]]] = {}
        for number, line in enumerate(_read_text(path).split("\n"), 1):
            if not line:
                continue
            cells = line.split("\t")
            if len(cells) != 4:
                raise FormatError(
                    f"a line has 4 cells: item, system, output, reference; got {len(cells)}", path=path, line=number
                )
            item, system, output, reference = cells
            items.setdefault(item, (reference, {}))[1][system] = output
        for item, (reference, outputs) in items.items():
            yield Item(item, (Reference(reference),), outputs)

    def write_items(self, items: Iterable[Item], path: str | Path) -> None:
        lines = [
            "\t".join([item.id, system, output, item.references[0].text if item.references else ""])
            for item in items
            for system, output in item.outputs.items()
        ]
        write_whole(path, "".join(f"{line}\n" for line in lines))

    def lacks(self, path: str | Path) -> tuple[str, ...]:
        return ("judgments", "groups", "clusters", "runs", "sources", "extra")


def _read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8: {error.reason} at byte {error.start}", path=path) from error
