"""References with alternatives: equal to listing every path, where that can be done."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

import assay
from assay import EvalSet
from assay.data.evalset import Item, Reference, TextAlternative
from assay.errors import FormatError, InputError
from assay.matching.batch import Batch
from assay.matching.unit import WordUnit
from assay.units.surface import Ngram, SkipBigram, Subsequence

UNITS = [Ngram(1), Ngram(2), Ngram(3), SkipBigram(0), SkipBigram(2), SkipBigram(-1), SkipBigram(2, True), Subsequence()]


def with_alternatives(words, *spans):
    """Words joined by spaces; spans are (first word, past the last word, text)."""
    starts = np.cumsum([0, *(len(w) + 1 for w in words)]).tolist()
    made = tuple(TextAlternative(starts[a], starts[b] - 1, new) for a, b, new in spans)
    return Reference(" ".join(words), None, made)


def paths(reference):
    """Every text the reference stands for."""
    found = []
    for n in range(len(reference.alternatives) + 1):
        for chosen in combinations(sorted(reference.alternatives), n):
            if all(a.end <= b.start for a, b in pairwise(chosen)):
                text = reference.text
                for a in reversed(chosen):
                    text = text[: a.start] + a.text + text[a.end :]
                found.append(text.split())
    return found


def bag(words, unit):
    if isinstance(unit, Ngram):
        return Counter(tuple(words[i : i + unit.n]) for i in range(len(words) - unit.n + 1))
    reach = len(words) if unit.gap < 0 else unit.gap + 1
    pairs = [(a, b) for i, a in enumerate(words) for b in words[i + 1 : i + 1 + reach]]
    return Counter(pairs + ([(w,) for w in words[:-1]] if unit.unigrams else []))


def lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before = row[:]
        for j, y in enumerate(b, 1):
            row[j] = before[j - 1] + 1 if x == y else max(before[j], row[j - 1])
    return row[-1]


def listed(output, reference, unit):
    """Rules 1 to 4 by listing the paths: matches, total, units of the path nearest in length."""
    every = paths(reference)
    if isinstance(unit, Subsequence):
        match, size = max(lcs(output, path) for path in every), len
    else:
        most = Counter()
        for path in every:
            most |= bag(path, unit)
        match, size = (bag(output, unit) & most).total(), lambda path: bag(path, unit).total()
    near = min(every, key=lambda path: (abs(len(path) - len(output)), len(path)))
    return match, max(min(map(size, every)), match), size(near)


def random_case(rng):
    words = [rng.choice("abcd") for _ in range(rng.randint(1, 7))]
    spans = []
    for _ in range(rng.randint(0, 5)):
        a = rng.randrange(len(words))
        b = min(len(words), a + rng.randint(1, 3))
        spans.append((a, b, " ".join(rng.choice("abcdef") for _ in range(rng.randint(1, 3)))))
    return with_alternatives(words, *spans), [rng.choice("abcdefg") for _ in range(rng.randint(0, 9))]


def test_equal_to_listing_every_path():
    rng = random.Random(5)
    cases = [random_case(rng) for _ in range(400)]
    data = EvalSet([Item(str(i), (r,), {"A": " ".join(o)}) for i, (r, o) in enumerate(cases)])
    batch = Batch(data)
    for unit in UNITS:
        counts = batch.counts(WordUnit(unit, assay.text.TextReading("space")))
        got = np.stack([counts.match, counts.reference, counts.nearest], axis=1)
        want = np.array([listed(o, r, unit) for r, o in cases])
        np.testing.assert_array_equal(got, want, err_msg=str(unit))


def test_bleu_is_that_against_every_path():
    rng = random.Random(6)
    cases = [random_case(rng) for _ in range(200)]
    lattice = EvalSet([Item(str(i), (r,), {"A": " ".join(o)}) for i, (r, o) in enumerate(cases)])
    every = EvalSet.from_texts(
        {"A": [" ".join(o) for _, o in cases]}, [[" ".join(p) for p in paths(r)] for r, _ in cases]
    )
    for name in ("bleu", "bleu2(smooth=add-k)", "BLEU-2+PrecBrev+MULT-ALL", "LR-2+Precision+MULT-ALL"):
        ours, theirs = assay.score(lattice, name), assay.score(every, name)
        np.testing.assert_allclose(ours.values, theirs.values, err_msg=name)
        np.testing.assert_allclose(ours.means(), theirs.means(), err_msg=name)


def test_no_path_scores_higher():
    rng = random.Random(7)
    cases = [random_case(rng) for _ in range(200)]
    outputs = {"A": [" ".join(o) for _, o in cases]}
    lattice = EvalSet([Item(str(i), (r,), {"A": " ".join(o)}) for i, (r, o) in enumerate(cases)])
    one = [[r.text, *(r.text[: a.start] + a.text + r.text[a.end :] for a in r.alternatives)] for r, _ in cases]
    for unit in ("LR-1", "LR-2", "SKIP-2"):
        for measure in ("Precision", "Recall", "F-1"):
            name = f"{unit}+{measure}+MULT-MAX"
            every = EvalSet.from_texts(outputs, [[" ".join(p) for p in paths(r)] for r, _ in cases])
            plain = EvalSet.from_texts(outputs, [r.text for r, _ in cases])
            scores = [assay.score(d, name).values for d in (lattice, every, EvalSet.from_texts(outputs, one), plain)]
            for higher, lower in pairwise(scores):
                assert (higher >= lower - 1e-12).all()
            assert (scores[0] > scores[3]).any()


def test_an_output_that_is_a_path_scores_one():
    reference = with_alternatives(["the", "official", "reply", "came"], (1, 3, "answer"), (3, 4, "was given"))
    data = EvalSet([Item("1", (reference,), {"A": "the answer was given"})])
    for name in ("rouge1", "rouge2", "rougeL", "rougeS4", "LR-3+F-1+MULT-ALL", "SKIP-2+Recall+MULT-PROB"):
        assert assay.score(data, name).values.item() == 1.0
    assert assay.score(data, "bleu").values.item() == pytest.approx(100)


def test_several_references():
    a = with_alternatives(["a", "b"], (1, 2, "c"))
    data = EvalSet([Item("1", (a, Reference("c c d")), {"A": "a c c"})])
    batch = Batch(data)
    counts = batch.counts(WordUnit(Ngram(1), assay.text.TextReading("space")))
    assert counts.match.tolist() == [2, 2]
    assert counts.union_match.tolist() == [3]
    assert counts.union_total.tolist() == [5]  # a, b, c twice, d
    assert assay.score(data, "LR-1+Precision+MULT-ALL").values.item() == 1.0


def test_readings_stems_stop_words_and_neighbours():
    text = "The answers were of use."
    reference = Reference(text, None, (TextAlternative(4, 11, "replies"), TextAlternative(17, 19, "gladly in")))
    data = EvalSet([Item("1", (reference,), {"A": "replied gladly"})])
    assert assay.score(data, "rouge1(measure=precision, stem=true)").values.item() == 1.0
    assert assay.score(data, "rouge1(measure=precision, stop=true)").values.item() == 0.5  # gladly, for a stop word
    tight = Reference("a-b c", None, (TextAlternative(0, 1, "x"),))
    data = EvalSet([Item("1", (tight,), {"A": "x-b c"})])
    assert assay.score(data, "bleu(tokenizer=space)").values.item() == pytest.approx(100)


def test_no_growth_with_the_number_of_paths():
    words = [f"w{i}" for i in range(60)]
    spans = [(i, i + 1, f"{w}x{k}") for i, w in enumerate(words) for k in range(5)]  # 6^60 paths
    output = " ".join(f"w{i}x{i % 5}" for i in range(60))
    data = EvalSet([Item("1", (with_alternatives(words, *spans),), {"A": output})])
    scores = assay.score(data, ["bleu", "rouge2", "rougeL", "SKIP-2+F-1+MULT-MAX"])
    assert [s.values.item() for s in scores.values()] == [pytest.approx(100), 1.0, 1.0, 1.0]


def test_metrics_that_read_whole_texts_refuse():
    data = EvalSet([Item("1", (with_alternatives(["a"], (0, 1, "b")),), {"A": "b"})])
    for name in ("ter", "chrf", "nist", "meteor", "gtm", "rougeLsum", "rougeS20", "wer"):
        with pytest.raises(InputError, match="cannot read references with alternatives"):
            assay.score(data, name)
    assert assay.score(data, "rouge1").signature.endswith(" + alternatives")
    bad = EvalSet([Item("1", (Reference("ab", None, (TextAlternative(1, 3, "x"),)),), {"A": "b"})])
    with pytest.raises(InputError, match="characters 1 to 3 of a reference that has 2"):
        assay.score(bad, "rouge1")


def test_files(tmp_path):
    from assay.formats import read, write

    data = EvalSet([Item("1", (with_alternatives(["a", "c"], (0, 1, "b")), Reference("d", "x")), {"A": "b"})])
    write(data, tmp_path / "set.jsonl")
    again = read(tmp_path / "set.jsonl")
    assert again == data
    assert again["1"].references[0].alternatives == (TextAlternative(0, 1, "b"),)
    for name in ("set.csv", "tables.parquet", "lines"):
        with pytest.raises((FormatError, InputError)):
            write(data, tmp_path / name)
