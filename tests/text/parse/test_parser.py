"""Parsers by name: the shipped pipeline, other spaCy pipelines, stanza, CoNLL-U; batches, cache, beam, bad input."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayWarning, FormatError, InputError
from assay.text import Lexicon, Texts
from assay.text.cache import Cache
from assay.text.parse.blocks import LONGEST_WORD, MOST_CHARACTERS, MOST_WORDS, blocks
from assay.text.parse.engines import SHIPPED, _engine, engine, hash_folder
from assay.text.parse.parser import _warned, has_nbest, nbest, parse
from assay.text.parse.relations import check_relations, is_universal, to_universal
from assay.text.parse.sentence import Parse, Word

TEXT = "The cat sat on the mat. It slept.\n\nNobody   knew why"


def forms(text: Parse) -> list[list[str]]:
    return [[word.form for word in sentence] for sentence in text.sentences]


def triples(sentence) -> set[tuple[str, str, str]]:
    return {(w.relation, sentence[w.head].form if w.head >= 0 else "", w.form) for w in sentence}


def is_tree(sentence) -> bool:
    """Every word reaches a root."""
    for word in sentence:
        seen = 0
        while word.head >= 0:
            word, seen = sentence[word.head], seen + 1
            if seen > len(sentence):
                return False
    return True


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


# The shipped pipeline


def test_sentences_and_words():
    [text, empty, blank] = parse([TEXT, "", " \n "])
    assert forms(text) == [
        ["The", "cat", "sat", "on", "the", "mat", "."],
        ["It", "slept", "."],
        ["Nobody", "knew", "why"],
    ]
    assert empty.sentences == blank.sentences == ()
    first = text.sentences[0]
    assert {("nsubj", "sat", "cat"), ("root", "", "sat"), ("case", "mat", "on")} <= triples(first)
    assert (first[2].lemma, first[2].pos, first[2].tag) == ("sit", "VERB", "VBD")
    assert "Tense=Past" in first[2].features.split("|")


def test_labels_are_universal():
    nlp = engine("en").nlp  # type: ignore[attr-defined]
    assert all(is_universal(label) or label == "ROOT" for label in nlp.get_pipe("parser").labels)


def test_batches_do_not_matter():
    lines = ["Dogs bark.", "Cats, however, do not bark at all.", "Why?"]
    assert parse(lines) == [parse([line])[0] for line in lines]
    [joined] = parse(["\n".join(lines)])
    assert joined.sentences == tuple(s for text in parse(lines) for s in text.sentences)


def test_each_line_is_parsed_once(monkeypatch):
    asked = []
    parser = engine("en")
    monkeypatch.setattr(parser, "parse", lambda some: asked.extend(some) or [()] * len(some))
    parse(["one line\nanother", "another\r\none  line", "another"])
    assert asked == ["one line", "another"]


def test_texts_remember_their_parses(monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    texts = Texts(["Birds sing."], Lexicon())
    assert texts.parses() is texts.parses("en")
    assert texts.parses() == parse(["Birds sing."])
    assert [h.entries for h in Cache(tmp_path).models()] == [1]


def test_cached_parses_are_the_same_and_need_no_parser(tmp_path, monkeypatch):
    strings = [TEXT, "Ein Wort.\nUn été à Paris – 100 €!"]
    fresh = parse(strings, cache=Cache(tmp_path))
    monkeypatch.setattr(engine("en"), "parse", lambda some: pytest.fail("parsed again"))
    assert parse(strings, cache=Cache(tmp_path)) == fresh


def test_a_damaged_entry_is_parsed_again(tmp_path):
    fresh = parse(["Birds sing."], cache=Cache(tmp_path))
    cache = Cache(tmp_path)
    [model] = cache.models()
    for value in (b"", b"nonsense"):
        cache.put("en", model.version, [("Birds sing.", value)])
        assert parse(["Birds sing."], cache=cache) == fresh


def test_cached_parses_load_no_spacy(tmp_path):
    code = (
        "import sys; from assay.text.parse.parser import parse; from assay.text.cache import Cache;"
        "print(len(parse(['Birds sing.'], cache=Cache(sys.argv[1]))[0].sentences), 'spacy' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    first, second = (subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert (first, second) == ("1 True\n", "1 False\n")


def test_processes_give_the_same(monkeypatch):
    monkeypatch.setattr("assay.text.parse.parser._CHUNK", 3)
    strings = [f"Number {i} is a number." for i in range(8)]
    assert parse(strings, processes=2) == parse(strings)


def test_threads_give_the_same():
    strings = [[f"{name} number {i} is a number." for i in range(20)] for name in ("The", "A", "Any", "No")]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parse, strings)) == [parse(some) for some in strings]


def test_an_error_in_a_process_is_the_users(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.text.parse.parser._CHUNK", 1)
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no dependency parser, only a tokenizer"):
        parse(["a", "b"], str(tmp_path / "blank"), processes=2)


# Bad input


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=4))
def test_any_text_gives_trees(strings):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        found = parse(strings)
    for string, text in zip(strings, found, strict=True):
        characters = "".join("".join(line) for line in string.split())
        assert "".join("".join(sentence) for sentence in forms(text)) == characters
        assert all(is_tree(sentence) for sentence in text.sentences)
        assert all(is_universal(word.relation) for sentence in text.sentences for word in sentence)
        assert all((word.head < 0) == (word.relation == "root") for s in text.sentences for word in s)


def test_long_sentences():
    start = time.process_time()
    [text] = parse(["and the old man gave the young dog a bone " * 200])
    assert sum(map(len, text.sentences)) == 2000
    assert all(is_tree(sentence) for sentence in text.sentences)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("run", ["(", "'", "😀", "a", "a.", "-a", "http://a.b/"])
def test_long_words(run):
    start = time.process_time()
    [text] = parse([run * (20_000 // len(run))])
    assert text.sentences
    assert time.process_time() - start < 20


@given(st.text("ab .,\n(", max_size=3000), st.integers(1, 20))
@settings(max_examples=50)
def test_blocks_are_bounded_and_lose_nothing(text, times):
    made = blocks(text * times)
    assert "".join("".join(made).split()) == "".join((text * times).split())
    for block in made:
        assert block == " ".join(block.split()) != ""
        assert len(block) <= MOST_CHARACTERS + 1
        assert block.count(" ") <= MOST_WORDS
        assert max(map(len, block.split())) <= max(LONGEST_WORD, 1)


def test_a_long_line_is_cut_after_a_sentence():
    made = blocks("This is a sentence of seven words. " * 400)
    assert len(made) > 1
    assert all(block.endswith("words.") for block in made)


def test_half_a_character():
    with pytest.raises(InputError, match="half a character"):
        parse(["fine", "bad \ud800"])


def test_one_text_is_no_list():
    with pytest.raises(InputError, match="list of texts"):
        parse("a text")


@pytest.mark.parametrize(
    "text",
    [
        "Съешь ещё этих мягких французских булок, да выпей чаю.",
        "我能吞下玻璃而不伤身体。我能吞下玻璃而不伤身体。我能吞下玻璃而不伤身体。",
        "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann nach Hause zu seinen Kindern. " * 15,
    ],
)
def test_other_languages_get_a_word(text):
    with pytest.warns(AssayWarning, match=r"do not look English.*stanza:LANGUAGE"):
        parse([text])


def test_english_gets_no_such_word():
    parse(["Stocks fall as oil price slumps\nPolice arrest two men after London robbery\n" * 20, "ünïcödé", "OK"])


@pytest.mark.parametrize("model", ["de", "en_core_web_nothing", "no/such/folder", "", "json"])
def test_unknown_parsers(model):
    with pytest.raises(InputError, match="spaCy pipeline"):
        parse(["a"], model)


# Other spaCy pipelines


@pytest.fixture
def clearnlp(tmp_path):
    """A pipeline whose parser has ClearNLP's labels."""
    import spacy

    nlp = spacy.blank("en")
    parser = nlp.add_pipe("parser")
    for label in ("ROOT", "nsubj", "dobj", "prep", "pobj", "punct"):
        parser.add_label(label)  # type: ignore[attr-defined]
    nlp.initialize()
    nlp.to_disk(tmp_path / "other")
    return str(tmp_path / "other")


def test_a_folder_with_a_pipeline(clearnlp):
    [text] = parse(["Dogs chase cats"], clearnlp)
    assert [word.form for sentence in text.sentences for word in sentence] == ["Dogs", "chase", "cats"]
    assert all(is_universal(word.relation) for sentence in text.sentences for word in sentence)
    assert {word.lemma for sentence in text.sentences for word in sentence} == {"dogs", "chase", "cats"}


def test_an_installed_pipeline(clearnlp, tmp_path, monkeypatch):
    package = tmp_path / "xx_made_pipeline"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (tmp_path / "other").rename(package / "xx_made_pipeline-1.0")
    monkeypatch.syspath_prepend(tmp_path)
    assert parse(["Dogs chase cats"], "xx_made_pipeline")[0].sentences


def test_a_parser_with_one_parse_says_so(clearnlp):
    assert not has_nbest(clearnlp)
    with pytest.warns(AssayWarning, match="gives only one parse of a sentence, not 5"):
        [[only]] = nbest(["Dogs chase cats"], clearnlp, 5)
    assert [only] == parse(["Dogs chase cats"], clearnlp)


def test_unknown_labels_are_listed():
    with pytest.raises(InputError, match=r"parser 'tiger'.*: oa, sb;"):
        check_relations(["sb", "oa", "nsubj", "dobj"], "tiger")


def sentence(*words: str) -> tuple[Word, ...]:
    """form/POS/head/relation, heads from 1, 0 for none."""
    split = [word.rsplit("/", 3) for word in words]
    return tuple(Word(f, {"is": "be"}.get(f, f), p, "", "", int(h) - 1, r) for f, p, h, r in split)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (  # a passive with an agent
            ["It/PRON/3/nsubjpass", "was/AUX/3/auxpass", "seen/VERB/0/ROOT", "by/ADP/3/agent", "me/PRON/4/pobj"],
            "nsubj:pass(seen, It) aux:pass(seen, was) root(, seen) case(me, by) obl:agent(seen, me)",
        ),
        (  # a copula keeps its subject, a noun's preposition makes an nmod
            ["He/PRON/2/nsubj", "is/AUX/0/ROOT", "king/NOUN/2/attr", "of/ADP/3/prep", "Spain/PROPN/4/pobj"],
            "nsubj(king, He) cop(king, is) root(, king) case(Spain, of) nmod(king, Spain)",
        ),
        (
            ["ran/VERB/0/ROOT", "out/ADP/1/prep", "of/ADP/2/prep", "Rome/PROPN/3/pobj"],
            "root(, ran) case(Rome, out) case(Rome, of) obl(ran, Rome)",
        ),
        (
            [
                "went/VERB/0/ROOT",
                "to/ADP/1/prep",
                "A/PROPN/2/pobj",
                "and/CCONJ/2/cc",
                "to/ADP/2/conj",
                "B/PROPN/5/pobj",
            ],
            "root(, went) case(A, to) obl(went, A) cc(A, and) case(B, to) conj(A, B)",
        ),
        (
            ["left/VERB/0/ROOT", "after/ADP/1/prep", "eating/VERB/2/pcomp"],
            "root(, left) mark(eating, after) advcl(left, eating)",
        ),
        (["In/ADP/0/ROOT", "Rome/PROPN/1/pobj"], "case(Rome, In) root(, Rome)"),
    ],
)
def test_clearnlp_trees_become_universal(given_, expected):
    turned = to_universal(sentence(*given_))
    assert is_tree(turned)
    said = [f"{w.relation}({turned[w.head].form if w.head >= 0 else ''}, {w.form})" for w in turned]
    assert " ".join(said) == expected


# Several parses


def test_nbest():
    strings = ["I saw the man with the telescope. He left.\nFine.", "", "Yes", "I saw the man with the telescope."]
    found = nbest(strings, n=6)
    assert [len(parses) for parses in found[:3]] == [6, 1, 1]
    for parses in found:
        assert len({p.sentences for p in parses}) == len(parses)
        assert [p.score for p in parses] == sorted((p.score for p in parses), reverse=True)
        assert all(p.score <= 1e-6 for p in parses)
        assert all(is_tree(sentence) for p in parses for sentence in p.sentences)
    assert found[1] == [Parse(())]
    heads = {next(w.head for w in p.sentences[0] if w.form == "telescope") for p in found[3]}
    assert heads >= {1, 3}  # saw with, the man with
    [plain] = parse(["Yes"])
    assert found[2][0].sentences == plain.sentences


def test_nbest_of_long_sentences():
    long = "and the old man gave the young dog a bone of the table " * 20
    start = time.process_time()
    [parses] = nbest(["It rains.\n" + long + "\nIt rains."], n=50)
    assert 2 <= len(parses) <= 50
    assert {sum(map(len, p.sentences)) for p in parses} == {20 * 13 + 6}
    assert time.process_time() - start < 10


def test_nbest_with_cache_and_one(tmp_path):
    cache = Cache(tmp_path)
    fresh = nbest(["Flying planes can be dangerous."], n=4, cache=cache)
    assert nbest(["Flying planes can be dangerous."], n=4, cache=cache) == fresh
    assert len(nbest(["Flying planes can be dangerous."], n=2, cache=cache)[0]) == 2
    assert nbest([TEXT], n=1) == [parse([TEXT])]
    with pytest.raises(InputError, match="at least 1, got 0"):
        nbest([TEXT], n=0)


# stanza


@pytest.fixture
def fake_stanza(monkeypatch):
    module = ModuleType("stanza")

    def words(text):
        made = [
            SimpleNamespace(text=w, lemma=None, upos="X", xpos=None, feats=None, head=i, deprel="dep" if i else "root")
            for i, w in enumerate(text.split())
        ]
        return SimpleNamespace(sentences=[SimpleNamespace(words=made)])

    class Pipeline:
        def __init__(self, language, *, processors, download_method, verbose):
            assert download_method is None
            if language == "xx":
                raise FileNotFoundError("resources.json")

        def bulk_process(self, texts):
            return [words(text) for text in texts]

    module.Pipeline = Pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stanza", module)
    _engine.cache_clear()
    yield module
    _engine.cache_clear()


def test_stanza(fake_stanza):
    [text] = parse(["Hunde bellen\nlaut"], "stanza:de")
    assert text.sentences == (
        (Word("Hunde", "hunde", "X", "", "", -1, "root"), Word("bellen", "bellen", "X", "", "", 0, "dep")),
        (Word("laut", "laut", "X", "", "", -1, "root"),),
    )
    with pytest.raises(InputError, match=r"stanza cannot load its 'xx' models.*stanza.download"):
        parse(["a"], "stanza:xx")
    with pytest.raises(InputError, match="names no language"):
        parse(["a"], "stanza:")


def test_no_stanza(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    _engine.cache_clear()
    with pytest.raises(InputError, match="needs stanza: pip install stanza"):
        parse(["a"], "stanza:de")


# CoNLL-U

CONLLU = """\
# sent_id = 1
# text = Don't go.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

1\tA\ta\tX\t_\t_\t0\tROOT\t_\t_
1.1\tgap\tgap\tX\t_\t_\t_\t_\t1:dep\t_
2\tb\t_\tX\t_\t_\t1\tdobj\t_\t_
"""


@pytest.fixture
def conllu(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.conllu"
        path.write_text(text, "utf-8")
        return f"conllu:{path}"

    return write


def test_conllu(conllu):
    model = conllu(CONLLU)
    both, tokenized, empty = parse(["A b\nDon't go.", "Do n't go .", ""], model, processes=2)
    assert forms(both) == [["A", "b"], ["Do", "n't", "go", "."]]
    assert both.sentences[0] == (Word("A", "a", "X", "", "", -1, "root"), Word("b", "b", "X", "", "", 0, "obj"))
    assert both.sentences[1][0] == Word("Do", "do", "AUX", "VB", "Mood=Imp", 2, "aux")
    assert tokenized.sentences == both.sentences[1:]
    assert empty.sentences == ()


def test_conllu_prefers_the_longer_sentence_that_works_out(conllu):
    def one(*words):
        rows = [f"{i}\t{w}\t_\tX\t_\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_" for i, w in enumerate(words, 1)]
        return "\n".join(rows) + "\n\n"

    model = conllu(one("a") + one("a", "b") + one("b", "c") + one("a", "b", "d"))
    assert [forms(text) for text in parse(["a b c", "a b d a b", "aab"], model)] == [
        [["a"], ["b", "c"]],
        [["a", "b", "d"], ["a", "b"]],
        [["a"], ["a", "b"]],
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1\ta\n", FormatError, r"conllu:1: CoNLL-U has 10 columns.* this line 2"),
        (CONLLU.replace("\n2\tb", "\n3\tb"), FormatError, r"conllu:11: word 2 of the sentence has the number '3'"),
        (CONLLU.replace("3\taux", "9\taux"), FormatError, r"conllu:4: the head of 'Do' is '9'"),
        (CONLLU.replace("3\taux", "_\taux"), FormatError, r"conllu:4: the head of 'Do' is '_'"),
        (CONLLU.replace("dobj", "oa"), InputError, "not Universal Dependencies.*: oa;"),
        (CONLLU, InputError, r"holds no sentence that begins \(spaces apart\) at 'Unknown' of a text"),
    ],
)
def test_bad_conllu(conllu, text, error, message):
    with pytest.raises(error, match=message):
        parse(["A b Unknown"], conllu(text))


def test_conllu_that_is_not_there():
    with pytest.raises(InputError, match=r"cannot read no\.conllu: No such file"):
        parse(["a"], "conllu:no.conllu")


# Versions and weight


def test_the_version_changes_with_the_weights(tmp_path):
    for name, text in (("a", "one"), ("b", "two")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights").write_text(text)
    assert hash_folder(tmp_path / "a") != hash_folder(tmp_path / "b")
    (tmp_path / "b" / "weights").write_text("one")
    assert hash_folder(tmp_path / "a") == hash_folder(tmp_path / "b")
    assert engine("en").version.startswith(hash_folder(SHIPPED / "en"))


def test_importing_the_parser_loads_no_spacy():
    heavy = "{'spacy', 'thinc', 'msgspec', 'sqlite3'}"
    code = f"import sys, assay.text, assay.text.parse.parser; print({heavy} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "spacy" not in out
    assert "thinc" not in out
