"""Score an evaluation set, or lists of texts, under some metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..cores import usable_cores
from ..data.evalset import EvalSet
from ..data.item import Reference
from ..data.scores import CorpusStatistics, Floats, Scores
from ..data.sequences import is_table
from ..errors import InputError
from ..metrics import Metric, expand_names, metric
from .collector import Collector
from .stream import ScoreBlock, full_signature, prepare_metrics, score_stream

Texts = Mapping[str, Iterable[str | None]] | Iterable[str | None]  # outputs by system, or of one system
TextReferences = Iterable[str | Reference | Iterable[str | Reference]]


@overload
def score(  # type: ignore[overload-overlap]  # a str is a sequence of str, but no metric is called by one letter
    data: EvalSet | str | PathLike[str],
    metrics: str | Metric,
    *,
    threads: int | None = None,
    background: EvalSet | None = None,
) -> Scores: ...
@overload
def score(
    data: EvalSet | str | PathLike[str],
    metrics: Sequence[str | Metric],
    *,
    threads: int | None = None,
    background: EvalSet | None = None,
) -> dict[str, Scores]: ...
@overload
def score(  # type: ignore[overload-overlap]
    outputs: Texts,
    references: TextReferences,
    metrics: str | Metric,
    *,
    threads: int | None = None,
    background: EvalSet | None = None,
) -> Scores: ...
@overload
def score(
    outputs: Texts,
    references: TextReferences,
    metrics: Sequence[str | Metric],
    *,
    threads: int | None = None,
    background: EvalSet | None = None,
) -> dict[str, Scores]: ...
def score(*inputs: Any, threads: int | None = None, background: EvalSet | None = None, **named: Any) -> Any:
    """Score every output under every metric; one metric gives its Scores, several a dict by the name as typed.

    score(data, metrics) takes an EvalSet or the path of a file; score(outputs, references, metrics) takes texts by
    position: the outputs of one system, or a dict of systems, and for each item a reference or a list of them.

    Metrics that weigh words by how rare they are (nist, tfidf1, softmatch(idf=true)) read all of the set first, or all
    of `background` where it is given: the training part, for a scorer that is tested on another.
    `threads` is how many cores are used, by default all; the numbers are the same to the last bit.

    >>> data = EvalSet.from_texts({"A": ["the cat sat"], "B": ["a dog"]}, [["the cat sat down"]])
    >>> scores = score(data, ["rouge1", "bleu(smooth=floor)"])
    >>> scores["rouge1"].values.round(3).tolist()
    [[0.857], [0.0]]
    >>> score(["the cat sat"], ["the cat sat down"], "rouge1").means().round(3).tolist()
    [0.857]
    """
    data, metrics = _read_inputs(inputs, named)
    requested: list[str | Metric] = expand_names([metrics] if isinstance(metrics, (str, Metric)) else metrics)
    one = isinstance(metrics, (str, Metric)) and len(requested) == 1  # `rouge` is three
    if not requested:
        raise InputError("no metric was asked for: give at least one, as 'rouge2'")
    built = prepare_metrics([metric(m) for m in requested], [data if background is None else background])
    collected = Collector(built, data.systems)
    blocks = list(collected.follow(score_stream([data], built, threads=threads or usable_cores())))
    collected.warn()
    names = [m if isinstance(m, str) else m.signature() for m in requested]
    tables = _tabulate(blocks, len(built), data.systems, len(data))
    scores = {
        name: Scores(
            tables[i],
            data.systems,
            data.items,
            name=name,
            signature=full_signature(m, data.treatment),
            higher_is_better=m.higher_is_better,
            corpus=collected.corpus(i),
            people=data.people,
            leaked=data.leaked,
            copies=data.copies,
            statistics=_gather_statistics(blocks, i, m, data.systems),
            clusters=data.clusters,
            runs=data.runs,
        )
        for i, (name, m) in enumerate(zip(names, built, strict=True))
    }
    return scores[names[0]] if one else scores


def _read_inputs(inputs: tuple[Any, ...], named: dict[str, Any]) -> tuple[EvalSet, Any]:
    """Return the evaluation set and the metrics of a call of `score`."""
    names = ("data", "metrics") if len(inputs) + len(named) == 2 else ("outputs", "references", "metrics")
    values = {**dict(zip(names, inputs, strict=False)), **named}
    if len(inputs) > 3 or set(values) != set(names):
        raise InputError(
            "score takes an evaluation set and metrics, score(data, 'rouge2'), or texts, references and metrics, "
            "score(outputs, references, 'rouge2')"
        )
    if "outputs" in values:
        return EvalSet.from_texts(values["outputs"], values["references"]), values["metrics"]
    data, metrics = values["data"], values["metrics"]
    if isinstance(data, EvalSet):
        return data, metrics
    if not isinstance(data, (str, PathLike)) and not is_table(data) and not hasattr(data, "column_names"):
        raise InputError(
            f"score needs an EvalSet, a file name, a DataFrame, or outputs and references; got {type(data).__name__}: "
            "for texts write score(outputs, references, metrics)"
        )
    from ..formats import read

    return read(data), metrics


def _gather_statistics(
    blocks: Sequence[ScoreBlock], index: int, metric: Metric, systems: tuple[str, ...]
) -> CorpusStatistics | None:
    """Return the statistics of one metric as systems x items x columns; None for a metric without a corpus score."""
    parts = [block.statistics[index] for block in blocks]
    if not parts or any(rows is None for rows in parts):
        return None
    width = max(rows.shape[1] for rows in parts if rows is not None)
    place = {name: i for i, name in enumerate(systems)}
    tables = []
    for block, rows in zip(blocks, parts, strict=True):
        assert rows is not None
        table = np.full((len(systems), len(block.items), width), np.nan)
        defined = ~np.isnan(block.values[index])
        system = np.array([place[name] for name in block.systems], dtype=np.int64)[block.system[defined]]
        # A metric has more columns where items have more references: those that others lack are 0.
        table[system, block.item[defined]] = np.pad(rows[defined], ((0, 0), (0, width - rows.shape[1])))
        tables.append(table)
    return CorpusStatistics(np.concatenate(tables, axis=1), metric.corpus)


def _tabulate(blocks: Sequence[ScoreBlock], metrics: int, systems: tuple[str, ...], items: int) -> Floats:
    """Return the values of all metrics as metric x system x item, NaN where there is none."""
    tables = np.full((metrics, len(systems), items), np.nan)
    place = {name: i for i, name in enumerate(systems)}
    start = 0
    for block in blocks:
        stop = start + len(block.items)
        rows = np.array([place[name] for name in block.systems], dtype=np.int64)[block.system]
        if _is_full(rows, block.item, len(systems), len(block.items)):  # a copy, many times as fast
            values = block.values.reshape(metrics, len(block.items), len(systems))
            tables[:, :, start:stop] = values.transpose(0, 2, 1)
        else:
            tables[:, rows, start + block.item] = block.values
        start = stop
    return tables


def _is_full(system: NDArray[np.int64], item: NDArray[np.int64], systems: int, items: int) -> bool:
    """Check if every item has an output of every system, in their order."""
    if len(item) != systems * items:
        return False
    return bool(
        (item.reshape(items, systems) == np.arange(items)[:, None]).all()
        and (system.reshape(items, systems) == np.arange(systems)).all()
    )
