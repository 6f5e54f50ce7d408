"""Probe a metric outside the range of real systems: extracts from random to near the best under it.

assay probe summeval.jsonl -m rouge1
assay probe summeval.jsonl -m rouge2 --against ./scorer --against bleu --limit 60
assay probe judged.jsonl -m ./scorer --from outputs --out spectrum.jsonl

A genetic search (Peyrard et al. 2017, section 4.4) makes summaries of the source's sentences with the metric as its
fitness. The table shows whether other metrics still order them alike where no system has been yet; below it stands what
a system would write that does nothing but please the metric. --out keeps ten of each item, evenly spaced by the metric,
for people to judge.
"""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, decimals, show
from ._input import read_input
from ._options import add_input
from ._output import csv_options, formula_argument
from ._progress import followed

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..meta.probe import Probe, Spectrum

SUMMARY = "what a metric says beyond real systems, and how to game it"
_OTHERS = ("rouge1", "rouge2", "rougeL", "js1")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("-m", "--metric", required=True, metavar="M", help="the metric to please")
    parser.add_argument(
        "--against", action="append", default=[], metavar="M", help="another metric's opinion; repeat for more"
    )
    parser.add_argument(
        "--items", type=numbers.words, default=10, metavar="N", help="so many items, evenly spaced (10)"
    )
    parser.add_argument(
        "--limit", type=numbers.words, metavar="N", help="words of a summary (the item's median output)"
    )
    parser.add_argument(
        "--from", dest="pool", choices=("sources", "outputs"), default="sources", help="whose sentences (sources)"
    )
    parser.add_argument(
        "--size", type=numbers.whole_number(4, 100_000), default=100, metavar="N", help="of the population (100)"
    )
    parser.add_argument(
        "--generations", type=numbers.whole_number(1, 100_000), default=50, metavar="N", help="at most (50)"
    )
    parser.add_argument(
        "--keep", type=numbers.words, default=10, metavar="N", help="summaries of an item that --out keeps (10)"
    )
    parser.add_argument("--out", metavar="FILE", help="write those summaries as an evaluation set")
    formula_argument(parser)
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="of the search (0)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..meta.probe import probe

    data = read_input(args)
    others = list(dict.fromkeys(args.against)) or [m for m in _OTHERS if m != args.metric.strip()]
    if args.metric in others:
        raise InputError(f"{args.metric} is the metric to please: --against takes others")
    found = probe(
        data, args.metric, others, items=args.items, limit=args.limit, pool=args.pool, size=args.size,
        generations=args.generations, keep=args.keep, seed=args.seed, follow=followed(args.quiet, "items"),
    )  # fmt: skip
    if args.out:
        from ..formats import write

        write(_as_set(found, data), args.out, **csv_options(args))
    show([_answer(found)], as_json=args.json)
    if not args.json:
        print(f"\n\n{_gamed(found, data)}")
    return 0


def _answer(found: Probe) -> Answer:
    from ..views._view import Column

    columns = [
        Column("metric", [o.metric for o in found.others], right=False),
        Column("all", [decimals(o.whole) for o in found.others]),
        Column("within systems", [decimals(o.within) for o in found.others]),
        Column("above systems", [decimals(o.above) for o in found.others]),
        Column("outputs beaten", [f"{100 * o.beaten:.0f}%" if o.beaten == o.beaten else "–" for o in found.others]),
    ]
    (low, high), (least, most) = found.real, found.generated
    above = sum(float((s.above > 0).mean()) for s in found.spectra) / len(found.spectra)
    count = max((o.items for o in found.others), default=0)
    notes = [
        f"{found.metric}: systems range from {low:.3f} to {high:.3f}, extracts from {least:.3f} to {most:.3f} (means "
        f"over items); {100 * above:.0f}% of the last generations lie above every system.",
        f"all, within systems, above systems: rank correlation with {found.metric} over the extracts of an item, over "
        f"those in the range of its systems, and over those above it (on {count} items with 5 or more). outputs "
        "beaten: the share of real outputs to which the metric prefers the extract that is best by "
        f"{found.metric}.",
        f"{found.size} extracts a generation, {_span([s.generations for s in found.spectra])} generations, "
        f"{_span([s.limit for s in found.spectra])} words; seed {found.seed}.",
    ]
    records = [
        {"question": "probe", "metric": found.metric, "other": o.metric, "whole": o.whole, "within": o.within,
         "above": o.above, "above_items": o.items, "beaten": o.beaten, "systems_low": low, "systems_high": high,
         "extracts_low": least, "extracts_high": most, "share_above": above, "items": len(found.spectra),
         "seed": found.seed}
        for o in found.others
    ]  # fmt: skip
    records += [
        {"question": "probe", "metric": found.metric, "item": s.item, "best": s.texts[0],
         "score": _own(found, float(s.scores[0, 0])), "best_system": _own(found, _top(s)), "limit": s.limit}
        for s in found.spectra
    ]  # fmt: skip
    return Answer([found.sentence()], columns, notes, records)


def _gamed(found: Probe, data: EvalSet) -> str:
    """The clearest case of what pleases the metric and nobody else, beside the best system's output."""
    case = found.clearest()
    item = data[case.item]
    lines = [f"Item {case.item}. What pleases {found.metric} ({_own(found, float(case.scores[0, 0])):.3f}):"]
    lines.append(_indented(case.texts[0]))
    if case.systems:
        best = case.systems[int(case.real[0].argmax())]
        lines.append(f"The best system by {found.metric}, {best} ({_own(found, _top(case)):.3f}):")
        lines.append(_indented(item.outputs[best]))
    if item.references:
        lines += ["A reference:", _indented(item.references[0].text)]
    return "\n".join(lines)


def _as_set(found: Probe, data: EvalSet) -> EvalSet:
    """The kept summaries as outputs of made-up systems, best first, for people to judge."""
    from ..data.evalset import EvalSet, Item

    width = len(str(max(len(s.spread) for s in found.spectra)))
    items = [
        Item(
            s.item, data[s.item].references,
            {f"spectrum-{n:0{width}}": s.texts[at] for n, at in enumerate(s.spread, 1)},
            data[s.item].sources, data[s.item].group,
        )
        for s in found.spectra
    ]  # fmt: skip
    return EvalSet(items, allow_missing=True, people=())


def _own(found: Probe, value: float) -> float:
    return value if found.higher_is_better else -value


def _top(spectrum: Spectrum) -> float:
    return float(spectrum.real[0].max()) if spectrum.real.size else float("nan")


def _indented(text: str) -> str:
    lines = [textwrap.fill(line, 96, break_on_hyphens=False) for line in text.splitlines() if line.strip()]
    return textwrap.indent("\n".join(lines), "    ")


def _span(values: list[int]) -> str:
    return str(values[0]) if min(values) == max(values) else f"{min(values)} to {max(values)}"
