"""Splitting: the automaton against exhaustive search, the paper's examples, refusals, and what is no word."""

from __future__ import annotations

import itertools
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from assay.errors import InputError
from assay.text.compounds.splitter import load_splitter

LETTERS = "abß"
WEIGHTS = np.zeros(_core.split_weights(), np.float32)


def make(words, *, links=("",), endings=(), parts=8, weights=WEIGHTS, guess=False, by_length=False, candidates=1):
    words = sorted(set(words), key=str.encode)
    file = np.frombuffer(_core.build_lexicon(words, np.full(len(words), 0x2080, np.uint32), ["0|"]), np.uint8)
    lexicon = _core.Lexicon(file)
    limits = np.array([parts, 2, 1, 1, 1, 0.0])
    pairs = np.ones(64, np.uint8)
    return _core.Splitter(
        lexicon, list(links), list(endings), pairs, limits, limits, weights, guess, False, by_length, False, candidates
    )


def covers(word, lexicon, links, endings, parts):
    """Every way to write a word as parts, linking elements between them, perhaps an ending: by trying all places."""
    ways = set()
    for count in range(1, parts):
        for places in itertools.combinations(range(1, len(word)), count):
            pieces = [word[a:b] for a, b in itertools.pairwise((0, *places, len(word)))]
            inner = all(any(p.endswith(k) and p[: len(p) - len(k)] in lexicon for k in links) for p in pieces[:-1])
            last = any(
                pieces[-1].endswith(e) and pieces[-1][: len(pieces[-1]) - len(e)] in lexicon for e in ("", *endings)
            )
            if inner and last:
                ways.add(places)
    return ways


WORDS = st.text(LETTERS, min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    st.sets(WORDS, min_size=1, max_size=12),
    st.lists(st.text(LETTERS, min_size=1, max_size=2), max_size=2, unique=True),
    st.lists(st.text(LETTERS, min_size=1, max_size=2), max_size=2, unique=True),
    st.text(LETTERS, min_size=2, max_size=9),
    st.integers(2, 5),
)
def test_the_automaton_finds_what_exhaustive_search_finds(lexicon, links, endings, word, parts):
    splitter = make(lexicon, links=("", *links), endings=endings, parts=parts)
    ways = covers(word, lexicon, ("", *links), endings, parts)
    assert {tuple(way) for way in splitter.covers(word, 100_000)} == ways


@settings(max_examples=40, deadline=None)
@given(
    st.sets(WORDS, min_size=1, max_size=12),
    st.text(LETTERS, min_size=2, max_size=9),
    st.integers(0, 2**32 - 1),
)
def test_the_best_split_is_the_best_of_all(lexicon, word, seed):
    """The search by dynamic programming finds the split with the highest score among all covers."""
    weights = np.random.default_rng(seed).normal(size=_core.split_weights()).astype(np.float32)
    every = make(lexicon, weights=weights, candidates=64).split([word])
    best = make(lexicon, weights=weights).split([word])
    count = len(covers(word, lexicon, ("",), (), 8))
    if count == 0:
        assert best[3].tolist() == [1]
        return
    assert len(every[0]) == min(count, 64)
    assert best[1][0] == pytest.approx(every[1].max())
    (_, scores, *_), offsets, features = make(lexicon, weights=weights, candidates=64).features([word])
    sums = [weights[features[a:b]].sum() for a, b in itertools.pairwise(offsets)]
    np.testing.assert_allclose(scores, sums, rtol=1e-4, atol=1e-4)


@given(st.sets(st.text("abcäß", min_size=1, max_size=6), max_size=30))
@settings(max_examples=50, deadline=None)
def test_a_lexicon_has_its_words_in_order_and_no_others(words):
    order = sorted(words, key=str.encode)
    values = np.arange(len(order), dtype=np.uint32)
    lexicon = _core.Lexicon(np.frombuffer(_core.build_lexicon(order, values, ["0|"]), np.uint8))
    assert lexicon.words() == order
    assert [lexicon.find(word) for word in order] == list(range(len(order)))
    assert all(lexicon.find(word + "x") == -1 for word in order)


def test_a_lexicon_is_minimal():
    file = np.frombuffer(_core.build_lexicon(["abend", "rabend"], np.zeros(2, np.uint32), ["0|"]), np.uint8)
    assert _core.Lexicon(file).edges == 1 + 1 + 6  # none, then r-a-b-e-n-d shared, and a from the root


@pytest.mark.parametrize(("words", "message"), [(["b", "a"], "sorted"), (["a", "a"], "sorted"), ([""], "empty")])
def test_words_that_are_no_lexicon_are_refused(words, message):
    with pytest.raises(ValueError, match=message):
        _core.build_lexicon(words, np.zeros(len(words), np.uint32), ["0|"])


@pytest.mark.parametrize(
    ("word", "marked"),
    [
        ("Prüfungsprogramm", "Prüfungs|programm"),
        ("Sklavenmoral", "Sklaven|moral"),
        ("Donaudampfschifffahrtsgesellschaft", "Donau|dampf|schiff|fahrts|gesellschaft"),
        ("kurzehose", "kurze|hose"),
        ("vielleicht", "vielleicht"),
        ("ehemals", "ehemals"),
        ("vereinbart", "vereinbart"),
        ("Freitag", "Freitag"),
    ],
)
def test_german_compounds_are_split_and_other_words_are_not(word, marked):
    assert load_splitter("de").mark([word]) == [marked]


def test_what_is_no_word_stays_and_the_order_too():
    words = ["", "3.14", "🙂", "x1y", "a", "don't", "TV-Lizenz", "\x00", "Prüfungsprogramm", "ÄÖÜ", "e\u0301te\u0301"]
    marked = load_splitter("de").mark(words)
    assert [text.replace("|", "") for text in marked] == words
    assert marked[8] == "Prüfungs|programm"
    assert marked[:6] == words[:6]


def test_a_split_says_parts_links_lemmas_and_where_they_stand():
    [split] = load_splitter("de").split(["Prüfungsprogramme"])
    assert [(p.text, p.link, p.ending, p.lemma, p.tag) for p in split.parts] == [
        ("Prüfung", "s", "", "Prüfung", "N"),
        ("programm", "", "e", "Programm", "N"),
    ]
    assert all(split.word[p.start : p.end] == p.text for p in split.parts)
    assert split.source == "dynamic"
    assert 0.5 < split.score <= 1


def test_unknown_parts_are_guessed_and_not_shredded():
    [split] = load_splitter("de").split(["Xylokarpenhalter"])
    assert split.source == "guesser"
    assert split.mark() == "Xylokarpen|halter"
    assert [part.known for part in split.parts] == [False, True]
    assert load_splitter("de", guess=False).mark(["Xylokarpenhalter"]) == ["Xylokarpenhalter"]


def test_force_splits_what_is_refused_otherwise():
    assert load_splitter("de", force=True).mark(["Freitag"]) == ["Frei|tag"]


def test_parts_limits_their_number():
    [split] = load_splitter("de", parts=2).split(["Donaudampfschifffahrtsgesellschaft"])
    assert len(split.parts) == 2


def test_scores_of_the_best_splits_sum_to_one_at_most():
    [splits] = load_splitter("de").best(["Bundesverfassungsgericht"], 5)
    assert len(splits) == 5
    assert [s.score for s in splits] == sorted((s.score for s in splits), reverse=True)
    assert sum(s.score for s in splits) <= 1 + 1e-9


def test_the_longest_first_part_wins_in_the_order_of_the_paper():
    splitter = make(["ab", "a", "b", "bb", "abb"], by_length=True)
    assert splitter.mark(["abbb"], "|") == ["abb|b"]


def test_the_guesser_of_the_paper_returns_what_is_left():
    """Owczarzak et al. 2014, example 6: umwelt + freundlich, the rest too short to be a part."""
    splitter = make(["umwelt", "freundlich"], endings=("er",), by_length=True, guess=True)
    assert splitter.mark(["umweltfreundlicher"], "|") == ["umwelt|freundlicher"]


def test_removed_lemmas_are_gone():
    splitter = make(["haus", "tür"])
    assert splitter.mark(["haustür"], "|") == ["haus|tür"]
    assert splitter.remove(["tür"]) == 1
    assert splitter.mark(["haustür"], "|") == ["haustür"]


def test_a_word_of_ten_thousand_letters_takes_no_time():
    start = time.perf_counter()
    words = ["haus" * 2500, "a" * 10_000, "haustür-" * 1250]
    assert [w.replace("|", "") for w in load_splitter("de").mark(words)] == words
    assert time.perf_counter() - start < 5


def test_many_hyphens_take_no_time_with_candidates_either():
    start = time.process_time()
    words = ["a-" * 5000, "haustür-" * 1250]
    assert [splits[0].mark() for splits in load_splitter("de").best(words, 8)] == words
    assert time.process_time() - start < 2


def test_a_temperature_makes_scores_less_sure_and_keeps_their_order():
    words = ["Prüfungsprogramm", "Xylokarpenhalter", "Freitag"]
    splitter = load_splitter("da")  # its temperature is above one
    plain = replace(splitter, calibrated=False)
    for ours, theirs in zip(splitter.best(words, 8), plain.best(words, 8), strict=True):
        assert [s.mark() for s in ours] == [s.mark() for s in theirs]
        assert ours[0].score <= theirs[0].score
        assert sum(s.score for s in ours) <= 1 + 1e-9


def test_a_model_without_tags_gives_every_tag_the_same_score():
    words, bits = ["haus", "tür"], np.array([0x2001, 0x2003], np.uint32)  # N; N and V
    limits, weights = np.array([8, 2, 1, 1, 1, 0.0]), np.random.default_rng(0).normal(size=_core.split_weights())
    scores = []
    for values in (bits, np.array([0x2080, 0x2080], np.uint32)):
        lexicon = _core.Lexicon(np.frombuffer(_core.build_lexicon(words, values, ["0|"]), np.uint8))
        splitter = _core.Splitter(
            lexicon,
            [""],
            [],
            np.ones(64, np.uint8),
            limits,
            limits,
            weights.astype(np.float32),
            False,
            True,
            False,
            False,
            4,
            False,
        )
        scores.append(splitter.split(["haustür", "haus"])[1].tolist())
    assert scores[0] == pytest.approx(scores[1])


def test_a_language_without_a_lexicon_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="assay split build --language ko"):
        load_splitter("ko", parts=7)  # not one that another test has loaded


@pytest.mark.parametrize(
    ("code", "word", "pieces"),
    [
        ("da", "børnebog", [("børn", "barn"), ("bog", "bog")]),
        ("nb", "musikkorps", [("musik", "musikk"), ("korps", "korps")]),
        ("nl", "stembureau", [("stem", "stemmen"), ("bureau", "bureau")]),
    ],
)
def test_lexicalized_entries_come_first(code, word, pieces):
    """Owczarzak et al. 2014, examples 1 and 2."""
    [split] = load_splitter(code, lexicon=load_splitter("de").lexicon_path).split([word])
    assert split.source == "lexicon"
    assert [(part.text, part.lemma) for part in split.parts] == pieces
    assert "".join(p.text + p.link for p in split.parts) == word


SANITY = tomllib.loads((Path(__file__).parent / "sanity.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("code", "forced", "free", "alone"),
    [("nl", 163, 100, 28), ("nb", 165, 150, 28), ("fi", 160, 115, 28), ("et", 150, 115, 24), ("fa", 140, 95, 27)],
)
def test_languages_without_gold_are_split_sensibly(code, forced, free, alone):
    """Of 170 plain compounds nearly all are right when told to be compounds, most when not; of 30 others few."""
    compounds, simple = SANITY[code]["compounds"].split(), SANITY[code]["simple"].split()
    words = [marked.replace("|", "") for marked in compounds]
    assert (len(compounds), len(simple)) == (170, 30)
    assert sum(a == b for a, b in zip(load_splitter(code, force=True).mark(words), compounds, strict=True)) >= forced
    assert sum(a == b for a, b in zip(load_splitter(code).mark(words), compounds, strict=True)) >= free
    assert sum(a == b for a, b in zip(load_splitter(code).mark(simple), simple, strict=True)) >= alone


@pytest.mark.parametrize("force", [False, True])
def test_the_quick_way_gives_the_same_splits(force):
    words = [
        "Xylokarpenhalter",
        "Häkelnadel",
        "Wurstwarenfabrikant",
        "Freitag",
        "gabelte",
        "Zyklopenauge",
        "Umweltfreundlicher",
    ]
    splitter = load_splitter("de", force=force)
    assert splitter.mark(words) == [split.mark() for split in splitter.split(words)]


def test_a_damaged_header_is_refused():
    whole = bytearray(_core.build_lexicon(["abend", "rabend"], np.zeros(2, np.uint32), ["0|"]))
    for place in range(32):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        with pytest.raises(ValueError):
            _core.Lexicon(np.frombuffer(bytes(damaged), np.uint8))
