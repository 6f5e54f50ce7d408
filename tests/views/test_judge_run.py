"""What is said of a run: the share that can be used, why the rest cannot, and what to do about it."""

from __future__ import annotations

from dataclasses import replace

from assay.llm.summary import FailureCount, JudgedDimension, JudgePlan, JudgeRun, JudgeTotals

ROW = JudgedDimension("gpt", "tone", 20, 20, 0, 3.5, 1.0, 5.0, 4, 0.5, 6000, 0.01, 1, float("nan"), True, float("nan"))
JUDGE = JudgeTotals("gpt", "gpt", ("gpt",), 20, 20, 0, 0, 0, 0, 6000, 0.01, True, 0, "")
RUN = JudgeRun("j.jsonl", "j.card.json", "j.answers.jsonl", "number", 20, 0, 12.0, (JUDGE,), (ROW,), ())


def test_a_run_without_failures():
    text = str(RUN)
    assert "gpt gave a usable answer to all 20 questions about tone (20 outputs)." in text
    assert "6,000 tokens, cost 0.01, 12.0 s." in text
    assert "Failures" not in text
    assert RUN.records()[0]["out"] == "j.jsonl"


def test_failures_are_counted_with_an_example_and_advice():
    failure = FailureCount("gpt", "truncated reply", 15, "7", "A", "The text\x1b[2J is\nfluent")
    run = replace(RUN, dimensions=(replace(ROW, judged=5, failed=15),), failures=(failure,))
    text = str(run)
    assert "a usable answer to 5 of 20 questions" in text
    assert "No judgment from 15 (75%): truncated reply 15." in text
    assert 'answer = "json" in the configuration asks for JSON by a schema' in text
    assert "\x1b" not in text
    assert 'answer = "json"' not in str(replace(run, answer="json"))


def test_a_judge_that_always_says_the_same_is_named():
    text = str(replace(RUN, dimensions=(replace(ROW, values=1),)))
    assert "gpt gave every output the same tone: it tells nothing about the outputs." in text


def test_what_else_is_to_be_known():
    judge = replace(JUDGE, answered_as=("gpt-2026-01-01",), from_journal=3, sent_again=2, retries=1, neutralized=4)
    judge = replace(judge, stopped="over budget")
    row = replace(ROW, repeats=2, identical=0.9, mass=0.8)
    text = str(replace(RUN, judges=(judge,), dimensions=(row,), other_answers=5))
    for words in (
        "gpt was stopped: over budget. The same command goes on from there.",
        "gpt: gpt was asked; gpt-2026-01-01 answered",
        "gpt: 3 answers of an earlier run, not paid again",
        "gpt: 2 requests in flight when a run broke off, sent again",
        "gpt: 1 request tried again",
        "gpt: 4 texts with tags or marks of chat templates, which were replaced",
        "j.answers.jsonl holds 5 answers to other requests",
        "determinism: share of outputs with equal repeats at temperature 0",
        "mass: mean probability",
    ):
        assert words in " ".join(text.split()), words


def test_a_plan():
    text = str(JudgePlan(10, 2, 9000, 0.5, True, ("gpt",), ("tone",), "Judge it."))
    assert "10 requests to gpt about tone would use at most 9,000 tokens and cost 0.500." in text
    assert "2 questions answered already would not be sent again." in text
    assert "Judge it." in text
