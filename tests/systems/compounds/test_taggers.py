"""Taggers: what their tags mean, and what they say where they are installed."""

from __future__ import annotations

import pytest

from assay.systems.compounds._taggers import TAGGERS, find_by_start
from assay.text.compounds.language import TAGS, list_languages, load_language

WORDS: dict[str, dict[str, tuple[str, str] | None]] = {
    "de": {"haus": ("Haus", "N"), "gehen": ("gehen", "V"), "schnell": ("schnell", "A"), "drei": ("drei", "C")},
    "nl": {"huis": ("huis", "N"), "lopen": ("lopen", "V"), "groot": ("groot", "A")},
    "fi": {"talo": ("talo", "N"), "juosta": ("juosta", "V"), "punainen": ("punainen", "A"), "xyzq": None},
    "et": {"majadega": ("maja", "N"), "jooksma": ("jooksma", "V"), "kolm": ("kolm", "C"), "xyzq": None},
}


@pytest.mark.slow  # they load models, where they are installed
@pytest.mark.parametrize("code", WORDS)
def test_a_tagger_gives_lemma_and_part_of_speech(code):
    language = load_language(code)
    [name] = set(TAGGERS) & set(language.sources)
    if not TAGGERS[name].is_there():
        pytest.skip(f"{name} is not installed: {TAGGERS[name].install}")
    forms = {f.text: (f.lemma, f.tags) for f in TAGGERS[name].tag(language, list(WORDS[code]))}
    assert forms == {word: answer for word, answer in WORDS[code].items() if answer}


def test_only_languages_that_a_tagger_knows_name_it():
    named = {c: set(TAGGERS) & set(load_language(c).sources) for c in list_languages()}
    assert {c: n for c, n in named.items() if n} == {
        "de": {"hanta"},
        "nl": {"hanta"},
        "fi": {"voikko"},
        "et": {"vabamorf"},
    }


def test_tables_have_no_other_tags():
    from assay.systems.compounds import _taggers as module

    for table in (module.HANTA_TAGS, module.VOIKKO_TAGS, module.VABAMORF_TAGS):
        assert {tag for tags in table.values() for tag in tags} <= set(TAGS)


def test_the_longest_start_counts():
    assert find_by_start({"V": "V", "VZ": "P"}, "VZ(fin)") == "P"
