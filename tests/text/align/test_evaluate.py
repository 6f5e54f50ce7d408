"""Links against those made by hand."""

from __future__ import annotations

import csv
import gzip
from itertools import islice
from pathlib import Path

import pytest

from assay.text.align.evaluate import exact_links, links_between_words, score_links
from assay.text.align.monolingual import align, analyse
from assay.text.tokens.offsets import split_lexical_tokens

PAIRS = Path(__file__).parents[1] / "data" / "aligned.tsv"


def hand_aligned():
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(r["a"], r["b"], {tuple(map(int, k.split("-"))) for k in r["links"].split()}) for r in rows]


def pairs_of(found):
    return {(k.a, k.b) for k in found.links}


def test_links_made_by_hand_are_found():
    """The weights were tuned on the odd pairs; the even ones are the test."""
    pairs = hand_aligned()
    assert len(pairs) == 100
    for a, b, gold in pairs:
        assert [t.text for t in split_lexical_tokens(a)] == a.split()
        assert all(i < len(a.split()) and j < len(b.split()) for i, j in gold)
    even = pairs[1::2]
    ours = score_links((pairs_of(align(a, b)), gold) for a, b, gold in even)
    plain = score_links((exact_links(analyse(a), analyse(b)), gold) for a, b, gold in even)
    assert ours.f1 == pytest.approx(0.899, abs=0.002)
    assert plain.f1 == pytest.approx(0.766, abs=0.002)


def test_words_between_spaces_that_the_aligner_splits():
    """Links made by hand count words between spaces; tokens of the aligner after a hyphen are not the next word."""
    alignment = align("the 2-week-old fire burned on", "the old fire burned on")
    assert len(alignment.a.tokens) > 5
    links = links_between_words(alignment, pairs_of(alignment))
    assert {(0, 0), (2, 2), (3, 3), (4, 4)} <= links
    assert score_links([(links, {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)})]).f1 > 0.85


def test_deletions_that_the_author_of_the_aligner_did_not_write(shared_file):
    """Google's compressions mark which words stay, also which of two equal ones: the links of copied words."""
    scores = []
    with gzip.open(shared_file("google-compression-200k/val.tsv.gz"), "rt", encoding="utf-8") as file:
        for line in islice(file, 500):
            words, _, _, bits = (column.split() for column in line.rstrip("\n").split("\t"))
            places = [k for k, bit in enumerate(bits) if bit == "1"]
            alignment = align(" ".join(words), " ".join(words[k] for k in places))
            links = links_between_words(alignment, pairs_of(alignment))
            scores.append((links, {(k, j) for j, k in enumerate(places)}))
    total = score_links(scores)
    assert (round(total.precision, 3), round(total.recall, 3)) == (0.994, 0.998)
