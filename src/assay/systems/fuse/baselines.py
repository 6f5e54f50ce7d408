"""Baselines of fusion (Daumé III and Marcu 2004, 3.3): one of the sentences, all of them, or their content words."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

from ...text.stems import stop_words
from .._budget import Budget, count_words
from ..compress._length import too_long
from ..compress._tokens import is_punctuation, split_tokens
from ._base import Cluster, FusedText, Fuser, Piece, nothing, one_sentence


def _chosen(clusters: Sequence[Cluster], choose: Callable[[list[int], Cluster], int]) -> list[FusedText]:
    made = []
    for cluster in clusters:
        places = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
        made.append(one_sentence(cluster, choose(places, cluster)) if places else nothing(cluster))
    return made


@dataclass(frozen=True)
class Longer(Fuser):
    """The sentence with the most words; the first of equals."""

    name: ClassVar[str] = "longer"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _chosen(clusters, lambda places, c: max(places, key=lambda i: count_words(c.sentences[i])))


@dataclass(frozen=True)
class Shorter(Fuser):
    """The sentence with the fewest words; the first of equals."""

    name: ClassVar[str] = "shorter"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _chosen(clusters, lambda places, c: min(places, key=lambda i: count_words(c.sentences[i])))


@dataclass(frozen=True)
class RandomSentence(Fuser):
    """One of the sentences, drawn at random; the same for the same cluster and seed."""

    name: ClassVar[str] = "random-sentence"
    seed: int = 0

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _chosen(clusters, lambda places, c: _drawn(c, self.seed).choice(places))


@dataclass(frozen=True)
class Concatenation(Fuser):
    """All sentences one after the other."""

    name: ClassVar[str] = "concatenation"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        made = []
        for cluster in clusters:
            places = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
            text = " ".join(cluster.sentences[i].strip() for i in places)
            pieces = tuple(Piece(i, 0, len(cluster.sentences[i])) for i in places)
            notes = too_long(text, cluster.limit, "all sentences have")
            made.append(FusedText(cluster.sentences, text, pieces, notes) if places else nothing(cluster))
        return made


@dataclass(frozen=True)
class DropStop(Fuser):
    """All sentences in random order without punctuation and stop words, cut at half their length.

    Daumé III and Marcu (2004, 3.3) cut "at the 50% mark"; read here as half the tokens that the sentences had before
    anything was dropped (`share`). A budget, if given, takes its place. Stop words are those of ROUGE-1.5.5.
    """

    name: ClassVar[str] = "drop-stop"
    share: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        Budget(ratio=self.share)

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return [self._one(cluster) for cluster in clusters]

    def _one(self, cluster: Cluster) -> FusedText:
        order = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
        _drawn(cluster, self.seed).shuffle(order)
        every = [(i, token) for i in order for token in split_tokens(cluster.sentences[i])]
        words = [(i, token) for i, token in every if not is_punctuation(token.text)]
        kept = [(i, token) for i, token in words if token.text.lower() not in stop_words()] or words
        if not kept:
            return nothing(cluster)
        limit = cluster.limit
        kept = kept[: max(1, int(self.share * len(every)))] if limit is None else kept
        text = " ".join(token.text for _, token in kept)
        while limit is not None and len(kept) > 1 and not limit.holds(text):
            kept.pop()
            text = " ".join(token.text for _, token in kept)
        pieces = tuple(Piece(i, token.start, token.end) for i, token in kept)
        return FusedText(cluster.sentences, text, pieces, too_long(text, limit))


def _drawn(cluster: Cluster, seed: int) -> random.Random:
    """By the texts, so that a cluster's draw does not depend on where in the file it stands."""
    digest = blake2b(digest_size=8, salt=str(seed).encode()[:16])
    for sentence in cluster.sentences:
        digest.update(sentence.encode(errors="surrogatepass") + b"\0")
    return random.Random(digest.digest())
