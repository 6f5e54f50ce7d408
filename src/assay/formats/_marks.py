"""Marks of tools with files that Assay does not read: such a file is refused by name, and not taken for a table.

A mark is a set of columns or keys, as `fold` writes them, or patterns in the beginning of a file. `--columns` and
`--input-format` say what a file is in spite of its mark.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..errors import AssayError, FormatError
from ._io.peek import peek
from ._io.roles import NAMES, fold, split_names
from ._io.text_file import StrPath

TEXTS = "source=...,output=...,reference=..."
RAGAS = split_names(
    "faithfulness answerrelevancy responserelevancy contextprecision contextrecall contextrelevancy contextutilization "
    "contextentityrecall answercorrectness answersimilarity factualcorrectness semanticsimilarity noisesensitivity "
    "retrievedcontexts referencecontexts llmcontextprecisionwithreference llmcontextprecisionwithoutreference"
)


_MLFLOW = rb'(?:^[^\n]*[,\t]|")[\w ]+/v\d+/(?:score|justification)["\t,\r\n]'


class Mark(NamedTuple):
    """How files of a tool are known: by all of `keys`, one of `some`, and one that begins as each of `starts` says."""

    tool: str
    keys: frozenset[str] = frozenset()
    some: frozenset[str] = frozenset()
    starts: tuple[tuple[str, ...], ...] = ()
    patterns: tuple[bytes, ...] = ()
    hint: str = TEXTS

    def matches(self, keys: frozenset[str], start: bytes) -> bool:
        """Check if the columns or keys of a file, and its beginning, have this mark."""
        if self.keys or self.some or self.starts:
            if not self.keys <= keys or (self.some and not self.some & keys):
                return False
            if any(not any(key.startswith(prefix) for key in keys) for prefix in self.starts):
                return False
        return all(re.search(pattern, start) for pattern in self.patterns)


MARKS = (
    Mark("a run of HELM", patterns=(rb'"train_trial_index"\s*:', rb'"(?:request_states|instance_id|instance)"\s*:')),
    Mark("results of every_eval_ever", split_names("sampleid modelid evaluationname")),
    Mark(
        "a log of OpenAI evals", patterns=(rb'^\s*\{\s*"spec"\s*:\s*\{', rb'"(?:eval_name|completion_fns|run_id)"\s*:')
    ),
    Mark("a log of OpenAI evals", split_names("runid eventid sampleid type data")),
    Mark("scores of ragas", split_names("userinput response"), RAGAS, hint="source=user_input,output=response"),
    Mark("scores of ragas", split_names("question answer"), RAGAS, hint="source=question,output=answer"),
    Mark("an evaluation table of MLflow", patterns=(_MLFLOW,)),
    Mark("traces of MLflow", patterns=(rb'"source_type"\s*:\s*"(?:HUMAN|LLM_JUDGE|AI_JUDGE|CODE)"', rb'"assessments"')),
    Mark("scores of Langfuse", split_names("traceid datatype source")),
    Mark(
        "an export of LangSmith",
        starts=(("inputs.",), ("outputs.",), ("feedback.",)),
        hint="source=inputs....,output=outputs....,reference=reference_outputs....",
    ),
    Mark("details of lighteval", split_names("doc modelresponse")),
    Mark("details of lighteval", split_names("predictions gold"), starts=(("metrics", "metric."),)),
    Mark("answers of MT-Bench (FastChat)", split_names("questionid modelid choices")),
    Mark("grades of MT-Bench (FastChat)", split_names("questionid judge userprompt judgment")),
    *(
        Mark("preferences between pairs of outputs", split_names(f"{name}{first} {name}{second}"), winner)
        for name, first, second in (("model", "a", "b"), ("model", "1", "2"), ("generator", "1", "2"))
        for winner in (split_names("winner g1winner g2winner preference winnermodela winnermodelb judge vote label"),)
    ),
)
# Verdicts: a column of these names that holds these words is the outcome of a test, and no text to score.
VERDICTS = {
    "verdict": split_names("pass fail passed failed yes no true false correct incorrect 1 0"),
    "label": split_names("pass fail passed failed correct incorrect"),
    "passfail": split_names("pass fail passed failed yes no true false 1 0"),
}
MAX_ROWS = 50  # rows that are looked at for verdicts


def refuse_marked(path: StrPath) -> None:
    """Raise where a file has the mark of a tool of which no files are read."""
    place = Path(path)
    if place.is_dir():
        if (place / "scenario_state.json").is_file():
            raise _refusal("a run of HELM", path, TEXTS)
        return
    start = peek(place)
    rows = _first_rows(place, start)
    keys = frozenset(fold(key) for key in _list_keys(rows[:1]))
    for mark in MARKS:
        if mark.matches(keys, start):
            raise _refusal(mark.tool, path, mark.hint)
    if not keys & NAMES["rater"] and (column := _find_verdicts(rows)):
        raise _refusal(f"a table of verdicts ({column})", path, TEXTS)


def _refusal(tool: str, path: StrPath, hint: str) -> FormatError:
    return FormatError(
        f"this looks like {tool}, which Assay does not read: make it a table with a column per role, or say what its "
        f"columns are with --columns {hint}",
        path=path,
    )


def _first_rows(path: Path, start: bytes) -> list[Mapping[str, Any]]:
    """Return the first records of a file: of JSON Lines, an array, a CSV table or Parquet; none of anything else."""
    if start.startswith(b"PAR1"):
        return _parquet_names(path)
    text = start.lstrip()
    if text.startswith((b"{", b"[")):
        return _json_rows(text)
    lines = start.decode("utf-8", "replace").splitlines()[: MAX_ROWS + 1]
    if not lines:
        return []
    delimiter = max("\t;,", key=lines[0].count)
    try:
        return list(csv.DictReader(lines, delimiter=delimiter))
    except csv.Error:
        return []


def _parquet_names(path: Path) -> list[Mapping[str, Any]]:
    from ._io.table_read import open_table

    try:
        return [dict.fromkeys(open_table(path).headers)]
    except AssayError:
        return []  # whoever reads it will say what is wrong


def _json_rows(text: bytes) -> list[Mapping[str, Any]]:
    """Return the objects on the first lines, or those of a document that is not longer than what was looked at."""
    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        rows = [_decode(line) for line in text.split(b"\n")[:MAX_ROWS]]
        return [row for row in rows if isinstance(row, dict)]
    values = value if isinstance(value, list) else [value]
    return [row for row in values[:MAX_ROWS] if isinstance(row, dict)]


def _decode(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return None


def _list_keys(rows: Iterable[Mapping[str, Any]], prefix: str = "") -> Iterable[str]:
    """Return the keys of records, those of nested objects with a dot before them too."""
    for row in rows:
        for key, value in row.items():
            name = f"{prefix}{key}"
            yield name
            if isinstance(value, dict) and not prefix:
                yield from _list_keys([value], f"{name}.")


def _find_verdicts(rows: list[Mapping[str, Any]]) -> str | None:
    for key in rows[0] if rows else ():
        words = VERDICTS.get(fold(str(key)))
        values = {str(row.get(key)).strip().lower() for row in rows if row.get(key) not in (None, "")}
        if words and values and values <= words:
            return str(key)
    return None
