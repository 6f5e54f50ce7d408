"""Trees drawn at random, for tests that need no parser."""

from __future__ import annotations

import random

from assay.systems.compress.tree.constituents import ConstituentTree, Span, tree_of


def drawn(tokens: int, seed: int) -> ConstituentTree:
    """Nested phrases over n tokens."""
    rng = random.Random(seed)
    spans = [Span(i, i + 1, 0, rng.choice(["N", "V", "PUNCT"] if i else ["N", "V"]), "head", i) for i in range(tokens)]
    todo = [(0, tokens, 50)]
    while todo:
        start, end, order = todo.pop()
        spans.append(Span(start, end, order, rng.choice(["NP", "VP", "S"]), rng.choice(["a", "b"]), start))
        if end - start > 2:
            cut = rng.randrange(start + 1, end)
            todo += [(a, b, order - 1) for a, b in ((start, cut), (cut, end)) if b - a > 1 and rng.random() < 0.8]
    return tree_of(spans)
