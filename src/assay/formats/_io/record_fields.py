"""The source, references and output in a record of another tool, by the names that people give to such fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .item_draft import ItemDraft
from .json_file import as_text
from .roles import ROLE_OF, WEAK_SOURCES, Role, fold

WEAK_OUTPUTS = ("summary", "text")


def find_field(record: Mapping[str, Any], role: Role) -> Any:
    """Return the value of the first field with a name that stands for a role; None if there is none.

    >>> find_field({"Model Output": "a", "src": "b"}, "output")
    'a'
    """
    values = (value for key, value in record.items() if ROLE_OF.get(fold(key)) == role and value is not None)
    return next(values, None)


def find_output(record: Mapping[str, Any]) -> Any:
    """Return the output of a record; a field `summary` or `text` where none has a better name."""
    output = find_field(record, "output")
    folded = {fold(key): value for key, value in record.items()}
    return output if output is not None else next((folded[n] for n in WEAK_OUTPUTS if folded.get(n) is not None), None)


def add_context(draft: ItemDraft, record: Mapping[str, Any], where: str, path: object) -> None:
    """Give a draft the source and the references of a record."""
    source = find_field(record, "source")
    if source is None:
        source = next((value for key, value in record.items() if fold(key) in WEAK_SOURCES), None)
    if isinstance(source, str):
        draft.add_source(source, where)
    references = find_field(record, "reference")
    for text in references if isinstance(references, list) else [references]:
        if text is not None:
            draft.add_reference(as_text(text, f"a reference of item {draft.id!r}", path))
