"""Engines: the parsers that a model's name may stand for, each with the same few methods."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

from ...cores import usable_cores
from ...errors import AssayWarning
from .sentence import Sentence

Block = tuple[Sentence, ...]
SHIPPED, ACCURATE = "en", "accurate"  # whose weights are in the package of models

OTHERS = (
    "give spacy:NAME with the name or folder of a spaCy pipeline, stanza:LANGUAGE, or conllu:FILE with the output of "
    "your own parser"
)
GROUP = 32  # blocks given to a pipeline together: more gain nothing, and each group may go to another process
_making = Lock()
_MOST_THREADS = 8  # unless somebody asks for more: each needs memory of its own


class Scored(NamedTuple):
    """One of several parses of a block, with the logarithm of its probability."""

    score: float
    block: Block


class Engine(Protocol):
    """A parser. `version` tells one from another in the cache, and is cheap: nothing is loaded for it."""

    model: str
    cached: bool
    beam: bool
    shared: bool  # whether several processes may parse with one model in memory

    @property
    def loaded(self) -> bool:
        """Whether it can parse at once: its model is in memory."""

    @property
    def version(self) -> str:
        """What changes when the model does."""

    def blocks(self, text: str) -> list[str]:
        """Return the parts of a text that are parsed, and remembered, on their own."""

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        """Return the sentences of each block; engines with threads of their own do not look at `threads`."""

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        """Return up to `n` parses of each block, best first; only where `beam` is true."""


def engine(model: str) -> Engine:
    """Return the parser that a name stands for; nothing heavy is loaded before it parses.

    en (fast) and accurate: the English parsers that come with Assay; spacy:NAME, an installed spaCy pipeline or the
    folder of one; stanza:LANGUAGE; conllu:FILE.
    """
    with _making:  # two threads must not load the same model twice
        return _engine(model)


@lru_cache(maxsize=8)
def _engine(model: str) -> Engine:
    kind, colon, rest = model.partition(":")
    if colon and kind == "stanza":
        from .stanza import StanzaEngine

        return StanzaEngine(model, rest)
    if colon and kind == "conllu":
        from .conllu import ConlluEngine

        return ConlluEngine(model, Path(rest))
    if model == SHIPPED:
        from .own import find_own

        return find_own(model)
    if model == ACCURATE:
        from .accurate import find_accurate

        return find_accurate(model)
    from .spacy import SpacyEngine, find_pipeline

    if colon and kind == "spacy":
        return SpacyEngine(model, find_pipeline(rest))
    engine = SpacyEngine(model, find_pipeline(model))
    warnings.warn(
        f"spaCy pipelines are named with spacy: before them: --parser spacy:{model}", AssayWarning, stacklevel=4
    )
    return engine


def default_threads() -> int:
    """Return how many threads parse if no one says: one for each core; one in a process that is a worker itself."""
    if "multiprocessing" in sys.modules and sys.modules["multiprocessing"].parent_process() is not None:
        return 1
    return min(_MOST_THREADS, usable_cores())


def release(package: str) -> str:
    """Return the version of an installed package, "none" without it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
