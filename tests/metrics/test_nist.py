"""NIST: nltk for one reference, the paper's formula in plain Python for several."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist

import assay
from assay.cli.main import main
from assay.errors import InputError
from assay.matching.batch import Batch

words = st.lists(st.sampled_from("abcde"), min_size=6, max_size=15)
short = st.lists(st.sampled_from("abcde"), max_size=8)


def ngrams(text: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


def plain(corpus: list[tuple[list[str], list[list[str]]]], order: int = 5) -> float:
    """Doddington 2002, Eq. 2 and 3; matches clipped by the largest count over references, as in mteval-v13a."""
    counts = sum((ngrams(r, n) for _, refs in corpus for r in refs for n in range(1, order + 1)), Counter())
    total = sum(len(r) for _, refs in corpus for r in refs)
    score = 0.0
    for n in range(1, order + 1):
        found = all_of = 0.0
        for output, refs in corpus:
            most: Counter[tuple[str, ...]] = Counter()
            for r in refs:
                most |= ngrams(r, n)
            for gram, times in (ngrams(output, n) & most).items():
                found += times * math.log2((counts[gram[:-1]] if n > 1 else total) / counts[gram])
            all_of += max(len(output) - n + 1, 0)
        score += found / all_of if all_of else 0.0
    mine = sum(len(output) for output, _ in corpus)
    theirs = sum(sum(map(len, refs)) / len(refs) for _, refs in corpus)
    ratio = min(mine / theirs, 1) if theirs else 1
    return score * math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2) if ratio else 0.0


def ours(corpus, name="nist(tokenizer=space)") -> assay.Scores:
    texts = [" ".join(o) for o, _ in corpus]
    return assay.score(assay.EvalSet.from_texts(texts, [[" ".join(r) for r in refs] for _, refs in corpus]), name)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=4))
def test_nltk_with_one_reference(pairs):
    want = corpus_nist([[r] for _, r in pairs], [o for o, _ in pairs])
    assert ours([(o, [r]) for o, r in pairs]).means().item() == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(short, st.lists(short, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_plain(corpus):
    assert ours(corpus).means().item() == pytest.approx(plain(corpus), abs=1e-9)
    if len(corpus) == 1:
        assert ours(corpus).values.item() == pytest.approx(plain(corpus), abs=1e-9)


def test_wmt17(shared):
    """nltk on a system of WMT17 de-en."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[0]
    want = corpus_nist([[i.references[0].text.split()] for i in data], [i.outputs[system].split() for i in data])
    got = assay.score(data, "nist(tokenizer=space)").select([system]).means().item()
    assert got == pytest.approx(want, abs=1e-9)


def test_must_be_prepared():
    batch = Batch(assay.EvalSet.from_texts(["a"], ["a"]))
    with pytest.raises(InputError, match="by all references of the set"):
        assay.metric("nist").values(batch)


def test_command_line_reads_twice(tmp_path, capsys, monkeypatch):
    (tmp_path / "set.jsonl").write_text('{"id": "1", "references": ["a b c"], "outputs": {"A": "a b d"}}\n')
    assert main(["score", str(tmp_path / "set.jsonl"), "-m", "nist", "--json"]) == 0
    want = plain([(["a", "b", "d"], [["a", "b", "c"]])])
    assert f'"score": {want:.6f}'[:14] in capsys.readouterr().out
    with open(tmp_path / "set.jsonl", encoding="utf-8") as piped:
        monkeypatch.setattr("sys.stdin", piped)
        assert main(["score", "-", "--input-format", "jsonl", "-m", "nist", "--json"]) == 0
    assert f'"score": {want:.6f}'[:14] in capsys.readouterr().out
