"""Show what LLM judges said, what went wrong, and what it cost; and what a run would send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import (
    MISSING,
    format_count,
    format_decimals,
    format_number,
    format_percent,
    format_range,
    join_names,
    shorten_text,
)

if TYPE_CHECKING:
    from ..llm.summary import FailureCount, JudgedDimension, JudgePlan, JudgeRun, JudgeTotals

_EXAMPLE = 60
_WORDY = ("truncated reply", "unparsable reply", "low probability mass")


def view_judge_run(result: JudgeRun) -> View:
    """Say how many of the questions are answered, then what went wrong."""
    tables = [_judged_table(result)]
    if result.failures:
        tables.append(_failure_table(result.failures))
    return View(list(_sentences(result)), tables, notes=list(_notes(result)), title="LLM judges")


def _sentences(result: JudgeRun) -> Iterator[str]:
    total, judged = sum(d.questions for d in result.dimensions), sum(d.judged for d in result.dimensions)
    who = join_names([judge.judge for judge in result.judges])
    what = join_names(list(dict.fromkeys(d.dimension for d in result.dimensions)))
    all_of = "all" if judged == total else f"{judged:,} of"
    outputs = format_count(result.outputs, "output")
    yield f"{who} gave a usable answer to {all_of} {format_count(total, 'question')} about {what} ({outputs})."
    failed = total - judged
    if failed:
        counts: dict[str, int] = {}
        for failure in result.failures:
            counts[failure.category] = counts.get(failure.category, 0) + failure.count
        listed = ", ".join(f"{category} {count:,}" for category, count in counts.items())
        yield f"No judgment from {failed:,} ({format_percent(failed / total)}): {listed}."
        if result.answer != "json" and sum(counts.get(c, 0) for c in _WORDY) > total / 2:
            yield 'The model answers in words: answer = "json" in the configuration asks for JSON by a schema.'
    for judge in result.judges:
        if judge.stopped:
            yield f"{judge.judge} was stopped: {judge.stopped}. The same command goes on from there."
    for row in result.dimensions:
        if row.values == 1 and row.judged > 1:
            yield f"{row.judge} gave every output the same {row.dimension}: it tells nothing about the outputs."
    yield _cost(result)
    yield f"Judgments: {result.out}; card: {result.card}; answers: {result.answers}."


def _cost(result: JudgeRun) -> str:
    tokens, money = sum(judge.tokens for judge in result.judges), sum(judge.cost for judge in result.judges)
    price = f", cost {format_number(money)}" if any(judge.priced for judge in result.judges) else ""
    return f"{format_count(tokens, 'token')}{price}, {format_decimals(result.seconds, 1)} s."


def _judged_table(result: JudgeRun) -> Table:
    rows = result.dimensions
    columns = [
        text_column("judge", [row.judge for row in rows]),
        text_column("dimension", [row.dimension for row in rows]),
        Column("asked", [f"{row.questions:,}" for row in rows]),
        Column("judged", [f"{row.judged:,}" for row in rows]),
        Column("mean", [format_decimals(row.mean, 2) for row in rows]),
        Column("range", [format_range(row.low, row.high, 2) for row in rows]),
        Column("values", [str(row.values) for row in rows]),
        Column("s each", [format_decimals(row.seconds, 2) for row in rows]),
        Column("tokens", [f"{row.tokens:,}" for row in rows]),
    ]
    if any(judge.priced for judge in result.judges):
        columns.append(Column("cost", [format_number(row.cost) for row in rows]))
    if any(row.repeats > 1 for row in rows):
        label = "same again" if len({row.deterministic for row in rows}) > 1 else _label(rows[0])
        columns.append(Column(label, [format_percent(row.identical) for row in rows]))
    if any(row.mass == row.mass for row in rows):
        columns.append(Column("mass", [format_decimals(row.mass, 2) for row in rows]))
    return Table(columns)


def _label(row: JudgedDimension) -> str:
    return "determinism" if row.deterministic else "self-consistency"


def _failure_table(failures: tuple[FailureCount, ...]) -> Table:
    return Table(
        [
            text_column("judge", [f.judge for f in failures]),
            text_column("failure", [f.category for f in failures]),
            Column("count", [f"{f.count:,}" for f in failures]),
            text_column("for example", [f"{f.item}, {f.system}" for f in failures]),
            text_column("reply", [shorten_text(" ".join(f.reply.split()), _EXAMPLE) or MISSING for f in failures]),
        ],
        title="Failures",
    )


def _notes(result: JudgeRun) -> Iterator[str]:
    for judge in result.judges:
        yield from _judge_notes(judge)
    if any(row.repeats > 1 and row.deterministic for row in result.dimensions):
        yield "determinism: share of outputs with equal repeats at temperature 0; no sign of accuracy"
    if any(row.repeats > 1 and not row.deterministic for row in result.dimensions):
        yield "self-consistency: share of outputs with equal repeats"
    if any(row.mass == row.mass for row in result.dimensions):
        yield "mass: mean probability of the first token on the scale; scores are expectations over it"
    if result.other_answers:
        answers = format_count(result.other_answers, "answer")
        yield f"{result.answers} holds {answers} to other requests (another prompt, model, endpoint or text): not used"


def _judge_notes(judge: JudgeTotals) -> Iterator[str]:
    others = [name for name in judge.answered_as if name != judge.model]
    if others:
        yield f"{judge.judge}: {judge.model} was asked; {join_names(others)} answered"
    if judge.from_journal:
        yield f"{judge.judge}: {format_count(judge.from_journal, 'answer')} of an earlier run, not paid again"
    if judge.sent_again:
        yield f"{judge.judge}: {format_count(judge.sent_again, 'request')} in flight when a run broke off, sent again"
    if judge.retries:
        yield f"{judge.judge}: {format_count(judge.retries, 'request')} tried again"
    if judge.neutralized:
        texts = format_count(judge.neutralized, "text")
        yield f"{judge.judge}: {texts} with tags or marks of chat templates, which were replaced"


def view_judge_plan(result: JudgePlan) -> View:
    """Say what would be sent and cost at most, and show the first prompt."""
    price = f" and cost {format_number(result.cost)}" if result.priced else ""
    who, what = join_names(result.judges), join_names(result.dimensions)
    sentences = [
        f"{format_count(result.requests, 'request')} to {who} about {what} would use at most "
        f"{format_count(result.tokens, 'token')}{price}."
    ]
    if result.answered:
        sentences.append(f"{format_count(result.answered, 'question')} answered already would not be sent again.")
    notes = ["nothing was sent; tokens are counted as bytes: more than any model counts"]
    return View(sentences, notes=notes, text=result.prompt)
