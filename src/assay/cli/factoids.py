"""Score texts by the content units they hold, marked by people: factoids of the sources, or Pyramid units.

assay factoids units.csv                             (a row a unit, a column a text: 1 or 0)
assay factoids units.csv --gold Ref                  (precision, recall and F against that column)
assay factoids units.csv --pyramid A,B,C --people A,B,C
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._answer import Answer, decimals, show

if TYPE_CHECKING:
    from ..pyramid.content_units import UnitTable

SUMMARY = "score texts by the content units (factoids, Pyramid) people found in them"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a table of units (.csv, .tsv) or items with units and present (.jsonl); .gz too")
    parser.add_argument("--gold", metavar="C", help="the column the others are compared with")
    parser.add_argument("--pyramid", metavar="C,C", help="references: a unit weighs as many of them as hold it")
    parser.add_argument("--people", metavar="C,C", help="columns whose kappa is computed (all, if at most 8)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..formats import read_units
    from ..pyramid.content_units import UnitTable

    table = UnitTable(tuple(read_units(args.file)))
    people = _names(args.people) or (list(table.columns) if len(table.columns) <= 8 else [])
    answers = [_scores(table, args.gold, _names(args.pyramid))]
    if len(table.check(people)) > 1:
        answers.append(_kappas(table, people))
    show(answers, as_json=args.json)
    return 0


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _scores(table: UnitTable, gold: str | None, references: Sequence[str]) -> Answer:
    from ..pyramid.content_units import against
    from ..pyramid.score import pyramid
    from ..views._view import Column

    coverage = table.coverage()
    units = sum(len(item.units) for item in table.items)
    said = [f"{units} content units in {len(table.items)} item(s), {len(table.columns)} texts of each."]
    found: dict[str, list[float]] = {"units held": coverage.means().tolist()}
    notes = ["units held: the share of the units, mean over items."]
    if gold:
        compared = against(table, gold)
        said.append(compared.sentence())
        found |= {"precision": list(compared.pooled_precision), "recall": list(compared.pooled_recall),
                  "F": list(compared.pooled_f), "mean F": compared.f.means().tolist()}  # fmt: skip
        notes.append(f"precision, recall, F: against {gold}, over all units; mean F: mean over items.")
    if references:
        built = pyramid(table, references)
        found |= {"pyramid": built.original.means().tolist(), "modified": built.modified.means().tolist()}
        notes.append(f"pyramid, modified: against {', '.join(built.references)}, each of them without itself.")
    columns = [
        Column("text", list(table.columns), right=False),
        *(Column(head, [decimals(value) for value in values]) for head, values in found.items()),
        Column("items", [str(n) for n in coverage.counts().tolist()]),
    ]
    records: list[dict[str, Any]] = [
        {"text": name, **{head.replace(" ", "_"): values[row] for head, values in found.items()},
         "items": int(coverage.counts()[row])}
        for row, name in enumerate(table.columns)
    ]  # fmt: skip
    return Answer(said, columns, notes, records)


def _kappas(table: UnitTable, people: Sequence[str]) -> Answer:
    from ..pyramid.content_units import unit_kappas
    from ..views._view import Column

    pairs = {(pair.first, pair.second): pair for pair in unit_kappas(table, people)}
    names = list(dict.fromkeys(people))
    columns = [
        Column("kappa", names[:-1], right=False),
        *(Column(b, [decimals(pairs[a, b].kappa.value) if (a, b) in pairs else "" for a in names[:-1]])
          for b in names[1:]),
    ]  # fmt: skip
    best = max(pairs.values(), key=lambda pair: -2.0 if pair.kappa.value != pair.kappa.value else pair.kappa.value)
    said = (
        f"Of these texts {best.first} and {best.second} agree most on what to keep: kappa {decimals(best.kappa.value)}."
    )
    records = [
        {"first": pair.first, "second": pair.second, "kappa": pair.kappa.value, "observed": pair.kappa.observed,
         "expected": pair.kappa.expected, "n": pair.kappa.n}
        for pair in pairs.values()
    ]  # fmt: skip
    return Answer([said], columns, ["Cohen's kappa over all units; above .8 is strong, below .6 little."], records)
