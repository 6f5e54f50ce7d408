"""The summarizer of Rush et al. (2015) in PyTorch: a feed-forward language model of five words and an encoder.

    p(y | context, source) = softmax(V tanh(U E context) + W encode(source, context))    # their equations 3 and 4

Three encoders, as in the paper's section 3.2: a bag of words, a convolution, attention. The released code reads the
two parts with one linear layer, which is the same, and has a linear layer after each encoder.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

CONTEXT = 5  # words of the language model
WINDOW = 2  # attention: words to either side that a place of the source is smoothed over (Q)
KERNEL = 5  # of the convolution
ENCODERS = ("attention", "bow", "convolution")


class Namas(nn.Module):
    """Scores of the next word. Sentences of a batch have one length: nothing of the source is padded."""

    def __init__(self, words: int, width: int = 96, hidden: int = 160, encoder: str = "attention") -> None:
        super().__init__()
        if encoder not in ENCODERS:
            raise ValueError(f"unknown encoder {encoder!r}; one of {', '.join(ENCODERS)}")
        self.encoder = encoder
        self.context = nn.Embedding(words, width)  # E
        self.source = nn.Embedding(words, width)  # F
        self.enter = nn.Linear(CONTEXT * width, hidden)  # U
        if encoder == "attention":
            self.query = nn.Embedding(words, width)  # G
            self.match = nn.Linear(CONTEXT * width, width, bias=False)  # P
        if encoder == "convolution":
            self.layers = nn.ModuleList(nn.Conv1d(width, width, KERNEL, padding=KERNEL // 2) for _ in range(3))
        self.encode = nn.Linear(width, width)
        self.leave = nn.Linear(hidden + width, words)  # V and W
        for table in self.children():
            if isinstance(table, nn.Embedding):
                nn.init.normal_(table.weight, std=0.1)

    def states(self, source: Tensor, contexts: Tensor) -> Tensor:
        """Compute what the last layer reads: sentences x targets x (hidden + width).

        `source` holds words of sentences x length, `contexts` the words before each target, x targets x CONTEXT.
        """
        hidden = torch.tanh(self.enter(self.context(contexts).flatten(2)))
        rows = self.source(source)
        if self.encoder == "bow":
            code = rows.mean(1, keepdim=True)
        elif self.encoder == "convolution":
            code = self._convolve(rows)[:, None]
        else:
            code = torch.softmax(self.attention(rows, contexts), 2) @ smooth(rows)
        return torch.cat([hidden, self.encode(code).expand(*contexts.shape[:2], -1)], 2)

    def attention(self, rows: Tensor, contexts: Tensor) -> Tensor:
        """Compute the logits of the attention: sentences x targets x length."""
        return self.match(self.query(contexts).flatten(2)) @ rows.transpose(1, 2)

    def _convolve(self, rows: Tensor) -> Tensor:
        """Three layers; the released code halves the length after the first only, the paper after each."""
        first, second, third = self.layers
        state = torch.relu(nn.functional.max_pool1d(first(rows.transpose(1, 2)), 2, ceil_mode=True))
        return third(torch.relu(second(state))).amax(2)

    def forward(self, source: Tensor, contexts: Tensor) -> Tensor:
        """Compute the logits of all words for each target."""
        return self.leave(self.states(source, contexts))

    def sampled_loss(self, states: Tensor, targets: Tensor, sample: Tensor, offsets: Tensor) -> Tensor:
        """Compute the cross-entropy among the targets and a sample of words (sampled softmax).

        `offsets` has, for every word, the logarithm of how often it is expected in the sample.
        """
        words, places = torch.unique(torch.cat([targets, sample]), return_inverse=True)
        logits = nn.functional.linear(states, self.leave.weight[words], self.leave.bias[words])
        return nn.functional.cross_entropy(logits.float() - offsets[words], places[: len(targets)])


def smooth(rows: Tensor) -> Tensor:
    """Average each place with WINDOW neighbours to either side; beyond the ends are zeros, as in the released code."""
    padded = nn.functional.pad(rows, (0, 0, WINDOW, WINDOW))
    return padded.unfold(1, 2 * WINDOW + 1, 1).mean(3)


def read_contexts(targets: np.ndarray, start: int) -> np.ndarray:
    """List the CONTEXT words before each target (sentences x targets), filled with the start.

    >>> read_contexts(np.array([[7, 8]]), 1).tolist()
    [[[1, 1, 1, 1, 1], [1, 1, 1, 1, 7]]]
    """
    padded = np.pad(targets, ((0, 0), (CONTEXT, 0)), constant_values=start)
    return np.stack([padded[:, i : i + targets.shape[1]] for i in range(CONTEXT)], 2)
