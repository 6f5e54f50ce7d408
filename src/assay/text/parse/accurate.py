"""The accurate parser: a pretrained encoder with heads for tags and trees, run by the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...extras import find_model
from .blocks import blocks
from .engines import SHIPPED, Block, Scored
from .lemma_scripts import apply_script
from .own import OwnEngine, find_own
from .pieces import cut_words
from .sentence import Sentence, Word
from .weights import SUFFIX, read_checksum, unseal

if TYPE_CHECKING:
    from ..._core import Encoder

_RELEASE = "1"  # another number makes what was cached unknown: other answers from the same weights
_AT_ONCE = 256  # blocks: fewer gain nothing, more need memory

ROOT = "ROOT"
COLUMNS = ("pos", "tag", "feats", "lemma")

Tokens = tuple[Sequence[str], Sequence[bool]]


class Analysis(NamedTuple):
    """What one pass says of a block: its parse, and the probability that a compression keeps each word."""

    block: Block
    keep: NDArray[np.float32]


def find_accurate(model: str) -> AccurateEngine:
    """Return the parser whose weights the package of models has."""
    file = find_model(f"parser/{model}{SUFFIX}", f"parser {model!r}", extra="parse")
    return AccurateEngine(model, file, find_own(SHIPPED))


class AccurateEngine:
    """One file of weights, as training/text/encoder/export.py writes it; the fast parser cuts the words."""

    cached = True
    beam = False
    shared = False  # threads share the weights

    def __init__(self, model: str, file: Path, words: OwnEngine) -> None:
        self.model, self.file, self._words = model, file, words
        self._lock = Lock()

    @property
    def loaded(self) -> bool:
        return "_encoder" in vars(self)

    @cached_property
    def version(self) -> str:
        return f"encoder{_RELEASE}-{read_checksum(self.file)[:16]}-{self._words.version}"

    @cached_property
    def _encoder(self) -> tuple[Encoder, dict[str, list[str]]]:
        import msgspec

        weights = unseal(self.file)
        lists = msgspec.json.decode(weights["lists"].tobytes(), type=dict[str, list[str]])
        return load_encoder(weights, lists), lists

    def blocks(self, text: str) -> list[str]:
        return blocks(text)

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        return [analysis.block for analysis in self.analyse(parts, threads)]

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        raise NotImplementedError

    def analyse(self, parts: Sequence[str], threads: int = 1) -> list[Analysis]:
        """Return parses and the words to keep of blocks; the same for any number of threads and other blocks."""
        tokenizer = self._words.load()
        analyses: list[Analysis] = []
        for at in range(0, len(parts), _AT_ONCE):
            tokens = [tokenizer.tokenize(part) for part in parts[at : at + _AT_ONCE]]
            analyses += self.analyse_tokens([([t[0] for t in some], [t[2] for t in some]) for some in tokens], threads)
        return analyses

    def analyse_tokens(self, texts: Sequence[Tokens], threads: int = 1) -> list[Analysis]:
        """Return the same of tokens, those of each line with whether a space follows them.

        A line of more than 240 words or 510 pieces is read in windows: the next begins with the last sentence of the
        one before. A sentence that is longer than a window is cut.
        """
        with self._lock:
            encoder, lists = self._encoder
        forms = [form for some, _ in texts for form in some]
        spaces = [space for _, some in texts for space in some]
        starts = [i == 0 for some, _ in texts for i in range(len(some))]
        ends = np.cumsum([len(some) for some, _ in texts], dtype=np.int32)
        words = cut_words(forms, spaces, starts)
        rows, sentence_ends, keep = encoder.encode(words.pieces, words.ends, words.shapes, ends, threads)
        sentences = _sentences(forms, rows, sentence_ends, lists)
        analyses = []
        begin = 0
        for end in ends.tolist():
            first, block = begin, []
            while begin < end:
                block.append(next(sentences))
                begin += len(block[-1])
            analyses.append(Analysis(tuple(block), keep[first:end]))
        return analyses


def load_encoder(weights: dict[str, np.ndarray], lists: dict[str, list[str]], code: str = "") -> Encoder:
    """Return the encoder of the core for weights as export.py packs them, with the values of each column."""
    from ..._core import Encoder

    sizes = {column: len(lists[column]) for column in (*COLUMNS, "dep")}
    return Encoder(weights, sizes | {"root": lists["dep"].index(ROOT)}, code)


def _sentences(
    forms: Sequence[str], rows: NDArray[np.int32], ends: NDArray[np.int32], lists: dict[str, list[str]]
) -> Iterator[Sentence]:
    pos, tag, feats, scripts = (lists[column] for column in COLUMNS)
    feats = ["" if value == "_" else value for value in feats]
    relations = ["root" if value == ROOT else value for value in lists["dep"]]
    values = rows.tolist()
    begin = 0
    for end in ends.tolist():
        yield tuple(
            Word(form, apply_script(scripts[d], form), pos[a], tag[b], feats[c], head, relations[e])
            for form, (a, b, c, d, head, e) in zip(forms[begin:end], values[begin:end], strict=True)
        )
        begin = end
