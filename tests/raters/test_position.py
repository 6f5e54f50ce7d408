"""Pairs in both orders: a judge who likes the first place, one who looks at the texts, and people."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.cli.main import main
from assay.errors import InputError
from assay.raters.position import position_table

HEAD = {"scales": {"preference": {"best": "low", "kind": "pairs"}}}


@pytest.fixture
def pairs(tmp_path):
    """Thirty items with A better than B; ann and fair say so, first takes the first place, tired ties half the time."""
    lines = [json.dumps(HEAD)]
    for number in range(30):
        judgments = []
        for rater, kind in (("ann", "human"), ("fair", "llm"), ("first", "llm"), ("tired", "llm")):
            for occasion, order in enumerate((["A", "B"], ["B", "A"]), 1):
                ranks = {"A": 1, "B": 2}
                if rater == "first":
                    ranks = {order[0]: 1, order[1]: 2}
                if rater == "tired" and number % 2:
                    ranks = {"A": 1, "B": 1}
                judgments += [
                    {
                        "system": s,
                        "rater": rater,
                        "dimension": "preference",
                        "score": rank,
                        "occasion": occasion,
                        "kind": kind,
                        "order": order,
                    }
                    for s, rank in ranks.items()
                ]
        lines.append(json.dumps({"id": str(number), "outputs": {"A": "a", "B": "b"}, "judgments": judgments}))
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_who_prefers_the_first_place(pairs):
    rows = {row.judge: row for row in position_table(assay.read(pairs), "preference").judges}
    assert (rows["fair"].pairs, rows["fair"].consistent, rows["fair"].effect.value) == (30, 1.0, 0.0)
    assert (rows["first"].consistent, rows["first"].effect.value) == (0.0, 0.5)
    assert rows["tired"].ties == 0.5
    assert (rows["fair"].agreement, rows["first"].agreement) == (1.0, 0.0)
    assert np.isnan(rows["fair"].stable)


def test_it_is_part_of_the_judge_table(pairs, capsys):
    assert main(["judge", "table", str(pairs), "-d", "preference"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "first prefers the first text on preference: +0.500" in text
    assert "No preference of fair for a position on preference: +0.000" in text


def test_without_orders_it_is_refused(pairs, tmp_path):
    bare = pairs.read_text().replace('"order"', '"other"')
    path = tmp_path / "bare.jsonl"
    path.write_text(bare)
    with pytest.raises(InputError, match="no pair judged on 'preference' states its order"):
        position_table(assay.read(path), "preference")


def test_repeats_in_one_order_show_stability(pairs, tmp_path):
    lines = pairs.read_text().splitlines()
    items = [json.loads(line) for line in lines[1:]]
    for number, item in enumerate(items):
        ranks = (1, 2) if number % 3 else (2, 1)
        item["judgments"] += [
            {
                "system": s,
                "rater": "fair",
                "dimension": "preference",
                "score": r,
                "occasion": 3,
                "kind": "llm",
                "order": ["A", "B"],
            }
            for s, r in zip("AB", ranks, strict=True)
        ]
    path = tmp_path / "again.jsonl"
    path.write_text("\n".join([lines[0], *map(json.dumps, items)]))
    row = next(r for r in position_table(assay.read(path), "preference").judges if r.judge == "fair")
    assert (row.repeated, row.stable) == (30, pytest.approx(2 / 3))
