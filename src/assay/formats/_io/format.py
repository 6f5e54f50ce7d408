"""Format: how evaluation sets of one kind of file are read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ...component import Component
from ...data.columns import ItemColumns
from ...data.item import Item
from ...errors import FormatError
from .text_file import ReadProgress, StrPath

if TYPE_CHECKING:
    from .judgment_rows import JudgmentRow
    from .layout import ColumnMap

# Named as in `_io.losses`, which is slower to import.
ALL_BUT_OUTPUTS = ("judgments", "scales", "references", "sources", "groups", "clusters", "runs", "extra")


@dataclass(frozen=True)
class Format(Component):
    """A format has a name, the endings of its files, a reader and a writer; `examples` are the names it goes by.

    `read_items(path, *, progress=None, ...)` yields items and `write_items(items, path, ...)` writes them; the other
    keyword arguments are the options of the format. With `one_pass` a pipe is read as it comes, and not kept first.
    `read_chunks(path, *, batch, progress)` reads many items at a time, as columns where it can, for formats that do.
    `whole` is how the format is written where by default it leaves something unread: mtme(metrics=*).
    """

    endings: ClassVar[tuple[str, ...]] = ()
    one_pass: ClassVar[bool] = False
    whole: ClassVar[str] = ""
    read_items: ClassVar[Callable[..., Iterator[Item]]]
    read_chunks: ClassVar[Callable[..., Iterator[ItemColumns | list[Item]]] | None] = None
    write_items: ClassVar[Callable[..., None]]

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept any of the names the format goes by."""
        return {} if name in cls.examples else None

    def recognizes(self, path: Path) -> bool:
        """Check if this is such a file or folder, where the ending of its name does not tell."""
        return False

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of a file that is given with one of outputs: by default, those of its items.

        A format of files that hold judgments alone overrides this; `merge_judgments` then adds them to the outputs.
        """
        from .judgment_rows import item_judgments

        return item_judgments(self.read_items(path, progress=progress))

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what a file of this name cannot hold, of the parts in `_io.losses`: by default, all but outputs.

        A format that holds more says so: `convert` names what is lost, and leaves it out where the user accepts that.
        """
        return ALL_BUT_OUTPUTS


class ReadOnlyFormat(Format):
    """A format of results that another program makes, which are read and not written."""

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Refuse."""
        raise FormatError(f"files of {self.name} are read and not written; write JSON Lines or tables", path=path)

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name nothing: a set is refused whatever it holds."""
        return ()


class TableFormat(Format):
    """A format of tables: outputs, references, judgments and items, one row each."""

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of a table; in a folder of tables, those of its items."""
        from .judgment_rows import table_judgments
        from .table_read import open_table

        if Path(path).is_dir():
            return super().read_judgments(path, progress=progress)
        return table_judgments(open_table(path), progress=progress, columns=columns)

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what one table cannot hold; a folder of tables holds all but alternatives."""
        single = Path(path).name.lower().removesuffix(".gz").endswith(self.endings)
        return ("alternatives", *(("judgments", "reference ids", "scales", "extra") if single else ()))

    def read_items(
        self,
        path: StrPath,
        *,
        references: StrPath | None = None,
        judgments: StrPath | None = None,
        items: StrPath | None = None,
        text_as_source: bool = False,
        escape_formulas: bool = True,
        columns: ColumnMap | None = None,
        progress: ReadProgress | None = None,
    ) -> Iterator[Item]:
        """Read a table of outputs (or a folder of tables), with further tables next to it if given.

        `columns` says which column plays which role, where their names do not: {"output": "prediction"}.
        `escape_formulas=False` keeps the apostrophe before a formula in CSV. A table without systems that has a source
        (with `text_as_source`: or a text) is one of sources alone.
        """
        from .table_read import read_tables

        return read_tables(
            path,
            self.endings,
            text_as_source=text_as_source,
            escape_formulas=escape_formulas,
            columns=columns,
            progress=progress,
            references=references,
            judgments=judgments,
            items=items,
        )
