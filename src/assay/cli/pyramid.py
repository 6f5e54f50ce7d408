"""Score texts by the content units that people marked in them: Pyramid units, or factoids of the sources.

assay pyramid score units.csv                        (a row per unit, a column per text: 1 or 0)
assay pyramid score units.csv --gold Ref             (precision, recall and F against that text)
assay pyramid score units.csv --pyramid A,B,C --kappa A,B,C
assay pyramid score marked-by-two.csv                (with a column annotator: also how far annotators agree)
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ._options import add
from ._show import show

if TYPE_CHECKING:
    from ..data.result import Result

SUMMARY = "score texts by their content units (Pyramid, factoids)"
_MOST_TEXTS = 8  # of which every two are compared without being named


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("score",), help="what to do: score the texts of a table of units")
    parser.add_argument("file", help="table of units (.csv, .tsv), or items with units and present (.jsonl); also .gz")
    parser.add_argument("--gold", metavar="NAME", help="text that the others are compared with")
    parser.add_argument(
        "--pyramid",
        metavar="NAME,NAME",
        help="references: the weight of a unit is the number of them that contain it",
    )
    parser.add_argument(
        "--kappa", metavar="NAME,NAME", help=f"texts to compare in pairs (default: all, if at most {_MOST_TEXTS})"
    )
    add(parser, "resamples", "seed", "json")


def run(args: argparse.Namespace) -> int:
    from ..formats import read_units
    from ..pyramid.annotators import annotator_agreement
    from ..pyramid.content_units import UnitTable, unit_kappas
    from ..pyramid.score import score_texts

    table = UnitTable(tuple(read_units(args.file)))
    names = _split_names(args.kappa) or (list(table.columns) if len(table.columns) <= _MOST_TEXTS else [])
    results: list[Result] = [score_texts(table, gold=args.gold, references=_split_names(args.pyramid))]
    if len(table.annotators) > 1:
        results.append(annotator_agreement(table, gold=args.gold, resamples=args.resamples, seed=args.seed))
    if len(table.check(names)) > 1:
        results.append(unit_kappas(table, names))
    show(results, as_json=args.json)
    return 0


def _split_names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
