"""Train the encoder and its heads; a run that was stopped goes on from its last checkpoint.

    python training/text/encoder/train.py /tmp/assay-encoder --mix ewt=3,gum=1.5,amalgum=0.5,pairs=1.5 --steps 3000

Each process trains on documents of its own; after every 16 steps their weights are averaged (local SGD, Stich 2019):
on a machine that others use too, no process waits for the other at each step.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "16")  # read with torch; each new length of a batch adds 20 MB

import torch
import torch.distributed as dist
from examples import (
    IGNORED,
    Batch,
    Example,
    Lists,
    Numbering,
    collate,
    collect_lists,
    cut_batches,
    gold_banks,
    pair_stream,
    silver_bank,
    tree_stream,
)
from network import Network, Sizes, select_heads
from torch import Tensor
from torch.nn import functional

BLOCK = 32  # batches that are drawn, sorted by length and shuffled together
PIECES = 750  # in a batch
CLIP = 1.0
WEIGHT_DECAY = 0.01
SYNC = 16  # steps after which the processes average their weights and the running mean is updated
MEAN = 0.92  # share of the old value in the running mean of the weights, which is what is evaluated
CHECKPOINT_SECONDS = 420
WEIGHTS = {"pos": 0.5, "tag": 0.5, "feats": 0.5, "lemma": 0.5, "start": 0.5, "arc": 1.0, "dep": 1.0, "keep": 1.0}


def tree_losses(network: Network, batch: Batch, states: list[Tensor], places: Any) -> dict[str, Tensor]:
    """Mean losses over the words of a batch of trees; heads are sought within the sentence."""
    assert batch.labels is not None
    names = ("pos", "tag", "feats", "lemma", "dep", "head", "start", "sentence")
    rows = dict(zip(names, batch.labels.transpose(1, 0, 2), strict=True))
    gold = {name: torch.from_numpy(row.astype(np.int64)) for name, row in rows.items()}
    real = torch.from_numpy(batch.words == 1)
    out = network.trees(states, places)
    losses = {
        name: functional.cross_entropy(scores.float()[real], gold[name][real], ignore_index=IGNORED)
        for name, scores in out.columns.items()
    }
    given = real & (places[2] - 1) % 2 == 1  # words that begin a line begin a sentence
    asked = real & ~given
    losses["start"] = functional.binary_cross_entropy_with_logits(
        out.start.float()[asked], gold["start"][asked].float()
    )
    allowed = gold["sentence"][:, :, None] == gold["sentence"][:, None, :]
    allowed &= ~torch.eye(allowed.shape[1], dtype=torch.bool)
    allowed = torch.cat([torch.ones_like(allowed[..., :1]), allowed], 2)
    arcs = out.arc.float().masked_fill(~allowed, -1e4)[real]
    losses["arc"] = functional.cross_entropy(arcs, gold["head"][real] + 1)
    scores = network.labels(out.dependent[real], select_heads(out.head, gold["head"])[real])
    losses["dep"] = functional.cross_entropy(scores.float(), gold["dep"][real], ignore_index=IGNORED)
    return losses


def batch_losses(network: Network, batch: Batch) -> dict[str, Tensor]:
    """Losses of a batch of trees or of pairs."""
    states, places = network.words(batch)
    if batch.keep is None:
        return tree_losses(network, batch, states, places)
    real = torch.from_numpy(batch.words == 1)
    wanted = torch.from_numpy(batch.keep)[real]
    return {"keep": functional.binary_cross_entropy_with_logits(network.keep(states, places).float()[real], wanted)}


class Source:
    """Documents of one kind for one of several processes; knows how many were taken, to go on where a run stopped."""

    def __init__(self, stream: Iterator[Callable[[], Example]], taken: int, rank: int, processes: int) -> None:
        self.stream, self.taken = islice(stream, rank + taken * processes, None, processes), taken

    def draw(self, pieces: float) -> list[Example]:
        """Take documents until they have that many pieces."""
        examples: list[Example] = []
        while pieces > 0:
            examples.append(next(self.stream)())
            self.taken += 1
            pieces -= len(examples[-1].pieces.ids)
        return examples


def open_stream(name: str, numbering: Numbering, seed: int) -> Iterator[Callable[[], Example]]:
    """Open ewt, gum, amalgum or pairs."""
    if name == "pairs":
        return pair_stream(f"{seed}-pairs")
    bank = silver_bank() if name == "amalgum" else gold_banks()[name][0]
    return tree_stream(bank, numbering, f"{seed}-{name}")


@dataclass
class Run:
    """A network, its optimizer and its place in the data."""

    network: Network
    mean: dict[str, Tensor]
    optimizer: torch.optim.Optimizer
    lists: Lists
    step: int
    seconds: float
    taken: dict[str, int]

    def save(self, path: Path, processes: int) -> None:
        """Write a checkpoint, whole or not at all."""
        state = {
            "weights": self.network.state_dict(),
            "mean": self.mean,
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "documents": {name: taken * processes for name, taken in self.taken.items()},
            "random": torch.get_rng_state(),
        }
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)


def groups_of(network: Network, rate: float, head_rate: float) -> list[dict[str, Any]]:
    """Parameters in groups: the encoder learns slowly, new layers fast; biases and norms do not decay."""
    kinds: defaultdict[tuple[bool, bool], list[Tensor]] = defaultdict(list)
    for name, values in network.named_parameters():
        pretrained = name.startswith("encoder.") and name != "encoder.shape.weight"
        kinds[pretrained, values.ndim > 1].append(values)
    return [
        {"params": params, "peak": rate if pretrained else head_rate, "weight_decay": WEIGHT_DECAY * decays}
        for (pretrained, decays), params in kinds.items()
    ]


def build(lists: Lists) -> Network:
    """A network with pretrained weights and new heads."""
    network = Network(Sizes(*(len(values) for values in lists)))
    network.encoder.load_pretrained()
    return network


def read_lists(folder: Path) -> Lists:
    """Read the values of the columns, or collect them from the gold data and write them."""
    path = folder / "lists.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        gold = [sentence for train, _ in gold_banks().values() for sentence in train]
        path.write_text(json.dumps(collect_lists(gold)._asdict()), encoding="utf-8")
    return Lists(**json.loads(path.read_text(encoding="utf-8")))


def start(args: argparse.Namespace) -> Run:
    """Begin a stage: from its own checkpoint, from the weights of another stage, or from the pretrained encoder."""
    torch.manual_seed(args.seed)
    lists = read_lists(args.folder)
    network = build(lists)
    own = args.folder / f"{args.stage}.pt"
    optimizer = torch.optim.AdamW(groups_of(network, args.rate, args.head_rate), fused=True, betas=(0.9, 0.98))
    run = Run(network, {}, optimizer, lists, 0, 0.0, {})
    if own.exists():
        state = torch.load(own, weights_only=True)
        network.load_state_dict(state["weights"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        run.mean, run.step, run.seconds = state["mean"], state["step"], state["seconds"]
        run.taken = {name: count // args.processes for name, count in state["documents"].items()}
        print(f"goes on at step {run.step}", flush=True)
    else:
        if args.after:
            network.load_state_dict(torch.load(args.folder / f"{args.after}.pt", weights_only=True)["mean"])
        run.mean = {name: values.clone() for name, values in network.state_dict().items()}
    return run


def learning_rate(step: int, args: argparse.Namespace) -> float:
    """The share of the peak: it rises over the first steps, and falls in a line to `--floor` over the last ones."""
    rise = min(1.0, (step + 1) / args.warmup)
    falling = max(0, step - args.steps * (1 - args.fall)) / (args.steps * args.fall)
    return rise * (1 - (1 - args.floor) * falling)


def draw_block(sources: dict[str, Source], mix: dict[str, float], rng: random.Random) -> list[Batch]:
    """Draw documents by the shares of the mix; trees and pairs are not put into one batch."""
    total = sum(mix.values())
    trees: list[Example] = []
    pairs: list[Example] = []
    for name, source in sources.items():
        (pairs if name == "pairs" else trees).extend(source.draw(BLOCK * PIECES * mix[name] / total))
    batches = cut_batches(trees, PIECES) + cut_batches(pairs, PIECES)
    rng.shuffle(batches)
    return [collate(batch) for batch in batches]


def train_block(run: Run, batches: list[Batch], args: argparse.Namespace) -> dict[str, float]:
    """Make a step for each batch; return the mean losses."""
    sums: defaultdict[str, list[float]] = defaultdict(list)
    run.network.train()
    for batch in batches:
        share = learning_rate(run.step, args)
        for group in run.optimizer.param_groups:
            group["lr"] = group["peak"] * share
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bf16()):
            losses = batch_losses(run.network, batch)
        loss = sum(WEIGHTS[name] * value for name, value in losses.items())
        assert isinstance(loss, Tensor)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(run.network.parameters(), CLIP)
        run.optimizer.step()
        run.optimizer.zero_grad(set_to_none=True)
        run.step += 1
        if run.step % SYNC == 0 or run.step == args.steps:
            average(run, args.processes)
        for name, value in losses.items():
            sums[name].append(float(value.detach()))
    return {name: sum(values) / len(values) for name, values in sums.items()}


@torch.no_grad()
def average(run: Run, processes: int) -> None:
    """Average the weights of the processes, and let the running mean follow."""
    weights = run.network.state_dict()
    if processes > 1:
        parameters = list(run.network.parameters())
        flat = torch.nn.utils.parameters_to_vector(parameters)
        dist.all_reduce(flat)
        torch.nn.utils.vector_to_parameters(flat / processes, parameters)
        weights = run.network.state_dict()
    seen = run.step / SYNC
    torch._foreach_lerp_(
        list(run.mean.values()), [weights[name] for name in run.mean], 1 - min(MEAN, seen / (seen + 4))
    )


@lru_cache
def has_bf16() -> bool:
    """Check if the processor multiplies bfloat16 itself; elsewhere it is slower than float32."""
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return "avx512_bf16" in flags or "amx_bf16" in flags


def equal_count(batches: list[Batch], processes: int) -> list[Batch]:
    """Cut the list to the length of the shortest one of all processes."""
    count = torch.tensor(len(batches))
    if processes > 1:
        dist.all_reduce(count, dist.ReduceOp.MIN)
    return batches[: int(count)]


def work(rank: int, args: argparse.Namespace, meeting: str) -> None:
    """Train in one of the processes; the first writes the checkpoints."""
    torch.set_num_threads(1)
    if args.processes > 1:
        dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=args.processes)
    run = start(args)
    torch.manual_seed(args.seed + 1000 * rank + run.step)  # of dropout
    numbering = Numbering(run.lists)
    streams = {name: open_stream(name, numbering, args.seed) for name in args.mix}
    sources = {name: Source(stream, run.taken.get(name, 0), rank, args.processes) for name, stream in streams.items()}
    saved = time.monotonic()
    while run.step < args.steps:
        begun = time.monotonic()
        batches = draw_block(sources, args.mix, random.Random(f"{args.seed}-{rank}-{run.step}"))
        means = train_block(run, equal_count(batches, args.processes)[: args.steps - run.step], args)
        run.seconds += time.monotonic() - begun
        run.taken = {name: source.taken for name, source in sources.items()}
        if rank:
            continue
        figures = "  ".join(f"{name} {value:.3f}" for name, value in sorted(means.items()))
        print(f"step {run.step}  {run.seconds:.0f} s  cpu {time.process_time():.0f} s  {figures}", flush=True)
        if time.monotonic() - saved > CHECKPOINT_SECONDS or run.step >= args.steps:
            run.save(args.folder / f"{args.stage}.pt", args.processes)
            saved = time.monotonic()


def read_mix(text: str) -> dict[str, float]:
    """Read ewt=3,pairs=1.5 as shares."""
    return {name: float(share) for name, share in (part.split("=") for part in text.split(","))}


def main() -> None:
    options = argparse.ArgumentParser(description="train the encoder")
    options.add_argument("folder", type=Path, help="where checkpoints and lists are kept")
    options.add_argument("--stage", default="joint", help="name of the checkpoint (default: joint)")
    options.add_argument("--after", help="stage that this one starts from (default: the pretrained encoder)")
    options.add_argument("--mix", type=read_mix, default="ewt=3,gum=1.5,amalgum=0.5,pairs=1.5", help="shares of pieces")
    options.add_argument("--steps", type=int, default=3000, help="of each process (default: 3000)")
    options.add_argument("--rate", type=float, default=2e-4, help="of the encoder (default: 2e-4)")
    options.add_argument("--head-rate", type=float, default=1.5e-3, help="of new layers (default: 1.5e-3)")
    options.add_argument("--warmup", type=int, default=50, help="steps (default: 50)")
    options.add_argument("--fall", type=float, default=0.5, help="last share of the steps, in which the rates fall")
    options.add_argument("--floor", type=float, default=0.02, help="share of the rates at the end (default: 0.02)")
    options.add_argument("--processes", type=int, default=2, help="of one thread each (default: 2)")
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    read_lists(args.folder)  # before the processes look for it
    with tempfile.TemporaryDirectory() as folder:
        if args.processes == 1:
            work(0, args, "")
        else:
            torch.multiprocessing.spawn(work, (args, f"{folder}/meeting"), args.processes)


if __name__ == "__main__":
    main()
