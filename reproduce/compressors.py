"""The compressors that a table compares: their outputs on Broadcast News, word by word as the file has them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from assay import Item
from assay.errors import UnknownName
from assay.systems.compress import COMPRESSORS, Compression, compress

MATCHED = 0.75  # of the words: about what people keep
FOLDS = 5
SYSTEMS = {
    "lead": "lead",
    "random": "random",
    "drop stop words": "drop-stop-words",
    "word-based": "word-based",
    "ILP, language model": "ilp(lambda=0, seconds=60)",  # no program takes so long: the rows depend on no machine
    "ILP, significance": "ilp(seconds=60)",
    "decision tree": "decision-tree",
    "transducer": "transducer",
    "tagger, headline": "tagger-tree(tagger=headline, keep=none, constraints=none)",
    "default, headline": "tagger-tree(tagger=headline, keep=all)",
}
# Each as its paper has it, and the default without --faithful: reproduce/truth.py shows what that costs and gives.
OWN_RATE = ("lead", "random")  # these have none: theirs is the budget's
# The conservative tagger saw all stories of Broadcast News, so its row is made of out-of-fold marginals: one line a
# sentence, {"id", "threshold", "p"}, as training/systems/compress/conservative.py writes them.
FOLDS_FILE = Path(os.environ.get("ASSAY_TAGGER_FOLDS", Path(__file__).parent / "data" / "broadcast-folds.jsonl"))


def test_stories(items: Sequence[Item]) -> set[str]:
    """A fifth of the stories, every fifth by name: no sentence of theirs is seen in training."""
    return set(sorted({str(item.group) for item in items})[::FOLDS])


def as_words(made: Compression) -> str:
    """The words of the source (between white space) that are kept, all or in part."""
    kept = [made.tokens[i] for i in made.kept_tokens]
    words, at, k = [], 0, 0
    for word in made.source.split():
        start = made.source.index(word, at)
        at = start + len(word)
        while k < len(kept) and kept[k].end <= start:
            k += 1
        if k < len(kept) and kept[k].start < at:
            words.append(word)
    return " ".join(words)


def outputs(items: Sequence[Item], ratio: float | None, say: Callable[[str], None]) -> dict[str, list[str]]:
    """What every compressor makes of the sentences, at its own rate (None) or within the ratio."""
    texts = [item.sources[0] for item in items]
    stories: dict[str, list[str]] = {}
    for item in items:
        stories.setdefault(str(item.group), []).append(item.sources[0])
    context = [[s for s in stories[str(item.group)] if s != item.sources[0]] for item in items]
    found: dict[str, list[str]] = {}
    for name, spec in SYSTEMS.items():
        if not there(spec) or (ratio is None and name in OWN_RATE):
            continue
        say(f"{name}{'' if ratio is None else f' at {ratio:g}'}")
        found[name] = [as_words(made) for made in compress(texts, spec, ratio=ratio, context=context, faithful=False)]
    if tagged := tagger(items, ratio):
        found["tagger, out of fold"] = tagged
    return found


def there(spec: str) -> bool:
    """Whether there is such a system."""
    try:
        COMPRESSORS.build(spec)
    except UnknownName:
        return False
    return True


def tagger(items: Sequence[Item], ratio: float | None) -> list[str] | None:
    """The tagger's texts from marginals of models that did not see the story; None where there are none."""
    if not FOLDS_FILE.exists():
        return None
    rows = {row["id"]: row for row in map(json.loads, FOLDS_FILE.read_text("utf-8").splitlines())}
    made = []
    for item in items:
        words, p = item.sources[0].split(), rows[item.id]["p"]
        if len(words) != len(p):
            sys.exit(f"{FOLDS_FILE}: {item.id} has {len(p)} marginals for {len(words)} words")
        order = sorted(range(len(words)), key=lambda i: -p[i])
        chosen = (
            order[: max(1, int(ratio * len(words)))]
            if ratio
            else [i for i in order if p[i] >= rows[item.id]["threshold"]]
        )
        made.append(" ".join(words[i] for i in sorted(chosen or order[:1])))
    return made
