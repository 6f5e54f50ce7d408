"""Which words were kept: against an exhaustive search."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.tokens.subsequence import deleted_places, kept_places

words = st.lists(st.sampled_from("abc"), max_size=7)


def exhaustive(source: list[str], text: list[str]) -> list[int]:
    """Every way to match words in order: most matched, then most neighbours on both sides, then leftmost."""
    ways = []
    for size in range(min(len(source), len(text)), -1, -1):
        for places in combinations(range(len(source)), size):
            for mine in combinations(range(len(text)), size):
                if [source[i] for i in places] == [text[j] for j in mine]:
                    steps = zip(zip(places, mine, strict=True), zip(places[1:], mine[1:], strict=True), strict=False)
                    runs = sum(b[0] == a[0] + 1 and b[1] == a[1] + 1 for a, b in steps)
                    ways.append((-runs, places))
        if ways:
            return list(min(ways)[1])
    return []


@given(words, words)
@settings(max_examples=300, deadline=None)
def test_most_words_then_most_neighbours(source, text):
    best, found = exhaustive(source, text), kept_places(source, text)
    assert len(found) == len(best)
    assert found == sorted(set(found))
    if len(best) == len(text):  # a true subsequence: the very same places
        assert runs(found) == runs(best)


@given(words, st.data())
@settings(max_examples=200, deadline=None)
def test_what_was_deleted_comes_out(source, data):
    bits = data.draw(st.lists(st.booleans(), min_size=len(source), max_size=len(source)))
    text = [w for w, keep in zip(source, bits, strict=True) if keep]
    found = kept_places(source, text)
    assert [source[i] for i in found] == text
    assert sorted(found + deleted_places(source, text)) == list(range(len(source)))


def runs(places: list[int]) -> int:
    return sum(b == a + 1 for a, b in pairwise(places))


def test_a_repeated_word_stays_with_its_neighbours():
    source = ["the", "dog", "and", "the", "cat", "and", "the", "bird"]
    assert kept_places(source, ["the", "bird"]) == [6, 7]
    assert kept_places(source, ["and", "the", "cat"]) == [2, 3, 4]
    assert kept_places(source, ["the"]) == [0]
    assert kept_places(source, []) == []
    assert kept_places([], ["a"]) == []
    assert kept_places(["a", "b", "c"], ["x", "b", "y", "c"]) == [1, 2]
