"""What must hold of every format."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..data.item import Item, Reference
from ..errors import FormatError
from ..formats import Format
from .component import check_class, check_signature, list_variants, require

ITEMS = tuple(
    Item(str(n), (Reference(f"the reference of {n}"),), {"A": f"output {n} of A", "B": f"the other output {n}"})
    for n in range(1, 4)
)


def check_format(cls: type[Format]) -> None:
    """Check a format; raises BrokenContract with what does not hold.

    It is a documented frozen dataclass; its signature gives it again; a set that is written is read back, with its
    outputs, and with its references unless `lacks` says that it holds none; a format that is not written refuses with
    a FormatError; a file that is not of the format is refused with a FormatError, or has no items.

    >>> from assay.formats.jsonl import JsonLines
    >>> check_format(JsonLines)
    """
    check_class(cls, Format)
    for file_format in list_variants(cls):
        check_signature(file_format)
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            path = Path(folder) / f"set{file_format.endings[0] if file_format.endings else ''}"
            check_written(file_format, path)
            check_refusal(file_format, path.with_name(f"wrong{path.suffix}"))


def check_written(file_format: Format, path: Path) -> None:
    """Check that what is written is read back, or that writing is refused."""
    try:
        file_format.write_items(list(ITEMS), path)
    except FormatError:
        require(not path.exists(), file_format, "refuses to write, and leaves a file")
        return
    lacks = file_format.lacks(path)
    if "texts" in lacks:
        return
    items = list(file_format.read_items(path))
    require([i.id for i in items] == [i.id for i in ITEMS], file_format, f"reads items {[i.id for i in items]}")
    for item, written in zip(items, ITEMS, strict=True):
        outputs = dict(item.outputs)
        require(outputs == dict(written.outputs), file_format, f"reads outputs {outputs} of item {item.id}")
        references = [reference.text for reference in item.references]
        same = references == [reference.text for reference in written.references]
        require(same or "references" in lacks, file_format, f"reads references {references} of item {item.id}")


def check_refusal(file_format: Format, path: Path) -> None:
    """Check that a file of something else is a FormatError and not another exception."""
    path.write_bytes(b"\x00\xff\xfe not a file of this format\n")
    try:
        list(file_format.read_items(path))
    except FormatError:
        return
    except Exception as error:
        require(False, file_format, f"a wrong file raises {type(error).__name__}, not FormatError: {error}")
