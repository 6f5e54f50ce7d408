"""Draw the items that people should judge next, with known probabilities.

assay judge draw set.jsonl -d coherence --draw 40 --out drawn.jsonl --people-set todo.jsonl
assay study new todo.jsonl --protocol rate --dimensions coherence --out study/     (people judge them)
assay compare drawn.jsonl --judgments labels.jsonl -d coherence --assist gpt-4o    (uses the probabilities)
assay judge draw set.jsonl -d coherence --draw 40 --draw-by gain --between A,B --out drawn.jsonl
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_dimension, add_input
from ._show import show

SUMMARY = "draw the items that people should judge next"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add_dimension(parser)
    add(parser, "raters")
    parser.add_argument("--draw", type=numbers.words, required=True, metavar="N", help="number of items to draw")
    parser.add_argument(
        "--draw-by",
        choices=("disagreement", "gain", "uniform"),
        default="disagreement",
        help="what the probabilities follow: disagreement between LLM judges, gain for the comparison of two systems "
        "(named with --between), or nothing (default: disagreement)",
    )
    parser.add_argument("--between", metavar="NAME,NAME", help="two systems to compare, for --draw-by gain")
    parser.add_argument(
        "--floor",
        type=numbers.share,
        default=0.2,
        metavar="F",
        help="least share of the uniform probability that every item keeps, 0.2 or more (default: 0.2)",
    )
    add(parser, "labelled")
    parser.add_argument("--people-set", metavar="FILE", help="set of the drawn items that have no labels yet, to write")
    add(parser, "out", "rows", "seed", "json", out={"detail": "the set with the probabilities"})


def run(args: argparse.Namespace) -> int:
    from ..formats import write
    from ..raters.label_draw import draw_labels, write_draw
    from ..stats.label_sampling import FLOOR

    if len(args.dimension) != 1:
        raise InputError("judge draw needs one dimension: -d NAME")
    if args.floor < FLOOR:
        raise InputError(
            f"--floor must be at least {FLOOR:g}: estimates from items that hardly ever come vary too much"
        )
    data = read_input(args)
    names = [name.strip() for name in (args.raters or "").split(",") if name.strip()]
    data = data.keep_raters(names) if names else data
    between = [name.strip() for name in (args.between or "").split(",") if name.strip()]
    pair = (between[0], between[1]) if len(between) == 2 else None
    draw = draw_labels(
        data,
        args.dimension[0],
        args.draw,
        by=args.draw_by,
        systems=pair,
        floor=args.floor,
        labelled=args.labelled,
        seed=args.seed,
    )
    drawn = write_draw(data, draw)
    if args.out:
        write(drawn, args.out)
    if args.people_set:
        write(drawn.select([row.item for row in draw.drawn if not row.labelled]), args.people_set)
    show([draw], as_json=args.json, rows=args.rows)
    return 0
