"""Names of several words."""

from __future__ import annotations

import pytest

from assay.text.logic.facts import Facts
from assay.text.logic.names import find_names
from assay.text.parse.flat import parse_texts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Engineers from General Electric met Ann Lee.", ["General Electric", "Ann Lee"]),
        ("The Royal College of Nursing voted on Monday.", ["Royal College of Nursing"]),
        ("They told President Luis Romero.", ["Luis Romero"]),
        ("They flew from Buenos Aires to Mar del Plata.", ["Buenos Aires", "Mar del Plata"]),
        ("The old man slept.", []),
        ("On Monday Ann slept.", []),
    ],
)
def test_names(text, names):
    [a] = parse_texts([text])
    assert [" ".join(a.tokens[i].text for i in name) for name in find_names(Facts(a))] == names
