"""Score outputs against references: a table you can publish, with the exact settings under it.

assay score set.jsonl -m rouge2 -m "bleu(smooth=floor)"
assay score --outputs A=a.txt --outputs B=b.txt --refs ref0.txt ref1.txt -m bleu
assay score outputs.parquet -m rougeL --per-item --out scores.parquet
assay score parts/*.parquet -m rouge2 --engine dask://scheduler:8786 --out scores/
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ._input import open_input, say_recognized, stated_columns, wants_parts
from ._options import METRICS, METRICS_WITHOUT_REFERENCES, add, add_input
from ._progress import Progress
from ._show import json_line, show

if TYPE_CHECKING:
    from ..data.result import Result
    from ..formats import ScoreWriter, Stream
    from ..metrics import Metric
    from ..scoring.collector import Collector
    from ..scoring.stream import ScoreBlock

SUMMARY = "score outputs against references"
_MAX_ROWS = 1000  # of a printed table of items; more is for a program to read


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(
        parser,
        *("metric", "scores"),
        metric={"shown": f"{', '.join(METRICS)}; {', '.join(METRICS_WITHOUT_REFERENCES)} without references"},
        scores={"detail": "for a learned scorer that takes the scores of other metrics"},
    )
    parser.add_argument("--per-item", action="store_true", help="a score for every output, not only for every system")
    parser.add_argument(
        "--parser",
        metavar="NAME",
        help="parser of dependency metrics: en, accurate, spacy:NAME, stanza:LANGUAGE or conllu:FILE (default: en)",
    )
    detail = "scores as .jsonl, .csv or .parquet, or with --engine a folder of parts"
    parts = {"detail": "the parts of a large set"}
    add(parser, "out", "escape_formulas", "threads", "engine", "json", out={"detail": detail}, engine=parts)


def run(args: argparse.Namespace) -> int:
    if wants_parts(args):
        return _score_parts(args)
    data, names, metrics = _open(args)
    with ExitStack() as stack:
        writer = None
        if args.out:
            from ..formats import ScoreWriter

            table = ScoreWriter(
                args.out,
                per_item=args.per_item,
                statistics=any(m.has_corpus_score for m in metrics),
                escape_formulas=args.escape_formulas,
            )
            writer = stack.enter_context(table)
        chunks = stack.enter_context(Progress(data, quiet=args.quiet, fraction=data.fraction))
        collector, results = _score(args, chunks, names, metrics, writer)
    say_recognized(args, data.recognized, collector.items, len(collector.systems))
    if not args.quiet:
        _warn(collector)
    if not args.json:
        show(results, as_json=False)
    return 0


def _score_parts(args: argparse.Namespace) -> int:
    """Score the files of one set part by part; what is printed is what one machine would print."""
    from ..metrics import metric
    from ..scoring.parts import combine_parts, plan_parts
    from ..scoring.tables import tabulate_systems
    from ._parts import part_files, run_parts

    names = list(dict.fromkeys(args.metric or METRICS))
    metrics = [_set_parser(metric(name), args.parser) for name in names]
    options: dict[str, Any] = {"allow_missing": args.allow_missing, "strip_tags": args.strip_tags}
    if args.format:
        options["format"] = args.format
    if columns := stated_columns(args):
        options["columns"] = columns
    tasks = plan_parts(part_files(args), metrics, per_item=args.per_item, **options)
    collector = combine_parts(run_parts(args, tasks), metrics)
    if not args.quiet:
        _warn(collector)
    _refuse_nothing(collector, metrics)
    show([tabulate_systems(collector, names)], as_json=args.json)
    return 0


def _open(args: argparse.Namespace) -> tuple[Stream, list[str], list[Metric]]:
    """Open the input and build the metrics; those that weigh words read the whole set first."""
    from ..metrics import metric
    from ..scoring.stream import prepare_metrics

    names = list(dict.fromkeys(args.metric))
    metrics = [_set_parser(_set_scores(metric(name), args.scores), args.parser) for name in names]
    looks_first = not names or any(m.whole_set for m in metrics)
    data = open_input(args, passes=2 if looks_first else 1)
    if not names:
        names = list(_default_metrics(data))
        metrics = [metric(name) for name in names]
    return data, names, prepare_metrics(metrics, data)


def _score(
    args: argparse.Namespace,
    chunks: Iterable[Any],
    names: Sequence[str],
    metrics: Sequence[Metric],
    writer: ScoreWriter | None,
) -> tuple[Collector, list[Result]]:
    """Score the chunks; with --per-item what is written or printed as JSON goes out while they come in."""
    from ..scoring.collector import Collector
    from ..scoring.stream import score_stream
    from ..scoring.tables import describe_metrics, tabulate_items, tabulate_systems

    collector = Collector(metrics)
    first: list[ScoreBlock] = []
    rows = 0
    for block in collector.follow(score_stream((c.skip_repeats() for c in chunks), metrics, threads=args.threads)):
        if args.per_item and (writer or args.json):
            described = describe_metrics(metrics, names, block.treatment)
            _emit(tabulate_items([block], described), args.json, writer)
        elif args.per_item:
            first += [block] if rows < _MAX_ROWS else []
            rows += len(block.item)
    _refuse_nothing(collector, metrics)
    systems = tabulate_systems(collector, names)
    if not args.per_item:
        _emit(systems, args.json, writer)
    return collector, [*([tabulate_items(first, systems.metrics, rows)] if first else []), systems]


def _emit(result: Result, as_json: bool, writer: ScoreWriter | None) -> None:
    """Write a result to the file and print its records, if these are wanted."""
    if writer is None and not as_json:
        return
    records = result.records()
    if writer is not None:
        from ..formats import ScoreRecord

        writer.add([ScoreRecord(**{k: v for k, v in record.items() if k != "kind"}) for record in records])
    if as_json:
        sys.stdout.writelines(json_line(record) for record in records)


def _set_scores(metric: Metric, paths: Sequence[str]) -> Metric:
    """Give a learned scorer the scores of other metrics that it takes."""
    if not metric.learned:
        return metric
    from ..metrics.learned import Learned

    assert isinstance(metric, Learned)
    if not metric.outside:
        return metric
    from ..formats import read_scores

    return metric.with_scores(scores for path in paths for scores in read_scores(path))


def _set_parser(metric: Metric, parser: str | None) -> Metric:
    """Give a metric this parser, if it parses and was not typed with one of its own."""
    if parser is None:
        return metric
    if getattr(metric, "parser", None) == "en":
        return replace(metric, parser=parser)  # type: ignore[call-arg]
    if getattr(metric, "unit", "").upper() == "PARSE-2":
        return replace(metric, unit=f"PARSE-2:{parser}")  # type: ignore[call-arg]
    return metric


def _warn(collector: Collector) -> None:
    collector.warn()
    if collector.empty_outputs:
        print(f"assay: note: {collector.empty_outputs} empty outputs were scored as they are", file=sys.stderr)


def _default_metrics(data: Stream) -> Sequence[str]:
    first = next(iter(data))
    return METRICS if any(item.references for item in first) else METRICS_WITHOUT_REFERENCES


def _refuse_nothing(collector: Collector, metrics: Sequence[Metric]) -> None:
    """Raise if a metric has no score at all: that is a mistake of the input, not a result."""
    if not collector.systems:
        raise InputError("there are no outputs to score")
    for i, m in enumerate(metrics):
        if not collector.counts(i).any():
            raise InputError(f"{m.title} needs {m.needs}, and no item has any")
