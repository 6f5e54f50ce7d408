"""The judge card: which model judged what, how it was asked, when, on which data, and what went wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from .. import __version__
from ..files import write_whole
from .assemble import state_scale
from .config import JudgeConfig, JudgeSettings
from .requests import RequestWriter
from .session import JudgeSession
from .summary import JudgeRun, JudgeTotals

FORMAT = "assay judge card"
VERSION = 1


def make_card(
    session: JudgeSession, run: JudgeRun, *, dataset: str, sha256: str, like: str | None = None
) -> dict[str, Any]:
    """Return the card as plain values. It says nothing about the key but the name of its variable."""
    config = session.config
    totals = {each.judge: each for each in run.judges}
    began, ended = run.times
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": f"assay {__version__}",
        "began": began,
        "ended": ended,
        "dataset": {"path": dataset, "sha256": sha256, "outputs": run.outputs} | ({"like": like} if like else {}),
        "answer": config.answer,
        "repeats": config.repeats,
        "orders": config.orders,
        "budget": {k: v for k, v in msgspec.structs.asdict(config.budget).items() if v is not None},
        "dimensions": {name: _describe_prompt(session, name) for name in session.writers},
        "judges": [
            _describe_judge(session.request_writers[n], judge, totals[judge.rater], run)
            for n, judge in enumerate(config.judge)
            if judge.rater in totals
        ],
        "panel": [config.panel_name(how) for how in config.panel],
        "answers": run.answers,
        "answers_to_other_requests": run.other_answers,
    }


def _describe_prompt(session: JudgeSession, dimension: str) -> dict[str, Any]:
    writer = session.writers[dimension]
    scale = state_scale(writer.rubric).keys()
    return {
        "kind": writer.rubric.kind,
        "scale": scale | ({"step": writer.rubric.scale.step} if writer.rubric.kind == "rating" else {}),
        "origin": writer.rubric.origin,
        "prompt": writer.prompt,
        "sha256": hash_prompt(writer.prompt),
    }


def hash_prompt(prompt: str) -> str:
    """Return the SHA-256 of a prompt, by which two runs can be told to have asked the same."""
    return hashlib.sha256(prompt.encode()).hexdigest()


def _describe_judge(writer: RequestWriter, judge: JudgeSettings, totals: JudgeTotals, run: JudgeRun) -> dict[str, Any]:
    decoding = {d: writer.decoding(w.rubric) for d, w in writer.writers.items()}
    return {
        "name": judge.rater,
        "model": judge.model,
        "answered_as": dict(run.models.get(judge.rater, {})),
        "family": judge.family or None,
        "endpoint": judge.endpoint,
        "key_from": judge.key or None,
        "decoding": {d: {k: v for k, v in values.items() if v is not None} for d, values in decoding.items()},
        "left_out": list(judge.leave_out),
        "repeats_vary": repeat_label(judge, writer.config),
        "requests": totals.requests,
        "answered": totals.answered,
        "from_answers_file": totals.from_journal,
        "sent_again_after_a_crash": totals.sent_again,
        "retries": totals.retries,
        "failures": {f.category: f.count for f in run.failures if f.judge == judge.rater},
        "tokens": totals.tokens,
        "cost": totals.cost if totals.priced else None,
        "texts_with_marks_replaced": totals.neutralized,
        "stopped": totals.stopped or None,
        "judgments": [_plain(row) for row in run.dimensions if row.judge == judge.rater],
    }


def repeat_label(judge: JudgeSettings, config: JudgeConfig) -> str | None:
    """Return what the agreement of repeats measures: determinism at temperature 0, else self-consistency."""
    if config.repeats == 1:
        return None
    return "determinism" if judge.temperature == 0 and "temperature" not in judge.leave_out else "self-consistency"


def _plain(row: Any) -> dict[str, Any]:
    names = (
        "dimension",
        "questions",
        "judged",
        "failed",
        "mean",
        "low",
        "high",
        "values",
        "seconds",
        "identical",
        "mass",
    )
    values = {name: getattr(row, name) for name in names}
    return {name: value for name, value in values.items() if value == value}  # NaN has no place in JSON


def write_card(card: Mapping[str, Any], path: str) -> None:
    """Write the card as JSON, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")
