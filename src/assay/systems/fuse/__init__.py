"""FusedText: one text for several sentences that overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...component import Folder
from ...errors import InputError
from ..budget import Budget
from ..system import LanguageGate, System, check_patterns, check_texts
from ._base import Cluster, FusedText, Fuser, one_sentence

__all__ = ["DEFAULT", "FUSERS", "Budget", "Cluster", "FusedText", "Fuser", "fuse"]

DEFAULT = "joint"
FUSERS = Folder(
    __name__,
    Fuser,
    kind="fuser",
    example="wordgraph(language=fr)",
    hint="`assay fuse --list` shows them",
    group="assay.systems",
    group_base=System,
)


def fuse(
    clusters: Sequence[Sequence[str]],
    system: str | Fuser = DEFAULT,
    *,
    ratio: float | None = None,
    words: int | None = None,
    chars: int | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    language: str | None = None,
) -> list[FusedText]:
    """Make one text of each cluster of sentences, with where its words come from.

    `ratio` is a share of the words of all sentences together, `words` and `chars` are upper limits; without any the
    system chooses the length. `keep` and `drop` are regular expressions: their matches are kept or deleted.
    `language`: as for compress.

    >>> fuse([["The cat sat.", "The old cat sat on the mat."]], "longer")[0].text
    'The old cat sat on the mat.'
    """
    clusters = list(clusters) if _is_list(clusters) else [""]
    if any(isinstance(cluster, str) for cluster in clusters):
        raise InputError("fuse takes a list of clusters, each a list of sentences: fuse([[first, second]])")
    fuser = FUSERS.build(system)
    check_patterns(fuser, [*keep, *drop], FUSERS)
    budget = Budget(ratio, words, chars)
    checked = [check_texts(c, f"cluster {n}", f"cluster {n}: sentence") for n, c in enumerate(clusters, 1)]
    clusters_read = [Cluster(sentences, budget, tuple(keep), tuple(drop)) for sentences in checked]
    return fuse_through(LanguageGate(fuser, language), fuser, clusters_read)


def fuse_through(gate: LanguageGate, fuser: Fuser, clusters: Sequence[Cluster]) -> list[FusedText]:
    """Fuse each cluster that passes the gate; of the others the first sentence stays, with a note."""

    def leave(cluster: Cluster, reason: str) -> FusedText:
        return one_sentence(cluster, 0, [f"the first sentence as it is: {reason}"])

    return gate.run(clusters, ["\n".join(cluster.sentences) for cluster in clusters], fuser.fuse, leave)


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))
