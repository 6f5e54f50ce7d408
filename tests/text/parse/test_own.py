"""The parser of the core against spaCy 3.8, which its weights were trained with: the same tokens, labels and trees."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import spacy_beam
from hypothesis import given, settings
from hypothesis import strategies as st
from pipelines import FOLDER, NAME

from assay._core import Parser
from assay.text.parse.blocks import blocks
from assay.text.parse.own import find_own
from assay.text.parse.sentence import Word
from assay.text.parse.spacy import SpacyEngine
from assay.text.parse.weights import unseal

CODES = ("avx512", "avx2", "plain")
GOLDEN = Path(__file__).parent / "golden-parses.json"


@pytest.fixture(scope="module")
def own():
    return find_own("en").load()


@pytest.fixture(scope="module")
def twin():
    return SpacyEngine(NAME, FOLDER)


def load(code: str) -> Parser:
    weights = unseal(find_own("en").file)
    try:
        return Parser(weights, msgspec.json.decode(weights["tables"].tobytes()), Word, code)
    except ValueError as error:
        pytest.skip(str(error))


def example_lines() -> list[str]:
    """Texts of our own: the examples that ship with the package, and the pages."""
    root = Path(__file__).parents[3]
    texts = [root / "README.md", *sorted((root / "docs").glob("*.md")), root / "src/assay/examples/sentences.txt"]
    lines = [line for path in texts for line in path.read_text("utf-8").splitlines()]
    return list(dict.fromkeys(block for line in lines for block in blocks(line)))


HARD = [
    "He can't say they'll come, don't you think? I'd've gone. DON'T!",
    "e-mail non-profit well-known pre-Columbian 10-20 5pm 5p.m. 10km, U.S.A. Mr. Smith's $5.50/€3 (approx. 20%)",
    "See http://example.org/a?b=c#d, www.example.com. or mail me@example.org; and/or ftp://x.y/z).",
    ":-) :( ;) <3 ^_^ ... !!! ?! -- --- *** === ___ ~~ >> << ## x.) (8) :D xD :'(",
    "ΑΣ ΑΣΑ ΟΔΥΣΣΕΥΣ İstanbul STRASSE Straße ǅ ﬁne naïve façade 한국어 日本語 русский язык हिन्दी עברית العربية",
    "👩‍👩‍👧 😀😀 🇺🇸 e\u0301 \u200b zero\u200bwidth \u00ad soft\u00adhyphen \ufeff",
    "two  spaces   three \t tab \n line \r\n end ",
    " leads",
    "\x01\x02 control \x1c \x1f \x7f\x85",
    "wannabe gonna gotta dunno y'all ma'am o'clock 'tis 'Twas ’em rock'n'roll '90s 90's",
    "X Y det cc NOUN VERB ORTH LAW PERSON neg agent mark conj root ROOT dep",  # names that spaCy numbers otherwise
    "100,000.50 1/2 3:30 2006-01-02 +49-30-1234 555-1234 (555) 555-1234 #1 @me 5'11\" 1st 22nd",
    "I I.e. i.e. e.g. vs. Ph.D. a.m. p.m. Co. Inc. 'cause",
    "A",
    "",
    "(" * 60 + ")" * 60,
    "Who is it that you think she wants to be seen by, and which man did he say that he had met?",
]


def words(doc: Any) -> list[tuple[str, int, bool]]:
    return [(token.text, token.idx, bool(token.whitespace_)) for token in doc]


def keys(doc: Any) -> list[tuple[int, ...]]:
    return [tuple(map(int, row)) for row in doc.to_array(["NORM", "PREFIX", "SUFFIX", "SHAPE"]).astype(np.uint64)]


def assert_same_tokens(own: Parser, nlp: Any, text: str) -> None:
    doc, tokens = nlp.make_doc(text), own.tokenize(text)
    assert [token[:3] for token in tokens] == words(doc), text
    assert [token[3] for token in tokens] == keys(doc), text


def test_tokens_of_hard_texts(own, twin):
    for text in HARD:
        assert_same_tokens(own, twin.nlp, text)
    for text in twin.nlp.tokenizer.rules:
        for whole in (text, f"({text})", f"{text}.", f"a{text}", f"{text} {text}", f'"{text},'):
            assert_same_tokens(own, twin.nlp, whole)


PIECES = st.sampled_from(
    [
        *"aZ9é ߐ日.,:;!?'\"’“()[]{}<>-–—_/\\@#$€%&*+=~^|`😀\t\n",
        "n't",
        "'s",
        "http://",
        "www.",
        ".com",
        "U.S.",
        "--",
        "...",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_tokens_of_signs(text):
    twin = SPACY.setdefault("nlp", SpacyEngine(NAME, FOLDER))
    assert_same_tokens(find_own("en").load(), twin.nlp, text)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_tokens_of_any_text(text):
    twin = SPACY.setdefault("nlp", SpacyEngine(NAME, FOLDER))
    assert_same_tokens(find_own("en").load(), twin.nlp, text)


SPACY: dict[str, SpacyEngine] = {}  # loaded once for what hypothesis calls


def test_parses_of_hard_texts(own, twin):
    """Spaces as tokens too: blocks hold none, but the pipeline was trained with them."""
    for text in HARD:
        assert own.parse([text]) == twin.parse([text]), text


def golden() -> dict[str, Any]:
    return json.loads(GOLDEN.read_text("utf-8"))


def test_golden_parses(own):
    """Without spaCy. Golden: spaCy 3.8.18 with training/text/parse/en; by running this file."""
    for text, sentences in golden().items():
        found = [[[*word] for word in sentence] for sentence in own.parse([text])[0]]
        assert found == sentences, text


@pytest.mark.parametrize("code", CODES)
def test_any_instructions_give_the_same(own, code):
    texts = [*golden(), *HARD]
    assert load(code).parse(texts) == own.parse(texts)


def test_company_and_threads_do_not_matter(own):
    lines = [*golden(), *HARD] * 3
    alone = [own.parse([line])[0] for line in lines]
    assert own.parse(lines) == own.parse(lines, 3) == alone
    order = random.Random(0).sample(range(len(lines)), len(lines))
    assert own.parse([lines[i] for i in order], 2) == [alone[i] for i in order]


def shared_texts(folder: Path) -> Iterator[str]:
    """EWT, GUM, SummEval, TAC 2008 and WMT17: sources in English, references, outputs."""
    for path in sorted(folder.glob("ud-english-[eg]*/*.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (line[9:] for line in file if line.startswith("# text = "))
    for name, english in (("summeval", True), ("tac2008", True), ("wmt17-cs-en", False), ("wmt17-de-en", False)):
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                texts = [row["source"]] if english and isinstance(row.get("source"), str) else []
                texts += row["references"] + [text for _, text in sorted(row["outputs"].items())[:5]]
                yield from (text if isinstance(text, str) else text["text"] for text in texts)


def compare(own: Parser, twin: SpacyEngine, lines: list[str]) -> int:
    """Tokens and sentences are the same; of all words, at most one in 100,000 may differ in a field (a near tie).

    Return how many tokens were compared.
    """
    tokens = differences = 0
    for mine, other in zip(own.parse(lines, 2), twin.parse(lines), strict=True):
        assert [[w.form for w in s] for s in mine] == [[w.form for w in s] for s in other]
        pairs = [pair for a, b in zip(mine, other, strict=True) for pair in zip(a, b, strict=True)]
        tokens += len(pairs)
        differences += sum(a != b for a, b in pairs)
    assert differences <= tokens // 100_000, f"{differences} of {tokens} words differ"
    return tokens


def draw(folder: Path, number: int) -> list[str]:
    lines = list(dict.fromkeys(block for text in shared_texts(folder) for block in blocks(text)))
    return random.Random(1).sample(lines, min(number, len(lines)))


def test_parses_of_2000_lines(own, twin, shared_file):
    compare(own, twin, draw(shared_file("summeval.jsonl.gz").parent, 2000))


@pytest.mark.slow
def test_parses_of_a_million_words(own, twin, shared_file):
    assert compare(own, twin, draw(shared_file("summeval.jsonl.gz").parent, 10**9)) > 1_000_000


def compare_beams(own: Parser, twin: SpacyEngine, lines: list[str], n: int) -> tuple[int, int]:
    """Return how many sentences have the same trees in the same order, with scores that differ by less than 1e-4."""
    mine = [trees for line in lines for trees in own.parse_best(line, n)]
    spans = [span for doc in twin.nlp.pipe(lines) for span in doc.sents]
    others = list(spacy_beam._sentences(twin.nlp, spans, n))
    assert len(mine) == len(others)
    return sum(same_trees(a, b) for a, b in zip(mine, others, strict=True)), len(mine)


def same_trees(mine: list[tuple[float, Any]], other: list[tuple[float, Any]]) -> bool:
    if len(mine) != len(other) or max(abs(a[0] - b[0]) for a, b in zip(mine, other, strict=True)) >= 1e-4:
        return False
    near = [abs(a[0] - b[0]) < 1e-5 for a, b in pairwise(other)]  # their order is free
    ordered = [tree for _, tree in mine] == [tree for _, tree in other]
    return ordered or (any(near) and sorted(tree for _, tree in mine) == sorted(tree for _, tree in other))


def test_beams_of_our_texts(own, twin):
    same, all_of_them = compare_beams(own, twin, [*golden()][:60], 10)
    assert same == all_of_them


@pytest.mark.slow
def test_beams_of_2000_lines(own, twin, shared_file):
    same, all_of_them = compare_beams(own, twin, draw(shared_file("summeval.jsonl.gz").parent, 2000), 10)
    assert same >= 0.999 * all_of_them


def test_hostile_texts(own):
    """A direct call, without the blocks that cut long lines: an answer, in bounded time and memory."""
    start = time.process_time()
    [many] = own.parse(["It rains. " * 2000])
    assert sum(map(len, many)) == 6000
    [long] = own.parse(["x" * 20_000])
    assert len(long) == 1
    assert own.parse([""]) == [()]
    assert own.parse([]) == []
    with pytest.raises(UnicodeEncodeError):
        own.parse(["half \ud800"])
    assert time.process_time() - start < 20


def test_a_long_sentence_gets_the_narrowest_beam(own):
    [trees] = own.parse_best("and the old man gave the young dog a bone " * 20, 50)
    assert 2 <= len(trees) <= 16


@pytest.mark.parametrize("name", ["tag.weights", "embed0", "pattern.url", "set.ranges", "upper.bias"])
def test_arrays_of_another_shape_are_refused(name):
    weights = unseal(find_own("en").file)
    tables = msgspec.json.decode(weights["tables"].tobytes())
    for wrong in (weights[name].ravel()[:-1], weights[name].ravel()[:0]):
        with pytest.raises(ValueError, match=r"\w"):
            Parser({**weights, name: wrong}, tables, Word)
    with pytest.raises(ValueError, match=f"without a right {name}"):
        Parser({key: array for key, array in weights.items() if key != name}, tables, Word)


if __name__ == "__main__":
    lines = random.Random(0).sample(example_lines(), 150)
    parses = SpacyEngine(NAME, FOLDER).parse(lines)
    rows = [f" {json.dumps(line)}: {json.dumps(block)}" for line, block in zip(lines, parses, strict=True)]
    GOLDEN.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
