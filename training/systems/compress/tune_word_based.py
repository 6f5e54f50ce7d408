"""Find the default weights of word-based compression: python training/systems/compress/tune_word_based.py.

As in Clarke and Lapata (2006): Powell's method, objective relations F (mean over the annotators). The 150 sentences are
spread over the stories of Broadcast News that reproduce/clarke_lapata_2006.py does not test on, each with the other
sentences of its story as the document. Each counts twice: without a limit, where keeping more than the annotators
costs, since keeping everything has the best F of all; and within .75 of its words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "reproduce"))
from broadcast import broadcast
from compressors import MATCHED, test_stories

import assay
from assay import EvalSet, Item
from assay.systems.budget import Budget
from assay.systems.compress import Source
from assay.systems.compress.word_based import WordBased, tune

SAMPLE = 150  # with the paper's 50, what Powell's method finds depends on the sentences drawn
STARTS = (WordBased(0.05, 3, 1.5), WordBased(0.6, 8, 0.4))
METRIC = "relations(refs=mean)"


def draw_items(count: int = SAMPLE) -> tuple[list[Item], list[tuple[str, ...]]]:
    """Return sentences at equal distances in the stories that are not tested on, and the rest of their stories."""
    corpus = broadcast()
    closed = test_stories(corpus.entries)
    items = [item for item in corpus if item.group not in closed]
    stories: dict[str, list[str]] = {}
    for item in items:
        stories.setdefault(str(item.group), []).append(item.sources[0])
    sample = items[:: len(items) // count][:count]
    return sample, [tuple(s for s in stories[str(i.group)] if s != i.sources[0]) for i in sample]


def count_words(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def main() -> None:
    """Print the weights."""
    items, contexts = draw_items()
    texts = [item.sources[0] for item in items]
    free = [Source(text, context=context) for text, context in zip(texts, contexts, strict=True)]
    limited = [replace(source, budget=Budget(ratio=MATCHED)) for source in free]
    rate = count_words([r.text for i in items for r in i.references]) / sum(
        len(i.sources[0].split()) * len(i.references) for i in items
    )

    def objective(outputs: Sequence[str]) -> float:
        own, matched = outputs[: len(items)], outputs[len(items) :]
        judged = EvalSet(
            [
                replace(item, outputs={"own": a or ".", "matched": b or "."})
                for item, a, b in zip(items, own, matched, strict=True)
            ]
        )
        excess = max(0.0, count_words(own) / count_words(texts) - rate)
        return float(assay.score(judged, METRIC).means().mean()) - excess

    results = []
    for start in STARTS:
        system = tune(start, [*free, *limited], objective)
        value = objective([c.text for c in system.compress([*free, *limited])])
        print(f"{value:.4f} {system.signature()}", flush=True)
        results.append((value, system.signature()))
    print("annotators keep", round(rate, 3), "best:", max(results)[1])


if __name__ == "__main__":
    main()
