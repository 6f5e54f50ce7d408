"""explain_scores: which replacements changed a score, found by trying each alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.evalset import EvalSet
from ...data.item import Item, Reference
from ...data.result import Result
from ...data.scores import Scores
from .equivalence_sets import Paraphrases, Replacement
from .expand import alternatives, nearest, score_expanded, variants

Scorer = Callable[[EvalSet], Scores]


@dataclass(frozen=True)
class ReplacementEffect:
    """What one replacement adds to the outputs that it changes: the mean, and the largest change and where it is."""

    kind: ClassVar[str] = "replacement"
    replacement: str
    outputs: int
    change: float
    largest: float
    system: str
    item: str


@dataclass(frozen=True)
class ScoreChange:
    """A system's score with the references as they are, and with paraphrases."""

    kind: ClassVar[str] = "score_change"
    system: str
    before: float
    after: float
    n: int


@dataclass(frozen=True)
class ParaphraseEffects(Result, question="paraphrases", kind="paraphrase_effects", shared=("metric",)):
    """How paraphrased references change the scores of a metric, and which replacements do it."""

    metric: str
    signature: str
    changed: int
    systems: tuple[ScoreChange, ...]
    replacements: tuple[ReplacementEffect, ...]


def explain_scores(
    data: EvalSet, paraphrases: Paraphrases, score: Scorer, metric: str, *, how: str = "one", most: int = 100
) -> ParaphraseEffects:
    """Score a set with and without paraphrases, and each output with a changed score with every replacement alone."""
    before = score(data)
    after = score_expanded(data, paraphrases, score, how=how, most=most)
    rows = zip(data.systems, before.means().tolist(), after.means().tolist(), before.counts().tolist(), strict=True)
    trials = _Trials(data, paraphrases, how, most)
    return ParaphraseEffects(
        metric=metric,
        signature=after.signature,
        changed=int(_find_changes(before, after).sum()),
        systems=tuple(ScoreChange(*row) for row in rows),
        replacements=_measure_effects(trials, score, before, after),
    )


def _measure_effects(trials: _Trials, score: Scorer, before: Scores, after: Scores) -> tuple[ReplacementEffect, ...]:
    row, column = ({name: i for i, name in enumerate(names)} for names in (before.systems, before.items))
    gains: dict[str, list[tuple[float, str, str]]] = {}
    for item, system, replacement, value in trials.score(score, _find_changes(before, after)):
        gain = value - before.values[row[system], column[item]]
        if gain != 0:
            gains.setdefault(replacement, []).append((gain, system, item))
    effects = []
    for replacement, own in gains.items():
        largest, system, item = max(own, key=lambda g: abs(g[0]))
        mean = sum(g for g, _, _ in own) / len(own)
        effects.append(ReplacementEffect(replacement, len(own), mean, largest, system, item))
    return tuple(sorted(effects, key=lambda e: (-e.outputs, -abs(e.change), e.replacement)))


def _find_changes(before: Scores, after: Scores) -> NDArray[np.bool_]:
    both = ~np.isnan(before.values) & ~np.isnan(after.values)
    changed: NDArray[np.bool_] = both & (before.values != after.values)
    return changed


@dataclass(frozen=True)
class _Trials:
    """Outputs with the references of one replacement each."""

    data: EvalSet
    paraphrases: Paraphrases
    how: str
    most: int

    def score(self, score: Scorer, changed: NDArray[np.bool_]) -> Iterator[tuple[str, str, str, float]]:
        """Return (item, system, replacement, score with that replacement alone) for every output that changed."""
        places: list[tuple[str, str, str]] = []
        items: list[Item] = []
        for column, item in enumerate(self.data):
            for system in (self.data.systems[row] for row in changed[:, column].nonzero()[0]):
                output = item.outputs[system]
                for used, references in self._replace_one(item.references, output):
                    places.append((item.id, system, f"{used.old} > {used.new}"))
                    new = replace(item, id=str(len(items)), references=references, judgments=())
                    items.append(replace(new, outputs={"output": output}))
        if not items:
            return
        values = score(EvalSet(items)).values[0]
        for place, value in zip(places, values.tolist(), strict=True):
            yield *place, value

    def _replace_one(
        self, references: tuple[Reference, ...], output: str
    ) -> Iterator[tuple[Replacement, tuple[Reference, ...]]]:
        """Return each replacement, and the references with that one alone."""
        for k, reference in enumerate(references):
            before, after = references[:k], references[k + 1 :]
            if self.how == "lattice":
                for alternative, used in alternatives(reference.text, self.paraphrases):
                    yield used, (*before, reference._replace(alternatives=(alternative,)), *after)
                continue
            best = nearest(reference.text, output, self.paraphrases).replacements if self.how == "best" else ()
            for variant in variants(reference.text, self.paraphrases, most=self.most):
                (used,) = variant.replacements
                if self.how == "one":
                    yield used, (*references, Reference(variant.text))
                elif used in best:
                    yield used, (*before, Reference(variant.text), *after)
