"""System: what it is not given, or refuses: patterns it does not obey, texts in other languages."""

from __future__ import annotations

import pytest

import assay
from assay.cli.main import main
from assay.data.evalset import EvalSet, Item
from assay.errors import InputError
from assay.systems.apply import apply
from assay.systems.compress import COMPRESSORS
from assay.systems.fuse import FUSERS
from assay.systems.system import check_patterns

FRENCH = "Le ministre ne retirerait pas la réforme des retraites, a annoncé le gouvernement."
ENGLISH = "The White House said on Monday that it would not rule out a meeting with the president."
ENGLISH_ONLY = [cls.name for folder in (COMPRESSORS, FUSERS) for cls in folder.classes if cls.english_only]


@pytest.mark.parametrize("name", ENGLISH_ONLY)
def test_every_system_for_english_refuses_french(name):
    with pytest.raises(InputError, match=rf"^text 1 \('Le ministre .*seems to be French, and {name} is for English"):
        assay.compress([FRENCH], name) if name in COMPRESSORS.names else assay.fuse([[FRENCH, FRENCH]], name)


@pytest.mark.parametrize("name", ["lead", "random", "drop-stop-words"])
def test_other_systems_take_any_language(name):
    [made] = assay.compress([FRENCH], name, words=5)
    assert made.words == 5
    assert not made.notes
    assert assay.compress([FRENCH], name, words=5, language="fr")[0].text == made.text


def test_a_parser_of_ones_own_takes_any_language(tmp_path):
    rows = [(1, "Le", 2, "det"), (2, "ministre", 3, "nsubj"), (3, "dort", 0, "root"), (4, "ici", 3, "advmod")]
    lines = [f"{i}\t{form}\t{form}\tX\t_\t_\t{head}\t{relation}\t_\t_" for i, form, head, relation in rows]
    (tmp_path / "fr.conllu").write_text("# text = Le ministre dort ici\n" + "\n".join(lines) + "\n\n", encoding="utf-8")
    [made] = assay.compress(["Le ministre dort ici"], f"tagger-tree(parser=conllu:{tmp_path}/fr.conllu)", words=3)
    assert made.words <= 3


def test_the_error_says_what_works():
    with pytest.raises(InputError) as error:
        assay.compress([FRENCH])
    assert "for other languages: drop-stop-words, identity, lead, random" in str(error.value)
    assert "--language en" in str(error.value)
    with pytest.raises(InputError, match=r"joint is for English \(for other languages: .*longer"):
        assay.fuse([[FRENCH, FRENCH]])


def test_the_language_given_counts():
    assert assay.compress([FRENCH], language="en", words=5)[0].words <= 5
    with pytest.raises(InputError, match=r"^the language is de, and tagger-tree is for English"):
        assay.compress([ENGLISH], language="de")


def test_a_text_among_english_ones_is_left_as_it_is():
    first, second, third = assay.compress([ENGLISH, FRENCH, ENGLISH], words=8)
    assert second.text == FRENCH
    assert second.kept_tokens == tuple(range(len(second.tokens)))
    assert second.notes[0] == "left as it is: it seems to be French, not English"
    assert "limit" in second.notes[1]  # and that it is longer than asked
    assert first.text == third.text == assay.compress([ENGLISH], words=8)[0].text


def test_more_than_half_in_another_language_is_an_error():
    assert len(assay.compress([ENGLISH, FRENCH])) == 2
    with pytest.raises(InputError, match="text 2 "):
        assay.compress([ENGLISH, FRENCH, FRENCH])


def test_a_cluster_among_english_ones_keeps_its_first_sentence():
    one, two = assay.fuse([[FRENCH, "Le gouvernement ne dit rien."], [ENGLISH, ENGLISH]])
    assert one.text == FRENCH
    assert one.notes == ("the first sentence as it is: it seems to be French, not English",)
    assert two.text == ENGLISH


def test_the_mean_rate_is_that_of_the_english_texts():
    texts = [ENGLISH, f"{ENGLISH} The talks would begin in the spring, an official said on Tuesday.", ENGLISH]
    alone = assay.compress(texts, average_ratio=0.6)
    mixed = assay.compress([*texts, FRENCH], average_ratio=0.6)
    assert [c.text for c in mixed] == [*(c.text for c in alone), FRENCH]


def test_a_set_is_refused_at_its_first_texts_only():
    items = [Item(str(i), sources=(ENGLISH if i < 64 else FRENCH,)) for i in range(70)]
    made = apply("tagger-tree", EvalSet(items), words=8)
    assert [item.outputs["tagger-tree"] == FRENCH for item in made] == [i >= 64 for i in range(70)]
    with pytest.raises(InputError, match="seems to be French"):
        apply("tagger-tree", EvalSet(items[64:]))


def test_lines_of_a_file(tmp_path, capsys):
    path = tmp_path / "news.txt"
    path.write_text(f"{ENGLISH}\n" * 64 + f"{FRENCH}\n", encoding="utf-8")
    assert main(["compress", str(path), "--words", "8", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == FRENCH
    path.write_text(f"{FRENCH}\n", encoding="utf-8")
    assert main(["compress", str(path), "--words", "8"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("assay: text 1 ('Le ministre ne retirerait pas la réforme') seems to be French")
    assert main(["compress", str(path), "--words", "5", "--language", "en"]) == 0
    assert len(capsys.readouterr().out.split()) <= 5


def test_a_system_that_obeys_patterns_takes_them():
    check_patterns(COMPRESSORS.build("ilp"), ["cat"], COMPRESSORS)
    check_patterns(COMPRESSORS.build("lead"), [], COMPRESSORS)


def test_others_name_the_systems_that_do():
    with pytest.raises(InputError, match="lead does not keep or drop words by pattern; these do: edit, ilp"):
        check_patterns(COMPRESSORS.build("lead"), ["cat"], COMPRESSORS)
    with pytest.raises(InputError, match="is not a regular expression"):
        check_patterns(COMPRESSORS.build("ilp"), ["("], COMPRESSORS)
