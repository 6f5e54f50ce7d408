"""Requests: the body that is sent for a question, its key in the cache, and what it may cost at most."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import msgspec

from ..data.evalset import EvalSet
from ..errors import InputError
from .budget import Amount
from .config import JudgeConfig, JudgeSettings
from .messages import MessageWriter, response_format
from .question import Question
from .rubric import Rubric

TOP_LOGPROBS = 20  # the most that endpoints give
_DEFAULT_TOKENS = {"number": 16, "json": 64, "probabilities": 1}
_REASON_TOKENS = 256
_PER_MESSAGE = 16  # tokens that a chat template adds, at most


@dataclass(frozen=True)
class RequestWriter:
    """Writes the requests to one judge."""

    judge: JudgeSettings
    config: JudgeConfig
    writers: Mapping[str, MessageWriter]  # by dimension
    data: EvalSet

    def body(self, question: Question) -> dict[str, Any]:
        """Return the body of a request; what the endpoint refuses is left out."""
        writer = self.writers[question.dimension]
        body = {"model": self.judge.model, "messages": writer.write(self.data[question.item], question)}
        return body | {k: v for k, v in self.decoding(writer.rubric, question.repeat).items() if v is not None}

    def decoding(self, rubric: Rubric, repeat: int = 1) -> dict[str, Any]:
        """Return everything of a request that is not the prompt; None for what is left out."""
        form = answer_form(rubric, self.config)
        parameters: dict[str, Any] = {
            "temperature": self.judge.temperature,
            "seed": self.judge.seed + repeat - 1,
            "max_tokens": self.most_tokens(rubric),
        }
        if form == "probabilities":
            parameters |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if form == "json":
            parameters["response_format"] = response_format(rubric, self.config)
        parameters |= dict.fromkeys(self.judge.leave_out)
        return parameters | self.judge.parameters

    def most_tokens(self, rubric: Rubric) -> int:
        """Return how many tokens an answer may have at most."""
        stated = self.judge.parameters.get("max_completion_tokens", self.judge.max_tokens)
        if isinstance(stated, int):
            return stated
        form = answer_form(rubric, self.config)
        return _REASON_TOKENS if self.config.reason and form == "json" else _DEFAULT_TOKENS[form]

    def key(self, question: Question, body: Mapping[str, Any]) -> str:
        """Return the key of a request in the cache: a hash of request, endpoint and repeat number."""
        whole = {"endpoint": self.judge.endpoint, "repeat": question.repeat, "request": body}
        return hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()

    def bound(self, question: Question, body: Mapping[str, Any]) -> Amount:
        """Return what a request may cost at most: no token is shorter than a byte, and answers have a limit."""
        messages = body["messages"]
        prompt = sum(len(message["content"].encode()) + _PER_MESSAGE for message in messages) + _PER_MESSAGE
        answer = self.most_tokens(self.writers[question.dimension].rubric)
        return Amount(1, prompt + answer, self.cost(prompt, answer))

    def cost(self, prompt: float, completion: float) -> float:
        """Return the cost of a number of tokens; 0 where no price is stated."""
        return _cost(self.judge, prompt, completion)

    def actual(self, response: Any, bound: Amount) -> Amount:
        """Return what a request did cost by the usage in its response; the bound, where it states none."""
        return actual_amount(self.judge, response, bound)


def actual_amount(judge: JudgeSettings, response: Any, bound: Amount) -> Amount:
    """Return what a request to a judge did cost by the usage in its response; the bound, where it states none."""
    usage = response.get("usage") if isinstance(response, dict) else None
    if not isinstance(usage, dict):
        return bound
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not (_is_count(prompt) and _is_count(completion)):
        return bound
    return Amount(1, prompt + completion, _cost(judge, prompt, completion))


def _cost(judge: JudgeSettings, prompt: float, completion: float) -> float:
    return 0.0 if judge.price is None else judge.price.cost(prompt, completion)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40


def answer_form(rubric: Rubric, config: JudgeConfig) -> str:
    """Return how an answer is read: probabilities are those of ratings; pairs and units are then answered in a word."""
    return "number" if config.answer == "probabilities" and rubric.kind != "rating" else config.answer


def check_forms(config: JudgeConfig, rubrics: Mapping[str, Rubric]) -> None:
    """Raise for ways to answer that cannot work."""
    for judge in config.judge:
        if config.answer == "probabilities" and "logprobs" in judge.leave_out:
            raise InputError(f"judge {judge.rater!r}: probabilities need logprobs, which leave_out names")
        unlimited = "max_tokens" in judge.leave_out and "max_completion_tokens" not in judge.parameters
        if unlimited and (config.budget.tokens is not None or config.budget.money is not None):
            raise InputError(
                f"judge {judge.rater!r}: a budget needs a limit of each answer: leave_out names max_tokens, and "
                "parameters has no max_completion_tokens"
            )
    for rubric in rubrics.values():
        if config.answer == "probabilities" and rubric.kind == "rating":
            _check_tokens(rubric)


def _check_tokens(rubric: Rubric) -> None:
    """Raise where the first token of an answer does not tell the number: 1 may be the beginning of 10."""
    texts = [f"{point:g}" for point in rubric.scale.points]
    clash = next((text for text in texts for other in texts if other != text and other.startswith(text)), None)
    if clash is not None or len(texts) > TOP_LOGPROBS:
        raise InputError(
            f"the scale of {rubric.dimension!r} cannot be read from the first token: {clash or texts[-1]} may begin "
            "another number; use a scale of single digits"
        )
