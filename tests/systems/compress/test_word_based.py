"""Word-based compression: the search is exact, the scores are the paper's."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from assay.systems.compress import Source, compress
from assay.systems.compress._significance import document_counts, significance, topic_words
from assay.systems.compress.word_based import WordBased, features, parts, tune
from assay.text.lm.trigrams import load

TABLE_3 = [  # Clarke and Lapata 2006, Table 3
    "Apparently Fergie very much wants to have a career in television.",
    "Many debugging features, including user-defined break points and variable-watching and message-watching windows, "
    "have been added.",
    "As you said, the president has just left for a busy three days of speeches and fundraising in Nevada, California "
    "and New Mexico.",
]


SAID = [  # the first is the paper's word-based output
    "Fergie wants to have a career in television.",
    "Debugging features, including defined and watching watching windows, have been added.",
    "You said, the president has left for three days of speeches and fundraising in Nevada, New Mexico.",
]


def plain(model, words, own, weight, kept) -> float:
    """S(V) of one choice, from equation 1."""
    chosen = [words[i] for i in kept]
    return sum(own[i] for i in kept) + weight * float(model.grams.sentence(np.array(chosen, np.uint32)).sum())


@pytest.mark.parametrize("seed", range(4))
def test_equals_exhaustive_search(seed):
    model, rng = load(), random.Random(seed)
    text = ["the", "president", "said", "on", "monday", "that", "he", "will", "go", "to", "new", "york"]
    rng.shuffle(text)
    words = model.ids(text[:9])
    own = np.array([rng.uniform(0, 8) for _ in words])
    costs = np.array([rng.randint(0, 2) for _ in words], dtype=np.uint32)
    choices = [c for n in range(1, 10) for c in itertools.combinations(range(9), n)]
    best = max(choices, key=lambda c: plain(model, words, own, 1.0, c))
    kept, score = model.grams.best_words(words, own, 1.0, costs, 0, -1)
    assert tuple(kept) == best
    assert score == pytest.approx(plain(model, words, own, 1.0, best), abs=1e-4)
    for cost in range(1, 7):
        fits = [c for c in choices if costs[list(c)].sum() == cost]
        kept, score = model.grams.best_words(words, own, 1.0, costs, cost, cost)
        if not fits:
            assert not len(kept)
            continue
        assert score == pytest.approx(max(plain(model, words, own, 1.0, c) for c in fits), abs=1e-4)
        assert costs[kept].sum() == cost


def test_scores_are_the_paper_s():
    model = load()
    source = Source("The dog saw a carburettor.", context=("A dog barks.",))
    [(tokens, i, sov)] = features([source], model, "en")
    assert [t.text for t in tokens] == ["The", "dog", "saw", "a", "carburettor", "."]
    counts = document_counts(source)
    assert counts["dog"] == 2
    assert i[1] == pytest.approx(2 * math.log(topic_words(model) / model.frequency("dog")))  # eq. 2
    assert i[0] == i[3] == i[5] == 0
    assert i[4] == pytest.approx(significance("carburettor", counts, model))
    assert sov.tolist() == [0, 2, 1, 0, 1, 0]  # eq. 3: subject, verb, object by their count in the document


def test_table_3_runs():
    made = compress(TABLE_3, "word-based")
    assert all(0.3 < c.token_rate < 1 for c in made)
    assert [c.text for c in made] == SAID


def test_weights_decide_the_length():
    loose, tight = (compress(TABLE_3, f"word-based(default={d}, sov={s})") for d, s in ((9, 9), (0.1, 0.1)))
    assert sum(c.words for c in loose) > 2 * sum(c.words for c in tight)


def test_powell_makes_the_given_objective_large():
    sources = [Source(text) for text in TABLE_3]
    start = WordBased(parser="none", sov=0.1, default=0.1)

    def nearness(texts):  # to keeping three words in four
        return -sum(abs(len(t.split()) / len(s.split()) - 0.75) for t, s in zip(texts, TABLE_3, strict=True))

    found = tune(start, sources, nearness, steps=60)
    before, after = ([c.text for c in s.compress(sources)] for s in (start, found))
    assert nearness(after) > nearness(before) + 0.5


def test_parts_cover_everything():
    model_text = [t for c in compress(["word, " * 300], "identity") for t in c.tokens]
    spans = parts(model_text, 100)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(model_text)
    assert all(a[1] == b[0] and b[1] - b[0] <= 100 for a, b in itertools.pairwise(spans))
