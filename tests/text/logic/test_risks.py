"""Deletions whose label is unknown, and that often change what is said."""

from __future__ import annotations

import pytest

from assay.text.logic.bonds import Bonds
from assay.text.logic.deletions import label_deletions
from assay.text.parse.flat import parse_texts


def label_rest(text: str, kept: str) -> list[tuple[str, bool]]:
    """Label what is deleted if only these words are kept; each word stands once in the text."""
    [a] = parse_texts([text])
    places = [i for i, token in enumerate(a.tokens) if token.text in kept.split()]
    return [(deletion.label, deletion.risky) for deletion in label_deletions(Bonds(a), places)]


@pytest.mark.parametrize(
    ("text", "kept", "label", "risky"),
    [
        (
            "Nothing limits the liability for injuries caused by negligence.",
            "Nothing limits the liability",
            "unknown",
            1,
        ),
        ("She joined the party in Rome.", "She joined the party", "entailed", 0),
        ("She did not join the party of the general.", "She did not join the party", "unknown", 0),
        ("He left the house if it rained.", "He left the house", "not entailed", 0),
    ],
)
def test_labels(text, kept, label, risky):
    assert label_rest(text, kept) == [(label, bool(risky))]


def test_a_risk_is_never_entailed_and_has_a_head():
    text = "No tenant may sublet the flat on the upper floor of the house, except with the consent of the owner."
    [a] = parse_texts([text])
    bonds = Bonds(a)
    for kept in range(1, len(a.tokens)):
        for deletion in label_deletions(bonds, range(kept)):
            assert not deletion.risky or (deletion.label == "unknown" and deletion.head in range(kept))
