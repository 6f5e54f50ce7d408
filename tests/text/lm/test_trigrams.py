"""The language model: equal to KenLM's lmplz and to a plain twin; files that come back as they were."""

from __future__ import annotations

import math
import random
import warnings
from collections import Counter, defaultdict

import numpy as np
import pytest

from assay.errors import FallbackWarning, InputError
from assay.text.lm.trigrams import LanguageModel, load, train


def corpus(lines: int = 600, seed: int = 7) -> list[str]:
    """Made-up sentences with the long tail of real ones."""
    rng = random.Random(seed)
    made = []
    for _ in range(lines):
        line, last = [], 0
        for _ in range(rng.randint(1, 9)):
            last = (last // 3 + int(rng.paretovariate(0.8))) % 997
            line.append(f"w{last}")
        made.append(" ".join(line))
    return made


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return train(corpus(), tokenizer="space", normalize=False)


# What lmplz of KenLM 0.3.0 (built from its PyPI source) writes for corpus(): common logarithms of probability and
# back-off; lmplz -o 3 --prune ...
LMPLZ = {
    (0, 0, 0): {
        "<unk>": (-2.8016686, 0.0),
        "<s>": (0.0, -1.0019062),
        "w1": (-2.542043, -0.25358006),
        "w1 w2": (-1.7101196, -0.5961405),
        "<s> w3": (-1.1843094, -0.68352836),
        "w2 w1 w1": (-0.47531718, 0.0),
        "w1 w1 </s>": (-0.75167704, 0.0),
    },
    (0, 1, 1): {
        "w1": (-2.542043, -0.19082427),
        "w1 w2": (-1.6969451, -0.5499576),
        "<s> w3": (-1.1830934, -0.6276882),
        "w2 w1 w1": (-0.4748045, 0.0),
        "w1 w1 </s>": (-0.74578315, 0.0),
    },
}


@pytest.mark.parametrize("prune", LMPLZ)
def test_lmplz(prune, tmp_path):
    train(corpus(), tokenizer="space", normalize=False, prune=prune).save(tmp_path / "m.arpa")
    rows = [line.rstrip("\n").split("\t") for line in (tmp_path / "m.arpa").open()]
    found = {row[1]: (float(row[0]), float(row[2]) if len(row) > 2 else 0.0) for row in rows if len(row) > 1}
    for gram, values in LMPLZ[prune].items():
        assert found[gram] == pytest.approx(values, abs=2e-6), gram
    assert len(found) == {(0, 0, 0): 177 - 2 + 740 + 1409, (0, 1, 1): 177 - 2 + 258 + 306}[prune]


def test_lmplz_discounts(model):
    assert model.about["discounts"][0] == pytest.approx([0.657143, 1.09643, 2.04416], abs=1e-5)
    assert model.about["discounts"][2] == pytest.approx([0.810434, 0.963399, 1.23178], abs=1e-5)


class Twin:
    """Interpolated modified Kneser-Ney from the formulas, with dictionaries."""

    def __init__(self, lines: list[str], order: int) -> None:
        grams: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(order + 1)]
        for line in lines:
            words = ["<s>", *line.split(), "</s>"]
            for n in range(1, order + 1):
                for i in range(len(words) - n + 1):
                    grams[n][tuple(words[i : i + n])] += 1
        self.counts = [Counter(), *grams[1:]]
        for n in range(1, order):
            before = defaultdict(set)
            for gram in grams[n + 1]:
                before[gram[1:]].add(gram[0])
            self.counts[n] = Counter(
                {g: c if g[0] == "<s>" else len(before[g]) for g, c in grams[n].items() if g != ("<s>",)}
            )
        if order == 1:
            del self.counts[1][("<s>",)]
        self.discounts = [[0.0] * 4, *(self.discount(c) for c in self.counts[1:])]
        self.types = len(grams[1])  # with <unk>, without <s>
        self.following: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for n in range(1, order + 1):
            for gram, count in self.counts[n].items():
                self.following[gram[:-1]].append(count)
        self.order = order

    @staticmethod
    def discount(counts: Counter) -> list[float]:
        n = Counter(counts.values())
        y = n[1] / (n[1] + 2 * n[2])
        return [0.0, *(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))]

    def p(self, word: str, context: tuple[str, ...]) -> float:
        shorter = self.p(word, context[1:]) if context else 1 / self.types
        follow = self.following.get(context)
        if not follow:
            return shorter
        discounts = self.discounts[len(context) + 1]
        count = self.counts[len(context) + 1][(*context, word)]
        left = sum(discounts[min(c, 3)] for c in follow)
        return (max(count - discounts[min(count, 3)], 0) + left * shorter) / sum(follow)

    def log_prob(self, words: list[str]) -> list[float]:
        line = ["<s>", *words, "</s>"]
        return [math.log(self.p(line[i], tuple(line[max(0, i - self.order + 1) : i]))) for i in range(1, len(line))]


@pytest.mark.parametrize("order", [2, 3])
def test_twin(order):
    lines = corpus()
    fast, plain = train(lines, order=order, tokenizer="space", normalize=False), Twin(lines, order)
    for line in [*corpus(60, seed=1), "w1", "never seen w2"]:
        assert fast.log_prob(line.split()) == pytest.approx(plain.log_prob(line.split()), abs=2e-5)


def test_probabilities_sum_to_one(model):
    words = np.array([i for i in range(len(model.vocabulary)) if i != 1], dtype=np.uint32)
    for a, b in ((2**32 - 1, 2**32 - 1), (2**32 - 1, 1), (1, 5), (4, 9), (0, 0), (7, 3)):
        context = [np.full(len(words), w, dtype=np.uint32) for w in (a, b)]
        assert np.exp(model.grams.log_probs(*context, words)).sum() == pytest.approx(1, abs=1e-4)


def test_rare_words_are_unknown():
    model = train(corpus(), tokenizer="space", normalize=False, least=2)
    assert len(model.vocabulary) < 120
    assert model.counts.sum() == model.about["words"] + model.about["sentences"]
    assert np.exp(model.unigrams[0]) > 0.02  # <unk> has counts of its own


def test_perplexity_of_nothing_is_nan(model):
    assert math.isnan(model.perplexity(["", " "]).value)


def test_perplexity_counts_unknown_words(model):
    found = model.perplexity(["w1 w2", "strange w1"])
    assert (found.sentences, found.words, found.unknown) == (2, 4, 1)
    assert found.without_unknown < found.value


def test_small_corpus_falls_back():
    with pytest.warns(FallbackWarning, match="2 sentences are too few for the discounts"):
        model = train(["a b", "b a"], tokenizer="space")
    assert np.isfinite(model.log_prob(["a", "b", "c"])).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 4}, "order must be 1, 2 or 3; got 4"),
        ({"prune": (0, 2, 1)}, "prune must be whole numbers that do not decrease"),
        ({"tokenizer": "spaces"}, "unknown tokenizer of a language model 'spaces'; did you mean 'space'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        train(["a b c"], **options)


def test_no_text():
    with pytest.raises(InputError, match="no words to train a language model on"):
        train(["", "  "])


def test_shipped_model_knows_english():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = load()
    good = model.log_prob(["The", "president", "said", "on", "Monday", "that", "he", "will", "not", "go", "."])
    bad = model.log_prob(["President", "the", "Monday", "on", "said", "he", "that", "go", "not", "will", "."])
    assert good.sum() > bad.sum() + 10
    assert model.frequency("president") > model.frequency("carburettor")
