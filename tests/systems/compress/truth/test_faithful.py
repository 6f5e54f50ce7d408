"""Faithful compression: what must not be separated is not, limits hold, and notes name every forced loss."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from assay.systems.compress import compress
from assay.systems.compress.truth.faithful import _LOSS, FaithfulGroups
from assay.systems.compress.truth.word_groups import CONSTRAINTS
from assay.text.logic.deletions import broken_bonds
from assay.text.parse.flat import parse_texts

LINES = [
    "The alleged killer of the young journalist was released from prison on Friday morning.",
    "The family business almost went bankrupt in the winter after the fire in its warehouse.",
    "Only employees of the bank may use the entrance on the north side after six o'clock.",
    "The drug seldom causes serious side effects in patients who are younger than sixty.",
    "Adults should not take more than 2 tablets in a day without asking a doctor.",
    "Hardly anyone in the audience believed the story that the magician told about his childhood.",
    "After the merger she is no longer a member of the executive board in Frankfurt.",
    "The firm lacks the licence that it needs to sell medicines in the neighbouring countries.",
    "The chairman said on Tuesday that profits had fallen for the third year in a row.",
    "If the rain continues until the weekend, the army will open the gates of the upper dam.",
    "All members of the crew except the cook were rescued by a Norwegian helicopter.",
    'The mayor said "not one of us" had known about the plan of the builders in May.',
]
RATIOS = (0.4, 0.6, 0.8)


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        (0, "The killer"),
        (1, "business went"),
        (2, "Employees"),
        (3, "drug causes"),
        (4, "take 2"),
        (5, "Anyone"),
        (6, "is longer"),
        (7, "It needs"),
        (8, "Profits had"),
    ],
)
def test_what_an_editor_would_not_accept(line, lost):
    for made in (compress([LINES[line]], ratio=ratio)[0] for ratio in (0.7, 0.8)):
        assert lost not in made.text


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("system", ["tagger-tree", "ilp"])
def test_limits_hold_and_notes_name_what_is_lost(system, ratio):
    for made in compress(LINES[:3] if system == "ilp" else LINES, system, ratio=ratio):
        longest = max(1, int(ratio * len(made.source.split())))
        assert made.words <= longest or any(note.startswith("longer than") for note in made.notes)
        assert list(made.kept_tokens) == sorted(set(made.kept_tokens))
        note = " ".join(made.notes)
        quoted = " ".join(re.findall(r'"([^"]*)"', note)).split()
        lost = [d for d in made.deletions if d.label == "not entailed"]
        assert ("changed what is said" in note) == bool(lost)
        for deletion in lost:
            assert {made.tokens[i].text for i in deletion.words if made.tokens[i].text.isalnum()} <= set(quoted)
        deleted = {i for d in made.deletions for i in d.words}
        assert not deleted & set(made.kept_tokens)


def test_it_can_be_switched_off():
    [made] = compress(LINES[:1], ratio=0.5, faithful=False)
    assert made.deletions is None
    assert "alleged" not in made.text


def test_names_are_kept_whole():
    [made] = compress(["The Bank of England kept its rate unchanged at a long meeting in London."], ratio=0.6)
    assert ("Bank of England" in made.text) or ("England" not in made.text)


@pytest.mark.parametrize("line", [0, 1, 4, 9])
def test_strict_groups_break_no_bond(line):
    [a] = parse_texts([LINES[line]])
    faithful = FaithfulGroups(a, frozenset(CONSTRAINTS))
    for kept in _closed_choices(faithful.strict):
        tokens = [i for i, g in enumerate(faithful.strict.group.tolist()) if g >= 0 and kept[g]]
        assert not [bond for bond in broken_bonds(faithful.bonds, tokens) if bond.label == "not entailed"]


def test_penalties_equal_the_losses_counted_one_by_one():
    """Of all choices that keep parents: the sum of penalties is minus the losses on edges of the tree of groups."""
    [a] = parse_texts(["The alleged killer did not leave a red car if it rained."])
    faithful = FaithfulGroups(a, frozenset(CONSTRAINTS))
    groups = faithful.loose
    penalties = faithful.penalties(groups) - faithful.doubts(groups)
    losses = 0
    for kept in _closed_choices(groups):
        lost = [
            need.price
            for need in faithful.needs(groups)
            if groups.parents[need.needed] == need.group and kept[need.group] and not kept[need.needed]
        ]
        assert penalties[np.array(kept, dtype=bool)].sum() == pytest.approx(-_LOSS * sum(lost))
        losses += bool(lost)
    assert losses


def test_grave_losses_weigh_more():
    [a] = parse_texts(["The alleged killer did not leave a red car if it rained."])
    faithful = FaithfulGroups(a, frozenset(CONSTRAINTS))
    weights = {bond.reason: faithful.weigh(bond) for bond in faithful.bonds.strict}
    assert weights["nonsubsective modifier"] > weights["condition"] > weights["adjective in a downward place"] >= 1


@pytest.mark.parametrize("level", ["loose", "short", "bare"])
def test_names_and_numbers_are_in_one_group(level):
    [a] = parse_texts(["The Bank of England lent no more than 20 million pounds to the firm on Friday."])
    groups = getattr(FaithfulGroups(a, frozenset(CONSTRAINTS)), level).group
    places = {token.text: i for i, token in enumerate(a.tokens)}
    assert len({groups[places[word]] for word in ("Bank", "of", "England")}) == 1
    assert len({groups[places[word]] for word in ("no", "more", "than", "20", "million", "pounds")}) == 1


def test_what_may_have_changed_has_a_note_too():
    line = "Nothing in this clause limits the liability of the carrier for injuries caused by its negligence."
    [made] = compress([line], ratio=0.5)
    note = " ".join(made.notes)
    assert ("may have changed what is said" in note) == any(d.risky for d in made.deletions)
    assert "changed what is said" in note


def _closed_choices(groups):
    parents = groups.parents.tolist()
    assert len(parents) <= 14
    for kept in product((0, 1), repeat=len(parents)):
        if all(not k or p < 0 or kept[p] for k, p in zip(kept, parents, strict=True)):
            yield kept
