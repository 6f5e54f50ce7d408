"""Statements that do not contradict each other, over generated sets with known truth.

`make test` looks at a fixed part of them; `pytest -m slow tests/consistency` at all 500.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import isnan, sqrt
from typing import Any

import pytest
from generated_sets import Case, make_case

import assay
from assay.comparison import compare, compare_rankings
from assay.comparison.compare import Comparison
from assay.data.minimums import MINIMUMS
from assay.data.result import Result
from assay.data.statement import Statement
from assay.data.view import View
from assay.meta import correlate, sentinel_scores
from assay.raters import agreement, ranking_agreement

QUICK, ALL = range(40), range(500)
WITH_REPORT = range(0, 500, 11)  # the page answers every question, which takes longest
DRAWS = 100
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+")
ASSERTED = {"best", "better", "worse", "agrees", "agrees best", "prefers first", "prefers second"}
OPEN = {"not shown to differ", "does not agree", "no preference"}


@cache
def answer(number: int) -> tuple[Case, dict[str, Result]]:
    """Ask every question of a set, as the commands do."""
    case = make_case(number)
    results: dict[str, Result] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, scores in case.metrics.items():
            results[f"compare {name}"] = compare(scores, resamples=DRAWS)
        if len(case.data.systems) > 2:
            results["baseline"] = compare(case.metrics["m"], case.data.systems[-1], resamples=DRAWS)
        data = case.data
        for dimension in data.dimensions:
            if data.scale(dimension).kind == "pairs":
                results[dimension] = compare_rankings(data.rankings(dimension), resamples=DRAWS)
                results["agree"] = ranking_agreement(data.rankings(dimension), resamples=DRAWS)
                continue
            human = data.human(dimension)
            results[dimension] = compare(human, resamples=DRAWS)
            results["agree"] = agreement(data, dimension, simulations=10)
            if len(data.systems) > 1:
                level = "system" if len(data.systems) >= 6 else "pooled"
                blind = sentinel_scores(data)
                results["correlate"] = correlate(case.metrics, human, level=level, resamples=DRAWS, sentinels=blind)
        if number in WITH_REPORT:
            results["report"] = assay.report(data, case.metrics, resamples=DRAWS)
    return case, results


def contradictions(case: Case, results: dict[str, Result]) -> Iterator[str]:
    """Yield what contradicts: between sentence, table, statement, and the truth."""
    for name, result in results.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            view = result.view()
        statements = result.statements()
        yield from (f"{name}: {fault}" for s in statements for fault in faults_of_statement(s))
        yield from (f"{name}: {fault}" for fault in faults_of_words(view, statements))
        if name != "report":
            yield from (f"{name}: {fault}" for fault in numbers_missing_in_tables(view))
    yield from values_that_differ(results)
    yield from report_against_commands(results)
    yield from asserted_too_early(case, results)
    if case.best is not None:
        yield from (f"planted {case.best}: {f}" for f in winner_called_worse(case, results) if case.errors >= 5)


def faults_of_statement(s: Statement) -> Iterator[str]:
    tested = not isnan(s.p)
    if s.claim in ASSERTED and not isnan(s.low) and not s.significant:
        yield f"{s.claim} with the interval {s.low} to {s.high}"
    if s.claim in ASSERTED and tested and s.p > 1 - s.confidence + 1e-12:
        yield f"{s.claim} with p = {s.p}"
    if s.claim in OPEN and (s.significant or (tested and s.p < 1 - s.confidence - 1e-12 and not isnan(s.low))):
        yield f"{s.claim} with {s.low} to {s.high}, p = {s.p}"
    if not isnan(s.low) and s.sides == "two" and not s.low - 1e-9 <= s.estimate <= s.high + 1e-9 and s.enough:
        yield f"{s.estimate} outside {s.low} to {s.high}"
    if s.claim == "too little evidence" and not s.needs:
        yield "too little evidence, and nothing lacks"
    if s.needs and s.claim not in ("too little evidence", "undecided"):
        yield f"{s.claim}, and {s.needs} lack"


def faults_of_words(view: View, statements: tuple[Statement, ...]) -> Iterator[str]:
    """The first sentence uses words of significance exactly where the first statement does."""
    if not statements or statements[0].claim not in {"best", "better", "not shown to differ", "too little evidence"}:
        return
    head, claim = view.headline, statements[0].claim
    if " significantly " not in head and "No significant" not in head and "no significant" not in head:
        if claim in ("best", "better") and not head.startswith("All rankings"):
            yield f"{claim} is not said: {head}"
        return
    denied = "not significantly" in head or "No significant" in head or "no significant" in head
    if len(statements) > 1 and "; " in head:
        return  # of a baseline: several in one sentence
    if claim == "too little evidence" or denied != (claim == "not shown to differ"):
        yield f"{claim} is said as: {head}"


def numbers_missing_in_tables(view: View) -> Iterator[str]:
    """Every number with decimals of the headline stands in a table, sign aside."""
    if not view.tables:
        return
    text = re.sub(r"power 0.8|p [=<] \d\.\d+|\d+(\.\d+)?% CI", "", view.headline.partition(". The mean of")[0])
    cells = [cell for table in view.tables for column in table.columns for cell in column.cells]
    known = {round(abs(float(n)), 4) for cell in cells for n in NUMBER.findall(cell)}
    for number in NUMBER.findall(text):
        places = len(number.partition(".")[2])
        if not any(
            abs(abs(float(number)) - k) <= 0.50001 * 10**-places or round(k, places) == abs(float(number))
            for k in known
        ):
            yield f"{number} of the headline is in no table: {view.headline}"


def values_that_differ(results: dict[str, Result]) -> Iterator[str]:
    """One quantity has one value, wherever it appears."""
    values: dict[tuple[object, ...], float] = {}
    for name, result in results.items():
        if name == "baseline":  # of partly paired scores, the pairs that are compared choose the estimator
            continue
        for s in result.statements():
            if s.claim in ("best", "not shown to differ", "agrees best", "sentinel as good"):
                continue  # about several: the others are not what the estimate compares with
            key = (s.quantity, s.level, s.estimand, s.subjects, s.others)
            known = values.setdefault(key, s.estimate)
            if not (isnan(known) and isnan(s.estimate)) and abs(known - s.estimate) > 1e-9:
                yield f"{name}: {key} is {s.estimate}, and {known} before"


def report_against_commands(results: dict[str, Result]) -> Iterator[str]:
    """The report asserts of a comparison and of correlations what the commands do."""
    if "report" not in results:
        return
    report: Any = results["report"]
    for name, comparison in report.comparisons.items():
        if facts(comparison.statements()) != facts(results[f"compare {name}"].statements()):
            yield f"report: another answer by {name} than compare"
    for trial in report.trials:
        if trial.people is not None and facts(trial.people.statements()) != facts(
            results[trial.human.name].statements()
        ):
            yield f"report: another answer by {trial.human.name} than compare"


def facts(statements: tuple[Statement, ...]) -> list[tuple[object, ...]]:
    return [(s.claim, s.subjects, s.others, dict(s.needs), f"{s.estimate:.9g}") for s in statements]


def asserted_too_early(case: Case, results: dict[str, Result]) -> Iterator[str]:
    """Below the minimum nothing is asserted; how much there is, is counted anew."""
    least = MINIMUMS["comparison"].counts["clusters"]
    for name, result in results.items():
        for s in result.statements():
            drawn = len(set(case.data.clusters or case.data.items))
            if s.claim in {*ASSERTED, "not shown to differ"} and "clusters" in s.counts and drawn < 6 == least:
                yield f"{name}: {s.claim} from {drawn} clusters"
            if s.level == "system" and s.claim in ("agrees", "does not agree") and len(case.data.systems) < 6:
                yield f"{name}: {s.claim} from {len(case.data.systems)} systems"
            if s.claim == "agrees best" and s.level == "system" and len(case.data.systems) < 8:
                yield f"{name}: the best metric from {len(case.data.systems)} systems"
            if s.claim == "agreement" and drawn < 20:
                yield f"{name}: agreement from {drawn} items"


def winner_called_worse(case: Case, results: dict[str, Result]) -> Iterator[str]:
    for name in (*case.data.dimensions, "compare m"):
        for s in results[name].statements() if name in results else ():
            if s.claim in ("best", "better") and case.best in s.others and case.best not in s.subjects:
                yield f"{name}: {s.subjects} better than the winner"


def check(number: int) -> None:
    case, results = answer(number)
    assert list(contradictions(case, results)) == [], (number, case.design)


@pytest.mark.parametrize("number", QUICK)
def test_nothing_contradicts(number):
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", [n for n in ALL if n not in QUICK])
def test_nothing_contradicts_in_all(number):
    check(number)


def count_false_claims(numbers: range) -> tuple[int, int]:
    """Count headlines that find a best or better system where all are equal, and how many there are."""
    wrong = total = 0
    for number in numbers:
        case, results = answer(number)
        if not case.null or case.design in ("copies", "tiny", "leak"):
            continue
        for name in (*case.data.dimensions, "compare m"):
            statements = results[name].statements() if name in results else ()
            if statements and statements[0].enough:
                total += 1
                wrong += statements[0].claim in ("best", "better")
    return wrong, total


@pytest.mark.slow
def test_equal_systems_are_seldom_called_different():
    """People and a metric see the same items: their errors go together, so there are half as many as headlines."""
    wrong, total = count_false_claims(ALL)
    assert wrong / total <= 0.05 + 2 * sqrt(0.05 * 0.95 / (total / 2))


def test_the_checks_find_what_is_planted():
    case, results = answer(11)  # with a winner
    results = dict(results)
    comparison = results["compare m"]
    assert list(contradictions(case, results)) == []
    report = results.pop("report") if "report" in results else None
    assert report is not None
    first = comparison.statements()[0]

    def with_statement(s: Statement) -> list[str]:
        class Changed(Comparison, question="comparison", kind="comparison"):
            def statements(self):
                return (s,)

        changed = object.__new__(Changed)
        changed.__dict__.update(comparison.__dict__)
        return list(contradictions(case, {**results, "compare m": changed}))

    assert with_statement(first) == []
    assert list(report_against_commands({**results, "compare m": results["compare weak"], "report": report}))
    assert with_statement(replace(first, low=-abs(first.low), high=abs(first.high) + 1))
    assert with_statement(replace(first, p=0.2))
    assert with_statement(replace(first, claim="not shown to differ"))
    assert with_statement(replace(first, needs={"clusters": 6}))
    assert with_statement(replace(first, estimate=first.high + 1))
    view = comparison.view()
    other = view.headline.replace("0.", "0.9", 1)
    assert list(numbers_missing_in_tables(replace(view, sentences=[other])))
    assert list(
        faults_of_words(replace(view, sentences=["No significant differences"]), (replace(first, claim="best"),))
    )
