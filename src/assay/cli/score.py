"""Score outputs against references: a table you can publish, with the exact settings under it.

assay score set.jsonl -m rouge2 -m "bleu(smooth=floor)"
assay score --system A=a.txt --system B=b.txt --refs ref0.txt ref1.txt -m bleu
assay score outputs.parquet -m rougeL --per-item --out scores.parquet
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import open_input
from ._options import add_input
from ._output import formula_argument
from ._progress import Progress
from ._style import say

if TYPE_CHECKING:
    from ..formats import Stream
    from ..formats._scores import Record, ScoreWriter
    from ..metrics import Metric
    from ..scoring.score import Block, Collector

SUMMARY = "score outputs against references"
_DEFAULT = ("rouge1", "rouge2", "rougeL", "bleu")
_WITHOUT_REFERENCES = ("rate",)
_MOST_ROWS = 1000  # of a printed table of items; more is for a program to read


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("-m", "--metric", action="append", default=[], metavar="M", help="a metric; repeat for more")
    parser.add_argument(
        "--scores", action="append", default=[], metavar="FILE", help="outside scores that a learned scorer was fed on"
    )
    parser.add_argument("--per-item", action="store_true", help="a score per item, not only per system")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")
    parser.add_argument("--out", metavar="FILE", help="write the scores to .jsonl, .csv or .parquet")
    formula_argument(parser)
    parser.add_argument(
        "--parser", metavar="P", help="the parser of dependency metrics: en, a spaCy pipeline, stanza:de"
    )
    parser.add_argument("--cache", metavar="DIR", help="where parses are remembered (off: nowhere)")
    parser.add_argument("--threads", type=numbers.threads, default=1, metavar="N", help="threads to use (default 1)")


def run(args: argparse.Namespace) -> int:
    from ..formats._scores import ScoreWriter
    from ..metrics import metric
    from ..scoring.score import Collector, prepared, score_stream

    if args.threads < 1:
        raise InputError(f"--threads must be 1 or more; got {args.threads}")
    if args.cache:
        os.environ["ASSAY_CACHE"] = args.cache
    names = list(dict.fromkeys(args.metric))
    metrics = [_with_parser(_fed(metric(name), args.scores), args.parser) for name in names]
    looks_first = not names or any(m.whole_set for m in metrics)
    data = open_input(args, passes=2 if looks_first else 1)
    if not names:
        names = list(_default_metrics(data))
        metrics = [metric(name) for name in names]
    metrics = prepared(metrics, data)
    collector = Collector(metrics)
    listed: list[Block] = []
    rows = 0
    with ExitStack() as stack:
        writer = None
        if args.out:
            opened = ScoreWriter(args.out, per_item=args.per_item, escape_formulas=args.escape_formulas)
            writer = stack.enter_context(opened)
        chunks = stack.enter_context(Progress(data, quiet=args.quiet, fraction=data.fraction))
        for block in collector.follow(score_stream(chunks, metrics, threads=args.threads)):
            if args.per_item and (writer or args.json):
                _emit(_item_records(block, metrics), args.json, writer)
            elif args.per_item:
                listed += [block] if rows < _MOST_ROWS else []
                rows += len(block.item)
        _refuse_nothing(collector, metrics)
        if not args.per_item:
            _emit(_system_records(collector, metrics), args.json, writer)
    if not args.quiet:
        _notes(collector)
    if not args.json:
        say("\n\n".join([*([_item_table(listed, names, rows)] if listed else []), _table(collector, names, metrics)]))
    return 0


def _fed(built: Metric, paths: Sequence[str]) -> Metric:
    """A learned scorer with the outside scores that it takes."""
    from ..metrics.learned import Learned

    if not isinstance(built, Learned) or not built.outside:
        return built
    from ..formats._scores import read_scores

    return built.with_scores(scores for path in paths for scores in read_scores(path))


def _with_parser(built: Metric, parser: str | None) -> Metric:
    """The metric with this parser, if it parses and was not typed with one of its own."""
    if parser is None:
        return built
    if getattr(built, "parser", None) == "en":
        return replace(built, parser=parser)  # type: ignore[call-arg]
    if getattr(built, "unit", "").upper() == "PARSE-2":
        return replace(built, unit=f"PARSE-2:{parser}")  # type: ignore[call-arg]
    return built


def _notes(collector: Collector) -> None:
    collector.warn()
    if collector.empty_outputs:
        print(f"assay: note: {collector.empty_outputs} empty outputs were scored as they are", file=sys.stderr)


def _default_metrics(data: Stream) -> Sequence[str]:
    first = next(iter(data))
    return _DEFAULT if any(item.references for item in first) else _WITHOUT_REFERENCES


def _emit(records: Iterable[Record], as_json: bool, writer: ScoreWriter | None) -> None:
    batch = list(records)
    if writer is not None:
        writer.add(batch)
    if as_json:
        sys.stdout.writelines(_json_line(record) for record in batch)


def _json_line(record: Record) -> str:
    fields = {key: value for key, value in record._asdict().items() if value is not None}
    fields["score"] = record.score if record.score == record.score else None
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _item_records(block: Block, metrics: Sequence[Metric]) -> Iterator[Record]:
    from ..formats._scores import Record
    from ..scoring.score import signed

    for m, values in zip(metrics, block.values, strict=True):
        signature = signed(m, block.treatment)
        for system, item, value in zip(block.system, block.item, values.tolist(), strict=True):
            yield Record(block.systems[system], signature, value, None, block.items[item])


def _system_records(collector: Collector, metrics: Sequence[Metric]) -> Iterator[Record]:
    from ..formats._scores import Record
    from ..scoring.score import signed

    for i, m in enumerate(metrics):
        for system, value, n in zip(collector.systems, collector.means(i), collector.counts(i), strict=True):
            yield Record(system, signed(m, collector.treatment), float(value), int(n))


def _refuse_nothing(collector: Collector, metrics: Sequence[Metric]) -> None:
    """A table of nothing but holes is a mistake of the input, not a result."""
    if not collector.systems:
        raise InputError("there are no outputs to score")
    for i, m in enumerate(metrics):
        if not collector.counts(i).any():
            raise InputError(f"{m.title} needs {m.needs}, and no item has any")


def _table(collector: Collector, names: Sequence[str], metrics: Sequence[Metric]) -> str:
    from ..scoring.score import signed
    from ..views._draw.terminal import draw_table as table
    from ..views._view import Column

    means = [collector.means(i) for i in range(len(metrics))]
    systems = list(collector.systems)
    sign = -1 if metrics[0].higher_is_better else 1
    order = sorted(range(len(systems)), key=lambda s: (means[0][s] != means[0][s], sign * means[0][s], systems[s]))
    heads = [_head(name, i, names) for i, name in enumerate(names)]
    columns = [Column("system", [systems[s] for s in order], right=False)]
    columns += [Column(head, _numbers(means[i][order].tolist())) for i, head in enumerate(heads)]
    columns.append(Column("n", [str(int(collector.counts(0)[s])) for s in order]))
    notes = [f"{head} = {signed(m, collector.treatment)}{_trained(m)}" for head, m in zip(heads, metrics, strict=True)]
    return table(columns, notes=notes)


def _trained(built: Metric) -> str:
    """What a learned scorer says of itself."""
    from ..metrics.learned import Learned

    return f": {built.summary()}" if isinstance(built, Learned) else ""


def _item_table(blocks: Sequence[Block], names: Sequence[str], rows: int) -> str:
    """The first rows; a note says how to get the others."""
    from ..views._draw.terminal import draw_table as table
    from ..views._view import Column

    where = [(b.items[i], b.systems[s]) for b in blocks for i, s in zip(b.item, b.system, strict=True)][:_MOST_ROWS]
    columns = [Column("item", [w[0] for w in where], right=False), Column("system", [w[1] for w in where], right=False)]
    for i, name in enumerate(names):
        values = [v for b in blocks for v in b.values[i].tolist()][:_MOST_ROWS]
        columns.append(Column(_head(name, i, names), _numbers(values)))
    cut = f"The first {_MOST_ROWS:,} of {rows:,} rows; --out FILE writes them all, --json prints them all."
    return table(columns, notes=[cut] if rows > _MOST_ROWS else ())


def _head(name: str, index: int, names: Sequence[str]) -> str:
    """The metric's name alone, numbered where two columns would share it."""
    bare = name.split("(")[0].strip()
    same = [i for i, other in enumerate(names) if other.split("(")[0].strip() == bare]
    return bare if len(same) == 1 else f"{bare}#{same.index(index) + 1}"


def _numbers(column: Sequence[float]) -> list[str]:
    """Four decimals for shares, two for scores out of a hundred; a dash for none."""
    places = 2 if max((v for v in column if v == v), default=0.0) > 1.5 else 4
    return ["–" if v != v else f"{v:.{places}f}" for v in column]
