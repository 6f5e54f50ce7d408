"""Numbers with units and bounds."""

from __future__ import annotations

import pytest

from assay.text.logic.facts import Facts
from assay.text.logic.numbers import find_quantities
from assay.text.parse.flat import parse_texts


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("It weighs no more than 23 kilos.", {"no more than 23", "23 kilos"}),
        ("They lost between 3 and 5 crowns.", {"between 3 and 5", "5 crowns"}),
        ("Customers aged 21 or over may come.", {"21 or over"}),
        ("It must arrive on 5 May.", {"5 May"}),
        ("More than half of them left.", {"More than half"}),
        ("They talked about money over tea.", set()),
    ],
)
def test_quantities(text, together):
    [a] = parse_texts([text])
    found = {" ".join(a.tokens[i].text for i in sorted(words)) for words in find_quantities(Facts(a))}
    assert together <= found
    assert bool(together) == bool(found)
