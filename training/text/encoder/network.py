"""MiniLM-L6 with heads for tags, features, lemmas, trees, sentence starts and words to keep, in PyTorch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from examples import COLUMNS, Batch
from minilm import read_weights
from torch import Tensor, nn
from torch.nn import functional

from assay.text.parse.pieces import SHAPES

WIDTH, INNER, HEADS, LAYERS, POSITIONS, VOCABULARY = 384, 1536, 12, 6, 512, 30522
EPSILON = 1e-12


class Sizes(NamedTuple):
    """Widths of the heads and how many values each column has."""

    pos: int
    tag: int
    feats: int
    lemma: int
    dep: int
    shape: int = 64
    arc: int = 256
    relation: int = 96
    keep: int = 128


class Layer(nn.Module):
    """A layer of BERT: attention, then two linear maps, each added to its input and normalized."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """`x`: batch x pieces x width; `mask`: batch x 1 x 1 x pieces, true where there is a piece."""
        batch, length, _ = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(2, 3) * (WIDTH // HEADS) ** -0.5
        mixed = scores.masked_fill(~mask, -1e4).softmax(3).to(v.dtype) @ v  # on short texts faster than the fused one
        x = self.norm1(x + self.dropout(self.out(mixed.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.norm2(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """All-MiniLM-L6-v2; a table of word shapes, zeros at first, is added to what each piece brings in."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.piece = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.shape = nn.Embedding(SHAPES + 1, WIDTH)
        nn.init.zeros_(self.shape.weight)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))

    def forward(self, ids: Tensor, shape: Tensor) -> list[Tensor]:
        """Return the output of each layer, batch x pieces x width; piece 0 is padding."""
        mask = (ids != 0)[:, None, None, :]
        x = self.piece(ids) + self.position.weight[: ids.shape[1]] + self.shape(shape)
        x = self.dropout(self.norm(x))
        states = []
        for layer in self.layers:
            x = layer(x, mask)
            states.append(x)
        return states

    def load_pretrained(self) -> None:
        """Take over the weights of the package."""
        w = {name: torch.from_numpy(values.copy()) for name, values in read_weights().items()}
        with torch.no_grad():
            self.piece.weight.copy_(w["embeddings.word_embeddings.weight"])
            kind = w["embeddings.token_type_embeddings.weight"][0]  # there is only one kind of text
            self.position.weight.copy_(w["embeddings.position_embeddings.weight"] + kind)
            _copy(self.norm, w, "embeddings.LayerNorm")
            for i, layer in enumerate(self.layers):
                at = f"encoder.layer.{i}."
                for part in ("weight", "bias"):
                    qkv = [w[f"{at}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
                    getattr(layer.qkv, part).copy_(torch.cat(qkv))  # type: ignore[union-attr]
                _copy(layer.out, w, at + "attention.output.dense")
                _copy(layer.norm1, w, at + "attention.output.LayerNorm")
                _copy(layer.up, w, at + "intermediate.dense")
                _copy(layer.down, w, at + "output.dense")
                _copy(layer.norm2, w, at + "output.LayerNorm")


def _copy(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    module.weight.copy_(weights[name + ".weight"])  # type: ignore[operator]
    module.bias.copy_(weights[name + ".bias"])  # type: ignore[operator]


class Mix(nn.Module):
    """A weighted mean of the layers at the first and last piece of each word, and the word's shape."""

    def __init__(self, shape: int, dropout: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.cat([torch.zeros(LAYERS - 1), torch.ones(1)]))
        self.shape = nn.Embedding(SHAPES + 1, shape)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: list[Tensor], first: Tensor, last: Tensor, shape: Tensor) -> Tensor:
        """Batch x words x (width + shape)."""
        share = self.weight.softmax(0)
        mixed = sum(share[i] * state for i, state in enumerate(states))
        index = torch.stack([first, last])[..., None].expand(-1, -1, -1, WIDTH)
        ends = [mixed.gather(1, places) for places in index]  # type: ignore[union-attr]
        return self.dropout(torch.cat([(ends[0] + ends[1]) / 2, self.shape(shape)], 2))


class Biaffine(nn.Module):
    """Scores of a dependent with each head (arcs), or of each label with a dependent and its head."""

    def __init__(self, width: int, size: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.dependent, self.head = nn.Linear(width, size), nn.Linear(width, size)
        self.root = nn.Parameter(torch.zeros(size))
        self.weight = nn.Parameter(torch.zeros(labels, size + 1, size + 1))
        self.dropout = nn.Dropout(dropout)

    def project(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return dependents (batch x words) and heads (batch x words + 1, the root first), each with a 1 at the end."""
        dependent = self.dropout(functional.leaky_relu(self.dependent(words), 0.1))
        head = self.dropout(functional.leaky_relu(self.head(words), 0.1))
        root = self.root.to(head.dtype).expand(len(head), 1, -1)
        return _with_one(dependent), _with_one(torch.cat([root, head], 1))


def _with_one(values: Tensor) -> Tensor:
    return torch.cat([values, torch.ones_like(values[..., :1])], -1)


class Output(NamedTuple):
    """Scores for the words of a batch; `arc[b, i, j + 1]` is that of head j, `[b, i, 0]` of the root."""

    columns: dict[str, Tensor]  # pos, tag, feats, lemma
    start: Tensor
    arc: Tensor
    dependent: Tensor  # what the labels are computed from, once the heads are known
    head: Tensor


class Network(nn.Module):
    """The encoder and all heads."""

    def __init__(self, sizes: Sizes, dropout: float = 0.0, head_dropout: float = 0.25) -> None:
        super().__init__()
        self.sizes = sizes
        width = WIDTH + sizes.shape
        self.encoder = Encoder(dropout)
        self.mix_tags = Mix(sizes.shape, head_dropout)
        self.mix_trees = Mix(sizes.shape, head_dropout)
        self.mix_keep = Mix(sizes.shape, head_dropout)
        self.columns = nn.ModuleDict({name: nn.Linear(width, getattr(sizes, name)) for name in COLUMNS[:4]})
        self.start = nn.Linear(width, 1)
        self.arc = Biaffine(width, sizes.arc, 1, head_dropout)
        self.relation = Biaffine(width, sizes.relation, sizes.dep, head_dropout)
        self.keep_in = nn.Linear(width, sizes.keep)
        self.keep_out = nn.Linear(sizes.keep, 1)

    def words(self, batch: Batch) -> tuple[list[Tensor], tuple[Tensor, Tensor, Tensor]]:
        """Run the encoder, once for all heads."""
        ids, piece_shape, first, last, shape = (torch.from_numpy(values.astype(np.int64)) for values in batch[:5])
        return self.encoder(ids, piece_shape), (first, last, shape)

    def trees(self, states: list[Tensor], places: tuple[Tensor, Tensor, Tensor]) -> Output:
        """Scores of tags, features, lemmas, sentence starts and arcs."""
        tags, trees = self.mix_tags(states, *places), self.mix_trees(states, *places)
        dependent, head = self.arc.project(trees)
        arc = dependent @ self.arc.weight[0] @ head.transpose(1, 2)
        return Output(
            {name: layer(tags) for name, layer in self.columns.items()},
            self.start(trees)[..., 0],
            arc,
            *self.relation.project(trees),
        )

    def labels(self, dependent: Tensor, heads: Tensor) -> Tensor:
        """Scores of the labels of words (words x size) under the given heads (words x size)."""
        labels, size, _ = self.relation.weight.shape
        left = dependent @ self.relation.weight.permute(1, 0, 2).reshape(size, labels * size)
        return (left.view(-1, labels, size) * heads[:, None, :]).sum(-1)

    def keep(self, states: list[Tensor], places: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Logits of keeping each word."""
        hidden = functional.gelu(self.keep_in(self.mix_keep(states, *places)))
        return self.keep_out(hidden)[..., 0]


def select_heads(head: Tensor, heads: Tensor) -> Tensor:
    """Take the row of each word's head; -1 is the root, which is row 0."""
    index = (heads + 1).clamp(min=0)[..., None].expand(-1, -1, head.shape[-1])
    return head.gather(1, index)
