"""References with alternatives: a lattice in which a unit matches if some path holds it; no path is ever listed.

A reference's `alternatives` say which spans of it may read otherwise. A path takes any of them that do not overlap.

(1) A unit's count in the reference is the largest that any one path has. So the matches of an output are the sum over
    units of min(count in the output, largest count on a path), which is what BLEU's clipping would give if every path
    were a reference of its own. Different units may have different best paths.
(2) The subsequence (rougeL) is the longest that any one path shares with the output.
(3) The reference's total, which recall divides by, is the number of units of its shortest path, or the matches if they
    are more. So precision, recall and F are at least those against any path, and an output that is a path scores 1.
(4) The length that brevity is measured by is that of the path nearest in length; of two as near the shorter.
(5) With several references the union (refs=all) counts a unit as often as the reference that has it most by rule 1; its
    total is the union of the references as they are, less what their shortest paths save, and at least what (3) says.
(6) Words are cut in the whole text with one alternative in it, so that the tokenizer sees what it would see; if it then
    reads a neighbour otherwise, the neighbour goes with the alternative, and no other path may change it.

Cost: for each distinct unit of an output that some alternative has a word of, one walk over the reference's words and
alternatives, with a state for each place in the unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _core
from ..data.evalset import Reference
from ..errors import InputError
from ..text import Lexicon, TextReading, Texts


class Alternatives:
    """The alternatives of some references, ready to be cut into words in any way."""

    def __init__(self, references: Sequence[Reference], lexicon: Lexicon) -> None:
        variants, before, after, of = [], [], [], []
        for r, reference in enumerate(references):
            text = reference.text
            for start, end, new in reference.alternatives:
                if not 0 <= start < end <= len(text):
                    raise InputError(
                        f"an alternative replaces characters {start} to {end} of a reference that has {len(text)}: "
                        f"{text[:40]!r}"
                    )
                before.append(text[:start])
                after.append(text[end:])
                variants.append(text[:start] + new + text[end:])
                of.append(r)
        self._of = np.array(of, dtype=np.int64)
        self._variants, self._before, self._after = (Texts(texts, lexicon) for texts in (variants, before, after))

    def read(self, references: _core.Tokens, reading: TextReading) -> _core.Lattices:
        """Return the lattices of the references, which were read alike."""
        variants, before, after = (t.tokens(reading) for t in (self._variants, self._before, self._after))
        return _core.Lattices(references, variants, before, after, self._of)
