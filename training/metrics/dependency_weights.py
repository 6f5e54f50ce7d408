"""Weights of dependency types, trained on judgments: what Owczarzak et al. (2007a, 2007b) name as future work.

python training/metrics/dependency_weights.py              cross-validated on one language pair at a time
python training/metrics/dependency_weights.py --held-back  also trained on each pair and tested on the other

The score is the weighted F of `depeval(measure=f, refs=max, weights=...)` on the judged outputs of WMT17 Czech-English
and German-English. Weights are exp(t), one t for each type, found by gradient ascent on Pearson's r less `penalty` x
mean t^2 (so that a rare type keeps the weight 1). Folds are made of segments: outputs of a segment share its reference.
The penalty is the one with the highest cross-validated r on the pair trained on.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import assay
from assay import EvalSet
from assay.errors import MarkupWarning
from assay.stats import generator
from assay.text.parse.parser import parse
from assay.units.dependency import triples

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[3] / "shared" / "data"))
PAIRS = ("cs-en", "de-en")
PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
FOLDS, RESAMPLES = 10, 2000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """Judged outputs: matches and totals (of output and reference together) by type, the judgment, the segment."""

    types: tuple[str, ...]
    match: Floats
    total: Floats
    human: Floats
    segment: NDArray[np.int64]

    def only(self, rows: NDArray[np.bool_]) -> Judged:
        """Return some of the outputs."""
        return Judged(self.types, self.match[rows], self.total[rows], self.human[rows], self.segment[rows])

    def scores(self, weights: Floats) -> Floats:
        """Return the weighted F of each output; 0/0 is 0."""
        total = self.total @ weights
        scores: Floats = np.divide(2 * self.match @ weights, total, out=np.zeros(len(total)), where=total > 0)
        return scores

    def correlation(self, weights: Floats) -> float:
        """Return Pearson's r of the weighted F with people."""
        return float(np.corrcoef(self.scores(weights), self.human)[0, 1])


def read_judged(pair: str, types: Sequence[str] = ()) -> Judged:
    """Read a language pair; `types` are those of another one, so that weights can be carried over."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupWarning)
        data = assay.read(DATA / f"wmt17-{pair}.jsonl.gz")
    outputs, references, human, segment = zip(*_outputs(data), strict=True)
    rows = list(zip(_bags(outputs), _bags(references), strict=True))
    found = tuple(types) or tuple(sorted({t[0] for a, b in rows for t in (*a, *b)}))
    match = np.array([_by_type(a & b, found) for a, b in rows])
    total = np.array([_by_type(a + b, found) for a, b in rows])
    return Judged(found, match, total, np.array(human), np.array(segment))


def _bags(texts: Sequence[str]) -> list[Counter[tuple[str, ...]]]:
    """Return relation, head and dependent of every triple, as the kernel counts them."""
    return [Counter(triple[:3] for triple in triples(p)) for p in parse(list(texts))]


def _outputs(data: EvalSet) -> Iterator[tuple[str, str, float, int]]:
    human = data.human("adequacy")
    for k, item in enumerate(data):
        texts = {item.outputs[s]: v for s, v in zip(human.systems, human.values[:, k], strict=True) if v == v}
        yield from ((text, item.references[0].text, float(value), k) for text, value in texts.items())


def _by_type(bag: Counter[tuple[str, ...]], types: Sequence[str]) -> list[float]:
    counts = Counter(dict.fromkeys(types, 0))
    for triple, n in bag.items():
        counts[triple[0]] += n
    return [float(counts[t]) for t in types]


def train(judged: Judged, penalty: float, steps: int = 400, rate: float = 0.1) -> Floats:
    """Return the weights with the highest r less the penalty, by Adam from equal weights."""
    log, first, second = (np.zeros(len(judged.types)) for _ in range(3))
    human = (judged.human - judged.human.mean()) / judged.human.std()
    for step in range(1, steps + 1):
        slope = _slope(judged, np.exp(log), human) - 2 * penalty * log / len(log)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        log += rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    weights: Floats = np.exp(log)
    return weights


def _slope(judged: Judged, weights: Floats, human: Floats) -> Floats:
    """Return the derivative of r by the logarithms of the weights."""
    total = np.maximum(judged.total @ weights, 1e-9)
    scores = judged.scores(weights)
    centred = scores - scores.mean()
    spread = float(scores.std())
    r = float((centred * human).mean()) / spread
    by_score = (human - r * centred / spread) / (spread * len(scores))
    by_weight = (2 * judged.match - scores[:, None] * judged.total) / total[:, None]
    slope: Floats = (by_score @ by_weight) * weights
    return slope


def cross_validate(judged: Judged, penalty: float) -> float:
    """Return r of scores made with the weights of the other folds, each fold's scores as they are."""
    scores = np.empty(len(judged.human))
    fold = judged.segment % FOLDS
    for k in range(FOLDS):
        weights = train(judged.only(fold != k), penalty)
        scores[fold == k] = judged.only(fold == k).scores(weights)
    return float(np.corrcoef(scores, judged.human)[0, 1])


def gain_interval(judged: Judged, weights: Floats, seed: int = 0) -> tuple[float, float, float]:
    """Return the change of r by the weights, with a 95% bootstrap interval that draws segments."""
    rng = generator(seed)
    equal = np.ones(len(weights))
    pair = np.stack([judged.scores(equal), judged.scores(weights)])
    places = [np.flatnonzero(judged.segment == s) for s in np.unique(judged.segment)]
    draws = []
    for _ in range(RESAMPLES):
        rows = np.concatenate([places[k] for k in rng.integers(len(places), size=len(places))])
        draws.append(_gain(pair[:, rows], judged.human[rows]))
    low, high = np.quantile(draws, [0.025, 0.975])
    return _gain(pair, judged.human), float(low), float(high)


def _gain(pair: Floats, human: Floats) -> float:
    return float(np.corrcoef(pair[1], human)[0, 1] - np.corrcoef(pair[0], human)[0, 1])


def choose_penalty(pair: str, judged: Judged) -> float:
    """Print r by penalty, cross-validated, and return the best."""
    values = {penalty: cross_validate(judged, penalty) for penalty in PENALTIES}
    equal = judged.correlation(np.ones(len(judged.types)))
    print(f"{pair}, {len(judged.human)} judged outputs: equal weights r {equal:.4f}; cross-validated by penalty:")
    print("  " + "  ".join(f"{penalty:g}: {r:.4f}" for penalty, r in values.items()))
    return max(values, key=lambda penalty: values[penalty])


def main(held_back: bool) -> None:
    """Print the cross-validated r by penalty; with `held_back` the test on the other pair."""
    types = sorted({t for pair in PAIRS for t in read_judged(pair).types})
    sets = {pair: read_judged(pair, types) for pair in PAIRS}
    for pair, other in (PAIRS, PAIRS[::-1]):
        penalty = choose_penalty(pair, sets[pair])
        weights = train(sets[pair], penalty)
        print(f"  penalty {penalty:g}: r {sets[pair].correlation(weights):.4f} on the outputs trained on")
        if held_back:
            gain, low, high = gain_interval(sets[other], weights)
            r = sets[other].correlation(weights)
            print(f"  tested on {other}: r {r:.4f}, change {gain:+.4f} ({low:+.4f} to {high:+.4f})")
            print("  " + ";".join(f"{t}:{w:.3g}" for t, w in zip(types, weights, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-back", action="store_true", help="test each pair's weights on the other pair")
    main(parser.parse_args().held_back)
