"""promptfoo: the results of an evaluation as JSON (`promptfoo eval -o results.json`).

The item is the variable `id`, else the number of the test; the system is the label of the provider, with the number of
the prompt where there are several. Source and references are variables with such names. Each assertion is a judgment:
the rater is its provider or type, the dimension its metric or type. Assertions that ask a model are of kind llm, those
by `human` are of people, all others are metrics. A test that failed with an error (failureReason 2) has no output.
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
from ._io.json_file import Json, as_list, as_name, as_object, dump_json, read_json
from ._io.peek import matches
from ._io.record_fields import add_context, find_field
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

MODEL_GRADED = frozenset(
    [
        *("llm-rubric", "search-rubric", "model-graded-closedqa", "model-graded-factuality", "factuality", "g-eval"),
        *("answer-relevance", "context-recall", "context-relevance", "context-faithfulness", "conversation-relevance"),
        *("select-best", "pi", "trajectory:goal-success"),
    ]
)
ERROR = 2


class Promptfoo(ReadOnlyFormat):
    """Results of promptfoo."""

    name: ClassVar[str] = "promptfoo"

    def recognizes(self, path: Path) -> bool:
        """Check if this is an object with results of a version."""
        return matches(path, rb"^\s*\{", rb'"results"\s*:\s*\{\s*"version"\s*:\s*\d') or matches(
            path, rb"^\s*\{", rb'"promptIdx"', rb'"gradingResult"|"testIdx"'
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the tests; those of one id and several providers are one item."""
        document = as_object(read_json(path), "the file", path)
        results = document.get("results")
        rows = as_list(results.get("results") if isinstance(results, dict) else results, "results.results", path)
        entries = [as_object(row, f"result {number}", path) for number, row in enumerate(rows, 1)]
        prompts = _prompts_by_provider(entries, path)
        drafts, skipped = ItemDrafts(), Skipped(path)
        for number, entry in enumerate(entries, 1):
            where = f"result {number}"
            variables = as_object(entry.get("vars") or {}, f"{where}: vars", path)
            item = as_name(find_field(variables, "id") or entry.get("testIdx", number), f"{where}: its id", path)
            system = _provider(entry, where, path)
            if len(prompts[system]) > 1:
                system = f"{system} [prompt {entry.get('promptIdx', 0)}]"
            text = _output(entry, where, path)
            if text is None:
                drafts.of(item, f"{path}: {where}")
                skipped.add("tests that failed with an error and have no output")
                continue
            draft = drafts.place(item, system, text, f"{path}: {where}")
            add_context(draft, variables, f"{path}: {where}", path)
            draft.judgments += _judgments(entry, system, skipped, where, path)
        skipped.warn()
        yield from drafts


def _provider(entry: Json, where: str, path: StrPath) -> str:
    provider = entry.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return as_name(provider, f"{where}: its provider", path)


def _prompts_by_provider(entries: list[Json], path: StrPath) -> dict[str, set[Any]]:
    prompts: dict[str, set[Any]] = {}
    for number, entry in enumerate(entries, 1):
        prompts.setdefault(_provider(entry, f"result {number}", path), set()).add(str(entry.get("promptIdx", 0)))
    return prompts


def _output(entry: Json, where: str, path: StrPath) -> str | None:
    """Return the output as a text; an output that is JSON is written as such. None where the test failed."""
    response = entry.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    if entry.get("failureReason") == ERROR or output is None:
        return None
    return output if isinstance(output, str) else dump_json(output, path).decode().strip()


def _judgments(entry: Json, system: str, skipped: Skipped, where: str, path: StrPath) -> Iterator[Judgment]:
    numbers: Counter[str] = Counter()
    grading = as_object(entry.get("gradingResult") or {}, f"{where}: gradingResult", path)
    for part in as_list(grading.get("componentResults") or [], f"{where}: componentResults", path):
        component = as_object(part, f"{where}: a component result", path)
        assertion = component.get("assertion")
        if not isinstance(assertion, dict) or not isinstance(assertion.get("type"), str):
            skipped.add("results without an assertion")
            continue
        score = parse_score(component.get("score"), f"{where}: the score", path)
        if score is None:
            skipped.add("assertions without a score")
            continue
        kind = assertion["type"].removeprefix("not-")
        provider = assertion.get("provider")
        name = provider.get("id") if isinstance(provider, dict) else provider
        rater = as_name(name or assertion["type"], f"{where}: the provider of an assertion", path)
        dimension = as_name(assertion.get("metric") or assertion["type"], f"{where}: a metric", path)
        if assertion.get("metric") is None:  # a second assertion of one type is another question
            numbers[dimension] += 1
            dimension = dimension if numbers[dimension] == 1 else f"{dimension} {numbers[dimension]}"
        yield Judgment(system, rater, dimension, score, kind=_kind(kind))


def _kind(assertion: str) -> str:
    return "human" if assertion == "human" else "llm" if assertion in MODEL_GRADED else "metric"
