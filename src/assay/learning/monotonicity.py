"""Does a scorer rise when an output becomes a reference, sentence by sentence?"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ..data.evalset import EvalSet, Item
from ..data.scores import Floats
from ..errors import AssayWarning
from ..metrics.learned import Learned
from ..scoring.score import score
from ..text import split_sentences

MAX_ITEMS, MAX_SYSTEMS = 20, 10
T = TypeVar("T")
ROUNDING = 1e-9  # a fall below it is none


@dataclass(frozen=True)
class Monotonicity:
    """The mean score of outputs as their sentences are replaced one by one by those of a reference.

    `means` starts with the outputs as they are and ends with the reference; `largest_fall` is the largest loss from
    one step to the next, 0 where the mean never falls; `ends_below` is the share of outputs that end below their start.
    """

    means: tuple[float, ...]
    largest_fall: float
    ends_below: float
    outputs: int

    @property
    def holds(self) -> bool:
        """Whether the mean score never falls."""
        return self.largest_fall == 0


def probe_monotonicity(
    scorer: Learned, data: EvalSet, systems: Sequence[str], *, threads: int = 1
) -> Monotonicity | None:
    """Replace the sentences of some outputs one by one by the first reference's, and score each step.

    Up to 20 items and 10 of the systems are taken, evenly spaced. None where items have no references or the scorer
    needs columns of outside scores, which new texts do not have.
    """
    items = [item for item in data if item.references and any(s in item.outputs for s in systems)]
    if scorer.outside or not items:
        return None
    probed_systems = _spread(systems, MAX_SYSTEMS)
    steps = {item.id: dict(_item_steps(item, probed_systems)) for item in _spread(items, MAX_ITEMS)}
    probed = [item for item in items if steps.get(item.id)]
    curves = _score_steps(scorer, probed, steps, threads) if probed else []
    return _summarize(curves) if curves else None


def replace_sentences(output: str, reference: str) -> list[str]:
    """Return the output, then with its first sentence replaced by the reference's first, and so on to the reference.

    >>> replace_sentences("One. Two. Three.", "Yes. No.")
    ['One.\\nTwo.\\nThree.', 'Yes.\\nTwo.\\nThree.', 'Yes.\\nNo.\\nThree.', 'Yes.\\nNo.']
    """
    old, new = split_sentences(output), split_sentences(reference)
    return ["\n".join(new[:k] + old[k:]) for k in range(max(len(old), len(new)) + 1)]


def _item_steps(item: Item, systems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for system in systems:
        if system in item.outputs:
            yield system, replace_sentences(item.outputs[system], item.references[0].text)


def _score_steps(
    scorer: Learned, items: Sequence[Item], steps: dict[str, dict[str, list[str]]], threads: int
) -> list[Floats]:
    """Return the scores of each output's steps; a step is a system of its own, so that no text is a person's own."""
    entries = []
    for item in items:
        texts = {f"{system}#{k}": t for system, own in steps[item.id].items() for k, t in enumerate(own)}
        entries.append(replace(item, outputs=texts, judgments=()))
    probes = EvalSet(entries, allow_missing=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)  # the steps leave the range of the training data: the purpose
        scores = score(probes, scorer, threads=threads)
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    curves = [
        scores.values[[row[f"{system}#{k}"] for k in range(len(own))], column[item.id]]
        for item in items
        for system, own in steps[item.id].items()
    ]
    return [curve for curve in curves if not np.isnan(curve).any()]


def _summarize(curves: Sequence[Floats]) -> Monotonicity:
    """Average the curves; one that has reached its reference stays there."""
    longest = max(map(len, curves))
    table = np.stack([np.pad(curve, (0, longest - len(curve)), mode="edge") for curve in curves])
    means = table.mean(axis=0)
    scale = max(1.0, float(np.abs(means).max()))
    fall = max(0.0, float(-np.diff(means).min(initial=0.0)))
    below = float((table[:, -1] < table[:, 0] - ROUNDING * scale).mean())
    return Monotonicity(tuple(map(float, means)), fall if fall > ROUNDING * scale else 0.0, below, len(curves))


def _spread(values: Sequence[T], most: int) -> list[T]:
    """Return at most n of the values, evenly spaced."""
    places = np.unique(np.linspace(0, len(values) - 1, min(most, len(values))).round().astype(int))
    return [values[i] for i in places]
