"""`assay learn --select`: fit to one set, choose by the next, predict a third; with and without bad assessors."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from ..views._view import Column
from ._answer import Answer, decimals, within
from .learn import gather, outside, raters

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..learning import Years
    from ..metrics.learned import Learned


def years_answers(args: argparse.Namespace, data: EvalSet) -> tuple[list[Answer], Learned]:
    """What was chosen and what it reaches; the scorer is the one without the bad assessors, if any are left out."""
    from ..formats import read
    from ..learning import learn_years, on_third_set, worst_assessors
    from ..learning.selection import MODELS

    scores = outside(args)
    second = read(args.select, allow_missing=args.allow_missing)
    third = read(args.test, allow_missing=args.allow_missing) if args.test else None
    fit, select = gather(args, data, scores), gather(args, second, scores)

    def one(without: Collection[str]) -> Years:
        found = learn_years(
            fit, select, models=args.model or MODELS, level=args.level, normalize=args.normalize or "none",
            without=without,
        )  # fmt: skip
        if third is None:
            return found
        return replace(found, test=on_third_set(
            found, third, target=args.target, raters=raters(args), people=args.people, scores=scores,
            resamples=args.resamples, seed=args.seed, threads=args.threads,
        ))  # fmt: skip

    found = {"all assessors": one(())}
    if args.drop_assessors:
        names, items = worst_assessors([data, second], args.target, args.drop_assessors, by=args.assessors_by)
        topics = {t for m in (fit, select) for i, t in zip(m.data.items, m.topics, strict=True) if i in items}
        found[f"without {', '.join(names)}"] = one(topics)
    return [_answer(args, found)], list(found.values())[-1].scorer


def _answer(args: argparse.Namespace, found: dict[str, Years]) -> Answer:
    rows = list(found.items())
    columns = [
        Column("learned from", [name for name, _ in rows], right=False),
        Column("topics", ["+".join(map(str, y.topics)) for _, y in rows]),
        Column("model", [y.chosen.model for _, y in rows], right=False),
        Column("features", [str(len(y.chosen.features)) for _, y in rows]),
        Column(f"r, second ({args.level})", [decimals(y.chosen.value) for _, y in rows]),
    ]
    for i in range(len(rows[0][1].test)):
        c = rows[0][1].test[i]
        columns.append(Column(f"r, third ({c.level})", [decimals(y.test[i].value) for _, y in rows]))
        columns.append(Column("95% interval", [within(y.test[i].low, y.test[i].high) for _, y in rows]))
    notes = [f"{name}: {', '.join(y.chosen.names)}" for name, y in rows]
    records = [
        {
            "question": "learn", "target": args.target, "from": name, "topics": list(y.topics),
            "left_out": list(y.left_out), "model": y.chosen.model, "features": list(y.chosen.names),
            "fits": y.chosen.tried, "greedy": y.chosen.greedy, "select": y.chosen.value,
            **{f"test_{c.level}_{c.method}": c.value for c in y.test},
        }
        for name, y in rows
    ]  # fmt: skip
    return Answer([f"{name.capitalize()}: {y.sentence()}" for name, y in rows], columns, notes, records)
