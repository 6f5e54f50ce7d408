"""The overlap kernel: bags of units, which of them meet, and their clipped matches."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core
from ..units.surface import Ngram, SurfaceUnit

Counts = _core.Counts
Layout = _core.Layout
Tokens = _core.Tokens
_UNIGRAM = Ngram(1)


def count_overlap(
    outputs: Tokens, references: Tokens, layout: Layout, *, shape: SurfaceUnit = _UNIGRAM, weights: Sequence[float] = ()
) -> Counts:
    """Count matches and totals of every pair of output and reference.

    A bag holds integers: words, dependency triples, frames or content units, each with its weight (1 where none are
    given). `shape` says how many of them in a row are one unit.

    >>> import numpy as np
    >>> bag = _core.bags(np.array([0, 0, 1]), np.array([0, 3]), 2)
    >>> layout = Layout(np.array([0, 1]), np.array([0, 1]), np.array([-1]))
    >>> count_overlap(bag, bag, layout).match.tolist()
    [3.0]
    """
    return _core.overlap(outputs, references, layout, [shape.spec], list(weights))[0]
