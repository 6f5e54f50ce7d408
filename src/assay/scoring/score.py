"""Score: an evaluation set, or a stream of parts of one, under some metrics."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..cores import usable_cores
from ..data._sequences import is_table
from ..data.evalset import EvalSet
from ..data.item import PARAPHRASE, Reference
from ..data.scores import CorpusStatistics, Floats, Scores
from ..engines import ordered_map
from ..errors import EmptyTextWarning, FallbackWarning, InputError, PoolingWarning, UndefinedWarning
from ..matching.batch import Batch
from ..metrics import Metric, metric
from ..metrics._names import expand_names
from ..text import Lexicon, Reading
from .exact_sums import ExactSums

_LOWERED_BY_VARIANTS = ("sum", "mean", "prob")  # poolings by which a reference that matches less lowers the score
_PART_TEXT = 1_000_000  # characters scored at a time: so many that what is done once a part vanishes
_PART_ITEMS = (64, 2048)  # the fewest and the most items of a part
_COUNTED = ("items", "empty_outputs", "paraphrased")  # by a Collector
_FULL_VOCABULARY = 1_000_000  # words after which threads start afresh, so that memory stays bounded


@dataclass(frozen=True)
class ScoreBlock:
    """The scores of some items: `values` is metric x output; `system` and `item` say where each output belongs."""

    systems: tuple[str, ...]
    items: tuple[str, ...]
    system: NDArray[np.int64]
    item: NDArray[np.int64]
    values: Floats
    statistics: tuple[Floats | None, ...]
    empty_outputs: int = 0
    unread: tuple[tuple[str, int], ...] = ()
    notes: tuple[tuple[str, int], ...] = ()
    treatment: str = ""
    paraphrased: int = 0  # outputs whose items have references made by paraphrasing
    leaked: tuple[str, ...] = ()

    def table(self, index: int) -> Floats:
        """Return one metric's values as systems x items."""
        table = np.full((len(self.systems), len(self.items)), np.nan)
        table[self.system, self.item] = self.values[index]
        return table


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
            statistics=_gather_statistics(blocks, i, m, data.systems),
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
    """Tell whether every item has an output of every system, in their order."""
    if len(item) != systems * items:
        return False
    return bool(
        (item.reshape(items, systems) == np.arange(items)[:, None]).all()
        and (system.reshape(items, systems) == np.arange(systems)).all()
    )


def full_signature(metric: Metric, treatment: str) -> str:
    """Return the metric's signature, with what was done to the texts it read."""
    return f"{metric.signature()} + {treatment}" if treatment else metric.signature()


class Collector:
    """Per system and metric: sum, count and summed statistics, whatever the number of items."""

    def __init__(self, metrics: Sequence[Metric], systems: Iterable[str] = ()) -> None:
        self.metrics = metrics
        self.systems: dict[str, int] = {name: i for i, name in enumerate(systems)}
        self.items = self.empty_outputs = 0
        self.treatment = ""
        self.paraphrased = 0
        self.leaked: tuple[str, ...] = ()
        self.undefined = [0] * len(metrics)
        self._unread: dict[str, int] = {}
        self._notes: dict[str, int] = {}
        self._sums = [ExactSums(len(self.systems)) for _ in metrics]
        self._counts = np.zeros((len(metrics), len(self.systems)), dtype=np.int64)
        self._statistics: list[_StatisticSums | None] = [None] * len(metrics)

    def follow(self, blocks: Iterable[ScoreBlock]) -> Iterator[ScoreBlock]:
        """Yield the blocks again and add them up."""
        for block in blocks:
            self._add(block)
            yield block

    def means(self, index: int) -> Floats:
        """Return one score per system, in the order of `systems`."""
        corpus = self.corpus(index)
        if corpus is not None:
            return corpus
        return self._sums[index].means(self._counts[index])

    def counts(self, index: int) -> NDArray[np.int64]:
        """Return how many items each system has a score for."""
        counts: NDArray[np.int64] = self._counts[index]
        return counts

    def corpus(self, index: int) -> Floats | None:
        """Return the corpus score of each system, or None if the metric has none."""
        sums = self._statistics[index]
        if sums is None:
            return None
        scores = self.metrics[index].corpus(sums.totals(len(self.systems)))
        return np.where(self._counts[index] > 0, scores, np.nan)

    def warn(self) -> None:
        """Warn about undefined scores and unreadable texts, once for the whole run."""
        for m, undefined in zip(self.metrics, self.undefined, strict=True):
            if undefined:
                reason = m.undefined or f"their items have no {m.needs}"
                warnings.warn(
                    f"{m.title}: {undefined} outputs have no score (NaN), as {reason}",
                    UndefinedWarning,
                    stacklevel=3,
                )
        for tokenizer, n in self._unread.items():
            warnings.warn(
                f"{n} texts came out empty under tokenizer {tokenizer!r}, which is not made for their script; "
                "tokenizer=unicode reads any script",
                EmptyTextWarning,
                stacklevel=3,
            )
        for note, n in self._notes.items():
            warnings.warn(f"{note} ({n} outputs)", FallbackWarning, stacklevel=3)
        for m in self.metrics if self.paraphrased else ():
            pooling = getattr(m, "refs", "")
            if pooling in _LOWERED_BY_VARIANTS:
                warnings.warn(
                    f"{m.title} pools references by {pooling}, and paraphrased references then lower the score, "
                    f"because an output matches few of them: use {m.title}(refs=max) ({self.paraphrased} outputs)",
                    PoolingWarning,
                    stacklevel=3,
                )

    def to_record(self) -> dict[str, Any]:
        """Return all that was collected as plain values that lose nothing, to be merged elsewhere."""
        return {
            "systems": list(self.systems),
            "sums": [sums.to_text() for sums in self._sums],
            "counts": self._counts.tolist(),
            "statistics": [None if s is None else [c.to_text() for c in s.columns] for s in self._statistics],
            "unread": self._unread,
            "notes": self._notes,
            "undefined": self.undefined,
            **{name: getattr(self, name) for name in _COUNTED},
            "treatment": self.treatment,
            "leaked": list(self.leaked),
        }

    def merge(self, record: Mapping[str, Any]) -> None:
        """Add what another collected, by the same metrics, from its record."""
        for name in record["systems"]:
            self.systems.setdefault(name, len(self.systems))
        rows = [self.systems[name] for name in record["systems"]]
        self._grow(len(self.systems))
        for i, texts in enumerate(record["sums"]):
            self._sums[i].merge(ExactSums.from_text(texts), rows)
            self._counts[i, rows] += np.array(record["counts"][i], dtype=np.int64)
            self.undefined[i] += record["undefined"][i]
            if record["statistics"][i] is not None:
                columns = [ExactSums.from_text(column) for column in record["statistics"][i]]
                self._statistic_sums(i).merge(columns, rows, len(self.systems))
        for name in _COUNTED:
            setattr(self, name, getattr(self, name) + record[name])
        self._note(record["treatment"], record["leaked"], record["unread"].items(), record["notes"].items())

    def _note(
        self, treatment: str, leaked: Iterable[str], unread: Iterable[tuple[str, int]], notes: Iterable[tuple[str, int]]
    ) -> None:
        self.treatment = self.treatment or treatment
        self.leaked = tuple(dict.fromkeys((*self.leaked, *leaked)))
        for tokenizer, n in unread:
            self._unread[tokenizer] = self._unread.get(tokenizer, 0) + n
        for note, n in notes:
            self._notes[note] = self._notes.get(note, 0) + n

    def _add(self, block: ScoreBlock) -> None:
        for name in block.systems:
            self.systems.setdefault(name, len(self.systems))
        rows = np.array([self.systems[name] for name in block.systems], dtype=np.int64)[block.system]
        width = len(self.systems)
        self.items += len(block.items)
        self.empty_outputs += block.empty_outputs
        self.paraphrased += block.paraphrased
        self._note(block.treatment, block.leaked, block.unread, block.notes)
        self._grow(width)
        counts = np.bincount(rows, minlength=width)
        undefined = np.isnan(block.values)
        for i, some in enumerate(np.any(undefined, axis=1)):
            values, statistics = block.values[i], block.statistics[i]
            if not some:  # as nearly always
                self._add_metric(i, rows, values, counts, statistics)
                continue
            defined = ~undefined[i]
            self.undefined[i] += int(undefined[i].sum())
            own_counts = np.bincount(rows[defined], minlength=width)
            own_statistics = None if statistics is None else statistics[defined]
            self._add_metric(i, rows[defined], values[defined], own_counts, own_statistics)

    def _add_metric(
        self, index: int, rows: NDArray[np.int64], values: Floats, counts: NDArray[np.int64], statistics: Floats | None
    ) -> None:
        self._sums[index].add(rows, values)
        self._counts[index] += counts
        if statistics is not None:
            self._statistic_sums(index).add(rows, statistics, len(self.systems))

    def _grow(self, systems: int) -> None:
        """Make room for this many systems."""
        if systems > self._counts.shape[1]:
            self._counts = np.pad(self._counts, ((0, 0), (0, systems - self._counts.shape[1])))
            for sums in self._sums:
                sums.grow(systems)

    def _statistic_sums(self, index: int) -> _StatisticSums:
        sums = self._statistics[index]
        if sums is None:
            sums = self._statistics[index] = _StatisticSums()
        return sums


class _StatisticSums:
    """Summed statistics of each system; a metric may have more columns where items have more references."""

    def __init__(self, columns: Iterable[ExactSums] = ()) -> None:
        self.columns = list(columns)

    def add(self, system: NDArray[np.int64], rows: Floats, systems: int) -> None:
        self.columns += [ExactSums() for _ in range(rows.shape[1] - len(self.columns))]
        for sums, column in zip(self.columns, rows.T, strict=False):
            sums.grow(systems)
            sums.add(system, column)

    def merge(self, columns: Sequence[ExactSums], rows: Sequence[int], systems: int) -> None:
        self.columns += [ExactSums() for _ in range(len(columns) - len(self.columns))]
        for sums, other in zip(self.columns, columns, strict=False):
            sums.grow(systems)
            sums.merge(other, rows[: len(other)])

    def totals(self, systems: int) -> Floats:
        for sums in self.columns:
            sums.grow(systems)
        return np.stack([sums.totals() for sums in self.columns], axis=1)


def prepare_metrics(metrics: Sequence[Metric], chunks: Iterable[EvalSet]) -> list[Metric]:
    """Return the metrics ready for this set; each that needs the whole set reads it first, in a pass of its own.

    `score` calls this itself; before `score_stream` call it with chunks that can be read again.
    """
    return [m.ready(chunks) for m in metrics]


def score_stream(chunks: Iterable[EvalSet], metrics: Sequence[Metric], *, threads: int = 1) -> Iterator[ScoreBlock]:
    """Return the scores of each chunk, in order and in bounded memory."""
    words = _Words()
    requests = tuple(dict.fromkeys(request for m in metrics for request in m.requests()))
    readings = {request.unit.reading for request in requests}

    def work(part: tuple[EvalSet, range]) -> ScoreBlock:
        chunk, places = part
        if chunk.has_alternatives:
            _refuse_alternatives(metrics)
        batch = Batch(chunk, words.lexicon(), start=places.start, stop=places.stop, threads=threads)
        batch.prefetch(requests)
        return _score_batch(chunk, places, batch, metrics, readings)

    return ordered_map(work, _parts(chunks, threads), threads=threads)


def _parts(chunks: Iterable[EvalSet], threads: int) -> Iterator[tuple[EvalSet, range]]:
    """Cut chunks into parts, each scored by one thread; where texts are long, parts have fewer items.

    All threads have as many parts, so that they end together.
    """
    for chunk in chunks:
        outputs, references, output_ends, reference_ends = chunk.flat
        some = min(len(chunk), _PART_ITEMS[0])
        text = sum(map(len, outputs[: output_ends[some]])) + sum(map(len, references[: reference_ends[some]]))
        size = min(max(_PART_TEXT * some // max(text, 1), _PART_ITEMS[0]), _PART_ITEMS[1])
        parts = -(-len(chunk) // size)
        parts = -(-parts // threads) * threads if parts > 1 else 1
        size = -(-len(chunk) // parts)
        for start in range(0, len(chunk), size):
            yield chunk, range(start, min(start + size, len(chunk)))


def _refuse_alternatives(metrics: Sequence[Metric]) -> None:
    for m in metrics:
        if m.needs == "references" and not m.takes_alternatives():
            raise InputError(
                f"{m.title} cannot read references with alternatives (a lattice): n-grams, skip-bigrams with gaps up "
                "to 10, rougeL and BLEU can; make paraphrased references with how=one or how=best instead"
            )


def _score_batch(
    chunk: EvalSet, part: range, batch: Batch, metrics: Sequence[Metric], readings: set[Reading]
) -> ScoreBlock:
    values = np.stack([m.values(batch) for m in metrics]) if metrics else np.empty((0, len(batch)))
    return ScoreBlock(
        systems=chunk.systems,
        items=chunk.items[part.start : part.stop],
        system=batch.system,
        item=batch.item,
        values=values,
        statistics=tuple(m.statistics(batch) for m in metrics),
        empty_outputs=batch.outputs.count_blank(),
        unread=_unread(batch, readings),
        notes=tuple(note for m in metrics for note in m.notes(batch).items()),
        treatment=chunk.treatment,
        paraphrased=_count_paraphrased(batch) if chunk.has_reference_ids else 0,
        leaked=chunk.leaked,
    )


def _count_paraphrased(batch: Batch) -> int:
    """Count the outputs that have paraphrased references beside the original ones."""
    return sum(
        len(item.outputs)
        for item in batch.entries
        if 0 < sum((r.id or "").startswith(PARAPHRASE) for r in item.references) < len(item.references)
    )


def _unread(batch: Batch, readings: set[Reading]) -> tuple[tuple[str, int], ...]:
    """Count, by tokenizer, the texts that have letters but no tokens."""
    empty: dict[str, int] = {}
    for reading in readings:
        for texts in (batch.outputs, batch.references):
            for i in np.flatnonzero(texts.tokens(reading).lengths() == 0):
                if any(c.isalnum() for c in texts.strings[i]) and not (reading.stop and texts.strings[i].isascii()):
                    empty[reading.tokenizer] = empty.get(reading.tokenizer, 0) + 1
    return tuple(sorted(empty.items()))


class _Words:
    """What threads keep from part to part: the words and stems they have seen."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def lexicon(self) -> Lexicon:
        if len(self._lexicon.vocab) > _FULL_VOCABULARY:
            self._lexicon = Lexicon()
        return self._lexicon
