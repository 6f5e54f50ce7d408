"""Fusion: one text for several sentences that overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import InputError
from .._budget import Budget
from .._texts import check_texts
from ._base import Cluster, Fuser, Fusion
from .spec import families, fuser

__all__ = ["DEFAULT", "Budget", "Cluster", "Fuser", "Fusion", "families", "fuse", "fuser"]

DEFAULT = "joint"


def fuse(
    clusters: Sequence[Sequence[str]],
    system: str | Fuser = DEFAULT,
    *,
    ratio: float | None = None,
    words: int | None = None,
    chars: int | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> list[Fusion]:
    """One text for each cluster of sentences, with where its words come from.

    `ratio` is a share of the words of all sentences together, `words` and `chars` are most numbers; without any the
    system chooses. `keep` and `drop` are regular expressions whose matches stay or go.

    >>> fuse([["The cat sat.", "The old cat sat on the mat."]], "longer")[0].text
    'The old cat sat on the mat.'
    """
    clusters = list(clusters) if _is_list(clusters) else [""]
    if any(isinstance(cluster, str) for cluster in clusters):
        raise InputError("fuse takes a list of clusters, each a list of sentences: fuse([[first, second]])")
    chosen = fuser(system)
    check_patterns(chosen, [*keep, *drop])
    budget = Budget(ratio, words, chars)
    checked = [check_texts(c, f"cluster {n}", f"cluster {n}: sentence") for n, c in enumerate(clusters, 1)]
    return chosen.fuse([Cluster(sentences, budget, tuple(keep), tuple(drop)) for sentences in checked])


def _is_list(given: object) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes))


def check_patterns(chosen: Fuser, patterns: Sequence[str]) -> None:
    """Refuses patterns that cannot be read, or that the system would not obey."""
    from .._system import check_patterns as check

    check(chosen, patterns, families())
