"""Tagger: for each word of a parse, the probability that a compression keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError, UnknownName
from ....extras import RESEARCH, find_model, import_extra
from ....files import path_inside
from ....text.parse.sentence import Parse
from ._tagger_input import Features, Vocabulary, segments, units
from ._tagger_network import ARRAYS, Network

NAMES = ("headline", "conservative")  # the second is in the package of models for research


@dataclass(frozen=True, eq=False)
class Tagger:
    """A network that was trained to delete; `threshold` is the probability from which a word is kept by default.

    headline: trained on news sentences and compressions like headlines, keeps two words in five. conservative: trained
    on people's careful deletions in spoken and written news, keeps three in four.
    """

    name: str
    threshold: float
    vocabulary: Vocabulary
    network: Network

    @classmethod
    def load(cls, name: str | Path = "headline") -> Tagger:
        """Load a tagger that comes with Assay, or the .json file of a trained one; each is loaded once."""
        return _load(str(name) if str(name) in NAMES else str(Path(name).resolve()))

    def marginals(self, parses: Sequence[Parse]) -> list[NDArray[np.float64]]:
        """Compute p(keep) for every word of each parse, its sentences one after another.

        Words of a hyphenated compound have the same. Sentences are read on their own, many at a time: give all parses
        at once. The last digits of a value (below 1e-6) may depend on which sentences are read together.
        """
        if isinstance(parses, Parse):
            raise InputError("the tagger takes a list of parses, not one parse")
        sentences: list[Features] = []
        words: list[list[int]] = []
        owners: list[int] = []
        for number, parse in enumerate(parses):
            for segment in segments(parse):
                sentence_units = units(segment)
                sentences.append(self.vocabulary.features(sentence_units))
                words.append([unit.words for unit in sentence_units])
                owners.append(number)
        with limit_threads():
            values = self.network.keep(sentences)
        parts: list[list[NDArray[np.float64]]] = [[] for _ in parses]
        for number, value, counts in zip(owners, values, words, strict=True):
            parts[number].append(np.repeat(value.astype(np.float64), counts))
        return [np.concatenate(part) if part else np.zeros(0) for part in parts]


def limit_threads() -> AbstractContextManager[object]:
    """Keep numpy's BLAS to one thread: for such small matrices a second one only costs time."""
    limits: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limits


@cache
def _threads() -> Any:
    # finding the libraries takes milliseconds: once is enough
    return import_extra("threadpoolctl", "text", "this compressor").ThreadpoolController()


@lru_cache(maxsize=8)
def _load(name: str) -> Tagger:
    path = _find_shipped(name) if name in NAMES else Path(name)
    if not path.is_file():
        if path.suffix != ".json":
            raise UnknownName("tagger", Path(name).name, NAMES)
        raise InputError(f"no tagger at {path}; give the .json file of one, or {' or '.join(NAMES)}")
    with explain_errors("is not a tagger that Assay can read", path):
        about = json.loads(path.read_text(encoding="utf-8"))
        listed = path_inside(path.parent, about["words"], path=path)
        if name in NAMES:  # both have the same table of words, which is stored once
            listed = _find_shipped("words")
        words = listed.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
        file = listed.with_suffix(".npz")
        vectors = read_arrays(file, path=file, needed=("values", "scale"))
        arrays = read_arrays(path.with_suffix(".npz"), path=path.with_suffix(".npz"), needed=ARRAYS)
        arrays["word"] = vectors["values"].astype(np.float32) * vectors["scale"].astype(np.float32)[:, None]
        threshold = float(about["threshold"])
        if not 0 <= threshold <= 1:
            raise FormatError(f"its threshold is {threshold}; it must be from 0 to 1", path=path)
        for table, names in (("word", words), ("tag", about["tags"]), ("relation", about["relations"])):
            _check_names(table, names, arrays[table].shape, path)
        vocabulary = Vocabulary(words, about["tags"], about["relations"])
        return Tagger(str(about["name"]), threshold, vocabulary, Network.of(arrays))


def _find_shipped(name: str) -> Path:
    """Return the file of a tagger that comes with Assay, or of their table of words."""
    if name == "conservative":
        return find_model(f"compress/{name}.json", "the tagger conservative", package=RESEARCH)
    return find_model(f"compress/{name}.{'npz' if name == 'words' else 'json'}", "this compressor", extra="text")


def _check_names(table: str, names: object, shape: tuple[int, ...], path: Path) -> None:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError(f"its list of {table}s does not hold words", path=path)
    if len(shape) != 2 or len(names) > shape[0]:
        raise FormatError(f"has {len(names)} {table}s, but an array of the shape {shape} for them", path=path)
