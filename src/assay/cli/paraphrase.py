"""Find paraphrases in the set itself: which words and phrases are equivalent, and what that changes in a score.

assay paraphrase set.jsonl
assay paraphrase set.jsonl --out expanded.jsonl
assay paraphrase set.jsonl --explain -m bleu -m "rouge2(refs=max)"
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, scaled, show
from ._input import read_input
from ._options import add_input
from ._output import csv_options, formula_argument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.evalset import EvalSet, Reference
    from ..data.scores import Scores
    from ..systems.paraphrase import Paraphrases, Replacement

SUMMARY = "equivalent words in sources and references, and references made with them"
_WIDEST = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--out", metavar="FILE", help="write the set with expanded references")
    formula_argument(parser)
    how = "one replacement at a time, all at once, or nearest"
    parser.add_argument("--how", choices=("one", "lattice", "best"), default="one", help=how)
    parser.add_argument("--for", dest="of", metavar="S", help="the system that --how best --out makes references for")
    parser.add_argument("--explain", action="store_true", help="show which replacements changed a score (needs -m)")
    parser.add_argument("-m", "--metric", action="append", default=[], metavar="M", help="a metric; repeat for more")
    parser.add_argument("--least", type=numbers.words, default=2, metavar="N", help="how often a pair must be seen (2)")
    parser.add_argument(
        "--threshold", type=numbers.share, default=0.05, metavar="P", help="least p(e|f) and p(f|e) (.05)"
    )
    parser.add_argument(
        "--longest", type=numbers.whole_number(1, 100), default=4, metavar="N", help="words in a phrase (4)"
    )
    aligners = ("hmm", "model1", "eflomal")
    parser.add_argument("--aligner", choices=aligners, default="hmm", help="who aligns words; eflomal if installed")
    parser.add_argument(
        "--most",
        type=numbers.whole_number(1, 1_000_000),
        default=100,
        metavar="N",
        help="variants of one reference (100)",
    )
    parser.add_argument("--rows", type=numbers.rows, default=20, metavar="N", help="rows in a table (20)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..formats import write
    from ..systems.paraphrase import expand, paraphrases

    if args.explain != bool(args.metric):
        raise InputError("--explain shows what changed a metric's score: give both --explain and -m, as -m bleu")
    data = read_input(args)
    found = paraphrases(data, least=args.least, threshold=args.threshold, longest=args.longest, aligner=args.aligner)
    answers = [_sets(found, args.rows)]
    answers += [_explained(data, found, name, args) for name in dict.fromkeys(args.metric)]
    if args.out:
        write(expand(data, found, how=args.how, system=args.of, most=args.most), args.out, **csv_options(args))
    show(answers, as_json=args.json)
    return 0


def _sets(found: Paraphrases, rows: int) -> Answer:
    from ..views._view import Column

    members = sum(len(group.members) for group in found.sets)
    said = [
        f"{len(found.sets)} equivalence sets with {members} members in {found.lines} lines"
        + (f"; {found.skipped} lines are empty or too long and were left out" if found.skipped else "")
        + (f". The {rows} most frequent:" if rows < len(found.sets) else ".")
    ]
    shown = [(group, member) for group in found.sets[:rows] for member in group.members]
    first = [member is group.members[0] for group, member in shown]
    columns = [
        Column(
            "source", [_short(g.source) if new else "" for (g, _), new in zip(shown, first, strict=True)], right=False
        ),
        Column("equivalents", [_short(m.text) for _, m in shown], right=False),
        Column("count", [str(m.count) for _, m in shown]),
        Column("p(e|f)", [f"{m.given_source:.3f}" for _, m in shown]),
        Column("p(f|e)", [f"{m.source_given:.3f}" for _, m in shown]),
    ]
    records = [
        {
            "source": g.source,
            "count": g.count,
            "equivalents": [
                {"text": m.text, "count": m.count, "p_e_f": m.given_source, "p_f_e": m.source_given} for m in g.members
            ],
        }
        for g in found.sets
    ]
    notes = [f"paraphrases = paraphrases({found.signature})"]
    return Answer(said, columns, notes, records)


def _explained(data: EvalSet, found: Paraphrases, name: str, args: argparse.Namespace) -> Answer:
    from ..scoring.score import score
    from ..systems.paraphrase import score_expanded
    from ..views._view import Column

    before = score(data, name)
    after = score_expanded(data, found, lambda part: score(part, name), how=args.how, most=args.most)
    causes = _causes(data, found, name, before, after, args)
    rows = causes[: args.rows]
    changed = int(_moved(before, after).sum())
    said = [
        f"{name}: {float(before.means().mean()):.4f} with the references as they are, "
        f"{float(after.means().mean()):.4f} with paraphrases (mean of {len(data.systems)} systems). "
        f"{changed} outputs score otherwise; the replacements that do it:"
    ]
    columns = [
        Column("replacement", [_short(c["replacement"]) for c in rows], right=False),
        Column("outputs", [str(c["outputs"]) for c in rows]),
        Column("change", scaled([c["change"] for c in rows])),
        Column("largest", scaled([c["largest"] for c in rows])),
        Column("system", [c["system"] for c in rows], right=False),
        Column("item", [c["item"] for c in rows], right=False),
    ]
    systems = [
        {"system": s, "metric": scores.signature, "score": float(value), "n": int(n)}
        for scores in (before, after)
        for s, value, n in zip(data.systems, scores.means(), scores.counts(), strict=True)
    ]
    notes = [
        "change = the mean of what the replacement adds to an output's score; largest = the most, and where.",
        f"{name} = {after.signature}",
    ]
    return Answer(said, columns, notes, [*systems, *causes])


def _causes(
    data: EvalSet, found: Paraphrases, name: str, before: Scores, after: Scores, args: argparse.Namespace
) -> list[Mapping[str, Any]]:
    """What each replacement changed: outputs whose score moved, tried again with one replacement each."""
    row, column = ({name: i for i, name in enumerate(names)} for names in (data.systems, data.items))
    moved: dict[str, list[tuple[float, str, str]]] = {}
    for item, system, replacement, value in _trials(data, found, name, before, after, args):
        gain = value - before.values[row[system], column[item]]
        if gain != 0:
            moved.setdefault(replacement, []).append((gain, system, item))
    causes: list[Mapping[str, Any]] = []
    for replacement, gains in moved.items():
        largest, system, item = max(gains, key=lambda g: abs(g[0]))
        mean = sum(g for g, _, _ in gains) / len(gains)
        causes.append(
            {"replacement": replacement, "metric": name, "outputs": len(gains), "change": mean, "largest": largest,
             "system": system, "item": item}
        )  # fmt: skip
    return sorted(causes, key=lambda c: (-c["outputs"], -abs(c["change"]), c["replacement"]))


def _trials(
    data: EvalSet, found: Paraphrases, name: str, before: Scores, after: Scores, args: argparse.Namespace
) -> Iterator[tuple[str, str, str, float]]:
    """(item, system, replacement, score with that replacement alone) for every output whose score moved."""
    from ..data.evalset import EvalSet, Item
    from ..scoring.score import score

    moved = _moved(before, after)
    tried: list[tuple[str, str, str]] = []
    items: list[Item] = []
    for column, item in enumerate(data):
        systems = [data.systems[row] for row in moved[:, column].nonzero()[0]]
        for system in systems:
            for used, references in _tried(item.references, item.outputs[system], found, args):
                tried.append((item.id, system, f"{used.old} > {used.new}"))
                items.append(
                    replace(item, id=str(len(items)), references=references, judgments=(),
                            outputs={"output": item.outputs[system]})
                )  # fmt: skip
    if not items:
        return
    values = score(EvalSet(items), name).values[0]
    for (item_id, system, replacement), value in zip(tried, values.tolist(), strict=True):
        yield item_id, system, replacement, value


def _tried(
    references: tuple[Reference, ...], output: str, found: Paraphrases, args: argparse.Namespace
) -> Iterator[tuple[Replacement, tuple[Reference, ...]]]:
    """Each replacement, and the references with that one alone."""
    from ..data.evalset import Reference
    from ..systems.paraphrase import alternatives, nearest, variants

    for k, reference in enumerate(references):
        before, after = references[:k], references[k + 1 :]
        if args.how == "lattice":
            for alternative, used in alternatives(reference.text, found):
                yield used, (*before, reference._replace(alternatives=(alternative,)), *after)
            continue
        asked_for = nearest(reference.text, output, found).replacements if args.how == "best" else ()
        for variant in variants(reference.text, found, most=args.most):
            (used,) = variant.replacements
            if args.how == "one":
                yield used, (*references, Reference(variant.text))
            elif used in asked_for:
                yield used, (*before, Reference(variant.text), *after)


def _moved(before: Scores, after: Scores) -> NDArray[np.bool_]:
    there = (before.values == before.values) & (after.values == after.values)
    moved: NDArray[np.bool_] = there & (before.values != after.values)
    return moved


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
