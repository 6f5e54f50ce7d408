"""Position effects in words."""

from __future__ import annotations

from assay.raters.position import JudgePosition, PositionTable
from assay.stats import Interval


def headline(value: float, low: float, high: float, pairs: int = 80) -> str:
    effect = Interval(value, low, high, 0.95, "position", 40)
    row = JudgePosition("gpt", "llm", pairs, 0.7, 0.0, effect, 0, float("nan"), 0, float("nan"))
    return PositionTable("preference", (row,), 0.95).view().headline


def test_each_case():
    assert headline(0.1, 0.05, 0.15) == (
        "gpt prefers the first text on preference: +0.100 (95% CI 0.050 to 0.150) over half; it prefers the same "
        "system in both orders of 70% of 80 pairs. Ask in both orders."
    )
    assert "prefers the second text" in headline(-0.1, -0.15, -0.05)
    assert headline(0.02, -0.03, 0.07).startswith("No preference of gpt for a position on preference")
    few = "Too few pairs in both orders (80 pairs of 40 items) to say whether gpt prefers a position on preference: "
    assert headline(0.02, float("nan"), float("nan")) == f"{few}30 are needed."
    assert headline(0.4, 0.3, 0.5, pairs=29) == f"{few.replace('80', '29')}30 are needed."
    assert headline(0.4, 0.3, 0.5, pairs=30).startswith("gpt prefers the first text")
