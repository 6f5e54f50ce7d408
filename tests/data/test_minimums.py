"""Minimum evidence: the numbers, and that the code and the docs have the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.data.minimums import MINIMUMS, correlation_minimum
from assay.stats import fewest_systems


def test_the_numbers():
    assert {name: dict(minimum.counts) for name, minimum in MINIMUMS.items()} == {
        "comparison": {"clusters": 6},
        "pass/fail": {"discordant pairs": 6},
        "win rate": {"untied prompts": 6},
        "correlation": {"systems": 6},
        "rank correlation": {"systems": 8},
        "best metric": {"systems": 8},
        "within items": {"items": 20, "pairs": 100},
        "noticeable": {"pairs": 20},
        "agreement": {"items": 20},
        "position": {"pairs": 30},
        "alt-test": {"items": 30, "raters": 3},
    }


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall", "kendall-c"])
def test_intervals_of_correlations_need_as_many_systems(method):
    assert correlation_minimum("system", method).counts["systems"] == fewest_systems(method)


def test_what_lacks():
    minimum = MINIMUMS["within items"]
    assert minimum.lacks({"items": 19, "pairs": 100}) == {"items": 20}
    assert minimum.lacks({"items": 20, "pairs": 99}) == {"pairs": 100}
    assert minimum.lacks({"items": 20, "pairs": 100}) == {}


PAGE = Path(__file__).parents[2] / "docs" / "defaults.md"
PART = re.compile(r"(?<=<!-- minimums -->\n).*?(?=<!-- /minimums -->)", re.S)


def make_table() -> str:
    rows = [
        f"| {m.question} | {', '.join(f'{n} {name}' for name, n in m.counts.items())} | {m.reason} |\n"
        for m in MINIMUMS.values()
    ]
    return "| question | at least | why |\n|---|---|---|\n" + "".join(rows)


def test_the_page_has_the_table_of_the_code():
    assert PART.search(PAGE.read_text("utf-8"))[0] == make_table(), f"python {__file__} writes it"


if __name__ == "__main__":
    PAGE.write_text(PART.sub(lambda _: make_table(), PAGE.read_text("utf-8")), "utf-8")
