"""What people keep of written sentences: features, weights, and what they say of a sentence."""

from __future__ import annotations

import numpy as np

from assay.systems._parsed_text import parse_texts
from assay.systems.compress._tagger import Tagger
from assay.systems.compress._written import find_features, load_weights, written_marginals

TEXT = "The old mayor of the town, a friend of Ann, said on Monday that the bridge would be closed."


def test_probabilities():
    [a] = parse_texts([TEXT])
    [first], [second] = (Tagger.load(name).marginals([a.parse]) for name in ("headline", "conservative"))
    p = written_marginals(a, first, second)
    assert p.shape == (len(a.tokens),)
    assert ((p > 0) & (p < 1)).all()
    forms = [t.text for t in a.tokens]
    assert p[forms.index("friend")] < p[forms.index("closed")]
    assert p[forms.index("old")] < p[forms.index("mayor")]


def test_a_sum_of_weights_by_hand():
    [a] = parse_texts(["Dogs bark."])
    p = written_marginals(a, np.full(3, 0.5), np.full(3, 0.5), {"one": 1.0, "word bark": 2.0, "headline": 7.0})
    assert np.allclose(p, 1 / (1 + np.exp([-1.0, -3.0, -1.0])))


def test_features_know_the_tree():
    [a] = parse_texts(["Dogs bark at night."])
    rows = find_features(a, np.full(5, 0.5), np.full(5, 0.5))
    assert rows[1]["depth"] == 0
    assert rows[0]["before head"] == 1.0
    assert rows[2]["under obl"] == 1.0
    assert rows[1]["below"] == 1.0  # five tokens, in fifths


def test_weights_are_few():
    assert 100 < len(load_weights()) < 1000
