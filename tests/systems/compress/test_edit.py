"""`edit`: exact budgets, protected words and known edits, with short forms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.cli.main import main
from assay.errors import FormatError, InputError, UnknownName
from assay.extras import RESEARCH, find_model
from assay.systems.budget import Budget
from assay.systems.compress import compress
from assay.systems.compress._base import Source, build_compression
from assay.systems.compress.edits._replacements import Replacements, TextReplacement, find_replacements
from assay.systems.compress.edits._tags import FORMS, find_form, list_tags
from assay.systems.compress.edits.model import EditTagModel, TagChoice
from assay.systems.compress.edits.rewrite import list_edits
from assay.systems.compress.edits.short_forms import KINDS
from assay.text.parse.flat import parse_texts
from assay.text.parse.sentence import Word

TEXT = (
    "In spite of the fact that it rained, the United States made a decision to spend more than 20 percent of its "
    "budget in order to help one hundred and fifty old families on the 3rd of May, officials said on Tuesday."
)
PIECES = ["In order to win,", "he made a decision to go", "with 5 percent", '"in order to quote"', "United States", "."]


def rebuild(result):
    """Return the text that the edits lead to, without spaces and case."""
    return "".join(e.text for e in result.edits).replace(" ", "").lower()


def test_short_forms_leave_room_for_more_words():
    [edit], [deletion] = compress([TEXT], "edit", ratio=0.7), compress([TEXT], "tagger-tree", ratio=0.7)
    assert edit.text.startswith("Although it rained, the U.S. decided to spend over 20% of its budget to help 150")
    assert edit.words <= Budget(ratio=0.7).limit(TEXT).most
    assert len(edit.kept_tokens) + sum(e.kind == "replace" for e in list_edits(edit)) > len(deletion.kept_tokens) / 2
    assert {e.reason for e in list_edits(edit) if e.kind == "replace"} == set(KINDS) - {"contraction"}


def test_edits_tile_the_source_and_give_the_text():
    for budget in ({"ratio": 0.5}, {"words": 6}, {"chars": 60}, {}):
        [c] = compress([TEXT], "edit", **budget)
        assert rebuild(c).rstrip(".") == c.text.replace(" ", "").lower().rstrip(".")
        assert "".join(TEXT[e.start : e.end] for e in list_edits(c)).replace(" ", "") == TEXT.replace(" ", "")
        assert all(c.source[c.tokens[i].start : c.tokens[i].end] == c.tokens[i].text for i in c.kept_tokens)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map(" ".join), st.integers(1, 60), st.booleans())
def test_budgets_hold_or_are_said_to_be_impossible(text, most, words):
    budget = Budget(words=most) if words else Budget(chars=most)
    [c] = compress([text], "edit", words=budget.words, chars=budget.chars)
    assert budget.limit(text).holds(c.text) or any("longer than the limit" in note for note in c.notes)
    assert c.text.strip()
    if budget.limit(text).holds(text):
        assert c.text == text


def test_what_is_quoted_or_matched_stays():
    quoted = 'He said "in order to win" and came in order to see a number of people in the old town.'
    [c] = compress([quoted], "edit", words=14)
    assert '"in order to win"' in c.text
    assert " came to see several people" in c.text
    [c] = compress([quoted], "edit", words=14, keep=["number"])
    assert "a number of people" in c.text
    [c] = compress(["A total of 45 people came in order to see us."], "edit", words=9, drop=["us"])
    assert "us" not in c.text.split()


def test_numbers_survive_as_digits():
    [c] = compress(["The repairs cost one hundred and fifty dollars in the end."], "edit", words=6)
    assert "150" in c.text
    assert not any("removed" in note for note in c.notes)


@pytest.mark.parametrize("text", ["", "   ", "...", "12 % !", "Yes", "No."])
def test_what_cannot_be_rewritten_is_left(text):
    [c] = compress([text], "edit", words=1)
    assert c.text == text


def test_unknown_words_are_left_with_a_note():
    texts = [
        "Der Minister sagte am Dienstag, dass es kein Treffen mit dem Kanzler geben werde.",
        "El presidente dijo que no habría reunión con los ministros de la ciudad.",
    ]
    for c in compress(texts, "edit", ratio=0.5, language="en"):
        assert c.text == c.source
        assert "of its words are unknown" in c.notes[0]
        assert "longer than the limit" in c.notes[1]


def test_unknown_characters_and_500_words():
    [c] = compress(["The ☃ and the 😀 came \ufffd in order to see the very old town hall."], "edit", words=9)
    assert "😀" in c.text
    long = " ".join(f"The man number{i} came in order to see a big dog near the old house." for i in range(36))
    [c] = compress([long], "edit", ratio=0.6)
    assert Budget(ratio=0.6).limit(long).holds(c.text)
    assert c.text.count(" came to see ") > 5


def test_deletions_are_labelled_at_places_of_the_source():
    [c] = compress(["The alleged killer came in order to see the old judge in Rome."], "edit", words=9)
    assert c.deletions is not None
    for deletion in c.deletions:
        assert all(0 <= i < len(c.tokens) for i in deletion.words)
        assert not {c.tokens[i].text for i in deletion.words} & {"killer", "came", "see"}


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("edit(least=0)", InputError, "least must be above 0 and at most 1; got 0"),
        ("edit(threshold=2)", InputError, "threshold must be above 0 and at most 1"),
        ("edit(forms=x)", UnknownName, "unknown kind of short form 'x'"),
        ("edit(keep=x)", UnknownName, "unknown kind of word to keep 'x'"),
        ("edit(model=none.json)", InputError, "no model at"),
    ],
)
def test_bad_settings(spec, error, message):
    with pytest.raises(error, match=message):
        compress(["He came in order to help the old man."], spec, words=3)


def test_a_model_that_does_not_fit_is_refused(tmp_path):
    path = find_model("abstractive/edit.json", "edit", package=RESEARCH)
    about = json.loads(path.read_text())
    (tmp_path / "m.npz").write_bytes(path.with_suffix(".npz").read_bytes())
    (tmp_path / "m.json").write_text(json.dumps({**about, "phrases": about["phrases"][1:]}))
    with pytest.raises(FormatError, match="tags, but weights of the shape"):
        EditTagModel.load(str(tmp_path / "m.json"))


def test_the_model_answers_alike_alone_and_together():
    parses = [a.parse for a in parse_texts([TEXT, "Dogs bark at night. Cats sleep.", "Yes"])]
    model = EditTagModel.load()
    together = model.answer(parses)
    for parse, answer in zip(parses, together, strict=True):
        [alone] = model.answer([parse])
        np.testing.assert_allclose(alone.keep, answer.keep, atol=1e-5)
        assert len(alone.keep) == sum(map(len, parse.sentences))


def test_learned_tags_are_put_in_if_they_are_pairs():
    source = Source("They plan to visit such as many children.", faithful=False)
    [a] = parse_texts([source.text])
    places = {token.text: i for i, token in enumerate(a.tokens)}
    tags = [
        TagChoice(places["children"], "replace kids", 0.9),
        TagChoice(places["such"], "replace like", 0.8),
        TagChoice(places["visit"], "replace like", 0.7),  # no pair
        TagChoice(places["plan"], "inflect VBD", 0.6),
        TagChoice(places["many"], "insert so", 0.5),
    ]
    pairs = frozenset({("children", "kids"), ("such as", "like")})
    plan = Replacements(a.text, a.tokens, find_replacements(source, a, frozenset(), tags, pairs))
    assert plan.text == "They planned to visit like so many kids."
    faithful = find_replacements(Source(source.text), a, frozenset(), tags, pairs)
    assert {new.text for new in faithful} == {"kids", "like"}


def test_replacements_keep_track_of_places():
    [a] = parse_texts(["A total of 45 people came in order to help."])
    plan = Replacements(a.text, a.tokens, [TextReplacement(0, 3, "", "phrase"), TextReplacement(6, 9, "to", "phrase")])
    assert plan.text == "45 people came to help."
    tokens = parse_texts([plan.text])[0].tokens
    rewrite = plan.compose(build_compression(plan.text, tokens, [0, 1, 2]))
    assert rewrite.text == "45 people came."
    assert [(e.kind, e.start, e.end, e.text, e.reason) for e in rewrite.edits] == [
        ("delete", 0, 10, "", "phrase"),
        ("keep", 11, 25, "45 people came", ""),
        ("delete", 26, 42, "", ""),
        ("keep", 42, 43, ".", ""),
    ]


def test_tags_and_forms():
    assert len(list_tags(["a", "b"])) == 1 + len(FORMS) + 4
    word = Word("services", "service", "NOUN", "NNS", "", -1, "obj")
    assert find_form(word, "service") == "NN"
    assert find_form(word, "services") is None
    assert find_form(None, "x") is None


def test_the_command(tmp_path, capsys):
    (tmp_path / "in.txt").write_text("He came in order to help the very old man in the town.\n")
    assert main(["compress", str(tmp_path / "in.txt"), "--abstractive", "--words", "10", "--diff"]) == 0
    assert "[-in order to-]{+to+}" in capsys.readouterr().out
    assert main(["compress", str(tmp_path / "in.txt"), "--abstractive", "--system", "lead"]) == 2
    assert "--abstractive means --system edit" in capsys.readouterr().err
