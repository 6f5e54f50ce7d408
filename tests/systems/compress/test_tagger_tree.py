"""The default compressor: exact budgets, what must stay, nothing silent."""

from __future__ import annotations

import pytest

from assay.errors import InputError, UnknownName
from assay.systems.compress import COMPRESSORS, compress
from assay.systems.compress.truth._protected import KINDS, find_protected, parse_kinds
from assay.text.parse.flat import parse_texts

TEXT = (
    "The White House said on Monday that it would not rule out a meeting between President Lee and his counterpart "
    "on the sidelines of the upcoming General Assembly meeting in New York this week."
)
HEADLINE = "tagger-tree(tagger=headline)"
ALL = "tagger-tree(tagger=headline, keep=all)"


def kept_words(text: str, kind: str) -> str:
    [a] = parse_texts([text])
    return " ".join(a.tokens[i].text for i in sorted(find_protected(a, parse_kinds(kind))))


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("negation", "She never said that nobody isn't without fault.", "never nobody n't without"),
        ("numbers", "In 2013 three men paid $5m for 7% of it.", "2013 three $ 5m 7 %"),
        ("names", "Last week Maria Lopez flew to Berlin.", "Maria Lopez Berlin"),
        ("code", "Run make_all in src/core/bind.cpp with --force now.", "make_all src / core / bind.cpp --force"),
        ("code", "The car XK-4711 was seen at https://example.org/a?b=1 today.", "XK-4711 https://example.org/a?b=1"),
        ("quotes", 'He called it "a bad idea" twice.', '" a bad idea "'),
    ],
)
def test_what_must_stay(kind, text, words):
    assert kept_words(text, kind).replace(" ", "") == words.replace(" ", "")


def test_settings_are_checked():
    assert parse_kinds("all") == frozenset(KINDS)
    with pytest.raises(UnknownName, match="unknown kind of word to keep 'name'; did you mean 'names'"):
        COMPRESSORS.build("tagger-tree(keep=name)")
    with pytest.raises(UnknownName, match="unknown constraint 'trees'; did you mean 'tree'"):
        COMPRESSORS.build("tagger-tree(constraints=trees)")


@pytest.mark.parametrize("words", [3, 5, 8, 12, 15])
def test_words_are_met(words):
    [c] = compress([TEXT], "tagger-tree(tagger=headline, keep=none)", words=words)
    assert words - 4 <= c.words <= words


@pytest.mark.parametrize("chars", [40, 80, 120])
def test_chars_are_met(chars):
    [c] = compress([TEXT], "tagger-tree(tagger=headline, keep=none)", chars=chars)
    assert chars - 30 <= len(c.text) <= chars


def test_negation_stays_with_its_verb():
    for words in (6, 8, 12):
        [c] = compress([TEXT], "tagger-tree(tagger=headline, keep=none)", words=words)
        assert ("rule" in c.text) == ("not" in c.text)


def test_the_budget_decides_and_says_what_it_cost():
    [c] = compress([TEXT], HEADLINE, words=7)
    assert c.words <= 7
    changed, removed = c.notes
    assert changed.startswith("the length limit changed what is said: ")
    assert removed.startswith("the length limit removed ")
    assert "York" in removed or "York" in c.text


def test_an_impossible_budget_gives_the_shortest_possible_text():
    [c] = compress(["She saw him."], HEADLINE, words=1)
    assert c.text == "She saw him."
    assert c.notes == ("longer than the limit of 1 word: the shortest possible text has 3",)


def test_own_patterns_win():
    [c] = compress([TEXT], HEADLINE, words=10, keep=["sidelines"], drop=["Monday"])
    assert "sidelines" in c.text
    assert "Monday" not in c.text
    [c] = compress([TEXT], HEADLINE, drop=["York"])
    assert "York" not in c.text


@pytest.mark.parametrize("limit", [{"ratio": 0.3}, {"ratio": 0.7}, {"words": 9}, {"average_ratio": 0.71}])
def test_one_tagger_for_all_limits(limit):
    assert compress([TEXT], **limit) == compress([TEXT], HEADLINE, **limit)


def test_without_a_limit_the_default_protects_all_kinds():
    assert compress([TEXT]) == compress([TEXT], ALL)
    [short], [long] = compress([TEXT], HEADLINE), compress([TEXT])
    assert short.token_rate < 0.6 < long.token_rate


def test_headlines_without_a_limit_may_lose_names():
    [free] = compress([TEXT], HEADLINE)
    [whole] = compress([TEXT], "tagger-tree(tagger=headline, keep=all)")
    assert free.words < whole.words
    assert "York" in whole.text


def test_parses_are_checked():
    with pytest.raises(InputError, match="parses must be from 1 to 50; got 0"):
        COMPRESSORS.build("tagger-tree(parses=0)")


def test_several_parses_keep_to_the_limit():
    [c] = compress([TEXT], "tagger-tree(parses=3)", words=12)
    assert c.words <= 12


@pytest.mark.slow
def test_nothing_that_must_stay_is_lost(shared):
    """1,000 sentences with negations, numbers and names: kept, unless the budget forces it, and then it is said."""
    items = [item.sources[0] for item in shared("google-compression-9k.jsonl.gz")]
    parsed = parse_texts(items[:1600])
    wanted = parse_kinds("negation+numbers+names+code+quotes")
    chosen = [a for a in parsed if find_protected(a, wanted)][:1000]
    assert len(chosen) == 1000
    for budget in ({}, {"ratio": 0.43}):
        for a, c in zip(chosen, compress([a.text for a in chosen], ALL, **budget), strict=True):
            lost = [i for i in find_protected(a, wanted) - set(c.kept_tokens) if not a.punctuation[i]]
            assert not lost or (budget and any("the length limit removed" in note for note in c.notes)), (a.text, c)
