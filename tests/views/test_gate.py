"""What is said of a gate."""

from __future__ import annotations

import pytest

from assay.comparison.gate import Gate, GateDecision


def say(
    fail_if: str, failed: bool, lead: float, margin: float = 0.0, pvalue: float = 0.004, test: str = "paired"
) -> str:
    decision = GateDecision("new", failed, 0.5 + lead, 0.5, lead, lead - 0.05, lead + 0.05, pvalue, test, 40)
    return " ".join(str(Gate("bleu", "old", fail_if, margin, 0.05, failed, (decision,))).split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("worse", True, -0.1),
            "Failed: new is significantly worse than old in bleu: 0.4000 and 0.5000 (difference -0.1000, "
            "95% CI -0.1500 to -0.0500, p = 0.004, 40 items).",
        ),
        (("worse", False, -0.1, 0.5), "Passed: new is not significantly worse than old in bleu by more than 0.5: "),
        (("worse", False, 0.1), "Passed: new is not worse than old in bleu: 0.6000 and 0.5000 (40 items)."),
        (("not-better", True, -0.1), "Failed: new is not better than old in bleu: 0.4000 and 0.5000 (40 items)."),
        (("not-better", True, 0.1), "Failed: new is not significantly better than old in bleu: 0.6000 and 0.5000 (dif"),
        (("not-better", False, 0.1, 0.02), "Passed: new is significantly better than old in bleu by more than 0.02: "),
        (("worse", False, 0.0, 0.0, float("nan")), "Passed: new is not worse than old in bleu: 0.5000 and 0.5000 (40"),
    ],
)
def test_sentences(arguments, sentence):
    assert say(*arguments).startswith(sentence)


def test_those_that_fail_come_first():
    good = GateDecision("good", False, 0.6, 0.5, 0.1, 0.05, 0.15, 0.01, "paired", 40)
    bad = GateDecision("bad", True, 0.4, 0.5, -0.1, -0.15, -0.05, 0.01, "paired", 40)
    lines = Gate("bleu", "old", "worse", 0.0, 0.05, True, (good, bad)).view().sentences
    assert [line.split()[1] for line in lines] == ["bad", "good"]
