"""Deletions: which words of the source an output and its references leave out, and how many both do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..text import TextReading, Texts
from ..text.tokens.subsequence import deleted_places
from .batch import Batch
from .multisets import clipped_matches

MATCHED, OUTPUT, REFERENCE, MET = range(4)  # columns of the counts
COLUMNS = 4


def count_deletions(batch: Batch, reading: TextReading, *, by: str, keep_own: bool) -> NDArray[np.float64]:
    """Count deletions, output x reference of its item x (by both, by the output, by the reference, whether they meet).

    by=position compares places in the source; by=word the deleted words as multisets.
    """
    sources = Texts(["\n".join(texts) for texts in batch.sources], batch.outputs.lexicon).words(reading)
    outputs, references = (texts.words(reading) for texts in (batch.outputs, batch.references))
    met = batch.references_of(keep_own)
    first = np.searchsorted(batch.reference_item, np.arange(batch.items))
    most = int(np.bincount(batch.reference_item, minlength=1).max(initial=0)) if len(references) else 0
    counts = np.zeros((len(batch), max(1, most), COLUMNS))
    of_reference: dict[tuple[int, int], Counter[Hashable]] = {}
    for i, (source, output) in enumerate(zip(sources, outputs, strict=True)):
        item = int(batch.item[i])
        if not source:
            continue
        by_output = deletions(source, output, by)
        for k in met[i]:
            if (item, k) not in of_reference:
                of_reference[item, k] = deletions(source, references[k], by)
            by_reference = of_reference[item, k]
            counts[i, k - first[item]] = _count_pair(by_output, by_reference)
    return counts


def _count_pair(output: Counter[Hashable], reference: Counter[Hashable]) -> tuple[int, int, int, int]:
    return clipped_matches(output, reference), output.total(), reference.total(), 1


def deletions(source: Sequence[str], text: Sequence[str], by: str = "position") -> Counter[Hashable]:
    """Return the places, or the words, of the source that a text leaves out.

    >>> deletions("a b c".split(), "a c".split()), deletions("a b c".split(), "a c".split(), "word")
    (Counter({1: 1}), Counter({'b': 1}))
    """
    if by == "word":
        return Counter[Hashable](source) - Counter(text)
    return Counter[Hashable](deleted_places(source, text))
