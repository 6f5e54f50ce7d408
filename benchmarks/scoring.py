"""Scoring speed: CPU time per item, one thread, against rouge-score, rouge-score-rs, rouge-metric and two BLEUs."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import assay
from measure import Comparison, Row, Scale, Target, compare, compare_with_ceiling, cpu, main, wall
from peers import Peer, TextItem
from workload import workload

CHECKED = 50  # items on which a peer's numbers must be ours
ROUGE = [f"{name}(stem=true, refs=best)" for name in ("rouge1", "rouge2", "rougeL")]
GRID = [
    f"{unit}+{measure}+{pooling}"
    for unit in ("LR-1", "LR-2", "LR-3", "LR-4", "SKIP-2")
    for measure in ("Precision", "Recall", "F-1")
    for pooling in ("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB")
]
# rouge-metric cuts at white space and does not lower-case; in the order of its names (1 to 4, L, S4).
AS_ROUGE_METRIC = [
    f"{name}(tokenizer=space, refs=sum)" for name in ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeS4")
]
BLEU = ["bleu"]
CEILING = Target(0.9)  # of what the machine has to give
NOTES = (
    "CPU time per item of one thread (time.process_time), tokenizing and stemming included, from texts in memory.",
    "ratio: median over rounds, each of which measures Assay, the peer, and Assay again.",
    "(a): 20,000 items of about 18 words, 4 references; (b): 5,000 items of 60-100 words, 1-4 references.",
    "Slow peers score a part of the items, a different one in each round: see SHARE in benchmarks/scoring.py.",
    f"Before timing, the numbers of Assay and the peer must be equal (1e-9) on {CHECKED} items with the same settings.",
    "grid: LR-1..4 and SKIP-2 x 3 measures x 4 poolings, 60 metrics; rouge-metric computes six: ROUGE-1..4, L, S4.",
    "BLEU: timed with sacreBLEU's smoothing; bleuscore has none, and must equal bleu(smooth=none).",
    "2 threads: what they gain over one in wall time, as a share of what two processes of plain arithmetic gain in the "
    "same rounds, which is all that this machine has to give.",
)
SHARE = {
    "rouge-score": 200,
    "rouge-score-rs": 20_000,
    "rouge-metric": 400,
    "sacrebleu": 1_500,
    "bleuscore": 3_000,
    "sacrebleu-ter": 100,
    "sacrebleu-chrf": 400,
    "sacrebleu-chrfpp": 400,
    "fastchrf": 1_000,
    "nltk-meteor": 200,
    "nltk-nist": 600,
}


@dataclass(frozen=True)
class Job:
    """Metrics over a workload, scored as a user would."""

    metrics: Sequence[str]
    items: Sequence[TextItem]
    data: assay.EvalSet

    @classmethod
    def of(cls, metrics: Sequence[str], items: Sequence[TextItem]) -> Job:
        return cls(metrics, items, _evalset(items))

    def cost(self) -> float:
        """CPU seconds per item."""
        return cpu(lambda: assay.score(self.data, self.metrics, threads=1)) / len(self.items)

    def cost_from_lists(self) -> float:
        """The same with making the evaluation set from plain lists."""
        return cpu(lambda: assay.score(_evalset(self.items), self.metrics, threads=1)) / len(self.items)

    def seconds(self, threads: int) -> float:
        """Wall time."""
        return wall(lambda: assay.score(self.data, self.metrics, threads=threads))


def rows(scale: Scale) -> Iterator[Row]:
    """All of it."""
    a, b = workload("a", scale.pick(4_000, 20_000)), workload("b", scale.pick(1_000, 5_000))
    rouge_a, rouge_b, grid, bleu = Job.of(ROUGE, a), Job.of(ROUGE, b), Job.of(GRID, a), Job.of(BLEU, a)
    yield against("ROUGE-1/2/L (a)", rouge_a, "rouge-score", scale, Target(400))
    yield against("ROUGE-1/2/L (a)", rouge_a, "rouge-score-rs", scale, Target(6))
    yield from_lists("  set made from lists", rouge_a, scale)
    yield against("ROUGE-1/2/L (b)", rouge_b, "rouge-score", scale, Target(400))
    yield against("ROUGE-1/2/L (b)", rouge_b, "rouge-score-rs", scale, Target(4))
    yield against("grid of 60 (a)", grid, "rouge-metric", scale, Target(100), same=AS_ROUGE_METRIC)
    yield beside("grid of 60 (a)", grid, "ROUGE-1/2/L", rouge_a, scale, Target(4, most=True))
    yield against("sentence BLEU (a)", bleu, "sacrebleu", scale, Target(40))
    yield against("sentence BLEU (a)", bleu, "bleuscore", scale, Target(10), same=["bleu(smooth=none)"])
    cost = statistics.median(cpu(lambda: _evalset(a)) for _ in range(_rounds(scale))) / len(a)
    yield Row("EvalSet.from_texts (a), an item", cost * 1e6, "µs", target=Target(3, most=True))
    jobs = {"ROUGE-1/2/L (a)": rouge_a, "ROUGE-1/2/L (b)": rouge_b, "grid of 60 (a)": grid, "sentence BLEU (a)": bleu}
    for what, job in jobs.items():
        yield two_threads(f"2 threads: {what}", job, scale)


def against(
    what: str,
    job: Job,
    name: str,
    scale: Scale,
    target: Target,
    *,
    same: Sequence[str] | None = None,
    share: int | None = None,
    checked: int = CHECKED,
) -> Row:
    """Ours against a peer; `same` are our metrics that give the peer's numbers, where the job is another."""
    with Peer(name, job.items) as peer:
        if checked:
            check(peer, job.items[:checked], same or job.metrics)
        share = share or SHARE[name] // scale.pick(4, 1)
        found = compare(job.cost, lambda number: peer.cost(number, share), _rounds(scale))
    return _row(what, name, found, found.ratio, target)


def beside(what: str, job: Job, name: str, other: Job, scale: Scale, target: Target) -> Row:
    """One job of ours against another; the ratio says how many times longer it takes."""
    found = compare(job.cost, lambda _: other.cost(), _rounds(scale))
    return _row(what, name, found, 1 / found.ratio, target)


def from_lists(what: str, job: Job, scale: Scale) -> Row:
    """What a call from plain lists costs, against the peer that takes lists."""
    with Peer("rouge-score-rs", job.items) as peer:
        share = SHARE[peer.name] // scale.pick(4, 1)
        found = compare(job.cost_from_lists, lambda number: peer.cost(number, share), _rounds(scale))
    return _row(what, peer.name, found, found.ratio, None)


def two_threads(what: str, job: Job, scale: Scale) -> Row:
    """What two threads gain, as a share of what two processes gain that do nothing but arithmetic."""
    gain = compare_with_ceiling(lambda: job.seconds(1), lambda: job.seconds(2), 3 * _rounds(scale))
    return Row(what, gain.ours, "x", "2 processes of arithmetic", gain.theirs, gain.ratio, CEILING)


def check(peer: Peer, items: Sequence[TextItem], metrics: Sequence[str]) -> None:
    """Refuses to compare the speed of different things."""
    scores = assay.score(_evalset(items), metrics)
    for number, theirs in enumerate(peer.scores(len(items))):
        ours = [scores[m].values[0, number].item() for m in metrics]
        for metric, mine, other in zip(metrics, ours, theirs, strict=True):
            if abs(mine - other) > 1e-9:
                raise SystemExit(f"{peer.name} says {other} where {metric} says {mine}, for item {number + 1}")


def _evalset(items: Sequence[TextItem]) -> assay.EvalSet:
    return assay.EvalSet.from_texts([out for out, _ in items], [refs for _, refs in items])


def _rounds(scale: Scale) -> int:
    return scale.pick(3, 9)


def _row(what: str, peer: str, found: Comparison, ratio: float, target: Target | None) -> Row:
    return Row(what, found.ours * 1e6, "µs", peer, found.theirs * 1e6, ratio, target)


if __name__ == "__main__":
    main("scoring", rows, NOTES)
