"""Labels of what a text left out."""

from __future__ import annotations

import pytest

from assay.text.logic.bonds import Bonds
from assay.text.logic.deletions import broken_bonds, label_deletions
from assay.text.parse.flat import parse_texts

TEXT = "The alleged killer of a judge, who was 34, left a red car in Rome."


@pytest.fixture(scope="module")
def bonds():
    [a] = parse_texts([TEXT])
    return Bonds(a)


def test_nothing_deleted(bonds):
    everything = range(len(bonds.a.tokens))
    assert label_deletions(bonds, everything) == ()
    assert broken_bonds(bonds, everything) == []


def test_everything_deleted_breaks_nothing(bonds):
    [deletion] = label_deletions(bonds, [])
    assert deletion.label == "entailed"
    assert len(deletion.words) == sum(not mark for mark in bonds.a.punctuation)


def test_each_deleted_word_is_in_one_deletion(bonds):
    kept = [i for i, token in enumerate(bonds.a.tokens) if token.text in ("The", "killer", "left", "a", "car")]
    deletions = label_deletions(bonds, kept)
    words = [i for deletion in deletions for i in deletion.words]
    assert sorted(words) == [i for i in range(len(bonds.a.tokens)) if i not in kept and not bonds.a.punctuation[i]]
    labels = {bonds.a.tokens[d.words[0]].text: (d.label, d.head) for d in deletions}
    assert labels["alleged"] == ("not entailed", 2)
    assert labels["red"][0] == "entailed"
