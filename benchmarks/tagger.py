"""How fast the deletion taggers are, given the parse; beside it what the parse costs."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator

from assay.systems.compress.neural.tagger import Tagger
from assay.text.parse.parser import parse
from measure import Row, Scale, Target, cpu, main

NOTES = (
    "CPU time, model loaded, one BLAS thread. Ratio: how many times longer the parser takes for the same sentences.",
)
SENTENCE = (
    "The mayor of a town in Ohio said on Tuesday that she will not seek a third term after "
    "the council rejected her budget ."
)
WORDS = ("town", "city", "county", "village", "province", "port", "region", "colony", "district", "state")


def rows(scale: Scale) -> Iterator[Row]:
    """Milliseconds for one sentence of 25 words, and sentences per second of many at once."""
    one = parse([SENTENCE])
    assert sum(map(len, one[0].sentences)) == 25
    tagger = Tagger.load()
    tagger.marginals(one)
    repeats = scale.pick(20, 200)
    own, parser = _median(lambda: tagger.marginals(one), repeats), _median(lambda: parse([SENTENCE]), repeats)
    yield Row("25 words, alone", 1000 * own, "ms", target=Target(2, most=True))
    yield Row("the same, to the parser", 1000 * own, "ms", "the parser", 1000 * parser, parser / own)
    texts = [SENTENCE.replace("town", f"{word}{i}") for i in range(scale.pick(10, 60)) for word in WORDS]
    many = parse(texts)
    own, parser = _median(lambda: tagger.marginals(many), 3), _median(lambda: parse(texts), 3)
    yield Row("25 words, many", len(texts) / own, "sentences/s", "the parser", len(texts) / parser, parser / own)


def _median(call: Callable[[], object], repeats: int) -> float:
    return statistics.median(cpu(call) for _ in range(repeats))


if __name__ == "__main__":
    os.environ["ASSAY_CACHE"] = "off"
    main("tagger", rows, NOTES)
