"""How fast texts are parsed: one process and two, with and without the cache, and what a metric adds."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import assay
from assay.matching.batch import Batch
from assay.text.cache import Cache
from assay.text.parse import workers
from assay.text.parse.parser import parse
from ceiling import Counters
from measure import Row, Scale, Target, cpu, main, wall

NOTES = (
    "TAC 2008 outputs, each distinct line once. CPU time; two processes: wall time, medians over interleaved rounds.",
    "Ceiling: what two processes of plain arithmetic gain over one in the same rounds; the ratio is gain to ceiling.",
    "First call: the model is loaded and the helper is forked; later calls: the helper is there already.",
    "depeval adds: CPU time of the metric on parsed texts, relative to the CPU time of parsing them.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Words per second and gains, higher is better; nothing where the research data is absent."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not (folder / "tac2008.jsonl.gz").exists():
        print(f"parsing: needs tac2008.jsonl.gz in {folder}", file=sys.stderr)
        return
    data = assay.read(folder / "tac2008.jsonl.gz")
    texts = list(dict.fromkeys(islice((t for item in data for t in item.outputs.values()), scale.pick(200, 600))))
    lines = _lines(texts)
    words = sum(len(line.split()) for line in lines)
    parse(lines[:50])  # loads the model
    alone = _median(lambda: parse(lines, processes=1))
    yield Row("one process", words / alone, "words/s", target=Target(10_000))
    yield from _two_processes("50 texts", _lines(texts[:50]), scale, Target(0.9), alone=True)
    yield from _two_processes("200 texts", _lines(texts[:200]), scale, Target(0.85))
    if len(texts) > 200:
        yield from _two_processes(f"{len(texts)} texts", lines, scale, Target(0.85))
    with tempfile.TemporaryDirectory() as place:
        cache = Cache(Path(place))
        parse(lines, cache=cache)
        again = _median(lambda: parse(lines, cache=cache))
        cache.close()
    yield Row("from the cache", words / again, "words/s", "without", words / alone, alone / again)
    yield Row("depeval adds", 100 * _added(texts) / alone, "%", target=Target(5, most=True))


def _lines(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(line for text in texts for line in text.split("\n") if line))


def _two_processes(what: str, lines: list[str], scale: Scale, target: Target, *, alone: bool = False) -> Iterator[Row]:
    """Compare the first and later calls with two processes to one process and to the ceiling.

    alone: so few lines that one process is chosen: the gain is 1, whatever the ceiling.
    """
    rounds = []
    with Counters() as counters:
        for _ in range(scale.pick(3, 5)):
            workers.stop_helpers()
            one = wall(lambda: parse(lines, processes=1))
            top = counters.gain()
            first, later = (wall(lambda: parse(lines, processes=2)) for _ in range(2))
            top = (top + counters.gain()) / 2
            one = (one + wall(lambda: parse(lines, processes=1))) / 2
            rounds.append((one / first, one / later, top))
    ceiling = statistics.median(top for _, _, top in rounds)
    for place, call in enumerate(("first call", "later calls")):
        gain = statistics.median(gains[place] for gains in rounds)
        share = statistics.median(gains[place] / gains[2] for gains in rounds)
        if alone:
            yield Row(f"two processes asked for, {what}, {call}", gain, "x", "one process", 1.0, gain, target)
        else:
            yield Row(f"two processes, {what}, {call}", gain, "x", "ceiling", ceiling, share, target)


def _added(texts: list[str]) -> float:
    """CPU seconds of depeval over parses that are there already: half the texts are outputs, half references."""
    half = len(texts) // 2
    seconds = []
    for _ in range(3):
        batch = Batch(assay.EvalSet.from_texts(texts[:half], texts[half : 2 * half]))
        batch.outputs.parses("en")
        batch.references.parses("en")
        seconds.append(cpu(lambda batch=batch: assay.metric("depeval").values(batch)))
    return statistics.median(seconds)


def _median(call: Callable[[], object]) -> float:
    return statistics.median(cpu(call) for _ in range(3))


if __name__ == "__main__":
    os.environ["ASSAY_CACHE"] = "off"
    main("parsing", rows, NOTES)
