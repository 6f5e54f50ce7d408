"""What a workbench holds: units made from models, or marks in a peer, each under an id that edits name.

A unit is {"label", "aspects", "contributors": [{"text": letter of a model, "spans": [[start, end], ...]}], "comment"};
a mark is {"unit": number of a unit or null, "spans", "suggested": how it was suggested, if it was}. Offsets count code
points.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...data.content_units import ContentUnit, Contributor, PeerUnit, TextSpan
from ._protocol import refuse

Entry = dict[str, Any]
MAX_ENTRIES = 1000
MAX_SPANS = 100  # parts of a contributor, and contributors of a unit
MAX_LABEL = 2000
MAX_ID = 100


def apply_entry_edits(entries: Mapping[str, Entry], edits: Sequence[Any]) -> dict[str, Any]:
    """Return entries after edits: [milliseconds, id, entry or null to remove it].

    >>> apply_entry_edits({"1": {"label": "a"}}, [[0, "2", {"label": "b"}], [9, "1", None]])
    {'2': {'label': 'b'}}
    """
    changed = dict(entries)
    for edit in edits:
        if not isinstance(edit, list) or len(edit) != 3 or type(edit[0]) is not int or not is_id(edit[1]):
            raise ValueError("an edit is a list of milliseconds, the id of a unit, and the unit or null")
        if edit[2] is None:
            changed.pop(edit[1], None)
        else:
            changed[edit[1]] = edit[2]
    if len(changed) > MAX_ENTRIES:
        raise ValueError(f"there are more than {MAX_ENTRIES} units")
    return changed


def is_id(value: Any) -> bool:
    """Check if something can be the id of an entry."""
    return isinstance(value, str) and 0 < len(value) <= MAX_ID


def read_entries(entries: Any) -> dict[str, Any]:
    """Return the entries of an answer by id: a list of objects with an id each."""
    if not isinstance(entries, list) or len(entries) > MAX_ENTRIES:
        refuse(f"units are a list of up to {MAX_ENTRIES}")
    read: dict[str, Any] = {}
    for entry in entries:
        if not isinstance(entry, dict) or not is_id(entry.get("id")) or entry["id"] in read:
            refuse("each unit needs an id of its own")
        read[entry["id"]] = {key: value for key, value in entry.items() if key != "id"}
    return read


def list_entries(entries: Mapping[str, Entry]) -> list[Entry]:
    """Return entries as a list, each with its id; the order is that of an answer."""
    return [{"id": id, **entry} for id, entry in entries.items()]


def check_unit(unit: Any, lengths: Mapping[str, int], aspects: Collection[str]) -> Entry:
    """Return a unit as it is stored, or refuse it; `lengths` are those of the models, by their letter."""
    fields = _read_fields(unit, {"label", "aspects", "contributors", "comment"})
    label, comment, contributors = fields.get("label"), fields.get("comment", ""), fields.get("contributors")
    if not isinstance(label, str) or not label.strip() or len(label) > MAX_LABEL:
        refuse(f"a unit needs a label of 1 to {MAX_LABEL} characters")
    if not isinstance(comment, str) or len(comment) > MAX_LABEL:
        refuse(f"a comment is a text of up to {MAX_LABEL} characters")
    if not isinstance(contributors, list) or not 1 <= len(contributors) <= MAX_SPANS:
        refuse("a unit needs words of a model that state it")
    own = fields.get("aspects", [])
    if not isinstance(own, list) or any(aspect not in aspects for aspect in own):
        refuse("an aspect of a unit is not one of the listed")
    entry: Entry = {"label": label.strip(), "contributors": [_check_contributor(c, lengths) for c in contributors]}
    return entry | ({"aspects": list(dict.fromkeys(own))} if own else {}) | ({"comment": comment} if comment else {})


def _check_contributor(contributor: Any, lengths: Mapping[str, int]) -> Entry:
    fields = _read_fields(contributor, {"text", "spans"})
    if fields.get("text") not in lengths:
        refuse("a contributor stands in a model that is not on this screen")
    return {"text": fields["text"], "spans": check_spans(fields.get("spans"), lengths[fields["text"]])}


def check_mark(mark: Any, length: int, units: Collection[str]) -> Entry:
    """Return a mark in a peer as it is stored, or refuse it; `units` are the numbers of those on the screen."""
    fields = _read_fields(mark, {"unit", "spans", "suggested"})
    if fields.get("unit") is not None and fields["unit"] not in units:
        refuse("a mark names a unit that is not in the pyramid")
    entry: Entry = {"unit": fields.get("unit"), "spans": check_spans(fields.get("spans"), length)}
    suggested = fields.get("suggested")
    if suggested is not None and suggested not in ("exact", "lemma", "partial"):
        refuse("a mark was suggested by exact, lemma or partial")
    return entry | ({"suggested": suggested} if suggested else {})


def check_spans(spans: Any, length: int) -> list[list[int]]:
    """Return spans in the order of the text, or refuse those that overlap or leave it."""
    if not isinstance(spans, list) or not 1 <= len(spans) <= MAX_SPANS:
        refuse(f"a contributor has 1 to {MAX_SPANS} parts")
    for span in spans:
        if not isinstance(span, list) or len(span) != 2 or not all(type(end) is int for end in span):
            refuse("a part is [start, end] in characters")
        if not 0 <= span[0] < span[1] <= length:
            refuse(f"a part lies within the text, 0 to {length}; got {str(span[0])[:20]} to {str(span[1])[:20]}")
    ordered = sorted(spans)
    if any(after[0] < before[1] for before, after in pairwise(ordered)):
        refuse("two parts of a contributor overlap")
    return ordered


def _read_fields(value: Any, names: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not set(value) <= names:
        refuse(f"expected an object with {', '.join(sorted(names))}")
    return value


def entry_of_unit(unit: ContentUnit, letters: Mapping[str, str]) -> Entry:
    """Return a unit of a pyramid as a workbench holds it; `letters` are those of the models, by their name."""
    contributors = [{"text": letters[c.text], "spans": [list(s) for s in sorted(c.spans)]} for c in unit.contributors]
    entry: Entry = {"label": unit.label.strip() or "?", "contributors": contributors}
    optional = {"aspects": list(unit.aspects), "comment": unit.comment}
    return entry | {name: value for name, value in optional.items() if value}


def unit_of_entry(id: str, entry: Entry, names: Mapping[str, str]) -> ContentUnit:
    """Return a unit of a workbench as one of a pyramid; `names` are those of the models, by their letter."""
    contributors = tuple(Contributor(names[c["text"]], _spans(c["spans"])) for c in entry["contributors"])
    return ContentUnit(id, entry["label"], contributors, tuple(entry.get("aspects", ())), entry.get("comment", ""))


def peer_units(marks: Sequence[Entry], peer: str, ids: Sequence[str]) -> tuple[PeerUnit, ...]:
    """Return marks as units of a peer annotation, in the order of the pyramid; `ids` are those of its units."""
    by_unit: dict[str | None, list[Contributor]] = {str(number): [] for number in range(1, len(ids) + 1)} | {None: []}
    for mark in marks:
        comment = f"suggested: {mark['suggested']}" if mark.get("suggested") else ""
        by_unit[mark["unit"]].append(Contributor(peer, _spans(mark["spans"]), comment=comment))
    return tuple(
        PeerUnit(None if number is None else ids[int(number) - 1], tuple(contributors))
        for number, contributors in by_unit.items()
        if contributors
    )


def _spans(spans: Sequence[Sequence[int]]) -> tuple[TextSpan, ...]:
    return tuple(TextSpan(*span) for span in spans)
