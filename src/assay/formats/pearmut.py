"""Pearmut: the annotations of a campaign, JSON Lines with a page of segments and what one user said of them.

A segment is an item (`item_id`, else the number of the page and of the segment) with its src, ref and an output of
each model. The score of a user is the dimension `score`, each slider one of its own name. Error spans are kept with
the item. Models with a `validation` are checks of attention, not judgments, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import AlignmentError
from ._io.cells import parse_score
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDraft, ItemDrafts
from ._io.json_file import Json, as_list, as_name, as_object, as_text, read_json_lines
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath


class Pearmut(ReadOnlyFormat):
    """Annotations made with Pearmut."""

    name: ClassVar[str] = "pearmut"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line is a page with a user and annotations."""
        return matches(
            path, rb"^\s*\{", rb'^[^\n]*"user_id"\s*:', rb'^[^\n]*"annotation"\s*:\s*\[', rb'^[^\n]*"item"\s*:\s*\['
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the segments of all pages; those of one id are one item."""
        drafts, skipped = ItemDrafts(), Skipped(path)
        for number, page in read_json_lines(path, progress or ReadProgress()):
            where = f"{path}:{number}"
            segments = as_list(page.get("item"), "item", path, number)
            answers = as_list(page.get("annotation"), "annotation", path, number)
            if len(segments) != len(answers):
                raise AlignmentError(f"{where}: {len(segments)} segments and {len(answers)} annotations")
            user = as_name(page.get("user_id"), "user_id", path, number)
            for at, (entry, answer) in enumerate(zip(segments, answers, strict=True)):
                segment = as_object(entry, "a segment", path, number)
                item = segment.get("item_id")
                fallback = f"{page.get('item_i', number)}:{at}"
                draft = drafts.of(as_name(fallback if item is None else item, "item_id", path, number), where)
                _add_texts(draft, segment, where, path, number)
                _add_answers(
                    draft, segment, as_object(answer, "an annotation", path, number), user, skipped, path, number
                )
        skipped.warn()
        yield from drafts


def _add_texts(draft: ItemDraft, segment: Json, where: str, path: StrPath, line: int) -> None:
    if segment.get("src") is not None:
        draft.add_source(as_text(segment["src"], "src", path, line), where)
    if segment.get("ref") is not None:
        draft.add_reference(as_text(segment["ref"], "ref", path, line))
    for model, text in as_object(segment.get("tgt"), "tgt", path, line).items():
        draft.add_output(model, as_text(text, f"the output of {model!r}", path, line), where)


def _add_answers(
    draft: ItemDraft, segment: Json, answers: Json, user: str, skipped: Skipped, path: StrPath, line: int
) -> None:
    checks = segment.get("validation")
    for model, entry in answers.items():
        if isinstance(checks, dict) and model in checks:
            skipped.add("checks of attention")
            continue
        answer = as_object(entry, f"the annotation of {model!r}", path, line)
        scores: dict[str, Any] = {
            "score": answer.get("score"),
            **as_object(answer.get("sliders") or {}, "sliders", path, line),
        }
        for dimension, value in scores.items():
            score = parse_score(value, f"the {dimension} of {model!r}", path, line)
            if score is not None:
                draft.judgments.append(Judgment(model, user, dimension, score))
        if answer.get("error_spans"):
            spans = as_list(answer["error_spans"], "error_spans", path, line)
            draft.extra.setdefault("error_spans", []).append({"system": model, "rater": user, "spans": spans})
