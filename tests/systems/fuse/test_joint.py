"""Joint fusion as a whole: unchanged inputs, length limits, patterns, notes; nothing that no sentence says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.systems.budget import count_words
from assay.systems.fuse import fuse
from assay.text.stems import stop_words

PAIR = (
    "The city council voted on Tuesday to close the old bridge to cars.",
    "The old harbour bridge will be closed to cars next spring, the council said on Tuesday.",
)
PARTS = (
    ("The city council", "A tired owl", "Michael Slager", "He", "Our neighbours"),
    ("closed the old bridge", "did not sell two ships", "slept", "said the storm was over", "met Ann Lee, a baker,"),
    ("on Tuesday", "after the storm", "in the old harbour of Oslo", "because it rained", "with forty boats"),
)
SENTENCES = st.tuples(*(st.sampled_from(part) for part in PARTS)).map(lambda parts: " ".join(parts) + ".")


def list_content(text: str) -> set[str]:
    words = {word.strip(".,;:'\"").lower() for word in text.split()}
    return {word for word in words if word and word not in stop_words()}


@settings(max_examples=6, deadline=None, derandomize=True)
@given(st.lists(SENTENCES, min_size=1, max_size=3, unique=True), st.integers(3, 25))
def test_the_limit_holds_and_nothing_is_invented(sentences, words):
    [fused] = fuse([sentences], words=words)
    assert fused.words <= words or any(f"the limit of {words} words" in note for note in fused.notes)
    assert list_content(fused.text) <= list_content(" ".join(sentences))
    assert ";" not in fused.text
    for piece in fused.pieces:
        assert sentences[piece.sentence][piece.start : piece.end].lower() in fused.text.lower()


@pytest.mark.parametrize(
    "text", ["Only one sentence here.", "`` It 's official , '' she said .", "Forty boats", "Why ?"]
)
def test_a_single_sentence_stays_as_it_is(text):
    assert fuse([[text]])[0].text == text
    assert fuse([[text, "", " . "]])[0].text == text
    assert fuse([[text, text]])[0].text == text
    assert fuse([[text]], words=20)[0].text == text


def test_a_single_sentence_is_shortened_to_a_limit():
    [fused] = fuse([PAIR[:1]], words=8)
    assert 0 < fused.words <= 8
    [fused] = fuse([PAIR[:1]], ratio=0.5)
    assert fused.words <= count_words(PAIR[0]) / 2


def test_shared_events_are_fused_by_default():
    [fused] = fuse(
        [("Reigning champion Hamilton won the race on Sunday.", "Hamilton won the race in Melbourne ahead of Rosberg.")]
    )
    assert fused.text == "Reigning champion Hamilton won the race on Sunday in Melbourne ahead of Rosberg."
    assert fused.used == (0, 1)
    [fused] = fuse([("The company bought the old mill.", "The company sold two ships.")])
    assert fused.text == "The company bought the old mill and sold two ships."


def test_what_has_nothing_in_common_is_not_spliced():
    [fused] = fuse([("Cats sleep all day.", "Lawyers met in Oslo.")], words=30)
    assert fused.text in ("Cats sleep all day.", "Lawyers met in Oslo.")
    assert any("share no content words" in note for note in fused.notes)


def test_characters_are_limited():
    [fused] = fuse([PAIR], chars=40)
    assert len(fused.text) <= 40 or fused.notes


def test_a_limit_too_small_for_a_clause_is_noted():
    [fused] = fuse([PAIR], words=3)
    assert fused.words <= 3
    assert any("no whole clause fits" in note for note in fused.notes)


def test_patterns_are_obeyed():
    [fused] = fuse([PAIR], words=14, keep=["spring"])
    assert "spring" in fused.text
    [fused] = fuse([PAIR], words=14, drop=["Tuesday"])
    assert "Tuesday" not in fused.text


def test_three_sentences():
    [fused] = fuse([(*PAIR, "Cars have used the old bridge since 1931.")], words=20)
    assert 0 < fused.words <= 20


def test_empty_clusters():
    assert fuse([["", " "]])[0].text == ""
    assert fuse([]) == []


def test_bad_parameters():
    with pytest.raises(InputError, match="must not be below 0"):
        fuse([PAIR], "joint(length=-1)")
