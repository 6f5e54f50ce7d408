"""Word alignment: EM equals its plain twin, a known dictionary comes back, and bad input is named."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from assay.errors import AlignmentError, InputError, UnknownName
from assay.text import Lexicon, TextReading, Texts
from assay.text.align.bitext import SYMMETRIZATIONS, align

NULL, SMOOTH, LEAST = 0.2, 0.2, 1e-12

TINY = [("a b c", "x y z"), ("b c", "y z"), ("a", "x"), ("c a a", "z x"), ("d b", "w y w")]


def model1_twin(pairs, iterations):
    """p(t|s) after n iterations of EM, with the likelihood before each; None is the null word."""
    flat = 1 / len({t for _, target in pairs for t in target})
    p = defaultdict(lambda: flat)
    likelihoods = []
    for _ in range(iterations):
        count, likelihood = defaultdict(float), 0.0
        for source, target in pairs:
            for t in target:
                every = sum(p[s, t] for s in (*source, None))
                likelihood += math.log(every / (len(source) + 1))
                for s in (*source, None):
                    count[s, t] += p[s, t] / every
        likelihoods.append(likelihood)
        p = shares(count)
    return p, likelihoods


def shares(count):
    total = defaultdict(float)
    for (s, _), n in count.items():
        total[s] += n
    return {key: max(n / total[key[0]], LEAST) for key, n in count.items()}


def hmm_twin(pairs, p, iterations):
    """The same for the HMM, by summing over every path: only for tiny pairs."""
    jump, likelihoods = defaultdict(lambda: 1.0), []
    for _ in range(iterations):
        count, jumps, likelihood = defaultdict(float), defaultdict(float), 0.0
        for source, target in pairs:
            paths = list(every_path(source, target, p, jump))
            whole = sum(weight for weight, _, _ in paths)
            likelihood += math.log(whole)
            for weight, used, moved in paths:
                for key in used:
                    count[key] += weight / whole
                for step in moved:
                    jumps[step] += weight / whole
        likelihoods.append(likelihood)
        p, jump = shares(count), jumps
    return p, likelihoods


def every_path(source, target, p, jump):
    n = len(source)

    def move(before, to):
        every = sum(jump[i - before] for i in range(n))
        return (1 - NULL) * ((1 - SMOOTH) * jump[to - before] / every + SMOOTH / n)

    def walk(at, place, weight, used, moved):
        if at == len(target):
            yield weight, used, moved
            return
        t = target[at]
        for i in range(n):
            step = weight * move(-1 if place is None else place, i) * p[source[i], t]
            yield from walk(at + 1, i, step, [*used, (source[i], t)], [*moved, i - (-1 if place is None else place)])
        for i in range(n) if place is None else [place]:  # a null at the start may remember any place
            step = weight * NULL * p[None, t] * (1 / n if place is None else 1)
            yield from walk(at + 1, i, step, [*used, (None, t)], moved)

    yield from walk(0, None, 1.0, [], [])


def cells(found):
    """(source word, target word): p(t|s)."""
    mine, theirs = found.sources.lexicon.vocab.words(), found.targets.lexicon.vocab.words()
    a = found.aligned
    return {
        (mine[s], theirs[t]): p for s, t, p in zip(a.table_source, a.table_target, a.target_given_source, strict=True)
    }


@pytest.mark.parametrize("method", ["model1", "hmm"])
def test_em_equals_its_twin(method):
    sources, targets = zip(*TINY, strict=True)
    found = align(sources, targets, f"{method}(iterations=3)", tokenizer="space")
    pairs = [(s.split(), t.split()) for s, t in TINY]
    p, likelihoods = model1_twin(pairs, 3)
    if method == "hmm":
        p, more = hmm_twin(pairs, p, 3)
        likelihoods += more
    assert found.aligned.forward_likelihood.tolist() == pytest.approx(likelihoods, rel=1e-9)
    for key, value in cells(found).items():
        assert value == pytest.approx(p[key], abs=1e-9)


def test_directions_are_each_others_mirror():
    sources, targets = zip(*TINY, strict=True)
    one, other = align(sources, targets, tokenizer="space"), align(targets, sources, tokenizer="space")
    assert one.aligned.forward_likelihood.tolist() == pytest.approx(other.aligned.backward_likelihood.tolist())
    assert {(s, t) for s, t in zip(one.aligned.forward.source, one.aligned.forward.target, strict=True)} == {
        (s, t) for s, t in zip(other.aligned.backward.target, other.aligned.backward.source, strict=True)
    }


def bitext(n, words=60, seed=0, swap=0.2, drop=0.1):
    """Lines over a dictionary s0-t0, s1-t1, ...; neighbours swapped, words dropped. Also the true links."""
    rng = random.Random(seed)
    sources, targets, truth = [], [], []
    for _ in range(n):
        line = [rng.randrange(words) for _ in range(rng.randint(3, 12))]
        order = [i for i in range(len(line)) if rng.random() > drop] or [0]
        for k in range(len(order) - 1):
            if rng.random() < swap:
                order[k], order[k + 1] = order[k + 1], order[k]
        sources.append(" ".join(f"s{w}" for w in line))
        targets.append(" ".join(f"t{line[i]}" for i in order))
        truth.append({(i, k) for k, i in enumerate(order)})
    return sources, targets, truth


@pytest.mark.parametrize(("method", "error"), [("model1", 0.1), ("hmm", 0.05)])
def test_a_known_dictionary_is_recovered(method, error):
    sources, targets, truth = bitext(600)
    found = align(sources, targets, method)
    for w in range(60):
        assert next(iter(found.translations(f"s{w}"))) == f"t{w}"
        assert next(iter(found.sources_of(f"t{w}"))) == f"s{w}"
    hit = sum(len(set(pairs) & true) for pairs, true in zip(found.pairs, truth, strict=True))
    size = sum(len(pairs) + len(true) for pairs, true in zip(found.pairs, truth, strict=True))
    assert 1 - 2 * hit / size < error  # alignment error rate; all true links are sure


def test_likelihood_never_falls_and_the_outcome_is_the_same_again():
    sources, targets, _ = bitext(100)
    found, again = align(sources, targets, "hmm(iterations=8)"), align(sources, targets, "hmm(iterations=8)")
    assert found.pairs == again.pairs
    for part in (found.aligned.forward_likelihood[:8], found.aligned.forward_likelihood[8:]):
        assert (np.diff(part) > -1e-6 * abs(part[0])).all()


def test_symmetrizations():
    sources, targets, _ = bitext(200, swap=0.6, drop=0.3)
    grown, both, either = (
        [set(pairs) for pairs in align(sources, targets, symmetrize=how).pairs] for how in SYMMETRIZATIONS
    )
    for g, b, e in zip(grown, both, either, strict=True):
        assert b <= g <= e
    assert any(b < g for b, g in zip(both, grown, strict=True))


def test_a_prior_keeps_a_rare_word_from_taking_in_everything():
    sources, targets, truth = bitext(300)
    sources.append("rare " + sources[0])
    targets.append("seldom " + targets[0])
    plain, prior = align(sources, targets), align(sources, targets, "hmm(prior=0.05)")
    assert len(prior.translations("rare")) <= len(plain.translations("rare"))
    assert len(truth) == len(prior.pairs) - 1


lines = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(lines, lines), min_size=1, max_size=5), st.integers(1, 4), st.booleans())
def test_phrase_pairs_equal_their_twin(pairs, longest, extend):
    sources, targets = zip(*pairs, strict=True)
    found = align(sources, targets, "hmm(iterations=2)", tokenizer="space")
    read = found.reading
    columns = _core.phrase_pairs(
        found.sources.tokens(read), found.targets.tokens(read), found.aligned.links, longest, extend
    )
    got = sorted(zip(*(c.tolist() for c in columns), strict=True))
    want = []
    for k, (s, t) in enumerate(pairs):
        want += [(k, *spans) for spans in phrases_twin(found.pairs[k], len(s.split()), len(t.split()), longest, extend)]
    assert got == sorted(want)


def phrases_twin(links, n, m, longest, extend):
    """Every two spans no link of which leaves them; Koehn et al. (2003)."""
    for s0 in range(n):
        for s1 in range(s0 + 1, min(n, s0 + longest) + 1):
            for t0 in range(m):
                for t1 in range(t0 + 1, min(m, t0 + longest) + 1):
                    inside = [(s, t) for s, t in links if s0 <= s < s1 and t0 <= t < t1]
                    leaving = [(s, t) for s, t in links if (s0 <= s < s1) != (t0 <= t < t1)]
                    mine, theirs = {s for s, _ in inside}, {t for _, t in inside}
                    tight = {t0, t1 - 1} <= theirs
                    if inside and not leaving and {s0, s1 - 1} <= mine and (tight or extend):
                        yield s0, s1, t0, t1


def test_bad_input_is_named():
    with pytest.raises(AlignmentError, match="2 sources but 1 targets"):
        align(["a", "b"], ["x"])
    with pytest.raises(InputError, match="no lines to align"):
        align([], [])
    with pytest.raises(UnknownName, match="unknown aligner 'hm'; did you mean 'hmm'"):
        align(["a"], ["x"], "hm")
    with pytest.raises(UnknownName, match="unknown symmetrization"):
        align(["a"], ["x"], symmetrize="grow")
    with pytest.raises(InputError, match="iterations must be 1 or more; got 0"):
        align(["a"], ["x"], "hmm(iterations=0)")
    with pytest.raises(InputError, match="prior must be 0"):
        align(["a"], ["x"], "hmm(prior=-1)")
    with pytest.raises(InputError, match="between 1 and 1000 words; got 5000"):
        align(["a"], ["x"], longest=5000)


def test_empty_and_endless_lines_are_left_unaligned():
    endless = " ".join(f"w{i}" for i in range(10_000))
    found = align(["a b", "", endless, "a"], ["x y", "x", endless, "x"])
    assert found.skipped == (1, 2)
    assert found.pairs[1:3] == [[], []]
    assert (0, 0) in found.pairs[0]
    assert align([""], [""]).pairs == [[]]


def test_the_core_refuses_what_does_not_fit():
    def tokens(*strings):
        return Texts(list(strings), Lexicon()).tokens(TextReading("space"))

    with pytest.raises(ValueError, match="differ in number"):
        _core.align(tokens("a"), tokens("x", "y"), 1, 1, 0.2, 0.2, 0.0, 100, 0)
    with pytest.raises(ValueError, match="out of range"):
        _core.align(tokens("a"), tokens("x"), 1, 1, 1.0, 0.2, 0.0, 100, 0)
    links = align(["a b"], ["x y"]).aligned.links
    with pytest.raises(ValueError, match="do not fit"):
        _core.phrase_pairs(tokens("a"), tokens("x"), links, 3, False)


@pytest.mark.slow
def test_time_grows_with_the_number_of_lines():
    def seconds(n):
        sources, targets, _ = bitext(n, words=2000)
        runs = []
        for _ in range(2):  # the better of two: the machine may be shared
            started = time.process_time()
            align(sources, targets)
            runs.append(time.process_time() - started)
        return min(runs)

    # The work is linear; a line costs about a third more (36 and 50 us) as the tables outgrow the cache, and other
    # processes take their share of it. Quadratic growth would be 16.
    assert seconds(80_000) / seconds(20_000) < 8


def test_links_of_another_aligner_are_united_as_ours_are():
    sources, targets, _ = bitext(50, swap=0.6, drop=0.3)
    for how, name in enumerate(SYMMETRIZATIONS):
        found = align(sources, targets, symmetrize=name)
        a = found.aligned
        tokens = found.sources.tokens(found.reading), found.targets.tokens(found.reading)
        again = _core.united(
            *tokens, one_of(a.forward, tokens[1], True), one_of(a.backward, tokens[0], False), 200, how
        )
        assert again.links.source.tolist() == a.links.source.tolist()
        assert again.links.target.tolist() == a.links.target.tolist()
        np.testing.assert_allclose(np.bincount(again.table_source, again.target_given_source).max(), 1)
    with pytest.raises(ValueError, match="a link to no word"):
        _core.united(
            *tokens, np.full(int(tokens[1].lengths().sum()), 99), np.full(int(tokens[0].lengths().sum()), -1), 200, 0
        )


def one_of(links, tokens, forward):
    """For each word the place it is linked to, or -1."""
    starts = np.concatenate([[0], np.cumsum(tokens.lengths())]).astype(int)
    of = np.full(starts[-1], -1)
    line = np.repeat(np.arange(len(starts) - 1), np.diff(links.ends))
    mine, theirs = (links.target, links.source) if forward else (links.source, links.target)
    of[starts[line] + mine] = theirs
    return of
