"""Check how files are read, and which questions they can answer."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..data.evalset import EvalSet
from ..data.reading import Answerable, Reading
from ..errors import NoOutputs
from ..files import write_whole
from ._io.text_file import StrPath
from ._reading import Readable, read, read_judged


def check(path: Readable, *, judgments: Readable | None = None, **options: Any) -> Reading:
    """Say how a file (or a DataFrame, a dict of lists, ...) is read, and which questions it can answer.

    The arguments are those of `assay.read`.

    >>> print(check({"prediction": ["a b"], "reference": ["a"]}).line())
    output = prediction, reference = reference
    """
    if isinstance(path, EvalSet):
        data = path
    else:
        try:
            data = read(path, judgments=judgments, **options)
        except NoOutputs:
            if judgments is not None or not isinstance(path, str | os.PathLike):
                raise
            data = read_judged(path, format=options.get("format"), columns=options.get("columns"))
    names = ["FILE" if not isinstance(path, str | os.PathLike) else str(path)]
    if judgments is not None:
        names += ["--judgments", str(judgments) if isinstance(judgments, str | os.PathLike) else "FILE"]
    return replace(data.reading, questions=list_questions(data, shlex.join(names)))


def list_questions(data: EvalSet, arguments: str) -> tuple[Answerable, ...]:
    """List the questions that a set can answer, with the commands; `arguments` are the files and options to type."""
    return tuple(Answerable(question, f"assay {command}") for question, command in _questions(data, arguments))


def _questions(data: EvalSet, arguments: str) -> Iterator[tuple[str, str]]:
    has_texts = any(item.references for item in data)
    has_outputs = any(text != system for item in data for system, text in item.outputs.items())
    systems = len(data.systems) - len(data.people)
    kinds = list(dict.fromkeys(kind for _, kind in data.assessors))
    if has_outputs and has_texts:
        yield "How do the outputs score?", f"score {arguments} -m rouge2 -m bleu"
        if systems > 1:
            yield "Which system is better, by a metric?", f"compare {arguments} -m rouge2"
    for kind in kinds:
        judged = data.use_assessors(kind)
        other = "" if kind == "human" else f" --kind {kind}"
        dimension = shlex.quote(judged.dimensions[0])
        if kind != "metric" and systems > 1:
            yield f"Which system is better, by {_ratings(kind)}?", f"compare {arguments} -d {dimension}{other}"
        if kind != "metric" and has_outputs and has_texts and systems > 1:
            yield f"Can I trust the metric, by {_ratings(kind)}?", f"meta {arguments} -m rouge2 -d {dimension}{other}"
        if kind != "metric" and len(judged.raters) > 1:
            yield f"Can I trust the judges, by {_ratings(kind)}?", f"agree {arguments} -d {dimension}{other}"
        if kind == "human" and len(judged.raters) > 1:
            yield "How many judgments are needed?", f"plan {arguments} -d {dimension} --difference 0.5"
    if has_outputs and (has_texts or kinds):
        yield "All of it on one page", f"report {arguments}"
    if not data.systems and any(item.sources for item in data):
        yield "Shorten the texts", f"compress {arguments}"


def _ratings(kind: str) -> str:
    return {"human": "ratings", "llm": "ratings of LLMs"}[kind]


def save_reading(reading: Reading, path: StrPath) -> None:
    """Write the roles of the columns, which `--columns @FILE` and `columns="@FILE"` use for another file."""
    evidence = {column.column: column.evidence for column in reading.columns}
    lines = [f"# how {', '.join(reading.files)} was read; use it with --columns @FILE", "[columns]"]
    columns = reading.to_columns()
    for role, names in ({**columns, "score": columns.get("score", [])}).items():
        why = "; ".join(dict.fromkeys(evidence[name] for name in names if evidence[name]))
        comment = f"  # {why}".replace("\n", " ").replace("\r", " ") if why else ""
        lines.append(f"{role} = {json.dumps(names, ensure_ascii=True)}{comment}")
    write_whole(path, "\n".join(lines) + "\n")
