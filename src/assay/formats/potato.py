"""Potato: what each annotator said, in `annotation_output/USER/user_state.json` (or the folder above it).

The folder is the rater, a schema the dimension, an instance the item; the instances are given as outputs with it. A
label is a number by its value (a slider, a number) or, where it is only chosen, by its name (a scale from 1 to 5).
Chosen labels that are not numbers, texts and spans are counted in a warning. A state with an `origin` is by a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from ..errors import FormatError
from ._io.cells import parse_score
from ._io.json_file import Json, as_list, as_object, read_json
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat
from ._io.layout import ColumnMap
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

STATE = "user_state.json"
_CHOSEN = (True, "true", "True", "on", "yes")
_NUMBERED = re.compile(r"(?:[^\W\d_]+[-_ ]?)?(-?[0-9]+(?:\.[0-9]+)?)")


class Potato(JudgmentsFormat):
    """Annotations made with Potato."""

    name: ClassVar[str] = "potato"

    def recognizes(self, path: Path) -> bool:
        """Check if the folder, or its folder annotation_output, holds the states of users."""
        return path.is_dir() and bool(_states(path))

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of every user."""
        states = _states(Path(path))
        if not states:
            raise FormatError(f"holds no USER/{STATE}", path=path)
        skipped = Skipped(path)
        for file in states:
            state = as_object(read_json(file), "the state", file)
            labels = as_object(state.get("instance_id_to_label_to_value") or {}, "the labels", file)
            kind = _kind(state.get("origin"))
            for item, answers in labels.items():
                yield from _judgments(item, answers, kind, file, skipped)
            for _ in filter(
                None, as_object(state.get("instance_id_to_span_to_value") or {}, "the spans", file).values()
            ):
                skipped.add("instances with spans")
        skipped.warn()


def _states(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*/{STATE}")) or sorted((folder / "annotation_output").glob(f"*/{STATE}"))


def _kind(origin: Any) -> str | None:
    """Return what a rater is, where the state says that it is not a person: an LLM, or another program."""
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return None if kind in (None, "human") else "llm" if kind == "llm" else "metric"


def _judgments(item: str, answers: Any, kind: str | None, file: Path, skipped: Skipped) -> Iterator[JudgmentRow]:
    scores: dict[str, list[float]] = {}
    for schema, name, value in _labels(answers, file):
        score = _score(name, value, file)
        if score is None:
            skipped.add(f"labels of {schema[:30]} that are not numbers")
        else:
            scores.setdefault(schema, []).append(score)
    for schema, numbers in scores.items():
        if len(numbers) > 1:
            raise FormatError(
                f"instance {item[:40]!r} has {len(numbers)} scores for {schema[:40]!r}; expected 1", path=file
            )
        yield JudgmentRow(item, None, file.parent.name, schema, numbers[0], kind=kind, place=str(file))


def _labels(answers: Any, file: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield schema, name and value of each label: pairs of a label and its value, or objects by schema and name."""
    if isinstance(answers, dict):
        for schema, values in answers.items():
            for name, value in (values if isinstance(values, dict) else {"": values}).items():
                yield schema, name, value
        return
    for entry in as_list(answers, "the labels of an instance", file):
        label, value = entry if isinstance(entry, list) and len(entry) == 2 else (None, None)
        keys: Json = as_object(label, "a label", file)
        yield str(keys.get("schema")), str(keys.get("name")), value


def _score(name: str, value: Any, file: Path) -> float | None:
    if value in _CHOSEN:
        match = _NUMBERED.fullmatch(name.strip())
        return float(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return parse_score(value, name, file)
    except FormatError:
        return None
