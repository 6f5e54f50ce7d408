"""Speed of the compressors: CPU time per sentence of 25 tokens, alone and in batches, model loaded; start-up."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["ASSAY_CACHE"] = "off"  # each system parses its sentences itself

import numpy as np

from assay.systems.budget import Budget
from assay.systems.compress import COMPRESSORS, Compressor, Source
from assay.systems.compress.word_based import WordBased, features
from assay.text.lm.trigrams import load
from assay.text.parse.flat import parse_texts
from measure import Row, Scale, Target, cpu, main

NOTES = (
    "CPU time of one thread (time.process_time), median over sentences of 25 tokens, each compressed on its own, after "
    "one to warm up, the parse included. 'batch' is the mean over the same sentences compressed together.",
    "search alone: word-based without the parse and the features. start-up: `assay compress` on one line, CPU seconds.",
)
SUBJECTS = ("The old captain", "A young reporter", "The city council", "My neighbour's dog", "The new minister")
VERBS = ("said on Monday", "announced last week", "did not deny yesterday", "wrote in a long letter", "claimed again")
CLAUSES = ("that the small harbour near the old town", "that three of the ships in the northern port")
ENDS = ("would be closed for at least two years, according to officials.", "had been sold to a buyer from Norway.")
# Milliseconds. Those of edit are beside the parse, so that its row here is met by its time less that of `parse alone`.
TARGETS = {
    "tagger-tree": Target(20, most=True),
    "tagger-tree(parses=4)": Target(40, most=True),
    "ilp": Target(200, most=True),
    "seq2seq": Target(50, most=True),
    "namas": Target(300, most=True),
    "t3": Target(500, most=True),
}


def sentences(n: int) -> list[str]:
    """Made-up news of about 25 tokens."""
    parts = (SUBJECTS, VERBS, CLAUSES, ENDS)
    made = [" ".join(p[(k // (i + 1)) % len(p)] for i, p in enumerate(parts)) for k in range(n)]
    return [text.replace("the", f"the {k}th", 1) for k, text in enumerate(made)]  # each its own: none is parsed twice


def rows(scale: Scale) -> Iterator[Row]:
    """Every system, the search of the word-based one, and the start of the command."""
    texts = sentences(scale.pick(10, 40))
    length = statistics.mean(len(a.tokens) for a in parse_texts(texts))
    yield Row("parse alone, one sentence", statistics.median(_parse_times(texts)), "ms")
    for system in [*(cls() for cls in COMPRESSORS.classes), COMPRESSORS.build("tagger-tree(parses=4)")]:
        name = system.name if system == type(system)() else "tagger-tree(parses=4)"
        sources = [Source(text, Budget(ratio=0.43)) for text in texts]
        system.compress(sources[:2])
        each = [1000 * _cpu(system, [one]) for one in sources]
        yield Row(
            f"{name}, one sentence ({length:.0f} tokens)",
            statistics.median(each),
            "ms",
            target=TARGETS.get(name),
        )
        if name != "ilp":
            yield Row(f"{name}, batch", 1000 * _cpu(system, sources) / len(sources), "ms")
    yield _search(texts)
    yield _start()


def _cpu(system: Compressor, sources: list[Source]) -> float:
    return cpu(lambda: system.compress(sources))


def _parse_times(texts: list[str]) -> list[float]:
    """Return the milliseconds of parsing each text, none of which was parsed before."""
    others = [f"Today {text[0].lower()}{text[1:]}" for text in texts]
    return [1000 * cpu(lambda text=text: parse_texts([text])) for text in others]  # type: ignore[misc]


def _search(texts: list[str]) -> Row:
    model, chosen = load(), WordBased()
    times = []
    for tokens, i, s in features([Source(t) for t in texts], model, "en"):
        own = chosen.significance * i + chosen.sov * np.where(s > 0, s, chosen.default)
        words, costs = model.ids([t.text for t in tokens]), np.ones(len(tokens), np.uint32)
        start = time.process_time()
        for _ in range(20):
            model.grams.best_words(words, own, 1.0, costs, 0, -1)
        times.append(1000 * (time.process_time() - start) / 20)
    return Row("word-based, search alone", statistics.median(times), "ms", target=Target(1, most=True))


def _start() -> Row:
    code = (
        "import sys, io, time; sys.stdin = io.TextIOWrapper(io.BytesIO(b'The cat sat on the mat near the door.\\n'));"
        "from assay.cli.main import main; main(['compress', '-', '--ratio', '0.43']);"
        "print(time.process_time(), file=sys.stderr)"
    )
    seen = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seen.append(float(done.stderr.split()[-1]))
    return Row("start-up of assay compress", statistics.median(seen), "s", target=Target(2, most=True))


if __name__ == "__main__":
    main("compress", rows, NOTES)
