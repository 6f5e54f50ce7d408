"""How fast and how well compounds are split, beside other programs, on words that the model was not fitted to."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assay.formats import text_lines
from assay.systems.compounds.gold import GoldSplit, is_held_back, parse_gold
from assay.text.compounds.running import WORDS
from assay.text.compounds.splitter import load_splitter
from measure import Row, Scale, Target, cpu, main
from peers import HERE, environment

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
PEERS = {
    "CharSplit": "charsplit",
    "CharSplit, score > 0": "charsplit0",
    "german-nouns": "german_nouns",
    "HanTa": "hanta",
}
NOTES = (
    "two-part: German two-part compounds, share with the one boundary right, nothing told of their being compounds.",
    "text: words of German package leaflets, compounds or not; F of boundaries, and share of words that are right.",
    "Both are of the fifth of the gold that was kept back. Speed: words of German news, every word split anew.",
    "CharSplit is compound-split 1.0.2, its best split, or none where its score is not above 0.",
)


class Quality(NamedTuple):
    """Share of words that are right, and F of boundaries."""

    accuracy: float
    f1: float


def rows(scale: Scale) -> Iterator[Row]:
    """Percent, then words per second of CPU time."""
    two, text = (gold(name)[: scale.pick(100, 1000)] for name in ("german-two-part", "de-words-with-linking"))
    news = news_words()[: scale.pick(2000, 50_000)]
    ours = {
        "two-part": quality(two, load_splitter("de", parts=2).mark([g.word for g in two])),
        "text": quality(text, load_splitter("de").mark([g.word for g in text])),
    }
    speed, listed = (rate(words, scale) for words in (news, [g.word for g in gold("german-two-part")]))
    yield Row("news", speed, "words/s", target=Target(300_000))
    yield Row("a list of compounds", listed, "words/s", target=Target(100_000))
    for title, name in PEERS.items():
        answers = ask(name, [[g.word for g in two], [g.word for g in text], news[: scale.pick(200, 1500)]])
        there = {"two-part": quality(two, answers["marked"][0]), "text": quality(text, answers["marked"][1])}
        yield Row(
            "two-part",
            100 * ours["two-part"].accuracy,
            "% right",
            title,
            100 * there["two-part"].accuracy,
            target=Target(92),
        )
        yield Row("text, F", 100 * ours["text"].f1, "%", title, 100 * there["text"].f1, target=Target(80))
        yield Row(
            "text, words",
            100 * ours["text"].accuracy,
            "% right",
            title,
            100 * there["text"].accuracy,
            target=Target(93),
        )
        theirs = len(news[: scale.pick(200, 1500)]) / answers["seconds"][2]
        yield Row("news", speed, "words/s", title, theirs, speed / theirs)


def rate(words: list[str], scale: Scale) -> float:
    """Words per second of CPU time, the best of some runs."""
    splitter = load_splitter("de")
    splitter.mark(words[:10])
    return len(words) / min(cpu(lambda: splitter.mark(words)) for _ in range(scale.pick(1, 5)))


def gold(name: str) -> list[GoldSplit]:
    """The words of a gold set that were kept back."""
    path = DATA / "compounds" / f"{name}.jsonl.gz"
    return [g for g in parse_gold(text_lines(path), path=path) if is_held_back(g.word)]


def news_words() -> list[str]:
    """The words of German news, in order, repeated as they are."""
    with gzip.open(DATA / "wmt17-de-en.jsonl.gz", "rt", encoding="utf-8") as file:
        return [word for line in file for word in WORDS.findall(json.loads(line)["source"])]


def quality(gold: Sequence[GoldSplit], marked: Sequence[str]) -> Quality:
    """Compare marked words with the gold."""
    right = found = wanted = same = 0
    for g, text in zip(gold, marked, strict=True):
        places = {len(text[:i].replace("|", "")) for i, c in enumerate(text) if c == "|"}
        right += len(places & set(g.boundaries))
        found, wanted, same = found + len(places), wanted + len(g.boundaries), same + (places == set(g.boundaries))
    return Quality(same / len(gold), 2 * right / max(1, found + wanted))


def ask(name: str, words: list[list[str]]) -> dict[str, list]:
    """Split lists of words by another program, in the environment of the peers."""
    run = subprocess.run(
        [environment(), "compounds_worker.py", name],
        cwd=HERE,
        input=json.dumps(words),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


if __name__ == "__main__":
    main("compounds", rows, NOTES)
