"""EVERY-SECOND: a compressor that keeps every second word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.systems.compress import Compression, Compressor, Source, build_compression
from assay.text.tokens.offsets import split_tokens


@dataclass(frozen=True)
class EverySecond(Compressor):
    """Every second word, beginning with the first; it takes no length."""

    name = "every-second"
    has_length = False

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        return [self._compress_one(source.text) for source in sources]

    def _compress_one(self, text: str) -> Compression:
        tokens = split_tokens(text)
        words = [i for i, token in enumerate(tokens) if any(map(str.isalnum, token.text))]
        return build_compression(text, tokens, words[::2])
