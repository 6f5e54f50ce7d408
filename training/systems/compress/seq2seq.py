"""The compressor of Filippova et al. (2015): one stack of LSTMs reads the sentence backwards, then again and labels it.

While it reads the sentence the second time, it is told the label it gave to the word before. With `parent` it also
reads the word's head (LSTM+PAR).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from corpus import Corpus

DELETE, KEEP, END = range(3)
NONE = 3  # no label yet


class Seq2Seq(nn.Module):
    """Labels delete, keep and end; three layers in the paper."""

    def __init__(
        self,
        words: int,
        width: int = 256,
        hidden: int = 256,
        layers: int = 3,
        parent: bool = False,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(words + 1, width)  # the last row stands for the end
        nn.init.normal_(self.word.weight, std=0.1)
        self.end, self.parent = words, parent
        self.stack = nn.LSTM(width * (2 if parent else 1) + 3, hidden, layers, batch_first=True, dropout=dropout)
        self.label = nn.Linear(hidden, 3)

    def rows(self, words: Tensor, head: Tensor) -> Tensor:
        """The embeddings of a batch (sentences x length), with those of the heads."""
        own = self.word(words)
        if not self.parent:
            return own
        above = torch.where(head >= 0, words.gather(1, head.clamp(min=0)), self.end)
        return torch.cat([own, self.word(above)], 2)

    def forward(self, words: Tensor, head: Tensor, labels: Tensor) -> Tensor:
        """Logits of the labels of each word and of the end, the labels before being given (sentences x length)."""
        rows, last = self._with_end(words, head)
        before = torch.cat([torch.full_like(labels[:, :1], NONE), labels], 1)
        state, _ = self.stack(
            torch.cat([self._backwards(rows), self._label_rows(torch.cat([rows, last], 1), before)], 1)
        )
        return self.label(state[:, words.shape[1] :])

    def _with_end(self, words: Tensor, head: Tensor) -> tuple[Tensor, Tensor]:
        end = torch.full_like(words[:, :1], self.end)
        return self.rows(words, head), self.rows(end, torch.full_like(end, -1))

    def _backwards(self, rows: Tensor) -> Tensor:
        return self._label_rows(rows.flip(1), torch.full(rows.shape[:2], NONE))

    @staticmethod
    def _label_rows(rows: Tensor, labels: Tensor) -> Tensor:
        return torch.cat([rows, nn.functional.one_hot(labels, 4)[..., :3].float()], 2)

    @torch.no_grad()
    def decode(self, words: Tensor, head: Tensor, beam: int = 5, least: float = 0.0, most: float = 1.0) -> list[int]:
        """The best labels of one sentence by beam search; the share of words kept can be bounded."""
        length = len(words)
        if not length:
            return []
        low, high = int(np.ceil(least * length)), max(int(np.floor(most * length)), int(np.ceil(least * length)))
        rows, _ = self._with_end(words[None], head[None])
        _, state = self.stack(self._backwards(rows))
        paths: list[tuple[int, ...]] = [()]
        scores = torch.zeros(1)
        for t in range(length):
            before = torch.tensor([[path[-1] if path else NONE] for path in paths])
            out, state = self.stack(self._label_rows(rows[:, t : t + 1].expand(len(paths), -1, -1), before), state)
            gain = torch.log_softmax(self.label(out[:, 0])[:, :2], 1)
            options = [
                (float(scores[k] + gain[k, label]), k, (*path, label))
                for k, path in enumerate(paths)
                for label in (DELETE, KEEP)
                if sum(path) + label <= high and sum(path) + label + length - t - 1 >= low
            ]
            options.sort(reverse=True)
            options = options[:beam]
            scores, paths = torch.tensor([score for score, _, _ in options]), [path for _, _, path in options]
            chosen = torch.tensor([k for _, k, _ in options])
            state = (state[0][:, chosen], state[1][:, chosen])
        return list(paths[0])


def loss_of(network: Seq2Seq, corpus: Corpus) -> Callable[[np.ndarray], Tensor]:
    """Cross-entropy of the labels and of the end after them, for `loop.fit`."""

    def loss(places: np.ndarray) -> Tensor:
        batch = corpus.take(places)
        labels = torch.from_numpy(corpus.keep[places] > 0.5).long()
        logits = network(torch.from_numpy(batch[:, 0]).long(), torch.from_numpy(batch[:, 6]).long(), labels)
        wanted = torch.cat([labels, torch.full_like(labels[:, :1], END)], 1)
        return nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten())

    return loss


def label_all(network: Seq2Seq, corpus: Corpus, beam: int = 5) -> np.ndarray:
    """The label of every unit of a corpus."""
    network.eval()
    found = np.zeros(corpus.table.shape[1], np.float32)
    for places in corpus.batches(None, 1):
        row = torch.from_numpy(corpus.table[:, places[0]]).long()
        found[places[0]] = network.decode(row[0], row[6], beam)
    network.train()
    return found
