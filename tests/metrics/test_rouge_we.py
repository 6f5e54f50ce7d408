"""ROUGE-WE and AVG_SIM on vectors made for the test: the matching rule in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError, UnknownName

VECTORS = {
    "rain": (1.0, 0.1, 0.0),
    "drizzle": (0.9, 0.2, 0.1),
    "snow": (0.7, 0.7, 0.0),
    "sun": (0.0, 0.1, 1.0),
    "heat": (0.1, 0.4, 0.8),
}

words = st.lists(st.sampled_from([*VECTORS, "zzz", "the"]), max_size=7)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("vectors") / "made.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, v))}\n" for word, v in VECTORS.items()))
    return str(path)


def grams(text: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


def vector(gram: tuple[str, ...], combine: str) -> np.ndarray | None:
    if not all(w in VECTORS for w in gram):
        return None
    rows = np.array([VECTORS[w] for w in gram])
    return rows.sum(axis=0) if combine == "sum" else rows.prod(axis=0)


def plain(output, references, n, threshold, combine="sum", *, cosine=False) -> float:
    """Recall by the rule of the docstring; a gram takes itself, else the nearest that is left."""
    matched = total = 0.0
    for reference in references:
        left = grams(reference, n)
        total += left.total()
        for gram, times in grams(output, n).items():
            best, at = -2.0, None
            for other in left:
                a, b = vector(gram, combine), vector(other, combine)
                like = 0.0 if a is None or b is None else float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
                like = 2.0 if gram == other else like
                if like > best + 1e-6:  # the first of two as near
                    best, at = like, other
            if at is None or best < threshold:
                continue
            taken = min(times, left[at])
            matched += taken * (min(best, 1.0) if cosine else 1.0)
            left[at] -= taken
            if not left[at]:
                del left[at]
    return matched / total if total else 0.0


@settings(deadline=None, max_examples=200)
@given(words, st.lists(words, min_size=1, max_size=3), st.integers(1, 2), st.sampled_from([0.75, 0.97]))
def test_plain(file, output, references, n, threshold):
    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    got = assay.score(data, f"rougeWE{n}(vectors={file}, threshold={threshold})").values.item()
    assert got == pytest.approx(plain(output, references, n, threshold), abs=1e-6)


@settings(deadline=None, max_examples=100)
@given(words, words)
def test_cosine_rule_and_product(file, output, reference):
    data = assay.EvalSet.from_texts([" ".join(output)], [" ".join(reference)])
    got = assay.score(data, f"rougeWE2(vectors={file}, rule=cosine, combine=product)").values.item()
    assert got == pytest.approx(plain(output, [reference], 2, 1e-9, "product", cosine=True), abs=1e-5)


def test_by_hand(file):
    """drizzle takes rain, which sun then cannot; zzz has no vector and takes itself: 2 of 3."""
    data = assay.EvalSet.from_texts(["drizzle sun zzz"], ["rain zzz snow"])
    scores = assay.score(data, [f"rougeWE1(vectors={file})", f"rougeWE1(vectors={file}, measure=precision)"])
    assert [s.values.item() for s in scores.values()] == pytest.approx([2 / 3, 2 / 3])


@settings(deadline=None, max_examples=50)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_at_threshold_one_it_is_rouge(file, output, references):
    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    got = assay.score(data, f"rougeWE1(vectors={file}, threshold=1)").values.item()
    assert got == pytest.approx(assay.score(data, "rouge1(measure=recall)").values.item(), abs=1e-9)


def test_own_reference_is_skipped(file):
    item = assay.Item("1", (assay.Reference("sun", "A"), assay.Reference("rain", "B")), {"A": "sun"})
    data = assay.EvalSet([item])
    for name, skipped, kept in ((f"rougeWE1(vectors={file}", 0, 0.5), (f"avgsim(vectors={file}", 0.009901, 0.50495)):
        assert assay.score(data, f"{name})").values.item() == pytest.approx(skipped, abs=1e-5)
        assert assay.score(data, f"{name}, own=keep)").values.item() == pytest.approx(kept, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("rougeWE1(threshold=2)", InputError, "threshold of rougeWE1 must be between 0 and 1"),
        ("rougeWE1(rule=best)", UnknownName, "unknown rule of rougeWE1 'best'"),
        ("rougeWE1(refs=all)", UnknownName, "unknown refs of rougeWE1 'all'"),
        ("rougeWE1(vectors=nowhere.txt)", InputError, "no file of word vectors at .*nowhere.txt"),
        ("avgsim(stop=long)", UnknownName, "list of stop words 'long'"),
    ],
)
def test_clear_errors(name, error, message):
    with pytest.raises(error, match=message):
        assay.score(assay.EvalSet.from_texts(["a"], ["a"]), name)
