"""The training loop that all networks here share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from corpus import BATCH, Corpus


def fit(
    network: nn.Module,
    corpus: Corpus,
    loss: Callable[[np.ndarray], Tensor],
    *,
    epochs: float,
    rate: float,
    seed: int,
    size: int = BATCH,
    decay: float = 0.999,
    look: Callable[[int, int, float], None] | None = None,
    every: int = 1000,
) -> None:
    """Adam with a learning rate that rises for a moment and then falls to nothing.

    `loss` takes the places of a batch. In the end, and whenever `look` is called with the step, how many there are and
    the mean loss, the network has the running mean of its weights. Only weights that require a gradient are trained.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    trained = [values for values in network.parameters() if values.requires_grad]
    mean = [values.detach().clone() for values in trained]
    optimizer = torch.optim.Adam(trained, lr=rate, betas=(0.9, 0.98))
    total = max(1, round(epochs * sum(1 for _ in corpus.batches(rng, size))))
    warm = min(300, total // 10 + 1)
    losses: list[float] = []
    network.train()
    for step, places in zip(range(1, total + 1), _forever(corpus, rng, size), strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, step / warm) * max(0.01, 1 - step / total)
        optimizer.zero_grad(set_to_none=True)
        value = loss(places)
        value.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        losses.append(value.item())
        for old, new in zip(mean, trained, strict=True):
            old.lerp_(new.detach(), 1 - min(decay, step / (step + 10)))
        if look and (step % every == 0 or step == total):
            with weights(trained, mean):
                look(step, total, float(np.mean(losses[-every:])))
    for old, new in zip(mean, trained, strict=True):
        new.data.copy_(old)
    network.eval()


def _forever(corpus: Corpus, rng: np.random.Generator, size: int) -> Iterator[np.ndarray]:
    while True:
        yield from corpus.batches(rng, size)


@contextmanager
def weights(trained: list[nn.Parameter], others: list[Tensor]) -> Iterator[None]:
    """Other values for a network's weights, for a while."""
    kept = [values.detach().clone() for values in trained]
    for values, other in zip(trained, others, strict=True):
        values.data.copy_(other)
    try:
        yield
    finally:
        for values, before in zip(trained, kept, strict=True):
            values.data.copy_(before)
