"""From the scores of a network, in PyTorch or NumPy, to sentences with trees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from examples import LONGEST, Batch, Example, Lists, Tokens, collate, cut_batches
from neighbours import Word
from pieces import cut_words
from trees import best_tree

from assay.text.parse.lemma_scripts import apply_script
from assay.text.parse.pieces import word_pieces

PIECES = 6000  # in a batch
PLACES = 512  # of a text in pieces


class Scores(NamedTuple):
    """What a network says about texts; `arc[.., i, j + 1]` is that of head j, `[.., i, 0]` of the root."""

    columns: dict[str, np.ndarray]  # pos, tag, feats, lemma
    start: np.ndarray
    arc: np.ndarray
    dependent: np.ndarray  # what the scores of relations are computed from, once the heads are known
    head: np.ndarray

    def text(self, number: int, words: int) -> Scores:
        """Those of one text, without padding."""
        columns = {name: values[number, :words] for name, values in self.columns.items()}
        start, arc, dependent, head = (values[number] for values in self[1:])
        return Scores(columns, start[:words], arc[:words, : words + 1], dependent[:words], head[: words + 1])


class Analyser(ABC):
    """Analyses tokens with a network."""

    lists: Lists

    @abstractmethod
    def score_trees(self, batch: Batch) -> Scores:
        """Run the heads for tags and trees."""

    @abstractmethod
    def score_keep(self, batch: Batch) -> np.ndarray:
        """The probability of keeping each word."""

    @abstractmethod
    def score_relations(self, dependent: np.ndarray, head: np.ndarray) -> np.ndarray:
        """Scores of the relations of words, given the rows of their heads."""

    def keep(self, texts: Sequence[Tokens]) -> list[np.ndarray]:
        """The probability that a compression keeps each word."""
        results: list[np.ndarray] = [np.zeros(0)] * len(texts)
        for places, batch in _batches(texts):
            p = self.score_keep(batch)
            for row, place in enumerate(places):
                results[place] = p[row, : len(texts[place].forms)]
        return results

    def analyse(self, texts: Sequence[Tokens], *, split: bool = True) -> list[list[list[Word]]]:
        """The sentences of each text, which is one sentence unless `split`; heads are places within the sentence.

        A long text is read in windows: the next begins with the last sentence of the one before.
        """
        done: list[list[list[Word]]] = [[] for _ in texts]
        waiting = [(number, 0) for number in range(len(texts))]
        while waiting:
            parts = [_window(texts[number], at) for number, at in waiting]
            following = []
            for places, batch in _batches(parts):
                scores = self.score_trees(batch)
                for row, place in enumerate(places):
                    (number, at), part = waiting[place], parts[place]
                    own = scores.text(row, len(part.forms))
                    bounds = sentence_bounds(part, own, split)
                    if at + len(part.forms) < len(texts[number].forms):
                        bounds = bounds[:-1] if len(bounds) > 2 else bounds
                        following.append((number, at + bounds[-1]))
                    done[number] += [self.sentence(part, own, begin, end) for begin, end in pairwise(bounds)]
            waiting = following
        return done

    def sentence(self, text: Tokens, scores: Scores, begin: int, end: int) -> list[Word]:
        """The words of a sentence with the best tree over them."""
        rows = [0, *range(begin + 1, end + 1)]  # the root, and the words as heads
        heads = best_tree(log_softmax(scores.arc[begin:end, rows].astype(np.float64)))
        relations = self.score_relations(scores.dependent[begin:end], scores.head[rows][heads + 1])
        relations[:, self.lists.dep.index("ROOT")] = np.where(heads < 0, np.inf, -np.inf)
        labels = relations.argmax(1)
        words = []
        for i, form in enumerate(text.forms[begin:end]):
            value = {name: getattr(self.lists, name)[best[begin + i].argmax()] for name, best in scores.columns.items()}
            words.append(
                Word(
                    form,
                    apply_script(value["lemma"], form),
                    value["pos"],
                    value["tag"],
                    value["feats"],
                    int(heads[i]) if heads[i] >= 0 else i,
                    self.lists.dep[labels[i]],
                    text.spaces[begin + i],
                )
            )
        return words


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities along the last dimension."""
    shifted = scores - scores.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def sentence_bounds(text: Tokens, scores: Scores, split: bool) -> list[int]:
    """Where sentences begin, and the end of the text."""
    starts = np.array(text.starts) | (split & (scores.start > 0))
    starts[0] = True
    return [*np.flatnonzero(starts).tolist(), len(starts)]


def _window(text: Tokens, at: int) -> Tokens:
    """The words that are read together: at most as many as a training document has, in as many pieces as fit."""
    end, room = at, PLACES - 2
    for form in text.forms[at : at + LONGEST]:
        room -= len(word_pieces(form))
        if room < 0:
            break
        end += 1
    return Tokens(text.forms[at:end], text.spaces[at:end], text.starts[at:end])


def _batches(texts: Sequence[Tokens]) -> list[tuple[list[int], Batch]]:
    """Batches of texts of similar length, with their places."""
    examples = [Example(cut_words(*text), None, None) for text in texts]
    places = {id(example): place for place, example in enumerate(examples)}
    return [([places[id(e)] for e in group], collate(group)) for group in cut_batches(examples, PIECES)]
