"""Peyrard et al. (2017), Table 1, Frame rows in kind: TAC 2008, with WordNet's first sense of a word for its frame."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import Figure, data, main
from peyrard_2017 import HUMAN, METHODS, _by_item

from assay import EvalSet
from assay.scoring.score import score
from assay.text.lexicon.wordnet import synsets

TITLE = "Peyrard et al. 2017: Frame rows of Table 1 in kind (TAC 2008, WordNet's senses for frames)"
TABLE_1 = {
    (1, "responsiveness"): (0.6587, 0.5083, 0.9174),
    (1, "Pyramid"): (0.6861, 0.5294, 0.8867),
    (2, "responsiveness"): (0.6769, 0.5190, 0.9194),
    (2, "Pyramid"): (0.6917, 0.5560, 0.8885),
}
NOTES = (
    "FrameNet's terms keep it out of here, and the paper's frames come from a disambiguation that is not published. "
    "In kind: a noun or verb stands as the first (most frequent) synset of its lemma in WordNet 3.0, so that synonyms "
    "match as words of one frame do; a synset is finer than a frame. Setting as published: people are scored against "
    "references that include their own text (`own=keep`).",
)
OTHER = "WordNet's synsets for frames"
_ENDINGS = (
    ("", ""),
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("d", ""),
    ("ing", ""),
    ("ing", "e"),
)


def figures() -> list[Figure]:
    """Correlations of both rows with both judgments."""
    tac = data("tac2008.jsonl.gz")
    with tempfile.TemporaryDirectory() as folder:
        lexicon = Path(folder, "senses.tsv")
        lexicon.write_text("".join(f"{word}\t{sense}\n" for word, sense in _senses(tac)), "utf-8")
        rows = {n: score(tac, f"frame{n}(lexicon={lexicon}, own=keep)") for n in (1, 2)}
    found = []
    for (n, target), published in TABLE_1.items():
        for (name, method), p in zip(METHODS.items(), published, strict=True):
            ours = float(np.mean(list(_by_item(rows[n], tac.human(HUMAN[target]), method).values())))
            found.append(Figure(f"Table 1: Frame-{n}, {target}, {name}", p, ours, None, OTHER))
    return found


def _senses(tac: EvalSet) -> Iterator[tuple[str, str]]:
    """Yield every noun and verb that may be the lemma of a word of the texts, with its first synset."""
    texts = (text for item in tac for text in (*item.outputs.values(), *(r.text for r in item.references)))
    words = {word for text in texts for word in re.findall(r"[a-z'-]+", text.lower())}
    lemmas = {word.removesuffix(end) + new for word in words for end, new in _ENDINGS if word.endswith(end)}
    for lemma in sorted(lemmas):
        for pos in "nv":
            if senses := synsets(lemma, pos):
                yield f"{lemma}.{pos}", str(senses[0])


if __name__ == "__main__":
    main("peyrard_2017_frames", TITLE, NOTES, figures)
