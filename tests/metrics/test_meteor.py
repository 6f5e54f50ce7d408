"""METEOR: the fewest crossings by brute force, nltk where words do not repeat, its number of matches everywhere."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate import meteor_score as nltk_meteor

import assay
from assay import _core
from assay.errors import InputError, UnknownName
from assay.matching.batch import Batch
from assay.text import TextReading

words = st.lists(st.sampled_from("abcd"), max_size=7)
forms = ["walk", "walks", "walking", "was", "its", "it", "cat", "cats", "sky", "skies", "running", "run"]


class NoSynonyms:
    def synsets(self, word: str) -> list[object]:
        return []


def alignments(output: list[str], reference: list[str]) -> list[list[tuple[int, int]]]:
    """Every largest alignment of equal words that keeps the order of equal words."""
    found: list[list[tuple[int, int]]] = [[]]
    for word in sorted(set(output) & set(reference)):
        a = [i for i, w in enumerate(output) if w == word]
        b = [j for j, w in enumerate(reference) if w == word]
        n = min(len(a), len(b))
        ways = [list(zip(x, y, strict=True)) for x in combinations(a, n) for y in combinations(b, n)]
        found = [one + way for one in found for way in ways]
    return found


def chunks(pairs: list[tuple[int, int]]) -> int:
    return sum((i - 1, j - 1) not in pairs for i, j in pairs)


def crossings(pairs: list[tuple[int, int]]) -> int:
    return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(pairs, 2))


def rows(output, reference, stem=False) -> list[float]:
    batch = Batch(assay.EvalSet.from_texts([" ".join(output)], [" ".join(reference)]))
    read = TextReading("space")
    tokens = batch.outputs.tokens(read), batch.references.tokens(read)
    stems = batch.outputs.lexicon.stems("porter-nltk") if stem else None
    return _core.meteor(*tokens, batch.layout(False), stems, [], 0.9, 3.0, 0.5)[0].tolist()


@settings(deadline=None, max_examples=300)
@given(words, words)
def test_fewest_crossings_then_chunks(output, reference):
    best = min(alignments(output, reference), key=lambda pairs: (crossings(pairs), chunks(pairs)))
    assert rows(output, reference) == [len(best), chunks(best), len(output), len(reference)]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(forms), max_size=10), st.lists(st.sampled_from(forms), max_size=10))
def test_nltk_matches(output, reference):
    theirs, _, _ = nltk_meteor.align_words(output, reference, PorterStemmer(), NoSynonyms())
    assert rows(output, reference, stem=True)[0] == len(theirs)


@settings(deadline=None, max_examples=200)
@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"), st.integers(0, 8), st.integers(1, 8))
def test_nltk_where_no_word_repeats(a, b, n, m):
    output, reference = list(a[:n]), list(b[:m])
    want = nltk_meteor.single_meteor_score(reference, output, wordnet=NoSynonyms())
    data = assay.EvalSet.from_texts([" ".join(output)], [" ".join(reference)])
    assert assay.score(data, "meteor(stages=exact+stem)").values.item() == pytest.approx(want, abs=1e-12)


def test_wmt17(shared):
    """A system of WMT17 de-en: nltk's score wherever no word stands twice, never below it by crossings elsewhere."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[0]
    scores = assay.score(data, "meteor(stages=exact+stem, tokenizer=space)").select([system])
    same = 0
    for got, item in list(zip(scores.values[0], data, strict=True))[::5]:
        output, reference = item.outputs[system].lower().split(), item.references[0].text.lower().split()
        want = nltk_meteor.single_meteor_score(reference, output, wordnet=NoSynonyms())
        repeats = len(set(output)) < len(output) or len(set(reference)) < len(reference)
        assert repeats or got == pytest.approx(want, abs=1e-9)
        same += abs(got - want) < 1e-9
    assert same > 300


def test_synonyms():
    data = assay.EvalSet.from_texts(["the automobile stopped"], ["the cars stopped"])
    assert assay.score(data, "meteor(stages=exact+stem)").values.item() < 0.7
    full = assay.score(data, "meteor").values.item()
    assert full == pytest.approx(1 - 0.5 / 27)


def test_long_lines_do_not_hang():
    data = assay.EvalSet.from_texts(["a b c " * 300], ["b a c d " * 250])
    assert 0 < assay.score(data, "meteor").values.item() < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("meteor(stages=exact+stems)", "unknown stage of meteor 'stems'; did you mean 'stem'"),
        ("meteor(stages=stem)", "must begin with exact"),
        ("meteor(alpha=2)", "alpha and gamma between 0 and 1"),
    ],
)
def test_errors(text, message):
    with pytest.raises((InputError, UnknownName), match=message):
        assay.metric(text)


def test_nltk_looks_up_stems():
    """Why its matches are others where synonyms count, as the docstring says."""
    looked_up = []

    class Recorder:
        def synsets(self, word):
            looked_up.append(word)
            return []

    nltk_meteor.align_words(["happy"], ["glad"], PorterStemmer(), Recorder())
    assert looked_up == ["happi"]
