"""Word alignment by eflomal (Östling and Tiedemann 2016), where installed: Gibbs sampling, so no two runs are alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...extras import install_line


def directions(
    sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]], longest: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each target word the place of its source word, and the other way round (-1: none), line after line.

    Lines with an empty side or one of more than `longest` words are left out.
    """
    if find_spec("eflomal") is None:
        raise InputError(f"the aligner eflomal is not installed: {install_line('align')}, or use the aligner hmm")
    import eflomal

    used = [
        p
        for p, sides in enumerate(zip(sources, targets, strict=True))
        if all(1 <= len(side) <= longest for side in sides)
    ]
    forward = [np.full(len(words), -1, dtype=np.int64) for words in targets]
    backward = [np.full(len(words), -1, dtype=np.int64) for words in sources]
    if used:
        with TemporaryDirectory(prefix="assay-") as folder:
            fwd, rev = (str(Path(folder) / name) for name in ("forward", "backward"))
            lines = ([" ".join(side[p]) + "\n" for p in used] for side in (sources, targets))
            eflomal.Aligner().align(*lines, links_filename_fwd=fwd, links_filename_rev=rev, quiet=True)
            for p, links in zip(used, _read(fwd), strict=True):
                for s, t in links:
                    forward[p][t] = s
            for p, links in zip(used, _read(rev), strict=True):
                for s, t in links:
                    backward[p][s] = t
    return _concatenate(forward), _concatenate(backward)


def _read(path: str) -> Iterable[list[tuple[int, int]]]:
    for line in Path(path).read_text("utf-8").splitlines():
        pairs = (link.split("-") for link in line.split())
        yield [(int(s), int(t)) for s, t in pairs]


def _concatenate(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)])
