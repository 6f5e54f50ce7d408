"""Encoding: parses as bytes, for the cache and between processes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from sys import intern
from typing import Any

from .engines import Block, Scored
from .sentence import Word

FORMAT = "1"  # another number makes what was cached unknown


def encode_block(block: Block) -> bytes:
    """Encode a block as compressed MessagePack: sentences of words of seven fields."""
    return zlib.compress(_coder()[0].encode(block), 1)


def decode_block(value: bytes) -> Block | None:
    """Return the block, or None if the bytes are damaged."""
    decoded = _decode(value, _coder()[1])
    return None if decoded is None else _with_shared_strings(decoded)


def encode_lines(lines: Sequence[str]) -> bytes:
    """Encode lines for another process."""
    encoded: bytes = _coder()[0].encode(lines)
    return encoded


def decode_lines(value: bytes) -> list[str]:
    """Return the lines that another process sent."""
    import msgspec

    return msgspec.msgpack.decode(value, type=list[str])


def encode_blocks(blocks: Sequence[Block]) -> bytes:
    """Encode blocks for another process."""
    encoded: bytes = _coder()[0].encode(blocks)
    return encoded


def decode_blocks(value: bytes) -> list[Block]:
    """Return the blocks that another process sent."""
    blocks: list[Block] = _coder()[3].decode(value)
    return blocks


def encode_scored(parses: Sequence[Scored]) -> bytes:
    """Encode several parses of a block, with scores."""
    return zlib.compress(_coder()[0].encode(parses), 1)


def decode_scored(value: bytes) -> list[Scored] | None:
    """Return the parses, or None if the bytes are damaged."""
    decoded = _decode(value, _coder()[2])
    return None if decoded is None else [Scored(score, _with_shared_strings(block)) for score, block in decoded]


def _decode(value: bytes, decoder: Any) -> Any:
    import msgspec

    try:
        return decoder.decode(zlib.decompress(value))
    except (zlib.error, msgspec.DecodeError):
        return None


def _with_shared_strings(block: Any) -> Block:
    """Rebuild the words with shared strings: a million words have few tags and relations."""
    return tuple(
        tuple(
            Word(intern(form), intern(lemma), intern(pos), intern(tag), intern(features), head, intern(relation))
            for form, lemma, pos, tag, features, head, relation in sentence
        )
        for sentence in block
    )


@lru_cache(maxsize=1)
def _coder() -> tuple[Any, Any, Any, Any]:
    import msgspec

    fields = tuple[str, str, str, str, str, int, str]
    block = tuple[tuple[fields, ...], ...]
    return (
        msgspec.msgpack.Encoder(),
        msgspec.msgpack.Decoder(block),
        msgspec.msgpack.Decoder(list[tuple[float, block]]),
        msgspec.msgpack.Decoder(list[Block]),
    )
