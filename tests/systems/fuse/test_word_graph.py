"""The word graph: merging, weights, paths, keyphrases."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError
from assay.systems.fuse import fuse
from assay.systems.fuse._graph import END, START, GraphWord, WordGraph
from assay.systems.fuse._keyphrases import keyphrases, word_scores
from assay.systems.fuse._paths import Path, lightest_paths
from assay.systems.fuse.word_graph import WordGraphFuser, _write_keys, stop_list

STOP = {"the", "a", "of", "to"}


def words(text: str) -> list[GraphWord]:
    return [GraphWord(w, w not in STOP and w != ",", w == ",") for w in text.split()]


def graph(*sentences: str) -> WordGraph:
    return WordGraph([words(s) for s in sentences])


def nodes(g: WordGraph, key: str) -> list[int]:
    return [i for i, w in enumerate(g.words) if i > END and w.key == key]


def test_content_words_merge_and_two_of_one_sentence_never_do():
    g = graph("cats chase mice", "cats eat mice and cats")
    assert len(nodes(g, "mice")) == 1
    assert len(nodes(g, "cats")) == 2
    assert g.where[nodes(g, "cats")[0]] == {0: 0, 1: 0}


def test_stop_words_merge_only_beside_a_content_word_in_common():
    assert len(nodes(graph("the dog barks", "the dog sleeps"), "the")) == 1
    assert len(nodes(graph("the dog barks", "the cat sleeps"), "the")) == 2


def test_punctuation_merges_only_between_the_same_neighbours():
    assert len(nodes(graph("cats , dogs", "cats , dogs"), ",")) == 1
    assert len(nodes(graph("cats , dogs", "cats , mice"), ",")) == 2


def test_an_ambiguous_word_goes_where_its_neighbours_are():
    g = graph("bank robbers rob bank clerks", "young clerks like bank clerks")
    first, second = nodes(g, "bank")
    assert g.where[first] == {0: 0}
    assert g.where[second] == {0: 3, 1: 3}  # "clerks" follows both


def test_weight_by_hand():
    # f = 2 and 2; distance 1 in the first sentence, 2 in the second: (2 + 2) / (1 + 1/2) / 4
    g = graph("cats chase mice", "cats often chase mice")
    a, b = nodes(g, "cats")[0], nodes(g, "chase")[0]
    assert g.edges[a][b] == pytest.approx(4 / 1.5 / 4)


def every_path(g: WordGraph, node: int = START, so_far: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """All simple paths, plainly."""
    found = []
    for following in g.edges[node]:
        if following == END:
            found.append(so_far)
        elif following not in so_far:
            found += every_path(g, following, (*so_far, following))
    return found


SENTENCE = st.lists(st.sampled_from(["cats", "dogs", "the", "chase", "mice", ",", "of", "old"]), min_size=1, max_size=6)


@settings(deadline=None, max_examples=60)
@given(st.lists(SENTENCE, min_size=1, max_size=4), st.integers(1, 4), st.integers(1, 6))
def test_the_lightest_paths_are_those_of_exhaustive_search(sentences, least, limit):
    g = WordGraph([words(" ".join(s)) for s in sentences])
    sizes = [0, 0, *(int(not w.punctuation) for w in g.words[2:])]

    def weight(path: tuple[int, ...]) -> float:
        return sum(g.edges[a][b] for a, b in pairwise((START, *path, END)))

    able = [p for p in every_path(g) if least <= sum(sizes[n] for n in p) <= limit]
    found = list(lightest_paths(g, most=5000, least_words=least, sizes=sizes, limit=limit))
    assert sorted(p.nodes for p in found) == sorted(able)
    assert [p.weight for p in found] == pytest.approx(sorted(weight(p) for p in able))


def test_textrank_is_the_fixed_point():
    sentences = [words("cats chase mice"), words("cats eat mice"), words("dogs eat")]
    scores = word_scores(sentences)
    # cats is linked to chase (1), eat (1), mice (2): 0.15 + 0.85 x sum of score x weight / links of the neighbour
    out = {"chase": 2, "eat": 3, "mice": 4}
    weights = {"chase": 1, "eat": 1, "mice": 2}
    expected = 0.15 + 0.85 * sum(scores[w] * weights[w] / out[w] for w in out)
    assert scores["cats"] == pytest.approx(expected, abs=1e-4)


def test_a_keyphrase_is_no_part_of_another():
    found = keyphrases([words("the european space agency of"), words("the space agency of")])
    assert list(found) in ([("european", "space", "agency")], [("space", "agency")])


def test_an_example():
    [made] = fuse(
        [
            [
                "The city council voted on Tuesday to close the old bridge to cars.",
                "The old harbour bridge will be closed to cars next spring, the council said on Tuesday.",
                "Council votes to close bridge to cars.",
            ]
        ],
        "wordgraph",
    )
    assert made.words >= 8
    assert "bridge to cars" in made.text


def test_other_languages_and_what_they_need():
    assert "der" in stop_list("de")
    assert "nicht" in stop_list("de")
    assert "mais" in stop_list("fr")
    with pytest.raises(InputError, match="no list of stop words for language 'tlh'"):
        fuse([["a", "b"]], "wordgraph(language=tlh)")


def test_french_clusters_beat_the_baselines(shared_file):
    with gzip.open(shared_file("fusion-french-clusters.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    names = ("longer", "shorter", "random-sentence", "wordgraph(language=fr)")
    outputs = {name: [f.text for f in fuse([r["sources"] for r in rows], name)] for name in names}
    references = [[r["text"] if isinstance(r, dict) else r for r in row["references"]] for row in rows]
    data = assay.EvalSet.from_texts(outputs, references)
    for metric in ("rouge1(tokenizer=unicode)", "rouge2(tokenizer=unicode)", "rougeL(tokenizer=unicode)"):
        means = dict(zip(data.systems, assay.score(data, metric).means().tolist(), strict=True))
        assert means.pop("wordgraph(language=fr)") > max(means.values()) + 0.05


def test_a_path_that_is_no_clause_is_rejected():
    from assay.systems.fuse.word_graph import _is_one_clause
    from assay.text.parse.flat import parse_texts

    texts = [
        "The old bridge was closed on Monday.",
        "The old bridge of the city.",
        "Closed on Monday.",
        "Cats sleep. Dogs bark.",
    ]
    assert [_is_one_clause(a) for a in parse_texts(texts)] == [True, False, False, False]
    fuser = WordGraphFuser()
    assert fuser._first_clause([texts[1], texts[2], texts[0]]) == 2
    assert fuser._first_clause(texts[1:3]) is None
    assert WordGraphFuser(parser="none")._first_clause(texts[1:]) == 0


@pytest.mark.parametrize(
    ("rank", "phrases", "expected"),
    [
        ("weight", {}, 6 / 3),  # Filippova 2010: per word, punctuation not counted
        ("keyphrases", {}, 6 / 3),
        ("keyphrases", {"cats": 0.5, "mice": 1.5, "dogs": 9.0}, 6 / (3 * (1 + 0.5 + 1.5))),  # Boudin and Morin 2013
    ],
)
def test_cost_of_a_path_by_hand(rank, phrases, expected):
    g = graph("cats , chase mice")
    path = Path(6.0, tuple(nodes(g, key)[0] for key in ("cats", ",", "chase", "mice")))
    written = {_write_keys([key]): score for key, score in phrases.items()}
    assert WordGraphFuser(rank=rank)._cost(path, g, written) == pytest.approx(expected)
