"""From the text of a fuser, `wordgraph(language=fr)`, to the fuser."""

from __future__ import annotations

from ...component import Folder
from ._base import Fuser

FUSERS = Folder(
    __package__, Fuser, kind="fuser", example="wordgraph(language=fr)", hint="`assay fuse --list` shows them"
)


def families() -> tuple[type[Fuser], ...]:
    """List every fuser in this folder: the folder is the list."""
    return FUSERS.classes


def fuser(text: str | Fuser) -> Fuser:
    """The fuser that a text stands for.

    >>> fuser("drop-stop(seed=3)").signature()
    'drop-stop(share=0.5, seed=3)'
    >>> fuser("shortest")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown fuser 'shortest'; did you mean 'shorter'? `assay fuse --list` shows them
    """
    return FUSERS.build(text)
