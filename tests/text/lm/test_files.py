"""Files of language models come back as they were, and damaged ones are refused."""

from __future__ import annotations

import gzip
import math
import random

import pytest

from assay.errors import FormatError, InputError
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


@pytest.mark.parametrize("name", ["m.npz", "m.arpa", "m.arpa.gz"])
def test_files_come_back(model, tmp_path, name):
    model.save(tmp_path / name)
    again = load(tmp_path / name)
    assert again.vocabulary == model.vocabulary
    for line in corpus(40, seed=2):
        assert again.log_prob(line.split()) == pytest.approx(model.log_prob(line.split()), abs=1e-5)


def test_one_byte_is_near(model, tmp_path):
    model.save(tmp_path / "m.npz", bits=8)
    lines = corpus(200, seed=2)
    small = load(tmp_path / "m.npz")
    assert small.perplexity(lines).value == pytest.approx(model.perplexity(lines).value, rel=0.01)
    assert (tmp_path / "m.npz").stat().st_size < 20_000


def test_same_model_same_bytes(model, tmp_path):
    model.save(tmp_path / "a.npz")
    train(corpus(), tokenizer="space", normalize=False).save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.npz", b"not a zip", "not a language model of Assay"),
        ("x.arpa", b"hello\n", "the file ends before"),
        ("x.arpa", b"\\data\\\n\n\\1-grams:\n-1 a b c d\n\\end\\\n", "x.arpa:4: expected a probability, 1 words"),
        ("x.arpa", b"\\data\\\n\n\\1-grams:\n-1 a\n\n\\4-grams:\n", "models of up to three words are read"),
        ("x.arpa", b"\\1-grams:\n-1 a\n\\2-grams:\n-1 a b\n\\end\\\n", "has a word that is not a 1-gram"),
        ("x.arpa", b"\xff\xfe\\data", "not an ARPA file in UTF-8"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        load(tmp_path / name)


def test_missing_file():
    with pytest.raises(InputError, match=r"no language model nowhere\.npz"):
        load("nowhere.npz")


def test_arpa_of_others(tmp_path):
    """SRILM's: <UNK> missing, -99 for <s>, no back-off where it is 0."""
    unigrams = "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-99\t<s>\t-0.3\n-0.5\tYes\n-0.4\t</s>\n"
    text = unigrams + "\n\\2-grams:\n-0.1\t<s> Yes\n\n\\end\\\n"
    with gzip.open(tmp_path / "m.arpa.gz", "wt") as file:
        file.write(text)
    model = load(tmp_path / "m.arpa.gz")
    assert model.log_prob(["Yes"]) / math.log(10) == pytest.approx([-0.1, -0.4])
    assert model.frequency("Yes") > 1
