"""The tagger in PyTorch: two bidirectional LSTMs, the second also reads the first's state at each word's head."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """Sizes of the tables and layers."""

    words: int
    tags: int
    relations: int
    google_tags: int
    google_labels: int
    word: int = 50
    tag: int = 16
    relation: int = 24
    small: int = 8
    hidden: int = 128
    distances: int = 22
    depths: int = 10
    sizes: int = 16


class Network(nn.Module):
    """Logits of keeping each unit, and of Google's tag and dependency label, which only training needs."""

    def __init__(self, shape: Shape, dropout: float = 0.3) -> None:
        super().__init__()
        self.shape = shape
        self.word = nn.Embedding(shape.words, shape.word)
        self.tag = nn.Embedding(shape.tags, shape.tag)
        self.relation = nn.Embedding(shape.relations, shape.relation)
        self.distance = nn.Embedding(shape.distances, shape.small)
        self.depth = nn.Embedding(shape.depths, shape.small)
        self.size = nn.Embedding(shape.sizes, shape.small)
        for table in (self.tag, self.relation, self.distance, self.depth, self.size):
            nn.init.normal_(table.weight, std=0.3)
        width = shape.word + shape.tag + shape.relation + 3 * shape.small
        self.first = nn.LSTM(2 * width, shape.hidden, bidirectional=True, batch_first=True)
        self.second = nn.LSTM(4 * shape.hidden, shape.hidden, bidirectional=True, batch_first=True)
        self.middle = nn.Linear(4 * shape.hidden, shape.hidden)
        self.last = nn.Linear(shape.hidden, 1)
        self.google_tag = nn.Linear(2 * shape.hidden, shape.google_tags)
        self.google_label = nn.Linear(2 * shape.hidden, shape.google_labels)
        self.dropout = dropout
        for lstm in (self.first, self.second):
            for name, values in lstm.named_parameters():
                if "weight_hh" in name:
                    for gate in values.data.chunk(4):
                        nn.init.orthogonal_(gate)
                if "bias_ih" in name:
                    values.data[shape.hidden : 2 * shape.hidden] = 1.0

    def forward(self, features: Tensor, head: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`features`: batch x 6 x length; `head`: batch x length, -1 for none. Logits of keep, tag and label.

        Sentences of a batch have one length: nothing is padded.
        """
        hidden, state = self.encode(features, head)
        return self.last(hidden)[..., 0], self.google_tag(state), self.google_label(state)

    def encode(self, features: Tensor, head: Tensor) -> tuple[Tensor, Tensor]:
        """The last hidden layer of each unit, and the states of the first LSTM."""
        parts = (self.word, self.tag, self.relation, self.distance, self.depth, self.size)
        own = torch.cat([table(features[:, i]) for i, table in enumerate(parts)], 2)
        own = self._drop(own, self.dropout)
        state, _ = self.first(torch.cat([own, gather(own, head)], 2))
        state = self._drop(state, self.dropout)
        second, _ = self.second(torch.cat([state, gather(state, head)], 2))
        second = self._drop(second, self.dropout)
        hidden = torch.relu(self.middle(torch.cat([second, gather(second, head)], 2)))
        return nn.functional.dropout(hidden, self.dropout, self.training), state

    def _drop(self, values: Tensor, rate: float) -> Tensor:
        """Dropout of the same columns at every word of a sentence."""
        if not self.training:
            return values
        keep = torch.rand(values.shape[0], 1, values.shape[2]) >= rate
        return values * keep / (1 - rate)


def gather(values: Tensor, head: Tensor) -> Tensor:
    """The row of each word's head, zeros for a root."""
    index = head.clamp(min=0)[..., None].expand(-1, -1, values.shape[2])
    return values.gather(1, index) * (head >= 0)[..., None]
