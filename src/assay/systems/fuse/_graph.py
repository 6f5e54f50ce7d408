"""The word graph (Filippova 2010): words of several sentences as nodes, merged where they are the same word in use.

A node is a word in lower case with its part of speech (none without a tagger). Sentences are added one after another,
each in four passes: (1) content words that no node, or one, holds; (2) content words that several hold: the one whose
neighbours overlap most with the word's, then the one most sentences share; (3) stop words, only onto a node that has a
content word for a neighbour in common; (4) punctuation, only if both neighbours are shared. Two words of one sentence
never share a node. An edge joins words that follow each other in some sentence; its weight is

(1) w(i, j) = (f_i + f_j) / (sum over sentences of 1 / dist(i, j)) / (f_i f_j)

with f the number of sentences in a node and dist the smallest distance at which j follows i in a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

START, END = 0, 1


@dataclass(frozen=True)
class GraphWord:
    """A token as the graph sees it."""

    key: str  # lower case, with the part of speech
    content: bool
    punctuation: bool = False
    verb: bool = False


@dataclass
class WordGraph:
    """Nodes 0 (start) and 1 (end) and those of the words; `where` has the sentence -> place of each node's words."""

    sentences: Sequence[Sequence[GraphWord]]
    where: list[dict[int, int]] = field(default_factory=list)
    words: list[GraphWord] = field(default_factory=list)
    node_of: list[list[int]] = field(default_factory=list)  # sentence x place -> node
    _by_key: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.where = [dict.fromkeys(range(len(self.sentences)), -1), {s: len(t) for s, t in enumerate(self.sentences)}]
        self.words = [GraphWord("", False), GraphWord("", False)]
        for number, sentence in enumerate(self.sentences):
            self._add(number, sentence)

    def _add(self, number: int, sentence: Sequence[GraphWord]) -> None:
        nodes = [-1] * len(sentence)
        self.node_of.append(nodes)
        several: list[int] = []
        for place, word in enumerate(sentence):
            if word.content:
                nodes_of_word = self._by_key.get(word.key, [])
                if len(nodes_of_word) > 1:
                    several.append(place)
                else:
                    nodes[place] = self._put(number, place, nodes_of_word)
        for place in several:
            nodes[place] = self._put(number, place, self._rank_nodes(number, place, least=0))
        for place, word in enumerate(sentence):
            if nodes[place] < 0 and not word.punctuation:
                nodes[place] = self._put(number, place, self._rank_nodes(number, place, least=1, content=True))
        for place, word in enumerate(sentence):
            if word.punctuation:
                nodes[place] = self._put(number, place, self._rank_nodes(number, place, least=2, both=True))

    def _put(self, number: int, place: int, candidates: Sequence[int]) -> int:
        """Put a word into the first candidate node without a word of this sentence, or into a new node."""
        word = self.sentences[number][place]
        for node in candidates:
            if number not in self.where[node]:
                self.where[node][number] = place
                return node
        self.where.append({number: place})
        self.words.append(word)
        self._by_key.setdefault(word.key, []).append(len(self.where) - 1)
        return len(self.where) - 1

    def _rank_nodes(
        self, number: int, place: int, *, least: int, content: bool = False, both: bool = False
    ) -> list[int]:
        """Rank the nodes of a word that share enough of its neighbours: most shared first, then the most frequent."""
        sentence = self.sentences[number]
        left, right = self._neighbour(sentence, place - 1, content), self._neighbour(sentence, place + 1, content)
        ranked = []
        for node in self._by_key.get(sentence[place].key, []):
            before, after = self._neighbours(node, content)
            shared = (before[left], after[right])
            if sum(shared) >= least and (not both or all(shared)):
                ranked.append((-sum(shared), -len(self.where[node]), node))
        return [node for *_, node in sorted(ranked)]

    def _neighbours(self, node: int, content: bool) -> tuple[Counter[str], Counter[str]]:
        before: Counter[str] = Counter()
        after: Counter[str] = Counter()
        for number, place in self.where[node].items():
            sentence = self.sentences[number]
            before[self._neighbour(sentence, place - 1, content)] += 1
            after[self._neighbour(sentence, place + 1, content)] += 1
        before.pop("", None)
        after.pop("", None)
        return before, after

    @staticmethod
    def _neighbour(sentence: Sequence[GraphWord], place: int, content: bool) -> str:
        """Return the key of a neighbour; the empty text for a stop word where only content words count."""
        if place < 0:
            return "" if content else "<start>"
        if place >= len(sentence):
            return "" if content else "<end>"
        return sentence[place].key if sentence[place].content or not content else ""

    @cached_property
    def edges(self) -> list[dict[int, float]]:
        """For each node the nodes that follow it somewhere, with the weight (1)."""
        follows: list[dict[int, float]] = [{} for _ in self.where]
        for nodes in self.node_of:
            path = [START, *nodes, END] if nodes else []
            for a, b in pairwise(path):
                if b not in follows[a]:
                    follows[a][b] = self._weight(a, b)
        return follows

    def _weight(self, a: int, b: int) -> float:
        first, second = self.where[a], self.where[b]
        near = sum(1 / (second[s] - place) for s, place in first.items() if s in second and second[s] > place)
        return (len(first) + len(second)) / near / (len(first) * len(second))
