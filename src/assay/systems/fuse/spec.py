"""From the text of a fuser, `wordgraph(language=fr)`, to the fuser."""

from __future__ import annotations

from functools import lru_cache

from ..folder import built, classes_in
from .base import Fuser


@lru_cache(maxsize=1)
def families() -> tuple[type[Fuser], ...]:
    """Every fuser in this folder: the folder is the list."""
    return classes_in(__package__, Fuser)


def fuser(text: str | Fuser) -> Fuser:
    """The fuser that a text stands for.

    >>> fuser("drop-stop(seed=3)").signature()
    'drop-stop(share=0.5, seed=3)'
    >>> fuser("shortest")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown fuser 'shortest'; did you mean 'shorter'? `assay fuse --list` shows them
    """
    if isinstance(text, Fuser):
        return text
    return built(text, families(), "fuser", "wordgraph(language=fr)", "`assay fuse --list` shows them")
