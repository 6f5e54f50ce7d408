"""What every fuser is: a frozen dataclass, spelled as a call, from clusters of sentences to one text each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..budget import Budget, Limit, count_words
from ..system import System, check_text


@dataclass(frozen=True)
class Cluster:
    """Sentences that say more or less the same, and how long the text that stands for them may be."""

    sentences: tuple[str, ...]
    budget: Budget = field(default_factory=Budget)
    keep: tuple[str, ...] = ()  # regular expressions; words they touch stay
    drop: tuple[str, ...] = ()  # and words these touch go

    def __post_init__(self) -> None:
        for text in self.sentences:
            check_text(text, "a sentence to fuse")

    @property
    def filled(self) -> tuple[str, ...]:
        """The sentences that have words."""
        return tuple(s for s in self.sentences if count_words(s))

    @property
    def limit(self) -> Limit | None:
        """The most words or characters, a ratio being of all sentences together; None without a budget."""
        return self.budget.limit(" ".join(self.filled))


class Piece(NamedTuple):
    """A token of the fused text: `sentences[sentence][start:end]` of the cluster."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class FusedText:
    """One text for several sentences: where its words come from, and what is to be said about it."""

    sentences: tuple[str, ...]
    text: str
    pieces: tuple[Piece, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """Words of the text."""
        return count_words(self.text)

    @property
    def used(self) -> tuple[int, ...]:
        """The sentences that some of it comes from."""
        return tuple(sorted({piece.sentence for piece in self.pieces}))


@dataclass(frozen=True)
class Fuser(System):
    """A fuser."""

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        """Make one text of each cluster; it is empty only for a cluster without words."""
        raise NotImplementedError


def one_sentence(cluster: Cluster, sentence: int, notes: Sequence[str] = ()) -> FusedText:
    """Return a sentence of the cluster unchanged, with a note if it is longer than the limit."""
    from ..compress.length._limit import note_excess

    text = cluster.sentences[sentence]
    all_notes = (*notes, *note_excess(text, cluster.limit, "the sentence has"))
    return FusedText(cluster.sentences, text, (Piece(sentence, 0, len(text)),), all_notes)


def nothing(cluster: Cluster) -> FusedText:
    """Return the empty text, for a cluster without words."""
    return FusedText(cluster.sentences, "", (), ("the sentences contain no words",))
