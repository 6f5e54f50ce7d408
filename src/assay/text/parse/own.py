"""The parser that comes with Assay: weights in one file, the work in the core."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ...extras import find_model
from .beam import combine
from .blocks import blocks
from .engines import GROUP, Block, Scored
from .sentence import Word
from .weights import SUFFIX, read_checksum, unseal

if TYPE_CHECKING:
    from ..._core import Parser

_RELEASE = "1"  # another number makes what was cached unknown: the core answers otherwise from the same weights


def find_own(model: str) -> OwnEngine:
    """Return the parser whose weights the package of models has."""
    return OwnEngine(model, find_model(f"parser/{model}{SUFFIX}", f"parser {model!r}", extra="parse"))


class OwnEngine:
    """One file of weights, as training/text/parse/convert.py writes it."""

    cached = True
    beam = True
    shared = False  # threads share the weights

    def __init__(self, model: str, file: Path) -> None:
        self.model, self.file = model, file
        self._lock = Lock()

    @property
    def loaded(self) -> bool:
        return "_parser" in vars(self)

    @cached_property
    def version(self) -> str:
        return f"core{_RELEASE}-{read_checksum(self.file)[:16]}"

    @cached_property
    def _parser(self) -> Parser:
        import msgspec

        from ..._core import Parser

        weights = unseal(self.file)
        return Parser(weights, msgspec.json.decode(weights["tables"].tobytes()), Word)

    def load(self) -> Parser:
        """Return the parser of the core; the first call reads the weights."""
        with self._lock:
            return self._parser

    def blocks(self, text: str) -> list[str]:
        return blocks(text)

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        few = max(1, len(parts) // GROUP)  # a group is not divided
        return self.load().parse(list(parts), min(threads, few))

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        parser = self.load()
        return [[Scored(*option) for option in combine(parser.parse_best(part, n), n)] for part in parts]
