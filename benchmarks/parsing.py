"""How fast texts are parsed: one core and two processes, with and without the cache, and what a metric adds."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import assay
from assay.matching.batch import Batch
from assay.text.cache import Cache
from assay.text.parse.parser import parse
from measure import Row, Scale, Target, cpu, main, wall

NOTES = (
    "TAC 2008 outputs, each distinct line once. CPU time; for two processes wall time (their CPU time is unknown).",
    "depeval adds: CPU time of the metric on parsed texts, relative to the CPU time of parsing them.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Words per second, higher is better; nothing where the research data is absent."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not (folder / "tac2008.jsonl.gz").exists():
        print(f"parsing: needs tac2008.jsonl.gz in {folder}", file=sys.stderr)
        return
    data = assay.read(folder / "tac2008.jsonl.gz")
    texts = list(dict.fromkeys(islice((t for item in data for t in item.outputs.values()), scale.pick(60, 600))))
    lines = list(dict.fromkeys(line for text in texts for line in text.split("\n") if line))
    words = sum(len(line.split()) for line in lines)
    parse(lines[:50])  # loads the model
    alone = _median(lambda: parse(lines), cpu)
    yield Row("one core", words / alone, "words/s", target=Target(10_000))
    one, two = wall(lambda: parse(lines)), wall(lambda: parse(lines, processes=2))
    yield Row("two processes, wall", words / two, "words/s", "one process", words / one, one / two)
    with tempfile.TemporaryDirectory() as place:
        cache = Cache(Path(place))
        parse(lines, cache=cache)
        again = _median(lambda: parse(lines, cache=cache), cpu)
        cache.close()
    yield Row("from the cache", words / again, "words/s", "without", words / alone, alone / again)
    yield Row("depeval adds", 100 * _added(texts) / alone, "%", target=Target(5, most=True))


def _added(texts: list[str]) -> float:
    """CPU seconds of depeval over parses that are there already: half the texts are outputs, half references."""
    half = len(texts) // 2
    batch = Batch(assay.EvalSet.from_texts(texts[:half], texts[half : 2 * half]))
    batch.outputs.parses("en")
    batch.references.parses("en")
    return cpu(lambda: assay.metric("depeval").values(batch))


def _median(call: Callable[[], object], clock: Callable[[Callable[[], object]], float]) -> float:
    return statistics.median(clock(call) for _ in range(3))


if __name__ == "__main__":
    os.environ["ASSAY_CACHE"] = "off"
    main("parsing", rows, NOTES)
