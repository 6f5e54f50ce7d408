"""deepeval: results of a test run as JSON, or a folder of runs, one for each system.

A run has `testCases` (its own files and `DEEPEVAL_RESULTS_FOLDER`) or `test_results` (what `evaluate` returns, dumped).
The item is the name of the test case, the system the hyperparameter `model`, else the name of the file. Input,
expected output and actual output are source, reference and output. Each metric is a judgment: the dimension is its
name, the rater its evaluation model, of kind llm; a metric without one is itself the rater, of kind metric. A metric
with an error, or without a score, has none; a test of several turns has no output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ._io.cells import parse_score
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDrafts
from ._io.json_file import Json, as_list, as_name, as_object, read_json
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

CASES = ("testCases", "test_results", "testResults", "test_cases")
METRICS = ("metricsData", "metrics_data", "metricsMetadata", "metrics_metadata")


class DeepEval(ReadOnlyFormat):
    """Test runs of deepeval."""

    name: ClassVar[str] = "deepeval"

    def recognizes(self, path: Path) -> bool:
        """Check if this is an object of test cases with metrics, or a folder of such files."""
        if path.is_dir():
            return any(self.recognizes(file) for file in sorted(path.glob("*.json"))[:1])
        return matches(path, rb"^\s*\{", _any_key(CASES) + rb"\[", _any_key(METRICS))

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the test cases; those of one name in several runs are one item."""
        drafts, skipped = ItemDrafts(), Skipped(path)
        files = sorted(Path(path).glob("*.json")) if Path(path).is_dir() else [Path(path)]
        for file in files:
            _add_run(as_object(read_json(file), "the file", file), file, drafts, skipped)
        skipped.warn()
        yield from drafts


def _any_key(names: tuple[str, ...]) -> bytes:
    return rb'"(?:' + "|".join(names).encode() + rb')"\s*:\s*'


def _first(record: Json, *names: str) -> Any:
    """Return the first value that is there, under a name in camel or in snake case."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def _add_run(document: Json, path: Path, drafts: ItemDrafts, skipped: Skipped) -> None:
    inner = document.get("testRunData")
    run = as_object(inner, "testRunData", path) if inner is not None else document
    cases = as_list(_first(run, *CASES), CASES[0], path)
    parameters = run.get("hyperparameters")
    model = parameters.get("model") if isinstance(parameters, dict) else None
    system = model if isinstance(model, str) and model else path.name.removesuffix(".gz").removesuffix(".json")
    times: Counter[str] = Counter()
    for number, entry in enumerate(cases, 1):
        where = f"test case {number}"
        case = as_object(entry, where, path)
        output = _first(case, "actualOutput", "actual_output")
        if not isinstance(output, str):
            skipped.add("test cases without an output")
            continue
        name = as_name(case.get("name") or f"test_case_{number - 1}", f"{where}: its name", path)
        times[name] += 1  # one test function may run several cases
        place = f"{path}: {where}"
        draft = drafts.of(name if times[name] == 1 else f"{name}@{times[name]}", place)
        draft.add_output(system, output, place)
        if isinstance(source := case.get("input"), str):
            draft.add_source(source, place)
        if isinstance(expected := _first(case, "expectedOutput", "expected_output"), str):
            draft.add_reference(expected)
        draft.judgments += _judgments(case, system, skipped, where, path)


def _judgments(case: Json, system: str, skipped: Skipped, where: str, path: Path) -> Iterator[Judgment]:
    for entry in as_list(_first(case, *METRICS) or [], f"{where}: {METRICS[0]}", path):
        metric = as_object(entry, f"{where}: a metric", path)
        dimension = as_name(_first(metric, "name", "metric"), f"{where}: the name of a metric", path)
        score = parse_score(metric.get("score"), f"{where}: the score of {dimension!r}", path)
        if score is None or metric.get("error") is not None:
            skipped.add("metrics with an error or without a score")
            continue
        model = _first(metric, "evaluationModel", "evaluation_model")
        rater = as_name(model or dimension, f"{where}: the evaluation model of {dimension!r}", path)
        yield Judgment(system, rater, dimension, score, kind="llm" if model else "metric")
