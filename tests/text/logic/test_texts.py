"""A text next to its source."""

from __future__ import annotations

import pytest

from assay.text.logic.texts import find_kept, label_text
from assay.text.parse.flat import parse_texts

SOURCE = "On Monday, the council's plan didn't pass."


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The council's plan didn't pass.", "the council 's plan did n't pass"),
        ("THE PLAN DIDN'T PASS", "the plan did n't pass"),
        ("", ""),
        ("The plan failed.", None),
        ("The plan didn't pass on Monday.", None),
    ],
)
def test_kept_words(text, kept):
    [a] = parse_texts([SOURCE])
    places = find_kept(a, text)
    assert (None if places is None else " ".join(a.tokens[i].text for i in places)) == kept


def test_labels():
    [a] = parse_texts([SOURCE])
    assert label_text(a, "The plan failed.") is None
    [deletion] = label_text(a, "The council's plan didn't pass.")
    assert deletion.label == "unknown"
    assert label_text(a, SOURCE) == ()
