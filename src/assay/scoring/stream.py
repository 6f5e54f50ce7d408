"""Score the parts of a stream of sets, each in a block, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet
from ..data.item import PARAPHRASE
from ..engines import ordered_map
from ..errors import InputError
from ..matching.batch import Batch
from ..metrics import Metric
from ..text import Lexicon, TextReading

if TYPE_CHECKING:
    from ..data.scores import Floats

_PART_TEXT = 1_000_000  # characters scored at a time: enough that what is done once a part does not count
_PART_ITEMS = (64, 2048)  # the fewest and the most items of a part
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
    paraphrased: int = 0  # outputs with references made by paraphrasing
    leaked: tuple[str, ...] = ()
    clusters: tuple[str, ...] | None = None  # of each item
    runs: tuple[str | None, ...] | None = None

    def table(self, index: int) -> Floats:
        """Return one metric's values as systems x items."""
        table = np.full((len(self.systems), len(self.items)), np.nan)
        table[self.system, self.item] = self.values[index]
        return table


def full_signature(metric: Metric, treatment: str) -> str:
    """Return the metric's signature, with what was done to the texts it read."""
    return f"{metric.signature()} + {treatment}" if treatment else metric.signature()


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
    chunk: EvalSet, part: range, batch: Batch, metrics: Sequence[Metric], readings: set[TextReading]
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
        clusters=None if chunk.clusters is None else chunk.clusters[part.start : part.stop],
        runs=None if chunk.runs is None else chunk.runs[part.start : part.stop],
    )


def _count_paraphrased(batch: Batch) -> int:
    """Count the outputs that have paraphrased references next to the original ones."""
    return sum(
        len(item.outputs)
        for item in batch.entries
        if 0 < sum((r.id or "").startswith(PARAPHRASE) for r in item.references) < len(item.references)
    )


def _unread(batch: Batch, readings: set[TextReading]) -> tuple[tuple[str, int], ...]:
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
