"""Read a reply: a score on the scale, or the reason why there is none. Nothing becomes a score by accident."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import exp, isfinite
from typing import Any, NamedTuple

from .config import JudgeConfig, JudgeSettings, PointScale
from .rubric import Rubric

Value = float | str | bool

# Why an answer holds no judgment.
REFUSAL, UNPARSABLE, OFF_SCALE, TRUNCATED = "refusal", "unparsable reply", "off the scale", "truncated reply"
OTHER_MODEL, LOW_MASS, NO_PROBABILITIES = "another model answered", "low probability mass", "no token probabilities"
MALFORMED = "malformed response"
UNSTATED = "(not stated)"  # the model, where the endpoint does not say

_NUMBER = r"[-+]?[0-9]{1,12}(?:\.[0-9]{1,12})?"
_SCORE = re.compile(
    rf"(?:(?:final\s+)?(?:score|rating|answer)\s*[:=]\s*)?({_NUMBER})(?:\s*(?:/|out\s+of)\s*({_NUMBER}))?\s*\.?", re.I
)
_CHOICE = re.compile(r"(?:(?:answer|text)\s*:?\s*)?(A|B|tie)\s*\.?", re.I)
_YES_NO = re.compile(r"(?:answer\s*:\s*)?(yes|no)\s*\.?", re.I)
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL)
_REFUSING = re.compile(
    r"\b(?:I(?:'m| am) sorry|I (?:can(?:no|')t|am (?:not able|unable)|won't|will not|must decline|apologi[sz]e)"
    r"|as an AI\b|cannot (?:assist|comply|help|provide))",
    re.I,
)


class ParsedReply(NamedTuple):
    """What a reply says: a value, or the category of its failure; `mass` is the probability found on the scale."""

    value: Value | None = None
    failure: str | None = None
    mass: float | None = None


def answering_model(response: Any) -> str:
    """Return the model that an endpoint says has answered."""
    name = response.get("model") if isinstance(response, Mapping) else None
    return name if isinstance(name, str) and name else UNSTATED


def read_reply(response: Any, rubric: Rubric, config: JudgeConfig, judge: JudgeSettings) -> ParsedReply:
    """Read the response of an endpoint."""
    choice = _first_choice(response)
    if choice is None:
        return ParsedReply(failure=MALFORMED)
    model = answering_model(response)
    if model != UNSTATED and not judge.accepts_model(model):
        return ParsedReply(failure=OTHER_MODEL)
    message = choice["message"]
    text = _content(message)
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return ParsedReply(failure=REFUSAL)
    if config.answer == "probabilities" and rubric.kind == "rating":
        return read_probabilities(choice.get("logprobs"), rubric.scale, config.mass)
    if choice.get("finish_reason") == "length":  # "1" may be the beginning of "10"
        return ParsedReply(failure=TRUNCATED)
    if text is None:
        return ParsedReply(failure=MALFORMED)
    verdict = read_answer(text, rubric, as_json=config.answer == "json")
    return ParsedReply(failure=REFUSAL) if verdict.failure == UNPARSABLE and _REFUSING.search(text) else verdict


def read_answer(text: str, rubric: Rubric, *, as_json: bool = False) -> ParsedReply:
    """Read the text of a reply, all of which must be the answer.

    >>> from assay.llm.config import PointScale
    >>> rubric = Rubric("fluency", "rating", "{output}", PointScale(), "")
    >>> [read_answer(text, rubric)[:2] for text in ("Score: 4/5", "9", "4 or 5")]
    [(4.0, None), (None, 'off the scale'), (None, 'unparsable reply')]
    """
    text = _THOUGHTS.sub("", text).strip()
    if as_json:
        answer = _json_score(text)
        if answer is None:
            return ParsedReply(failure=UNPARSABLE)
        text = answer
    text = text.strip().strip("*_`\"' \n")
    if rubric.kind == "rating":
        return _read_number(text, rubric.scale)
    match = (_CHOICE if rubric.kind == "pairs" else _YES_NO).fullmatch(text)
    if match is None:
        return ParsedReply(failure=UNPARSABLE)
    if rubric.kind == "pairs":
        return ParsedReply("tie" if match[1].lower() == "tie" else match[1].upper())
    return ParsedReply(match[1].lower() == "yes")


def _read_number(text: str, scale: PointScale) -> ParsedReply:
    match = _SCORE.fullmatch(text)
    if match is None:
        return ParsedReply(failure=UNPARSABLE)
    value = float(match[1])
    if (match[2] is not None and float(match[2]) != scale.high) or not scale.accepts(value):
        return ParsedReply(failure=OFF_SCALE)
    return ParsedReply(value)


def _json_score(text: str) -> str | None:
    """Return what an object has under `score`, as a text; None if it is not an object, or has a key twice."""
    fence = _FENCE.match(text)
    try:
        pairs = json.loads(fence[1] if fence else text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        return None
    keys = dict(pairs)
    if len(keys) < len(pairs) or not keys.keys() <= {"score", "reason"}:
        return None
    score = keys.get("score")
    if isinstance(score, bool) or not isinstance(score, (int, float, str)):
        return None
    if isinstance(score, float):
        return f"{score:.12f}".rstrip("0").rstrip(".") if isfinite(score) and abs(score) < 1e12 else "999999999999"
    return score if isinstance(score, str) else str(score) if abs(score) < 10**12 else "999999999999"


def read_probabilities(logprobs: Any, scale: PointScale, least: float) -> ParsedReply:
    """Return the expected score over the probabilities of the first token: sum k p(k) / sum p(k) over the scale.

    Tokens that are a point of the scale count, with or without spaces around. The probabilities are those before a
    grammar is applied, in llama.cpp at least; so none is sent, and too little mass on the scale is a failure.

    >>> from math import log
    >>> top = [{"token": "4", "logprob": log(0.6)}, {"token": " 5", "logprob": log(0.3)}]
    >>> verdict = read_probabilities({"content": [{"top_logprobs": top}]}, PointScale(), 0.5)
    >>> round(verdict.value, 6), round(verdict.mass, 6)
    (4.333333, 0.9)
    """
    tokens = _top_tokens(logprobs)
    if tokens is None:
        return ParsedReply(failure=NO_PROBABILITIES)
    points = {f"{point:g}": point for point in scale.points}
    mass = weighted = total = 0.0
    for token, logprob in tokens:
        p = exp(min(logprob, 0.0))
        total += p
        if token.strip() in points:
            mass += p
            weighted += p * points[token.strip()]
    if total > 1.01:
        return ParsedReply(failure=MALFORMED)
    if mass < least:
        return ParsedReply(failure=LOW_MASS, mass=mass)
    return ParsedReply(min(max(weighted / mass, scale.low), scale.high), mass=mass)


def _top_tokens(logprobs: Any) -> list[tuple[str, float]] | None:
    try:
        tokens = [(entry["token"], float(entry["logprob"])) for entry in logprobs["content"][0]["top_logprobs"]]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    usable = all(isinstance(token, str) and logprob == logprob and logprob <= 1e-6 for token, logprob in tokens)
    return tokens if usable and tokens else None


def _first_choice(response: Any) -> dict[str, Any] | None:
    try:
        choice = response["choices"][0]
        usable = isinstance(choice["message"], dict)
    except (KeyError, IndexError, TypeError):
        return None
    return choice if usable else None


def _content(message: Mapping[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


def reply_text(response: Any) -> str:
    """Return the text of a reply, for people to look at; empty where there is none."""
    choice = _first_choice(response)
    return "" if choice is None else _content(choice["message"]) or ""
