"""Weights: the file of a parser, in the format of safetensors, with a checksum of its own content."""

from __future__ import annotations

import json
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FormatError, InputError

SUFFIX = ".safetensors"
_KINDS: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "I32": np.dtype("<i4"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
}
_NONE = b"0" * 64  # stands where the checksum is written
_LONGEST_HEADER = 2**20


def seal(arrays: dict[str, np.ndarray]) -> bytes:
    """Return a file that holds the arrays and the SHA-256 of itself, computed with zeros in its place."""
    header: dict[str, Any] = {"__metadata__": {"sha256": _NONE.decode()}}
    data = b""
    names = {dtype: kind for kind, dtype in _KINDS.items()}
    for name, array in sorted(arrays.items()):
        content = np.ascontiguousarray(array).tobytes()
        place = [len(data), len(data) + len(content)]
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": place}
        data += content + bytes(-len(content) % 64)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    file = len(text).to_bytes(8, "little") + text + data
    return file.replace(_NONE, sha256(file).hexdigest().encode(), 1)


def read_checksum(path: Path) -> str:
    """Return the checksum that stands in the file, without reading the rest."""
    with path.open("rb") as file:
        return _checksum(_header(file.read(_LONGEST_HEADER), path), path)


def unseal(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a file; FormatError if a byte of it is not as it was written."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    head = _header(content, path)
    checksum = _checksum(head, path)
    digest = sha256(head.replace(checksum.encode(), _NONE, 1))
    digest.update(memoryview(content)[len(head) :])
    if digest.hexdigest() != checksum:
        raise FormatError(
            "is damaged: its SHA-256 is another than it states; install assay-eval-models again", path=path
        )
    header = json.loads(head[8:])
    del header["__metadata__"]
    arrays = {}
    for name, entry in header.items():
        shape = entry["shape"]
        start = len(head) + entry["data_offsets"][0]
        arrays[name] = np.frombuffer(content, _KINDS[entry["dtype"]], prod(shape), start).reshape(shape)
    return arrays


def _header(content: bytes, path: Path) -> bytes:
    size = int.from_bytes(content[:8], "little")
    if size > min(_LONGEST_HEADER, len(content)) - 8:
        raise FormatError("is damaged, or no file of weights; install assay-eval-models again", path=path)
    return content[: 8 + size]


def _checksum(head: bytes, path: Path) -> str:
    try:
        checksum: str = json.loads(head[8:])["__metadata__"]["sha256"]
    except (ValueError, KeyError, TypeError):
        raise FormatError("is damaged: its header cannot be read; install assay-eval-models again", path=path) from None
    return checksum
