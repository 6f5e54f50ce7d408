"""Do scorers transfer? Fit to one half of TAC 2008, test on other topics and systems, and on SummEval.

python training/learning/transfer.py              the development parts
python training/learning/transfer.py --held-back  the parts that were kept back, to be looked at once

Systems are halved (every second one), topics are split into two quarters to fit to, one to develop on and one that is
kept back; SummEval's documents are halved. The test parts share neither topics nor systems with the fit. In the test
part of TAC 2008 a system is planted that repeats the sentences of the first reference in another order. The best
feature is the one that was best on the part fitted to; interval and p of the difference are the paired bootstrap's. The
last three columns of the second table are the monotonicity probe: the mean scores of outputs before and after their
sentences are replaced by those of a reference, and the largest loss on the way.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import assay
from assay import EvalSet
from assay.data.evalset import Item
from assay.learning import SecondSet, TrainedScorer, build_training_set, evaluate_transfer, train
from assay.learning.models import model
from assay.text import split_sentences

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[3] / "shared" / "data"))
LEARNERS = ("svr", "ridge(monotone=false)", "rank", "ridge")
COPY = "copy"


@dataclass(frozen=True)
class Part:
    """A judged set to test on; `copied` is the same set with the planted system."""

    name: str
    data: EvalSet
    dimension: str
    raters: tuple[str, ...] = ()
    copied: EvalSet | None = None


def main(held_back: bool) -> None:
    """Print a table of the tests and one of the probe, in Markdown."""
    fit_to, parts = read_parts(held_back)
    training_set = build_training_set(fit_to, dimension="pyramid")
    scorers = {name: train(training_set, model(name)) for name in LEARNERS}
    heads = ("learner", "tested on", "level", "r", "best feature", "difference", "95% CI", "p", "outside the range")
    _print_table(heads, [row for name, trained in scorers.items() for row in _test_rows(name, trained, parts)])
    heads = ("learner", "place of the copy", "mean of outputs", "mean of references", "largest fall on the way")
    _print_table(heads, [_probe_row(name, trained, parts[0]) for name, trained in scorers.items()])


def _print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for cells in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(cells)} |")
    print()


def _test_rows(name: str, trained: TrainedScorer, parts: Sequence[Part]) -> Iterator[tuple[str, ...]]:
    for part in parts:
        tested = evaluate_transfer(trained, part.data, dimension=part.dimension, raters=part.raters or None)
        for row in tested.second_set:
            yield name, part.name, *_cells(row)


def _cells(row: SecondSet) -> tuple[str, ...]:
    feature = f"{row.feature.partition('(')[0]} {row.feature_value:.3f}"
    interval = f"{row.low:.3f} to {row.high:.3f}"
    outside = f"{row.outside} of {row.outputs}"
    return row.level, f"{row.value:.3f}", feature, f"{row.difference:+.3f}", interval, f"{row.pvalue:.3f}", outside


def _probe_row(name: str, trained: TrainedScorer, part: Part) -> tuple[str, ...]:
    probe = trained.monotonicity
    assert probe is not None
    ends = f"{probe.means[0]:.3f}", f"{probe.means[-1]:.3f}", f"{probe.largest_fall:.3f}"
    return name, _place(trained, part), *ends


def _place(trained: TrainedScorer, part: Part) -> str:
    """Return the rank of the planted system among all by the mean score."""
    assert part.copied is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", assay.AssayWarning)  # the copy lies outside the range of the training features
        scores = assay.score(part.copied, trained.scorer)
    means = np.nanmean(scores.values, axis=1)
    place = 1 + int((means > means[scores.systems.index(COPY)]).sum())
    return f"{place} of {len(means)}"


def read_parts(held_back: bool) -> tuple[EvalSet, list[Part]]:
    """Return the part to fit to and those to test on."""
    tac, summeval = (assay.read(DATA / f"{name}.jsonl.gz") for name in ("tac2008", "summeval"))
    systems = [s for s in tac.systems if s not in set(tac.people)]
    fit_to = _part(tac, systems[0::2], lambda i: i % 4 < 2)
    quarter = 3 if held_back else 2
    test = _part(tac, systems[1::2], lambda i: i % 4 == quarter)
    half = 1 if held_back else 0
    documents = _part(summeval, summeval.systems, lambda i: i % 2 == half)
    return fit_to, [
        Part("TAC 2008", test, "pyramid", copied=EvalSet([_plant_copy(item) for item in test])),
        Part("SummEval", documents, "relevance", ("expert*",)),
    ]


def _part(data: EvalSet, systems: Sequence[str], takes: Callable[[int], bool]) -> EvalSet:
    among = set(systems)
    return EvalSet(
        [
            replace(
                item,
                outputs={s: text for s, text in item.outputs.items() if s in among},
                judgments=tuple(j for j in item.judgments if j.system in among),
            )
            for i, item in enumerate(data)
            if takes(i)
        ],
        allow_missing=True,
    )


def _plant_copy(item: Item) -> Item:
    sentences = split_sentences(item.references[0].text)
    order = np.random.default_rng(0).permutation(len(sentences))
    return replace(item, outputs={**item.outputs, COPY: "\n".join(sentences[i] for i in order)})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-back", action="store_true", help="test on the parts that were kept back")
    main(parser.parse_args().held_back)
