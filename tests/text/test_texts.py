"""Texts: tokens are made once, and broken characters refused."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from assay.errors import InputError
from assay.text import Lexicon, TextReading, Texts, tokenize

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)

tricky = st.text(st.sampled_from("aB3.,-'\" \n\t&<>$_:;%/()[]éßİK\u00a0\u3000東ア한ส\u0301👍🏽🇩🇪\u200d"), max_size=40)

mteval = st.text(st.sampled_from("ab12.,- \n&quot;<skipped>'$\u00a0é"), max_size=40)

texts = st.one_of(anything, tricky, mteval)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(InputError, match="lone surrogate"):
        tokenize("a \ud800")


def test_tokens_are_made_once():
    texts = Texts(["a b"], Lexicon())
    assert texts.tokens(TextReading("rouge")) is texts.tokens(TextReading("rouge"))


def test_threads_share_a_lexicon():
    from concurrent.futures import ThreadPoolExecutor

    parts = [
        [f"walk{i * k} walking{k} the inordinately-long-word{i % 7}ing {k}" for i in range(300)] for k in range(12)
    ]
    readings = [
        TextReading("space"),
        TextReading("rouge", stem=True),
        TextReading("unicode", stem="english"),
        TextReading("space", stop=True),
    ]
    shared = Lexicon()

    def words(part: list[str]) -> list[list[list[str]]]:
        texts = Texts(part, shared)
        return [texts.words(reading) for reading in readings]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(words, parts))
    for part, ours in zip(parts, together, strict=True):
        alone = Texts(part, Lexicon())
        assert ours == [alone.words(reading) for reading in readings]


def test_threads_that_meet_the_same_new_words_give_each_one_number():
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    text = [" ".join(f"w{i}" for i in range(200_000))]

    for _ in range(5):
        lexicon, together = Lexicon(), Barrier(3)

        def read(_: int, lexicon: Lexicon = lexicon, together: Barrier = together) -> list[int]:
            together.wait()
            return Texts(text, lexicon).tokens(TextReading("space")).ids.tolist()

        with ThreadPoolExecutor(3) as pool:
            first, *others = pool.map(read, range(3))
        assert len(lexicon.vocab) == len(set(first)) == 200_000
        assert others == [first, first]


def test_a_part_of_a_list_is_read_where_it_lies():
    part = Texts(["a", "b c", "", "d é"], Lexicon(), start=1, stop=4)
    assert (len(part), part.strings, part.count_blank()) == (3, ["b c", "", "d é"], 1)
    assert part.words(TextReading("unicode")) == [["b", "c"], [], ["d", "é"]]


def test_half_a_character_can_be_counted():
    assert Texts(["a \ud800", " "], Lexicon()).count_blank() == 1


def test_first_tokens_of_each_text():
    texts = Texts(["a b\nc d e\nf", "", "g\nh"], Lexicon())
    tokens = texts.tokens(TextReading("space")).first(4)
    assert [tokens.words(texts.lexicon.vocab, n) for n in range(3)] == [["a", "b", "c", "d"], [], ["g", "h"]]
    assert tokens.vocab_size == texts.tokens(TextReading("space")).vocab_size
