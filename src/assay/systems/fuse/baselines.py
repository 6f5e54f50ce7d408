"""Baselines of fusion (Daumé III and Marcu 2004, 3.3): one of the sentences, all of them, or their content words."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

from ...text.stems import stop_words
from ...text.tokens.offsets import is_punctuation, split_tokens
from ..budget import Budget, count_words
from ..compress.length._limit import note_excess
from ._base import Cluster, FusedText, Fuser, Piece, nothing, one_sentence


def _pick_sentences(clusters: Sequence[Cluster], choose: Callable[[list[int], Cluster], int]) -> list[FusedText]:
    fused = []
    for cluster in clusters:
        places = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
        fused.append(one_sentence(cluster, choose(places, cluster)) if places else nothing(cluster))
    return fused


@dataclass(frozen=True)
class Longer(Fuser):
    """The sentence with the most words; the first of several."""

    name: ClassVar[str] = "longer"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _pick_sentences(clusters, lambda places, c: max(places, key=lambda i: count_words(c.sentences[i])))


@dataclass(frozen=True)
class Shorter(Fuser):
    """The sentence with the fewest words; the first of several."""

    name: ClassVar[str] = "shorter"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _pick_sentences(clusters, lambda places, c: min(places, key=lambda i: count_words(c.sentences[i])))


@dataclass(frozen=True)
class RandomSentence(Fuser):
    """A random sentence; the same for the same cluster and seed."""

    name: ClassVar[str] = "random-sentence"
    seed: int = 0

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return _pick_sentences(clusters, lambda places, c: _seeded_random(c, self.seed).choice(places))


@dataclass(frozen=True)
class Concatenation(Fuser):
    """All sentences, one after the other."""

    name: ClassVar[str] = "concatenation"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        fused = []
        for cluster in clusters:
            places = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
            text = " ".join(cluster.sentences[i].strip() for i in places)
            pieces = tuple(Piece(i, 0, len(cluster.sentences[i])) for i in places)
            notes = note_excess(text, cluster.limit, "all sentences together have")
            fused.append(FusedText(cluster.sentences, text, pieces, notes) if places else nothing(cluster))
        return fused


@dataclass(frozen=True)
class DropStop(Fuser):
    """All sentences in random order without punctuation and stop words, cut at half their length.

    Daumé III and Marcu (2004, 3.3) cut "at the 50% mark"; read here as half the tokens that the sentences had before
    anything was dropped (`share`). A length limit, if given, replaces it. Stop words are those of ROUGE-1.5.5.
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
        _seeded_random(cluster, self.seed).shuffle(order)
        every = [(i, token) for i in order for token in split_tokens(cluster.sentences[i])]
        words = [(i, token) for i, token in every if not is_punctuation(token.text)]
        words_kept = [(i, token) for i, token in words if token.text.lower() not in stop_words()] or words
        if not words_kept:
            return nothing(cluster)
        limit = cluster.limit
        words_kept = words_kept[: max(1, int(self.share * len(every)))] if limit is None else words_kept
        text = " ".join(token.text for _, token in words_kept)
        while limit is not None and len(words_kept) > 1 and not limit.holds(text):
            words_kept.pop()
            text = " ".join(token.text for _, token in words_kept)
        pieces = tuple(Piece(i, token.start, token.end) for i, token in words_kept)
        return FusedText(cluster.sentences, text, pieces, note_excess(text, limit))


def _seeded_random(cluster: Cluster, seed: int) -> random.Random:
    """Seed by the texts, so that the draw does not depend on where in the file a cluster is."""
    digest = blake2b(digest_size=8, salt=str(seed).encode()[:16])
    for sentence in cluster.sentences:
        digest.update(sentence.encode(errors="surrogatepass") + b"\0")
    return random.Random(digest.digest())
