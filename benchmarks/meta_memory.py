"""A metric against people on many systems: CPU time and peak memory of `assay meta`, which compares all pairs."""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from child import usage
from measure import Row, Scale, Target, main
from peers import HOME

PLACE = HOME.parent
SYSTEMS = 200
META = [str(Path(sys.executable).parent / "assay"), "meta"]
QUESTIONS = {"as typed": [], "correlate": ["--question", "correlate"], "dominate": ["--question", "dominate"]}
CPU, MEMORY = Target(10, most=True), Target(1000, most=True)
WORDS = ("the", "a", "cat", "dog", "sat", "mat", "old", "news", "said", "police", "city", "river", "new", "plan", "of")
NOTES = (
    "assay meta FILE -m tokenf1 --json on 200 systems, one rater of one dimension: 19,900 pairs of systems.",
    "As typed: without --question, which is correlate, and printed as text, not as JSON.",
    "CPU time (median of the runs) and peak resident memory of the process; the file of 5,000 items has about 120 MB.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Each question on a file of its own size."""
    PLACE.mkdir(exist_ok=True)
    items = scale.pick(500, 5000)
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        file = Path(folder) / "judged.jsonl"
        write_judged(file, SYSTEMS, items)
        for question, options in QUESTIONS.items():
            command = [*META, str(file), "-m", "tokenf1", *options, *(["--quiet", "--json"] if options else [])]
            runs = [usage(command) for _ in range(scale.pick(1, 3))]
            yield Row(f"{question}, {items} items: CPU", statistics.median(run.cpu for run in runs), "s", target=CPU)
            yield Row(f"{question}, {items} items: peak", max(run.peak for run in runs) / 1e6, "MB", target=MEMORY)


def write_judged(file: Path, systems: int, items: int, seed: int = 7) -> None:
    """Outputs of eight words, more of them the reference's the better a system is, each judged once."""
    rng = random.Random(seed)
    quality = [rng.random() for _ in range(systems)]
    names = [f"system{s:03d}" for s in range(systems)]
    with file.open("wb") as sink:
        for i in range(items):
            reference = rng.choices(WORDS, k=8)
            outputs = {
                name: " ".join(w if rng.random() < 0.3 + 0.6 * q else rng.choice(WORDS) for w in reference)
                for name, q in zip(names, quality, strict=True)
            }
            judgments = [
                {"system": name, "rater": "r1", "dimension": "adequacy", "score": round(3 * q + rng.gauss(0, 1), 2)}
                for name, q in zip(names, quality, strict=True)
            ]
            item = {"id": str(i), "references": [" ".join(reference)], "outputs": outputs, "judgments": judgments}
            sink.write(msgspec.json.encode(item) + b"\n")


if __name__ == "__main__":
    main("meta_memory", rows, NOTES)
