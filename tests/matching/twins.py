"""Plain twins of the compiled kernels: short, slow and obvious."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Bag = Counter


def ngrams(words: Sequence[str], n: int) -> Bag:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def skip_bigrams(words: Sequence[str], gap: int, unigrams: bool) -> Bag:
    bag: Bag = Counter()
    for i, word in enumerate(words[:-1]):  # as ROUGE-1.5.5: the last word is not counted alone
        if unigrams:
            bag[(word,)] += 1
        last = len(words) if gap < 0 else min(len(words), i + gap + 2)
        for j in range(i + 1, last):
            bag[word, words[j]] += 1
    return bag


def overlap(output: Bag, reference: Bag) -> int:
    return (output & reference).total()


def union(references: Sequence[Bag]) -> Bag:
    bag: Bag = Counter()
    for reference in references:
        bag |= reference
    return bag


def table(a: Sequence[str], b: Sequence[str]) -> list[list[int]]:
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            t[i][j] = t[i - 1][j - 1] + 1 if x == y else max(t[i - 1][j], t[i][j - 1])
    return t


def lcs(a: Sequence[str], b: Sequence[str]) -> int:
    return table(a, b)[-1][-1]


def lcs_places(reference: Sequence[str], output: Sequence[str]) -> set[int]:
    """The places in the reference that one longest common subsequence takes: rouge-score's backtracking."""
    t, i, j, places = table(reference, output), len(reference), len(output), set()
    while i and j:
        if reference[i - 1] == output[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif t[i][j - 1] > t[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


def wlcs_places(reference: Sequence[str], output: Sequence[str], weight: float) -> set[int]:
    m, n = len(reference), len(output)
    c = [[0.0] * (n + 1) for _ in range(m + 1)]
    run = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == output[j - 1]:
                k = run[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    i, j, places = m, n, set()
    while i and j:
        if reference[i - 1] == output[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return places


def union_lcs(reference: Sequence[Sequence[str]], output: Sequence[Sequence[str]], weight: float) -> float:
    """Matches of ROUGE-Lsum (weight 1) and ROUGE-W, with the clipping of ROUGE-1.5.5."""
    left_r, left_o = Counter(w for s in reference for w in s), Counter(w for s in output for w in s)
    total = 0.0
    for sentence in reference:
        hit: set[int] = set()
        for other in output:
            hit |= lcs_places(sentence, other) if weight == 1 else wlcs_places(sentence, other, weight)
        run = 0
        for i, word in enumerate(sentence):
            if i not in hit or not left_r[word] or not left_o[word]:
                continue
            left_r[word] -= 1
            left_o[word] -= 1
            run += 1
            if weight == 1:
                total += 1
            elif i + 1 == len(sentence) or i + 1 not in hit:
                total += run**weight
                run = 0
    return total


def measure(match: float, reference: float, output: float, name: str, beta: float = 1.0) -> float:
    p = match / output if output else 0.0
    r = match / reference if reference else 0.0
    if name == "precision":
        return p
    if name == "recall":
        return r
    if name == "f":
        return (1 + beta**2) * p * r / (beta**2 * p + r) if beta**2 * p + r else 0.0
    brevity = 1.0 if output >= reference else math.exp(1 - reference / output) if output else 0.0
    return p * brevity


def pooled(output: Bag, references: Sequence[Bag], name: str, pooling: str, beta: float = 1.0) -> float:
    """One output's score from its bags, for every pooling that is defined on bags."""
    size = output.total()

    def one(reference: Bag, what: str = name, b: float = beta) -> float:
        return measure(overlap(output, reference), reference.total(), size, what, b)

    if not references:
        return math.nan
    if pooling == "single":
        return one(references[0])
    if pooling == "max":
        return max(map(one, references))
    if pooling == "mean":
        return sum(map(one, references)) / len(references)
    if pooling == "best":
        return one(max(references, key=lambda r: one(r, "f", 1.0)))
    if pooling == "best-recall":
        return one(max(references, key=lambda r: one(r, "recall")))
    if pooling.startswith("jackknife"):
        each = "max" if pooling == "jackknife-max" else "sum"
        sets = [[r for k, r in enumerate(references) if k != out] for out in range(len(references))]
        sets = sets if len(references) > 1 else [list(references)]
        return sum(pooled(output, s, name, each, beta) for s in sets) / len(sets)
    if pooling == "sum":
        match = sum(overlap(output, r) for r in references)
        return measure(match, sum(r.total() for r in references), size * len(references), name, beta)
    if pooling == "prob":
        return _prob(output, references, name, beta)
    everything = union(references)
    length = everything.total()
    if name == "precision-brevity":
        length = min((r.total() for r in references), key=lambda n: (abs(n - size), n))
    return measure(overlap(output, everything), length, size, name, beta)


def _prob(output: Bag, references: Sequence[Bag], name: str, beta: float) -> float:
    """Toutanova et al. (2016), 4.1: the i-th occurrence of a unit weighs as many references as hold i of it."""
    k = len(references)
    weight = {(u, i): sum(r[u] >= i for r in references) / k for r in references for u in r for i in range(1, r[u] + 1)}
    match = sum(weight.get((u, i), 0.0) for u, n in output.items() for i in range(1, n + 1))
    return measure(match, sum(weight.values()), output.total(), name, beta)
