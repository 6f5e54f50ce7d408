"""From outcomes to a judged set: judgments with what is known about them, and failures under the items they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Any, NamedTuple

from ..data.evalset import EvalSet
from ..data.item import Item, Judgment
from ..data.scale import Scale
from ..errors import InputError
from .config import JudgeConfig
from .question import Question
from .reply import ParsedReply, read_reply
from .rubric import Rubric
from .runner import Outcome

_OWN = frozenset(Judgment._fields)
Row = dict[str, Any]


class JudgedQuestion(NamedTuple):
    """A question, what became of it, and how the reply was read."""

    outcome: Outcome
    verdict: ParsedReply

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.outcome.question


def read_outcome(outcome: Outcome, rubric: Rubric, config: JudgeConfig) -> JudgedQuestion:
    """Read the reply of an outcome, if there is one."""
    if outcome.answer is None:
        return JudgedQuestion(outcome, ParsedReply(failure=outcome.failure))
    judge = config.judge[outcome.question.judge]
    return JudgedQuestion(outcome, read_reply(outcome.answer.response, rubric, config, judge))


def check_data(data: EvalSet, config: JudgeConfig, rubrics: Mapping[str, Rubric]) -> None:
    """Raise, before anything is paid for, where the new judgments could not stand in the set."""
    raters = {judge.rater for judge in config.judge} | {config.panel_name(how) for how in config.panel}
    kinds = dict(data.assessors)
    for item in data:
        for j in item.judgments:
            if j.rater in raters and (kinds[j.rater] != "llm" or j.dimension in rubrics):
                raise InputError(
                    f"{item.place}: {j.rater!r} has judged {j.dimension!r} already; give the judge another name, or a "
                    "set without its judgments"
                )
    for rubric in rubrics.values():
        _check_scale(data, rubric)


def _check_scale(data: EvalSet, rubric: Rubric) -> None:
    if rubric.dimension not in (*data.scales, *data.judged_dimensions):
        return
    stated, wanted = data.scales.get(rubric.dimension, Scale()), state_scale(rubric)
    low, high = wanted.range or (0.0, 0.0)
    kinds = stated.kind or "rating", wanted.kind or "rating"
    if kinds[0] != kinds[1]:
        raise InputError(
            f"{rubric.dimension!r} is of kind {kinds[0]} in the set; the rubric makes it one of {kinds[1]}"
        )
    if stated.best is not None and stated.best != wanted.best:
        raise InputError(
            f"{stated.best} is best in {rubric.dimension!r} by the set, {wanted.best} by the rubric: set best"
        )
    if rubric.kind != "rating":
        return
    if stated.range is not None and stated.range != (low, high):
        ends = " to ".join(f"{end:g}" for end in stated.range)
        raise InputError(f"the set has {rubric.dimension!r} from {ends}; the rubric has {low:g} to {high:g}: set range")
    scores = [j.score for item in data for j in item.judgments if j.dimension == rubric.dimension]
    if scores and not (low <= min(scores) and max(scores) <= high):
        raise InputError(
            f"{rubric.dimension!r} was judged from {min(scores):g} to {max(scores):g}; the rubric has {low:g} to "
            f"{high:g}: set range = [{min(scores):g}, {max(scores):g}] in [dimensions.{rubric.dimension}]"
        )


def state_scale(rubric: Rubric) -> Scale:
    """Return what the judged set states about a dimension."""
    if rubric.kind == "pairs":
        return Scale("low", kind="pairs")
    return Scale("high", (0.0, 1.0)) if rubric.kind == "units" else rubric.scale.to_scale()


def add_results(
    data: EvalSet, judged: Sequence[JudgedQuestion], config: JudgeConfig, rubrics: Mapping[str, Rubric]
) -> EvalSet:
    """Return the set with the judgments added; failures stand under the key `failures` of their items."""
    rows: dict[str, list[Row]] = defaultdict(list)
    failures: dict[str, list[Row]] = defaultdict(list)
    for dimension, rubric in rubrics.items():
        part = [each for each in judged if each.question.dimension == dimension]
        make = {"rating": _rating_rows, "pairs": _pair_rows, "units": _unit_rows}[rubric.kind]
        for item, row in make(part, config):
            rows[item].append(row)
    for item, row in _panel_rows(rows, config, rubrics):
        rows[item].append(row)
    for each in judged:
        if each.verdict.failure is not None:
            failures[each.question.item].append(_failure(each, config))
    items = [_add_rows(item, rows[item.id], failures[item.id]) for item in data]
    result = EvalSet(items, allow_missing=data.allow_missing, people=data.people)
    new = {d: state_scale(r) for d, r in rubrics.items() if d in result.judged_dimensions and d not in data.scales}
    return result.with_scales(new) if new else result


def _details(parts: Iterable[JudgedQuestion]) -> Row:
    """Return what is written next to a judgment: seconds, tokens and cost of the requests for it."""
    parts = list(parts)
    answers = [p.outcome.answer for p in parts if p.outcome.answer is not None]
    costs = [p.outcome.cost for p in parts]
    row: Row = {"seconds": round(sum(a.seconds for a in answers), 3), "tokens": sum(c.tokens for c in costs)}
    if any(c.money for c in costs):
        row["cost"] = sum(c.money for c in costs)
    return row


def _row(each: JudgedQuestion, config: JudgeConfig, system: str, score: float, occasion: int, details: Row) -> Row:
    rater, dimension = config.judge[each.question.judge].rater, each.question.dimension
    number = {} if occasion == 1 else {"occasion": occasion}
    row = {"system": system, "rater": rater, "dimension": dimension, "score": score, **number, "kind": "llm"}
    mass = {} if each.verdict.mass is None else {"mass": round(each.verdict.mass, 4)}
    return row | details | mass


def _rating_rows(judged: Iterable[JudgedQuestion], config: JudgeConfig) -> Iterable[tuple[str, Row]]:
    for each in judged:
        if isinstance(each.verdict.value, float):
            q = each.question
            yield q.item, _row(each, config, q.systems[0], each.verdict.value, q.repeat, _details([each]))


def _pair_rows(judged: Iterable[JudgedQuestion], config: JudgeConfig) -> Iterable[tuple[str, Row]]:
    """Yield two ranks for each pair; the occasion counts the pairs of an item, as in a study of pairs."""
    pairs: dict[tuple[int, str], int] = defaultdict(int)
    for each in judged:
        if not isinstance(each.verdict.value, str):
            continue
        q = each.question
        occasion = pairs[q.judge, q.item] = pairs[q.judge, q.item] + 1
        repeat = {"repeat": q.repeat} if q.repeat > 1 else {}
        details = {"order": list(q.systems), **repeat, **_details([each])}
        for letter, system in zip("AB", q.systems, strict=True):
            score = 1.0 if each.verdict.value in (letter, "tie") else 2.0
            yield q.item, _row(each, config, system, score, occasion, details)


def _unit_rows(judged: Iterable[JudgedQuestion], config: JudgeConfig) -> Iterable[tuple[str, Row]]:
    """Yield the share of an item's units that an output holds, where every unit was answered."""
    groups: dict[tuple[int, str, tuple[str, ...], int], list[JudgedQuestion]] = defaultdict(list)
    for each in judged:
        q = each.question
        groups[q.judge, q.item, q.systems, q.repeat].append(each)
    for group in groups.values():
        marks = [each.verdict.value for each in sorted(group, key=lambda each: each.question.unit or 0)]
        if all(isinstance(mark, bool) for mark in marks):
            q = group[0].question
            details = {"units": marks, **_details(group)}
            score = sum(map(bool, marks)) / len(marks)
            yield q.item, _row(group[0], config, q.systems[0], score, q.repeat, details)


def _panel_rows(
    rows: Mapping[str, list[Row]], config: JudgeConfig, rubrics: Mapping[str, Rubric]
) -> Iterable[tuple[str, Row]]:
    """Yield the mean or median of all judges, where all of them gave a rating."""
    members = [judge.rater for judge in config.judge]
    new = []
    for item, own in rows.items():
        cells: dict[tuple[str, str, int], dict[str, float]] = defaultdict(dict)
        for row in own:
            if rubrics[row["dimension"]].kind != "pairs":
                cells[row["system"], row["dimension"], row.get("occasion", 1)][row["rater"]] = row["score"]
        for (system, dimension, occasion), scores in cells.items():
            for how in config.panel if len(scores) == len(members) else ():
                score = (fmean if how == "mean" else median)(scores.values())
                row = {"system": system, "rater": config.panel_name(how), "dimension": dimension, "score": score}
                number = {} if occasion == 1 else {"occasion": occasion}
                new.append((item, {**row, **number, "kind": "llm", "panel": members}))
    return new


def _failure(each: JudgedQuestion, config: JudgeConfig) -> Row:
    q = each.question
    rater = config.judge[q.judge].rater
    row: Row = {"rater": rater, "systems": list(q.systems), "dimension": q.dimension, "reason": each.verdict.failure}
    return row | ({} if q.unit is None else {"unit": q.unit}) | ({} if q.repeat == 1 else {"repeat": q.repeat})


def _add_rows(item: Item, rows: list[Row], failures: list[Row]) -> Item:
    if not rows and not failures:
        return item
    written = item.extra.get("judgments")
    before = written if isinstance(written, list) and len(written) == len(item.judgments) else _plain_rows(item)
    judgments = tuple(Judgment(**{key: value for key, value in row.items() if key in _OWN}) for row in rows)
    extra = {**item.extra, **({"judgments": [*before, *rows]} if rows else {})}
    if failures:
        known = item.extra.get("failures")
        extra["failures"] = [*(known if isinstance(known, list) else []), *failures]
    return replace(item, judgments=item.judgments + judgments, extra=extra)


def _plain_rows(item: Item) -> list[Row]:
    return [
        {k: v for k, v in j._asdict().items() if v is not None and not (k == "occasion" and v == 1)}
        for j in item.judgments
    ]
