"""Alignment by eflomal, where it is installed."""

from __future__ import annotations

import random

import pytest

from assay.errors import InputError
from assay.text.align.bitext import align


def bitext(n, words=60, seed=0, swap=0.2, drop=0.1):
    """Lines over a dictionary s0-t0, s1-t1, ...; neighbours swapped, words dropped. Also the true links."""
    rng = random.Random(seed)
    sources, targets, truth = [], [], []
    for _ in range(n):
        line = [rng.randrange(words) for _ in range(rng.randint(3, 12))]
        order = [i for i in range(len(line)) if rng.random() > drop] or [0]
        for k in range(len(order) - 1):
            if rng.random() < swap:
                order[k], order[k + 1] = order[k + 1], order[k]
        sources.append(" ".join(f"s{w}" for w in line))
        targets.append(" ".join(f"t{line[i]}" for i in order))
        truth.append({(i, k) for k, i in enumerate(order)})
    return sources, targets, truth


def test_eflomal_finds_the_dictionary_too_and_leaves_out_what_we_leave_out():
    pytest.importorskip("eflomal")
    sources, targets, truth = bitext(600)
    ours, theirs = align(sources, targets), align(sources, targets, "eflomal")
    right = {(p, *link) for p, links in enumerate(truth) for link in links}
    for found in (ours, theirs):
        links = {(p, *link) for p, line in enumerate(found.pairs) for link in line}
        assert 1 - 2 * len(links & right) / (len(links) + len(right)) < 0.06  # the alignment error rate
    word = sources[0].split()[0]
    assert next(iter(theirs.translations(word))) == next(iter(ours.translations(word)))
    short = align(["a b", "", "a b c", "a"], ["x y", "x", "x y z", "x"], "eflomal", longest=2)
    assert short.skipped == (1, 2)
    assert short.pairs[1:3] == [[], []]
    assert align([""], [""], "eflomal").pairs == [[]]


def test_a_missing_aligner_is_named_with_its_remedy(monkeypatch):
    monkeypatch.setattr("assay.text.align.eflomal.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"eflomal is not installed: pip install '.*\[align\]'"):
        align(["a"], ["x"], "eflomal")
