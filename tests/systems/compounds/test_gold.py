"""Gold splits: every form is read, and what is none is refused with its line."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.systems.compounds.gold import parse_gold


@pytest.mark.parametrize(
    ("line", "boundaries", "lemmas"),
    [
        ('{"word": "Haustür", "split": "Haus|tür"}', (4,), ()),
        ('{"word": "Tür", "split": "Tür"}', (), ()),
        ('{"split": "gård+s+plads"}', (5,), ("gård", "plads")),
        ('{"split": "tv+-+kanal"}', (3,), ("tv", "kanal")),
        ('{"word": "tierversuchen", "analysis": "tier+versuch(en)"}', (4,), ("tier", "versuch")),
        ('{"word": "tagesablauf", "analysis": "tag|es+ablauf"}', (5,), ("tag", "ablauf")),
        ('{"word": "tagesablauf", "parts": ["tag", "ablauf"]}', (5,), ()),
        ('{"compound": "Tagesablauf", "modifier": ["Tag"], "head": ["Ablauf"]}', (5,), ("Tag", "Ablauf")),
    ],
)
def test_every_form_gives_boundaries(line, boundaries, lemmas):
    [gold] = parse_gold([line])
    assert (gold.boundaries, gold.lemmas) == (boundaries, lemmas)


@pytest.mark.parametrize("line", ["x", "[]", "{}", '{"word": "ab", "split": "a|c"}', '{"word": "ab", "parts": ["x"]}'])
def test_anything_else_is_refused(line):
    with pytest.raises(FormatError, match=r"gold\.jsonl:2"):
        parse_gold(['{"split": "a+b"}', line], path="gold.jsonl")


def test_an_empty_file_is_refused():
    with pytest.raises(FormatError, match="no gold splits"):
        parse_gold(["", " "], path="gold.jsonl")
