"""GTM equals its plain twin: look for the longest free run, take it, again."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError

words = st.lists(st.sampled_from("abcd"), max_size=14)


def match_size(output: list[str], reference: list[str], exponent: float) -> float:
    a, b, total = [*output], [*reference], 0.0
    while True:
        runs = [(_run(a, b, i, j), -i, -j) for i in range(len(a)) for j in range(len(b))]
        length, i, j = max(runs, default=(0, 0, 0))
        if length == 0:
            return total ** (1 / exponent)
        a[-i : length - i] = [f"used {k}" for k in range(length)]
        b[-j : length - j] = [f"taken {k}" for k in range(length)]
        total += length**exponent


def _run(a: list[str], b: list[str], i: int, j: int) -> int:
    n = 0
    while i + n < len(a) and j + n < len(b) and a[i + n] == b[j + n]:
        n += 1
    return n


def ours(output, references, **parameters) -> float:
    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    options = ", ".join(f"{k}={v}" for k, v in parameters.items())
    return assay.score(data, f"gtm(tokenizer=space, {options})").values.item()


@settings(deadline=None, max_examples=300)
@given(words, words, st.sampled_from([1.0, 1.2, 2.0, 3.0]))
def test_twin(output, reference, exponent):
    size = match_size(output, reference, exponent)
    for measure, length in (("precision", len(output)), ("recall", len(reference))):
        want = size / length if length else 0.0
        assert ours(output, [reference], exponent=exponent, measure=measure) == pytest.approx(want)
    both = len(output) + len(reference)
    assert ours(output, [reference], exponent=exponent) == pytest.approx(2 * size / both if both else 0.0)


@given(words, words)
def test_exponent_1_counts_words(output, reference):
    assert match_size(output, reference, 1) == (Counter(output) & Counter(reference)).total()


@settings(deadline=None, max_examples=50)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_best_reference(output, references):
    assert ours(output, references, exponent=1.5) == max(ours(output, [r], exponent=1.5) for r in references)


def test_exponent_is_checked():
    with pytest.raises(InputError, match=r"exponent of gtm must be between 1 and 100; got 0.5"):
        assay.metric("gtm(exponent=0.5)")


@pytest.mark.parametrize("metric", ["gtm", "gtm(exponent=2)", "rougeW"])
def test_of_long_texts_the_first_words_are_compared(metric):
    words = [f"w{n * 7919 % 600}" for n in range(5000)]
    lines = "\n".join(" ".join(words[n : n + 50]) for n in range(0, 5000, 50))
    back = " ".join(words[::-1])
    texts, references = [f"{lines} and so on", "w0 w1"], [f"{back} and so on", "w1 w0"]
    with pytest.warns(assay.errors.FallbackWarning, match=r"than 5,000 words .* by their first 5,000 \(1 output"):
        long = assay.score(texts, references, metric)
    cut = assay.score([lines, "w0 w1"], [back, "w1 w0"], metric)
    assert long.values.tolist() == cut.values.tolist()
