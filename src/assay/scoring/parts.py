"""Score a set that lies in many files, part by part, on this machine or on many, with the same bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..engines.storage import RunFolder, is_remote
from ..engines.task import PartTask, describe_part, plan_tasks
from ..errors import FormatError, InputError
from ..formats import ScoreRecord, ScoreWriter, Stream, cut_row_groups, format_of, stream, stream_row_groups
from ..metrics import Metric, metric
from .collector import Collector
from .stream import score_stream
from .tables import describe_metrics, tabulate_items

ROWS = 250_000  # of a part that is cut out of a larger file: some seconds of work


def plan_parts(
    files: Sequence[str], metrics: Sequence[Metric], *, per_item: bool = False, rows: int = ROWS, **options: Any
) -> list[PartTask]:
    """Return the tasks that score these files, in order; a large Parquet file is several.

    `options` are those of `formats.stream`: format, columns, allow_missing, strip_tags.
    """
    for m in metrics:
        if m.whole_set or m.learned:
            raise InputError(f"{m.title} reads the whole set before it scores, and cannot be spread over parts")
    settings = {"metrics": [m.signature() for m in metrics], "per_item": per_item, "options": options}
    return plan_tasks("score", files, settings, lambda file: _cut(file, rows, options))


def _cut(file: str, rows: int, options: Mapping[str, Any]) -> list[list[int]]:
    if is_remote(file) or options.get("format") not in (None, "parquet") or format_of(file) != "parquet":
        return []
    return cut_row_groups(file, rows, columns=options.get("columns"))


def score_part(task: PartTask, path: str, folder: RunFolder, threads: int) -> dict[str, Any]:
    """Score one part: write its per-item scores where they are wanted, and return its sums."""
    signatures = task.settings["metrics"]
    metrics = [metric(signature) for signature in signatures]
    collector = Collector(metrics)
    # Whether a system repeats references is known of the whole set only: parts are scored as they are, and it is said.
    blocks = collector.follow(score_stream(_open(task, path), metrics, threads=threads))
    written_part: dict[str, Any] = {}
    rows = 0
    if task.settings["per_item"]:
        part = f"{task.key()}.parquet"
        statistics = any(m.has_corpus_score for m in metrics)
        with folder.new_file(part) as file:
            with ScoreWriter(file, per_item=True, statistics=statistics) as writer:
                for block in blocks:
                    rows += len(block.item)
                    described = describe_metrics(metrics, signatures, block.treatment)
                    records = tabulate_items([block], described).records()
                    writer.add([ScoreRecord(**{k: v for k, v in r.items() if k != "kind"}) for r in records])
            written_part = describe_part(file)
    else:
        rows = sum(len(block.item) for block in blocks)
    if not rows:
        raise FormatError("there are no outputs to score in it", path=task.file)
    return {"rows": rows, **written_part, "collected": collector.to_record()}


def combine_parts(entries: Iterable[Mapping[str, Any]], metrics: Sequence[Metric]) -> Collector:
    """Add up the sums of all parts, as if one machine had scored them."""
    collector = Collector(metrics)
    for entry in entries:
        collector.merge(entry["collected"])
    return collector


def _open(task: PartTask, path: str) -> Stream:
    options = task.settings["options"]
    if not task.row_groups:
        return stream(path, **options)
    return stream_row_groups(path, task.row_groups, **{k: v for k, v in options.items() if k != "format"})
