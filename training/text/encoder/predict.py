"""A checkpoint in PyTorch, to analyse tokens with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from analysis import Analyser, Scores
from examples import Batch, Lists
from network import Network, Sizes
from train import has_bf16, read_lists


class Checkpoint(Analyser):
    """The running mean of the weights; in bfloat16 where the processor has it, unless `exact`."""

    def __init__(self, network: Network, lists: Lists, *, exact: bool = False) -> None:
        self.network, self.lists, self.bf16 = network.eval(), lists, has_bf16() and not exact

    @classmethod
    def load(cls, folder: Path, stage: str = "joint", *, exact: bool = False) -> Checkpoint:
        """Load what train.py wrote."""
        lists = read_lists(folder)
        network = Network(Sizes(*(len(values) for values in lists)))
        network.load_state_dict(torch.load(folder / f"{stage}.pt", weights_only=True)["mean"])
        return cls(network, lists, exact=exact)

    def score_trees(self, batch: Batch) -> Scores:
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            out = self.network.trees(*self.network.words(batch))
        columns = {name: values.float().numpy() for name, values in out.columns.items()}
        return Scores(columns, *(values.float().numpy() for values in out[1:]))

    def score_keep(self, batch: Batch) -> np.ndarray:
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            return self.network.keep(*self.network.words(batch)).float().sigmoid().numpy()

    def score_relations(self, dependent: np.ndarray, head: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return self.network.labels(torch.from_numpy(dependent), torch.from_numpy(head)).numpy()
