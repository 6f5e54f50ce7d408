"""Units: what may go from a sentence, and what must stay with what it governs."""

from __future__ import annotations

import pytest

from assay.systems.fuse._units import split_units
from assay.text.parse.flat import parse_texts


def list_optional(text: str) -> set[str]:
    """The units that may go, as text."""
    [a] = parse_texts([text])
    units = split_units(a)
    return {
        " ".join(a.tokens[i].text for i in units.tokens(unit))
        for unit, parent in enumerate(units.parents)
        if parent >= 0
    }


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("The mill burned down on Monday.", "on Monday"),
        ("Ann Lee, a baker, won the prize.", "a baker"),
        ("Ann Lee, who was born in Oslo, won the prize.", "who was born"),
        ("The council met because the bridge was closed.", "because the bridge was closed"),
        ("She bought a house and sold the car.", "and sold the car"),
        ("After the storm, the council met.", "After the storm"),
    ],
)
def test_what_may_go(text, unit):
    assert unit in list_optional(text)


@pytest.mark.parametrize(
    "text",
    [
        "The council did not meet on Monday.",  # under negation nothing goes
        "The plates had not been chosen deliberately.",
        "She almost went bankrupt.",
        "The alleged killer fled.",
        "Only employees may enter.",
        "She refused to sign.",
        "He accused Iran of lying.",
        "The rain will stop if the wind turns.",
        "Nobody but Ann or Bob knew.",
        "The first man left.",
    ],
)
def test_what_stays(text):
    assert list_optional(text) == set()


def test_a_quotation_is_not_changed():
    assert list_optional('She said: "I left the old house on Monday."') == set()


def test_the_last_of_three_goes_only_with_the_one_between():
    [a] = parse_texts(["She bought apples, pears and plums."])
    units = split_units(a)
    heads = {a.tokens[head].text: n for n, head in enumerate(units.heads)}
    assert units.parents[heads["pears"]] == heads["plums"]


def test_what_says_nothing_is_idle():
    [a] = parse_texts(["( CNN ) However , the council met ."])
    idle = {a.tokens[i].text for i in split_units(a).idle}
    assert "CNN" in idle
    [a] = parse_texts(["But the council met."])
    assert {a.tokens[i].text for i in split_units(a).idle} == {"But"}
    [a] = parse_texts(["Yes ."])
    assert not split_units(a).idle
