"""Hunspell dictionaries: how they are written, and what the flags of four languages mean; all words are invented."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.systems.compounds import _hunspell
from assay.systems.compounds._hunspell import make_table, read_affix_file, read_hunspell
from assay.text.compounds.language import load_language

# Invented words with flags as the dictionary of each language has them, and the part of speech that they show.
WORDS = {
    "da": [("blime/10,11,2", "N"), ("blime/1,21,22,79", "V"), ("blimsk/28,39", "A"), ("Blim/9", ""), ("blim", "")],
    "sv": [
        ("blima/AEG", "N"),
        ("blima/ADJKLY", "V"),
        ("blima/ADmNP", "V"),
        ("blim/ADH", "N"),
        ("blimare/AEJY", "N"),
        ("blimig/kOPQ", "A"),
        ("blimad/NQ", "A"),
        ("blimen/KMY", "A"),
        ("blå/AmMN", "V"),
        ("blim", ""),
    ],
    "nb": [
        ("blim/AEGH", "N"),
        ("blime/EJORSYt", "V"),
        ("blime/ACEGJMSTY", "NV"),
        ("blimet/CMTX", "A"),
        ("blimlig/V", "A"),
        ("blimer/V", ""),
        ("blimene/R", ""),
    ],
    "hu": [("blim/5\tpo:noun ts:NOM", "N"), ("blim\tst:bli po:vrb", "V"), ("blimi/1\tpo:adj", "A"), ("blim/3", "")],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(_hunspell, "HUNSPELL", tmp_path)
    return tmp_path


def read(folder, code, lines, affixes="SET UTF-8\n"):
    language = load_language(code)
    (folder / "xx.aff").write_text(affixes, "utf-8")
    (folder / "xx.dic").write_text(f"{len(lines)}\n" + "\n".join(lines) + "\n", "utf-8")
    return list(read_hunspell(replace(language, sources={**language.sources, "hunspell": "xx"})))


@pytest.mark.parametrize("code", WORDS)
def test_flags_say_the_part_of_speech(folder, code):
    affixes = "SET UTF-8\nFLAG num\n" if code == "da" else "SET UTF-8\n"
    forms = read(folder, code, [line for line, _ in WORDS[code]], affixes)
    assert [(f.text, f.tags) for f in forms] == [
        (line.partition("\t")[0].partition("/")[0], tags) for line, tags in WORDS[code]
    ]


def test_forbidden_words_go_and_parts_of_compounds_are_stems(folder):
    affixes = "SET UTF-8\nFORBIDDENWORD %\nONLYINCOMPOUND Z\n"
    forms = read(folder, "sv", ["blim/%ADG", "blimo/XZ", "blim-", "blom/ADG"], affixes)
    assert [(f.text, f.stem) for f in forms] == [("blimo", True), ("blom", False)]


def test_sets_of_flags_and_analyses_are_given_by_number(folder):
    affixes = "SET UTF-8\nAF 2\nAF ADH # 1\nAF K # 2\nAM 2\nAM st:blima po:vrb\nAM po:noun\n"
    forms = read(folder, "hu", ["blim/1\t1", "blum/2\t2", "blam/9\t9"], affixes)
    assert [(f.lemma, f.tags) for f in forms] == [("blima", "V"), ("", "N"), ("", "")]
    assert read_affix_file(folder / "xx.aff").read_flags("1") == {"A", "D", "H"}


def test_long_flags_have_two_characters(folder):
    (folder / "xx.aff").write_text("SET UTF-8\nFLAG long\n")
    assert read_affix_file(folder / "xx.aff").read_flags("AaBb") == {"Aa", "Bb"}


def test_another_encoding_is_read(folder):
    (folder / "xx.aff").write_bytes("SET ISO8859-1\n".encode("latin-1"))
    (folder / "xx.dic").write_bytes("1\nblåm/AEGH\n".encode("latin-1"))
    language = load_language("nb")
    [form] = read_hunspell(replace(language, sources={**language.sources, "hunspell": "xx"}))
    assert (form.text, form.tags) == ("blåm", "N")


def test_a_language_without_a_table_has_no_tags():
    assert make_table({}).tags("blim", frozenset("AB"), {}) == ""


# Plain words of each language, chosen before the dictionaries were asked.
PLAIN = {
    "da_DK": {
        "N": "hus bog mand bil kage skole barn dyr avis vindue sommer nøgle fisk cykel gade",
        "V": "løbe skrive danse lytte bage hente male vaske åbne regne",
        "A": "stor grøn smuk farlig hurtig gammel dansk rolig sulten vigtig",
    },
    "sv_SE": {
        "N": "hus bok flicka bil kaka skola fönster djur tidning sommar nyckel fisk cykel gata bagare",
        "V": "skriva dansa lyssna baka hämta måla tvätta öppna räkna köpa",
        "A": "stor grön vacker farlig snabb gammal svensk lugn hungrig viktig",
    },
    "nb_NO": {
        "N": "hus bok jente bil kake skole vindu dyr avis sommer nøkkel fisk sykkel gate lærer",
        "V": "skrive danse lytte bake hente male vaske åpne regne kjøpe",
        "A": "stor grønn vakker farlig rask gammel norsk rolig sulten viktig",
    },
    "hu_HU": {
        "N": "ház könyv lány autó torta iskola ablak állat újság nyár kulcs hal kerékpár utca tanár",
        "V": "ír táncol süt fest mos nyit számol vesz fut olvas",
        "A": "nagy zöld szép veszélyes gyors régi magyar nyugodt éhes fontos",
    },
}


@pytest.mark.parametrize(("name", "code"), [("da_DK", "da"), ("sv_SE", "sv"), ("nb_NO", "nb"), ("hu_HU", "hu")])
def test_plain_words_have_the_right_part_of_speech(name, code):
    if not (_hunspell.HUNSPELL / f"{name}.dic").is_file():
        pytest.skip(f"the hunspell dictionary {name} is not installed (apt install hunspell-{code[:2]})")
    tags: dict[str, set[str]] = {}
    for form in read_hunspell(load_language(code)):
        tags.setdefault(form.text, set()).update(form.tags)
    wrong = [w for tag, words in PLAIN[name].items() for w in words.split() if tag not in tags.get(w, ())]
    assert len(wrong) <= 3, wrong
