"""How fast two texts in one language are aligned: given their analysis, and with it; and how well.

The peer is the bilingual aligner's HMM on the same pairs, an iteration of each model: such a search without likeness.
"""

from __future__ import annotations

import csv
import random
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.text.align import bitext
from assay.text.align.evaluate import exact_links, score_links
from assay.text.align.monolingual import align, analyse
from measure import Row, Scale, Target, cpu, main

PAIRS = Path(__file__).parents[1] / "tests" / "text" / "data" / "aligned.tsv"
NOTES = (
    "Pairs of 30 tokens each, made from pairs aligned by hand; CPU time, median over rounds.",
    "F1 against links made by hand, on pairs not used for tuning (even lines of tests/text/data/aligned.tsv).",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Milliseconds a pair, lower is better; then F1."""
    pairs = hand_aligned()
    made = list(thirty(pairs, scale.pick(50, 500)))
    read = [(analyse(a), analyse(b)) for a, b in made]
    given = _median(lambda: [align(a, b) for a, b in read], scale) / len(made)
    theirs = _median(lambda: bitext.align(*zip(*made, strict=True), aligner="hmm(iterations=1)"), scale) / len(made)
    yield Row("given the analysis", 1000 * given, "ms", target=Target(0.5, most=True))
    whole = _median(lambda: [align(a, b) for a, b in made], scale) / len(made)
    yield Row("from strings", 1000 * whole, "ms", "bilingual HMM", 1000 * theirs, theirs / whole)
    long = " ".join(a for a, _, _ in pairs)
    words = long.split()[:300]
    side = analyse(" ".join(words)), analyse(" ".join(words[20:] + words[:20]))
    yield Row("300 tokens, given the analysis", 1000 * _median(lambda: align(*side), scale), "ms")
    ours = score_links(({(k.a, k.b) for k in align(a, b).links}, gold) for a, b, gold in pairs[1::2])
    plain = score_links((exact_links(analyse(a), analyse(b)), gold) for a, b, gold in pairs[1::2])
    yield Row("F1 on unseen pairs", 100 * ours.f1, "%", "equal words", 100 * plain.f1)


def hand_aligned() -> list[tuple[str, str, set[tuple[int, int]]]]:
    """Texts and links."""
    with PAIRS.open(encoding="utf-8") as file:
        found = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    links = [{(int(a), int(b)) for a, b in (k.split("-") for k in row["links"].split())} for row in found]
    return [(row["a"], row["b"], gold) for row, gold in zip(found, links, strict=True)]


def thirty(pairs: list[tuple[str, str, set[tuple[int, int]]]], count: int) -> Iterator[tuple[str, str]]:
    """Pairs of 30 tokens on either side: hand-aligned ones one after another, cut."""
    rng = random.Random(0)
    for _ in range(count):
        drawn = rng.sample(pairs, 6)
        yield tuple(" ".join(" ".join(row[side] for row in drawn).split()[:30]) for side in (0, 1))


def _median(call: Callable[[], object], scale: Scale) -> float:
    call()
    return statistics.median(cpu(call) for _ in range(scale.pick(3, 9)))


if __name__ == "__main__":
    main("align_mono", rows, NOTES)
