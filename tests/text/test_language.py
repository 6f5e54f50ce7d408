"""Which texts can be English."""

from __future__ import annotations

import csv
import gzip
import json
import unicodedata

import numpy as np
import pytest

from assay.text.language import Profiles, load_profiles, name_foreign

FOREIGN = [
    ("French", "Le ministre ne retirerait pas la réforme, a annoncé le gouvernement hier soir."),
    ("French", "Merci de ne pas ouvrir la porte pendant la réunion."),
    ("German", "Die Sitzung wurde nicht verschoben, obwohl drei Mitglieder fehlten."),
    ("German", "Bitte den Server während der Sicherung nicht neu starten."),
    ("Spanish", "El alcalde no dimitirá antes de las elecciones del próximo domingo."),
    ("Spanish", "La tienda abre a las nueve y cierra a las seis."),
    ("Italian", "Il treno per Bologna non parte prima delle sette di sera."),
    ("Italian", "Questa ricetta basta per quattro persone."),
    ("Portuguese", "O relatório não foi publicado porque faltavam dois capítulos."),
    ("Dutch", "De brug blijft gesloten totdat de reparatie helemaal klaar is."),
    ("Swedish", "Mötet flyttades till torsdag eftersom ingen hade läst rapporten."),
    ("Polish", "Rada miasta odrzuciła plan budowy nowego dworca."),
    ("Czech", "Starosta včera oznámil, že most zůstane uzavřený do konce měsíce."),
    ("Hungarian", "A bizottság nem fogadta el az új menetrendet."),
    ("Finnish", "Kokous siirrettiin ensi viikkoon, koska puheenjohtaja sairastui."),
    ("Turkish", "Belediye başkanı yeni köprünün yarın açılacağını söyledi."),
    ("Cyrillic letters", "Председатель отложил заседание до пятницы."),
    ("Greek letters", "Η συνεδρίαση αναβλήθηκε για την Παρασκευή."),
    ("Chinese or Japanese", "会议推迟到星期五。"),
    ("Korean", "회의는 금요일로 연기되었습니다."),
]
ENGLISH = [
    "The committee met on Tuesday to discuss the plan for the old railway station.",
    "PLEASE DO NOT RESTART THE SERVER DURING A BACKUP",
    "Zdeněk Kovář, Jürgen Müller, María Peña and Ólafur Jónsson",  # names of all countries
    "Anna Kowalska, Piotr Zieliński, Tomasz Wójcik",
    "Take care.",
    "im late btw",
    "Thanks for the résumé and the naïve façade of the café.",
    "See https://example.org/la/maison/de/la/radio and ~/dokumente/und/bilder for details.",
    "pip install 'assay-eval[parse]' && assay score set.jsonl -m bleu",
    "12:30, 4 x 250 ml, $13.65, 40 %",
    "Schadenfreude",  # one word
    "Cher, Paris, Nice, Nancy",
    "He wrote that \"l'état, c'est moi\" was never said, whatever all the books about the king may claim today.",
    "",
    "?!",
]


@pytest.mark.parametrize(("language", "text"), FOREIGN)
def test_other_languages_are_named(language, text):
    assert name_foreign(text) == language
    assert name_foreign(text.upper())
    assert name_foreign(unicodedata.normalize("NFD", text)) == language


@pytest.mark.parametrize("text", ENGLISH)
def test_english_passes(text):
    assert name_foreign(text) == ""


def test_a_part_in_another_language():
    french = "Il ne vient pas demain."
    english = (
        "She told the members of the council about the letter from her friend, which had come in the morning mail."
    )
    assert name_foreign(english) == ""
    assert name_foreign(f"{english} {french}") == ""  # less than a quarter of the words
    assert name_foreign(f"She told the council about the letter from her friend. {french}") == "French"


def test_names_do_not_decide():
    """A capital makes a word count a tenth, and a text of names alone not at all."""
    assert (
        name_foreign("The meeting of Universidad Nacional, Instituto Tecnológico and Escuela Superior was short.") == ""
    )
    assert name_foreign("Universidad Nacional de Educación a Distancia") == "Spanish"
    assert name_foreign("Universidad Nacional Instituto Tecnológico Escuela Superior") == ""


def test_a_word_is_a_frequent_one_or_a_chain_of_letters():
    """Plain arithmetic on a profile of two trigrams and one word."""
    codes = sorted([(ord("^") << 42 | ord("^") << 21 | ord("a")), (ord("^") << 42 | ord("a") << 21 | ord("$"))])
    scores = -np.log([[0.5, 0.25], [0.5, 0.5], [0.1, 0.1]])
    word = Profiles(
        ("en", "de"),
        np.array(codes),
        -scores,
        np.array([0xE8B7BE43], dtype=np.uint32),  # crc32 of "a"
        np.array([1]),
        np.array([1], dtype=np.uint8),
        np.log([0.2]),
    )
    np.testing.assert_allclose(np.exp(word.score("a")), [0.1 * 0.25, 0.1 * 0.125 + 0.9 * 0.2], rtol=1e-8)
    np.testing.assert_allclose(np.exp(word.score("b")), [0.1 * 0.01] * 2, rtol=1e-8)  # ^^b and ^b$ are other ones
    evidence, language = word.compare_to_english({"a": 0.5})
    assert language == "de"
    assert evidence == pytest.approx(0.5 * np.log(0.1925 / 0.025), rel=1e-6)


def test_the_sharpest_word_has_a_bound():
    profiles = load_profiles()
    scores = profiles.score("während")
    apart = scores[profiles.languages.index("de")] - scores[profiles.languages.index("en")]
    assert apart > 12
    assert profiles.compare_to_english({"während": 1.0}) == (12.0, "de")


def test_every_word_counts_once():
    text = "Take care of the pain, said the man. "
    assert name_foreign(text + "Chocolat! " * 50) == name_foreign(text + "Chocolat!") == ""


def test_sources_of_wmt17_do_not_pass(shared_file):
    passed = []
    for pair in ("cs-en", "de-en"):
        with gzip.open(shared_file(f"wmt17-{pair}.jsonl.gz"), "rt", encoding="utf-8") as file:
            texts = [json.loads(line)["source"] for line in file]
        passed += [text for text in texts if len(text.split()) >= 5 and not name_foreign(text)]
    assert len(passed) <= 3, passed


def test_sentences_of_ewt_and_msr_pass(shared_file):
    with gzip.open(shared_file("ud-english-ewt/en_ewt-ud-dev.conllu.gz"), "rt", encoding="utf-8") as file:
        texts = [line[8:].strip() for line in file if line.startswith("# text =")]
    with open(shared_file("msr-compression/RawData/valid.tsv"), encoding="utf-8-sig", newline="") as file:
        texts += sorted({row[2].partition("|||")[0].strip() for row in csv.reader(file, delimiter="\t")})
    refused = [text for text in texts if name_foreign(text)]
    assert len(refused) <= 0.002 * len(texts), refused
