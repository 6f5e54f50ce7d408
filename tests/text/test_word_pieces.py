"""Word pieces against the package `tokenizers`, the reference."""

from __future__ import annotations

import gzip
import random
import sys
import unicodedata
from pathlib import Path

import pytest

from assay.extras import find_data
from assay.text.word_pieces import VOCABULARY, read_word_pieces

HARD = [
    "Don't stop-words, e.g. naïve CAFÉS (2nd) at 5pm; $5.50/€3 and a^b~c`d|e",
    "[CLS] [SEP] [UNK] [MASK] ##ing a##b # ## @",
    "ΑΣ ΟΔΥΣΣΕΥΣ İstanbul STRASSE Straße ǅ ﬁne 한국어 日本語とカタカナ русский हिन्दी עברית العربية",
    "👩‍👩‍👧 😀 🇺🇸 e\u0301 \u200b zero\u200bwidth soft\u00adhyphen \ufeff \ufffd no\u00a0break",
    "\x01\x02 control \x0b \x0c \x1c \x7f \x85 \t\r\n end",
    "x" * 100 + " " + "x" * 101 + " " + "é" * 100 + " " + "é" * 101,
    "supercalifragilisticexpialidocious unbelievably zzzqqqxxx \u2603 \U0010fffd",
    " ",
    "",
]


@pytest.fixture(scope="module")
def own():
    return read_word_pieces(find_data(VOCABULARY))


@pytest.fixture(scope="module")
def reference():
    tokenizers = pytest.importorskip("tokenizers")
    pieces = find_data(VOCABULARY).read_text("utf-8").removesuffix("\n").split("\n")
    model = tokenizers.models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def example_lines() -> list[str]:
    root = Path(__file__).parents[2]
    paths = [root / "README.md", root / "src/assay/examples/sentences.txt", *sorted((root / "docs").glob("*.md"))]
    return [line for path in paths for line in path.read_text("utf-8").splitlines()]


def check(own, reference, texts):
    different = [text for text in texts if own.cut(text).tolist() != reference(text)]
    assert different == []


def test_pieces_are_those_of_tokenizers(own, reference):
    check(own, reference, [*HARD, *example_lines()])


def test_characters_are_those_of_tokenizers(own, reference):
    """Each character of the basic plane that both know, between letters."""
    old = unicodedata.ucd_3_2_0
    known = [chr(i) for i in range(0x3000) if old.category(chr(i)) != "Cn"]
    check(own, reference, [f"a{char}b" for char in known if old.category(char) == unicodedata.category(char)])


@pytest.mark.slow
def test_every_character(own, reference):
    """All differences are characters that Unicode has, or has as they are, only since tokenizers' version."""
    old = unicodedata.ucd_3_2_0
    for i in range(sys.maxunicode + 1):
        char = chr(i)
        if 0xD800 <= i < 0xE000 or own.cut(f"a{char}b").tolist() == reference(f"a{char}b"):
            continue
        assert old.category(char) == "Cn" or old.category(char) != unicodedata.category(char), hex(i)


@pytest.mark.slow
def test_pieces_of_100000_sentences(own, reference, shared_file):
    with gzip.open(shared_file("google-compression-200k/train.tsv.gz"), "rt", encoding="utf-8") as file:
        lines = [line for line, _ in zip(file, range(100_000), strict=False)]
    assert len(lines) == 100_000
    check(own, reference, lines)


def test_any_characters_in_a_row(own, reference):
    rng = random.Random(0)
    signs = [*map(chr, range(32, 0x250)), *"日本語한글", "\u0301", "\u200d", "😀", " "]
    check(own, reference, ["".join(rng.choices(signs, k=rng.randrange(40))) for _ in range(2000)])


def test_pieces_are_found_by_name(own):
    assert [own.find(piece) for piece in ("[UNK]", "[CLS]", "the", "##ing", "no such")] == [100, 101, 1996, 2075, -1]


def test_a_vocabulary_needs_an_unknown_piece(tmp_path):
    (tmp_path / "vocab.txt").write_text("a\nb\n", "utf-8")
    with pytest.raises(ValueError, match=r"has the piece \[UNK\]"):
        read_word_pieces(tmp_path / "vocab.txt")
