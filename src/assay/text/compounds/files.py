"""Files of a splitter: lexicons, built here or of the package of models, and the weights of its model."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import read_arrays
from ...errors import FormatError, InputError, MissingExtra
from ...extras import find_model
from ...files import write_whole
from ..cache import default_cache
from .language import Language

if TYPE_CHECKING:
    from ..._core import Lexicon

SCALE = 1 / 64  # of the weights, which are stored as whole numbers of two bytes


def built_lexicon(language: Language) -> Path | None:
    """Return where a lexicon that is built on this machine is kept, or None without a cache."""
    cache = default_cache()
    return None if cache is None else cache.path.parent / "compounds" / f"{language.code}.lex"


def find_lexicon(language: Language) -> Path:
    """Return the lexicon of a language: one built on this machine, else the one of the package of models."""
    built = built_lexicon(language)
    if built is not None and built.is_file():
        return built
    build = f"assay split build --language {language.code}"
    if not language.sources:
        raise InputError(
            f"there is no lexicon of {language.name}: build one from a list of words: {build} --words FILE"
        )
    try:
        return find_model(f"compounds/{language.code}.lex", f"splitting {language.name} words")
    except MissingExtra as error:
        raise MissingExtra(f"{error}; or build a lexicon from installed packages: {build}") from None


def open_lexicon(path: str | os.PathLike[str]) -> Lexicon:
    """Open the file of a lexicon; it is mapped into memory and checked, not read."""
    stat = _stat(path)
    return _open(os.fspath(path), stat.st_mtime_ns, stat.st_size)


def _stat(path: str | os.PathLike[str]) -> os.stat_result:
    try:
        return os.stat(path)
    except OSError as error:
        raise InputError(f"cannot read the lexicon {os.fspath(path)}: {error.strerror}") from None


@lru_cache(maxsize=16)
def _open(path: str, _time: int, size: int) -> Lexicon:
    from ..._core import Lexicon

    if not size:
        raise FormatError("it is not a lexicon: the file is empty", path=path)
    try:
        return Lexicon(np.memmap(path, np.uint8, "r"))
    except (OSError, ValueError) as error:
        raise FormatError(
            f"it is not a sound lexicon ({error}); build it again: assay split build", path=path
        ) from error


class SplitModel(NamedTuple):
    """The weights of a language, and the temperature that makes probabilities of their sums."""

    weights: NDArray[np.float32]
    temperature: float


def load_weights(language: Language) -> NDArray[np.float32]:
    """Read the weights that a language uses."""
    weights = _load_model(language.model).weights
    if language.shift or language.guess_shift:
        weights = weights.copy()
        weights[0] += language.shift  # the feature that every split has
        weights[1] += language.guess_shift  # and every guess
    return weights


def load_temperature(language: Language) -> float:
    """Read what scores are divided by before they become probabilities."""
    return _load_model(language.model).temperature


@lru_cache(maxsize=16)
def _load_model(code: str) -> SplitModel:
    path = find_model(f"compounds/{code}.npz", "splitting words")
    arrays = read_arrays(path, path=path, needed=("place", "value", "size", "temperature"))
    weights = np.zeros(int(arrays["size"][0]), np.float32)
    weights[arrays["place"]] = arrays["value"].astype(np.float32) * SCALE
    return SplitModel(weights, float(arrays["temperature"][0]))


def write_model(path: str | os.PathLike[str], weights: NDArray[np.float64], temperature: float) -> None:
    """Write weights, rounded, and the temperature; weights that round to nothing are left out."""
    import io

    value = np.rint(np.asarray(weights) / SCALE).astype(np.int16)
    place = np.flatnonzero(value).astype(np.uint32)
    file = io.BytesIO()
    np.savez_compressed(
        file, place=place, value=value[place], size=np.array([len(value)]), temperature=np.array([temperature])
    )
    write_whole(path, file.getvalue())
