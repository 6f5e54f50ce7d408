"""The best allowed choice of word groups: equal to trying all; which words stay together."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from assay import _core
from assay.errors import InputError
from assay.systems.compress.truth.word_groups import CONSTRAINTS, Need, WordGroups, group_words, join_groups
from assay.text.parse.flat import flatten, parse_texts
from assay.text.parse.parser import nbest


def allowed(keep, parents, forced) -> bool:
    must = set()
    for i, f in enumerate(forced):
        while f > 0 and i >= 0:
            must.add(i)
            i = parents[i]
    tree = all(not k or parents[i] < 0 or keep[parents[i]] for i, k in enumerate(keep))
    return tree and all(
        (keep[i] or i not in must) and (not keep[i] or forced[i] >= 0 or i in must) for i in range(len(keep))
    )


def test_a_text_too_long_to_search_is_refused():
    tokens, most = 5000, 2500
    ones, free = np.ones(tokens, np.int64), np.zeros(tokens, np.int64)
    groups = WordGroups(np.arange(tokens), np.full(tokens, -1), needs=((0, 1),))
    for search in (
        lambda limit: groups.best(ones * 0.5, ones, free, 1, limit),
        lambda limit: groups.best_priced(ones * 0.5, ones, free, [Need(0, 1, 1.0)], 1, limit),
    ):
        with pytest.raises(InputError, match="5,000 tokens is too long to shorten to a limit: give it as several"):
            search(most)
    assert groups.best(ones * 0.5, ones, free, 1, -1)[1]  # without a limit there is no table


@pytest.mark.parametrize("seed", range(30))
def test_equals_exhaustive_search(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 9)
    parents = [rng.randint(-1, i - 1) for i in range(n)]
    values = [rng.uniform(-2, 2) for _ in range(n)]
    costs = [rng.randint(0, 3) for _ in range(n)]
    forced = [rng.choice((0, 0, 0, 0, 1, -1)) for _ in range(n)]
    most = rng.randint(-1, 8)
    least = rng.randint(0, max(most, 0))
    arrays = [np.array(parents), np.array(values), np.array(costs), np.array(forced)]
    kept, value, met = _core.best_subtree(*arrays, least, most)  # type: ignore[call-arg]
    choices = [k for k in itertools.product((0, 1), repeat=n) if allowed(k, parents, forced)]
    cost = {k: sum(c for c, x in zip(costs, k, strict=True) if x) for k in choices}
    fits = [k for k in choices if most < 0 or least <= cost[k] <= most]
    if not fits:  # as near below as it goes, else the cheapest
        below = [c for c in cost.values() if 0 < c < least]
        wanted = max(below) if below else min([c for c in cost.values() if c > 0] or [0])
        fits = [k for k in choices if cost[k] == wanted]
        assert met == bool(below)
    else:
        assert met
    best = max(sum(v for v, x in zip(values, k, strict=True) if x) for k in fits)
    assert value == pytest.approx(best)
    assert tuple(kept) in fits


def test_a_circle_is_refused():
    two = np.array([1, 0])
    with pytest.raises(ValueError, match="circle"):
        _core.best_subtree(two, np.zeros(2), two, two, 0, -1)


def together(text: str, *words: str, constraints=CONSTRAINTS) -> bool:
    [a] = parse_texts([text])
    found = group_words(a, constraints)
    return len({found.group[[t.text for t in a.tokens].index(w)] for w in words}) == 1


def hangs(text: str, word: str, on: str) -> bool:
    [a] = parse_texts([text])
    found = group_words(a)
    forms = [t.text for t in a.tokens]
    g, top = found.group[forms.index(word)], found.group[forms.index(on)]
    while g >= 0 and g != top:
        g = found.parents[g]
    return g == top


def test_constraints():
    assert together("She sat near the old house.", "near", "the", "house")
    assert not together("She sat near the old house.", "old", "house")
    assert together("She did not leave.", "did", "not", "leave")
    assert not together("She did not leave.", "not", "leave", constraints=("tree",))
    assert together("The dogs chased a cat.", "dogs", "chased", "cat")
    assert not together("The dogs chased a cat.", "dogs", "chased", constraints=("tree", "function"))
    assert together("A well-known man came.", "well", "known")
    assert together("She cannot dance.", "can", "not", constraints=("unspaced",))
    assert together("She didn't go.", "did", "n't", constraints=())


def test_what_was_said_may_stand_alone():
    assert hangs("He said that it rains.", "that", "said")
    assert not hangs("He said that it rains.", "rains", "said")
    assert hangs("She sat near the old house.", "old", "house")


@pytest.mark.parametrize("text", ["He denied that it rains.", "He did not say that it rains.", "He asked if it rains."])
def test_what_was_doubted_may_not(text):
    verb = {"denied", "say", "asked"} & set(text.split())
    assert hangs(text, "rains", verb.pop())


@pytest.mark.parametrize("seed", range(40))
def test_needs_and_neighbours_equal_exhaustive_search(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 8)
    values = np.array([rng.uniform(-2, 2) for _ in range(n)])
    costs = np.array([rng.randint(0, 3) for _ in range(n)])
    forced = np.array([rng.choice((0, 0, 0, 0, 0, 1)) for _ in range(n)])
    pairs = [(i, k) for i in range(n) for k in range(n) if i != k]
    needs = rng.sample(pairs, min(len(pairs), rng.randint(0, 6)))
    gains = {pair: rng.uniform(-1, 1) for pair in rng.sample(pairs, min(len(pairs), rng.randint(0, 6)))}
    most = rng.randint(-1, 8)
    least = rng.randint(0, max(most, 0))
    sources = np.array([i for i, _ in [*needs, *gains]], np.int64)
    targets = np.array([k for _, k in [*needs, *gains]], np.int64)
    weights = np.array([*(np.nan for _ in needs), *gains.values()], np.float64)
    keep, value, met, exact = _core.best_closure(values, costs, forced, sources, targets, weights, least, most, 4096)
    choices = [
        bits
        for bits in itertools.product((0, 1), repeat=n)
        if all(bits[k] or not bits[i] for i, k in needs) and all(bits[i] for i in range(n) if forced[i] > 0)
    ]

    def worth(bits) -> float:
        return float(values @ bits) + sum(g for (i, k), g in gains.items() if bits[i] and bits[k])

    fits = [bits for bits in choices if most < 0 or least <= costs @ bits <= most]
    assert exact
    assert tuple(keep) in choices
    if fits:
        assert met
        assert value == pytest.approx(max(map(worth, fits)))
        assert tuple(keep) in fits
    else:
        below = [costs @ bits for bits in choices if 0 < costs @ bits < least]
        assert met == bool(below)
        assert worth(keep) == pytest.approx(value)


def test_a_narrow_search_is_still_allowed():
    rng = np.random.default_rng(0)
    n = 14
    sources, targets = np.triu_indices(n, 1)
    gains = rng.normal(size=len(sources))
    free = (rng.normal(size=n), np.ones(n, np.int64), np.zeros(n, np.int64), sources, targets, gains, 5, 5)
    _, narrow, met, exact = _core.best_closure(*free, 2000)
    keep, best, _, whole = _core.best_closure(*free, 1 << 15)
    assert whole
    assert keep.sum() == 5
    assert not exact
    assert met
    assert narrow <= best


@pytest.mark.parametrize("adjacency", [0.0, 1.0])
def test_what_several_parses_allow_is_allowed_by_each(adjacency):
    text = "I saw the man with the telescope on the hill that was sold"
    several = [group_words(flatten(text, parse)) for parse in nbest([text], n=4)[0]]
    joined = join_groups(several)
    assert len(several) > 1
    values = np.random.default_rng(1).normal(size=len(joined.parents))
    costs = joined.spread(np.ones(len(joined.group))).astype(np.int64)
    for most in range(3, 13):
        words, _ = joined.best(values, costs, np.zeros(len(values), np.int64), most, most, adjacency)
        for groups in several:
            chosen = {int(groups.group[i]) for i in words}
            members = [i for i, g in enumerate(groups.group.tolist()) if g in chosen]
            assert set(members) - set(words) <= {i for i, _ in joined.loose}
            assert all(groups.parents[g] < 0 or int(groups.parents[g]) in chosen for g in chosen)


@pytest.mark.parametrize(
    ("text", "verb", "clause"),
    [("He said that it rains.", "said", "rains"), ("I think she left.", "think", "left")],
)
def test_a_verb_of_saying_needs_what_is_said(text, verb, clause):
    [a] = parse_texts([text])
    groups = group_words(a)
    forms = [t.text for t in a.tokens]
    assert (groups.group[forms.index(verb)], groups.group[forms.index(clause)]) in groups.needs
    assert not group_words(a, whole=False).needs
