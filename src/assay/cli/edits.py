"""See what was done to the sources: deleted, reordered, rephrased, merged; and which of it readers liked.

assay edits set.jsonl
assay edits --system short=short.txt --source long.txt
assay edits set.jsonl -d meaning --per-output --json
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UnknownName
from . import _numbers as numbers
from ._answer import Answer, decimals, show
from ._input import read_input
from ._options import add_input

if TYPE_CHECKING:
    from ..corpus import Edits, Effect, JointSeparate
    from ..data.evalset import EvalSet

SUMMARY = "how outputs came from their sources, and which edits readers liked"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument(
        "-d", "--dimension", action="append", default=[], metavar="D", help="what was judged; repeat for more (all)"
    )
    parser.add_argument("--per-output", action="store_true", help="the edit of every output")
    parser.add_argument("--rows", type=numbers.rows, default=20, metavar="N", help="systems in the table (20)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..corpus import edits, effects, joint_or_separate

    data = read_input(args)
    dimensions = list(dict.fromkeys(args.dimension)) or list(data.dimensions)
    for name in dimensions:
        if name not in data.dimensions:
            raise UnknownName("dimension", name, data.dimensions)
    found = edits(data)
    answers = [_kinds(found, args.rows, data)]
    if args.per_output:
        answers.append(_outputs(found))
    if dimensions:
        answers.append(_effects(effects(found, [data.human(name) for name in dimensions])))
        pairs = [pair for pair in joint_or_separate(data, dimensions) if pair.paragraphs]
        answers += [_joint(pairs)] if pairs else []
    show(answers, as_json=args.json)
    return 0


def _kinds(found: Edits, rows: int, data: EvalSet) -> Answer:
    from ..corpus import KINDS, OPERATIONS
    from ..views._view import Column

    parts: dict[str | None, Edits] = {None: found}  # None: all; a system may be called "all"
    if 1 < len(found.systems) <= rows:
        parts |= {name: found.of(lambda e, name=name: e.system == name) for name in found.systems}  # type: ignore[misc]
    rates = {name: part.rates() for name, part in parts.items()}
    kinds = {name: part.kinds() for name, part in parts.items()}
    used = {name: part.operations() for name, part in parts.items()}
    heads = ["all" if name is None else name for name in parts]
    columns = [
        Column("outputs of", heads, right=False),
        Column("n", [str(len(part.found)) for part in parts.values()]),
        *(Column(_HEADS[k], [_percent(row[k]) for row in kinds.values()]) for k in KINDS
          if kinds[None][k] or k in KINDS[:3]),
    ]  # fmt: skip
    words = [
        Column("outputs of", heads, right=False),
        *(Column(head, [_percent(getattr(row, head)) for row in rates.values()])
          for head in ("copied", "paraphrased", "inserted", "deleted")),
    ]  # fmt: skip
    operations = [
        Column("outputs of", heads, right=False),
        *(Column(name, [_percent(row[name]) for row in used.values()])
          for name in OPERATIONS if used[None][name] == used[None][name]),
    ]  # fmt: skip
    notes = [
        "kinds: the first that fits. Words: copied, paraphrased and inserted are shares of the outputs' words, deleted "
        "of the sources'. Operations: all that were used; those on sentences only where a source has several."
    ]
    if found.without_source:
        notes.append(f"{found.without_source} outputs have no source and were left out.")
    if len(found.systems) > rows:
        notes.append(f"{len(found.systems)} systems are shown as one; --rows {len(found.systems)} shows each.")
    records: list[dict[str, Any]] = [
        {"system": name, "n": len(part.found),
         **{f"kind_{k}": v for k, v in kinds[name].items()},
         **{f"operation_{k.replace(' ', '_')}": v for k, v in used[name].items()},
         "copied": rates[name].copied, "paraphrased": rates[name].paraphrased, "inserted": rates[name].inserted,
         "deleted": rates[name].deleted}
        for name, part in parts.items()
    ]  # fmt: skip
    return Answer([found.sentence()], columns, notes, records, more=[words, operations])


_HEADS = {"delete": "delete only", "reorder": "delete+reorder", "rephrase": "rephrase", "unchanged": "unchanged",
          "empty": "empty"}  # fmt: skip


def _outputs(found: Edits) -> Answer:
    from ..views._view import Column

    columns = [
        Column("item", [e.item for e in found.found], right=False),
        Column("system", [e.system for e in found.found], right=False),
        Column("kind", [e.kind for e in found.found], right=False),
        *(Column(head, [str(getattr(e, head)) for e in found.found])
          for head in ("copied", "paraphrased", "inserted", "deleted")),
        Column("operations", [", ".join(sorted(e.operations)) for e in found.found], right=False),
    ]  # fmt: skip
    records = [
        {"item": e.item, "system": e.system, "kind": e.kind, "operations": sorted(e.operations), "copied": e.copied,
         "paraphrased": e.paraphrased, "inserted": e.inserted, "kept": e.kept, "deleted": e.deleted,
         "source_sentences": e.source_sentences, "output_sentences": e.output_sentences}
        for e in found.found
    ]  # fmt: skip
    return Answer(["Every output:"], columns, (), records)


def _effects(found: Sequence[Effect]) -> Answer:
    from ..views._view import Column

    asked = [e for e in found if e.sources]
    columns = [
        Column("operation", [e.operation for e in asked], right=False),
        Column("dimension", [e.dimension for e in asked], right=False),
        Column("with", [decimals(e.present, 2) for e in asked]),
        Column("without", [decimals(e.absent, 2) for e in asked]),
        Column("p", [_p(e.p) for e in asked]),
        Column("sources", [str(e.sources) for e in asked]),
        Column("all with", [decimals(e.all_present, 2) for e in asked]),
        Column("all without", [decimals(e.all_absent, 2) for e in asked]),
    ]
    best = [e for e in asked if e.p < 0.05]
    said = "; ".join(
        f"outputs that {_USES[e.operation]} score {'higher' if e.difference > 0 else 'lower'} on {e.dimension}"
        for e in best
    )
    notes = [
        "with, without: means over sources that have outputs of both sorts; p: Wilcoxon's signed ranks over them, "
        "two-sided, not corrected for the number of rows. all with, all without: means over all outputs."
    ]
    records = [
        {"operation": e.operation, "dimension": e.dimension, "present": e.present, "absent": e.absent, "p": e.p,
         "sources": e.sources, "all_present": e.all_present, "all_absent": e.all_absent,
         "outputs_present": e.outputs_present, "outputs_absent": e.outputs_absent}
        for e in found
    ]  # fmt: skip
    start = f"Of the same sources, {said}." if said else "No operation makes a difference that is more than chance."
    return Answer([start], columns, notes, records)


_USES = {
    "delete": "delete",
    "substitute": "substitute",
    "reorder": "reorder",
    "fewer sentences": "have fewer sentences",
    "merge": "merge sentences",
    "sentence deletion": "drop a sentence",
    "split": "split a sentence",
}


def _joint(found: Sequence[JointSeparate]) -> Answer:
    from ..views._view import Column

    columns = [
        Column("dimension", [pair.dimension for pair in found], right=False),
        Column("together", [decimals(pair.joint, 2) for pair in found]),
        Column("one by one", [decimals(pair.separate, 2) for pair in found]),
        Column("p", [_p(pair.p) for pair in found]),
        Column("paragraphs", [str(pair.paragraphs) for pair in found]),
    ]
    records = [
        {"operation": "joint", "dimension": pair.dimension, "joint": pair.joint, "separate": pair.separate, "p": pair.p,
         "paragraphs": pair.paragraphs}
        for pair in found
    ]  # fmt: skip
    return Answer(["Two sentences shortened together, and the same one by one:"], columns, (), records)


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.1f}%"


def _p(value: float) -> str:
    return "–" if value != value else "<.0001" if value < 0.0001 else f"{value:.4f}".removeprefix("0")
