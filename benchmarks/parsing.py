"""How fast texts are parsed: by the core and by spaCy with the same weights; by two threads; from the cache."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import assay
from assay.text.cache import Cache
from assay.text.parse.engines import ACCURATE
from assay.text.parse.own import find_own
from assay.text.parse.parser import parse
from measure import Row, Scale, Target, compare, compare_with_ceiling, cpu, main, wall

ROOT = Path(__file__).parents[1]
SPACY = f"spacy:{ROOT / 'training' / 'text' / 'parse' / 'en'}"
NOTES = (
    "Lines of outputs of TAC 2008, each once. CPU time of one thread, from texts to parses: medians over rounds.",
    "spaCy 3.8 runs the pipeline that the weights come from, with numpy's BLAS.",
    "Two threads: wall time. Ceiling: what two processes of plain arithmetic gain over one in the same rounds.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Tokens per second, higher is better; nothing where the research data is absent."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "tac2008.jsonl.gz").exists():
        print(f"parsing: needs tac2008.jsonl.gz in {folder}", file=sys.stderr)
        return
    outputs = (text for item in assay.read(folder / "tac2008.jsonl.gz") for text in item.outputs.values())
    lines = list(dict.fromkeys(line for text in outputs for line in text.split("\n") if line))
    rounds = scale.pick(1, 3)
    yield _speed("batches", lines[: scale.pick(400, 2000)], _parse_together, rounds, Target(45_000))
    yield _speed("one text at a time", lines[: scale.pick(100, 500)], _parse_alone, rounds, Target(35_000))
    yield from _accurate([line for line in lines if 23 <= len(line.split()) <= 27][: scale.pick(50, 200)], rounds)
    load = statistics.median(cpu(find_own("en").load) for _ in range(5))
    yield Row("load", 1000 * load, "ms", target=Target(50, most=True))
    for number in (50, 500, 2000)[: scale.pick(2, 3)]:
        some = lines[:number]
        gain = compare_with_ceiling(
            lambda some=some: wall(lambda: parse(some, processes=1)),
            lambda some=some: wall(lambda: parse(some, processes=2)),
            scale.pick(3, 9),
        )
        yield Row(f"two threads, {number} lines", gain.ours, "x", "ceiling", gain.theirs, gain.ratio)
    with tempfile.TemporaryDirectory() as place:
        cache = Cache(Path(place))
        some = lines[: scale.pick(400, 2000)]
        parse(some, cache=cache)
        c = compare(lambda: cpu(lambda: parse(some, cache=cache)), lambda _: cpu(lambda: _parse_together(some)), rounds)
        cache.close()
    yield Row("from the cache", c.ours, "s", "parsed", c.theirs, c.ratio)
    data = assay.EvalSet.from_texts(lines[:600], [[line] for line in lines[600:1200]])
    c = compare(lambda: cpu(lambda: _score(data, "en")), lambda _: cpu(lambda: _score(data, SPACY)), rounds)
    yield Row("depeval, 1,200 lines", c.ours, "s", "spaCy", c.theirs, c.ratio, Target(2.3))


def _speed(what: str, lines: list[str], call: Callable[..., None], rounds: int, target: Target) -> Row:
    tokens = sum(len(sentence) for text in parse(lines) for sentence in text.sentences)
    c = compare(lambda: cpu(lambda: call(lines)), lambda _: cpu(lambda: call(lines, SPACY)), rounds)
    return Row(what, tokens / c.ours, "tokens/s", "spaCy", tokens / c.theirs, target=target)


def _accurate(sentences: list[str], rounds: int) -> Iterator[Row]:
    """Milliseconds for a sentence of some 25 words by the accurate parser, next to en."""
    parse(sentences[:1], ACCURATE)
    for what, call, most in (("alone", _parse_alone, 12), ("in batches", _parse_together, 9)):
        c = compare(lambda: cpu(lambda: call(sentences, ACCURATE)), lambda _: cpu(lambda: call(sentences)), rounds)  # noqa: B023
        ours, theirs = (1000 * seconds / len(sentences) for seconds in (c.ours, c.theirs))
        yield Row(f"accurate, 25 words {what}", ours, "ms", "en", theirs, c.ratio, Target(most, most=True))


def _parse_together(lines: list[str], model: str = "en") -> None:
    parse(lines, model, processes=1)


def _parse_alone(lines: list[str], model: str = "en") -> None:
    for line in lines:
        parse([line], model, processes=1)


def _score(data: assay.EvalSet, parser: str) -> None:
    assay.score(data, [f"depeval(parser={parser})"], threads=1)


if __name__ == "__main__":
    os.environ["ASSAY_CACHE"] = "off"
    main("parsing", rows, NOTES)
