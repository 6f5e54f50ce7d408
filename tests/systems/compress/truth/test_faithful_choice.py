"""The faithful choice: least loss first, then length, then score, as trying all texts finds it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.systems.compress.truth.faithful import FaithfulGroups
from assay.systems.compress.truth.faithful_choice import Wishes, choose_faithfully
from assay.systems.compress.truth.word_groups import CONSTRAINTS
from assay.text.parse.flat import parse_texts

LINES = [
    "The alleged killer did not leave a red car if it rained.",
    "All members of the crew except the cook were saved by a ship.",
    "The new train is less expensive than the old one, the mayor said.",
    "Nobody without a visa may board the night train to Rome.",
    "Did the pilot refuse to fly without a second officer?",
]


def try_all(faithful, groups, scores, costs, least, most, forced):
    """Return loss, length and score of the best text: the plain twin."""
    needs, doubts = faithful.needs(groups), faithful.doubts(groups)
    sizes = groups.spread(costs.astype(float)).astype(int)
    values = groups.spread(scores) + doubts
    best = None
    for choice in product((False, True), repeat=len(groups.parents)):
        kept = np.array(choice)
        closed = all(not kept[g] or p < 0 or kept[p] for g, p in enumerate(groups.parents.tolist()))
        if closed and least <= sizes[kept].sum() <= most and all(kept[groups.group[i]] for i in forced):
            loss = sum(n.price for n in needs if kept[n.group] and not kept[n.needed])
            key = (loss, -int(sizes[kept].sum()), -float(values[kept].sum()))
            best = key if best is None else min(best, key)
    return best


@pytest.mark.parametrize("line", range(len(LINES)))
@pytest.mark.parametrize("share", [0.4, 0.6, 0.8])
def test_equals_exhaustive_search(line, share):
    [a] = parse_texts([LINES[line]])
    faithful = FaithfulGroups(a, frozenset(CONSTRAINTS))
    groups = faithful.loose
    assert len(groups.parents) <= 12
    costs = np.array([0 if mark else 1 for mark in a.punctuation])
    scores = np.random.default_rng(line).normal(size=len(a.tokens)) * 3
    most = int(share * costs.sum())
    least = (most + 1) // 2
    main = {i for i, head in enumerate(a.heads) if head < 0} - faithful.reporting
    expected = try_all(faithful, groups, scores, costs, least, most, main)
    states = groups.group_states(main, ())
    sizes = groups.spread(costs.astype(float)).astype(np.int64)
    choice = faithful.choose(groups, groups.spread(scores), sizes, states, least, most)
    if expected is None:
        assert choice is None
        return
    words, loss = choice
    kept = np.array([any(groups.group[i] == g for i in words) for g in range(len(groups.parents))])
    value = float((groups.spread(scores) + faithful.doubts(groups))[kept].sum())
    assert (loss, -len(words), -value) == pytest.approx(expected)


def choose_line(line: str, most: int, protected: str = ""):
    [a] = parse_texts([line])
    faithful = FaithfulGroups(a, frozenset(CONSTRAINTS))
    words = {i for i, token in enumerate(a.tokens) if token.text in protected.split()}
    main = {i for i, head in enumerate(a.heads) if head < 0}
    wishes = Wishes(lambda forced: np.zeros(len(a.tokens)), words, main, set())
    costs = np.array([0 if mark else 1 for mark in a.punctuation])
    choice = choose_faithfully(faithful, lambda level: getattr(faithful, level), wishes, costs, most)
    return None if choice is None else ([a.tokens[i].text for i in choice.words], choice.loss)


def test_a_text_that_changes_nothing_is_taken_even_if_it_is_shorter():
    words, loss = choose_line("The alleged killer left a red car in Rome on Friday.", 6)
    assert loss == 0
    assert "alleged" in words


def test_a_short_text_is_better_than_a_false_one():
    words, loss = choose_line("The tumour is probably benign, but the surgeon wants to remove it in October.", 11)
    assert loss == 0
    assert words == ["The", "tumour", "is", "probably", "benign"]


def test_protected_words_are_kept_if_they_fit():
    words, _ = choose_line("A man left a red car in Rome on Friday.", 8, "Friday")
    assert "Friday" in words


def test_no_text_is_short_enough():
    assert choose_line("The firm lacks the licence.", 1) is None
