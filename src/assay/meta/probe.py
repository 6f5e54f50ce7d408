"""What does a metric prefer outside the range of real systems? Peyrard et al. (2017), section 4.4."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.evalset import EvalSet, Item
from ..data.result import Result
from ..data.scores import Floats
from ..errors import InputError, UndefinedWarning
from ..metrics import Metric, metric
from ..metrics.learned import Learned
from ..scoring.stream import prepare_metrics, score_stream
from ..systems.summarize.genetic import Summary, evolve
from ..text.sentences import split_sentences

POOLS = ("sources", "outputs")


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The last generation of one item, fittest first, under every metric; scores are oriented: higher is better.

    `scores` and `real` are metrics x texts, the fitness first; `real` are the outputs of the systems in `systems`.
    """

    item: str
    texts: tuple[str, ...]
    scores: Floats
    systems: tuple[str, ...]
    real: Floats
    limit: int
    generations: int
    spread: tuple[int, ...]

    @property
    def above(self) -> Floats:
        """How far the fitness of each text is above that of the best real output (below: negative)."""
        apart: Floats = self.scores[0] - (np.nanmax(self.real[0]) if self.real.size else np.nan)
        return apart

    def percentile(self, at: int = 0) -> Floats:
        """Return, per metric, the share of real outputs that a text beats, ties half."""
        with np.errstate(invalid="ignore"):
            won = (self.scores[:, at : at + 1] > self.real) + 0.5 * (self.scores[:, at : at + 1] == self.real)
        count = (~np.isnan(self.real)).sum(axis=1)
        share: Floats = np.divide(won.sum(axis=1), count, out=np.full(len(count), np.nan), where=count > 0)
        return share


@dataclass(frozen=True)
class OtherMetric:
    """What another metric says of the extracts: rank correlations with the probed metric, averaged over items.

    whole: all extracts; within: those in the range of real outputs; above: those that the probed metric prefers to
    every real output, on `items` items that have enough of them. beaten: the share of real outputs to which this metric
    prefers the extract that is best by the probed metric.
    """

    kind: ClassVar[str] = "other_metric"
    other: str
    whole: float
    within: float
    above: float
    items: int
    beaten: float


@dataclass(frozen=True)
class ProbedItem:
    """The extract of one item that is best by the probed metric, next to the best system's output.

    `words` is the length limit, `share_above` the share of the last generation that the metric prefers to every real
    output. Without systems or references their fields are empty, scores NaN.
    """

    kind: ClassVar[str] = "probed_item"
    item: str
    extract: str
    score: float
    best_system: str
    best_output: str
    best_score: float
    reference: str
    words: int
    generations: int
    share_above: float


@dataclass(frozen=True, eq=False)
class Probe(Result, question="probe", kind="probe", shared=("metric",)):
    """A metric probed by a search for extracts that it scores high.

    `systems_low` to `extracts_high` are means over items of the worst and best score. `spectra` holds, by item, all
    extracts of the last generation with their scores.
    """

    metric: str
    systems_low: float
    systems_high: float
    extracts_low: float
    extracts_high: float
    share_above: float
    others: tuple[OtherMetric, ...]
    items: tuple[ProbedItem, ...]
    spectra: Mapping[str, Spectrum]
    higher_is_better: bool
    population: int
    seed: int

    def clearest(self) -> ProbedItem:
        """Return the item with the best extract that the other metrics score lowest."""

        def beaten(item: ProbedItem) -> float:
            return float(np.nan_to_num(self.spectra[item.item].percentile()[1:], nan=1.0).sum())

        return min(self.items, key=beaten)


def probe(
    data: EvalSet,
    fitness: str | Metric,
    others: Sequence[str | Metric] = (),
    *,
    items: int = 10,
    words: int | None = None,
    pool: str = "sources",
    population: int = 100,
    generations: int = 50,
    extracts: int = 10,
    seed: int = 0,
    follow: Callable[[Sequence[Item]], Iterable[Item]] = iter,
) -> Probe:
    """Make extracts from random to the best under a metric, and score them by other metrics.

    items: how many, evenly spaced. words: most words of an extract (the median of the item's outputs, or of its
    references). pool: where the sentences come from, the sources or the systems' outputs. extracts: how many of the
    last generation, evenly spaced by the metric, are chosen for people to judge (see `extracts_to_judge`). follow:
    passes the items on, for a progress bar.
    """
    _check_options(pool, items, extracts, words)
    metrics = [metric(m) for m in (fitness, *others)]
    for m in metrics:
        if isinstance(m, Learned) and m.outside:
            raise InputError(f"{m.title} needs outside scores ({m.outside[0]}), which new extracts do not have")
    metrics = prepare_metrics(metrics, [data])
    names = [m if isinstance(m, str) else m.title for m in (fitness, *others)]
    people = frozenset(data.people)
    spectra = {
        item.id: _spectrum(item, metrics, people, pool, words, population, generations, extracts, seed + at)
        for at, item in enumerate(follow(_pick_items(data, pool, items)))
    }
    sign = 1 if metrics[0].higher_is_better else -1
    probed = tuple(_best_extract(data[name], spectrum, sign) for name, spectrum in spectra.items())
    systems = _range([s.real[0] for s in spectra.values()], sign)
    extract_range = _range([s.scores[0] for s in spectra.values()], sign)
    return Probe(
        metric=names[0],
        systems_low=systems[0],
        systems_high=systems[1],
        extracts_low=extract_range[0],
        extracts_high=extract_range[1],
        share_above=sum(item.share_above for item in probed) / len(probed),
        others=tuple(_other(name, k, list(spectra.values())) for k, name in enumerate(names[1:], 1)),
        items=probed,
        spectra=spectra,
        higher_is_better=metrics[0].higher_is_better,
        population=population,
        seed=seed,
    )


def extracts_to_judge(result: Probe, data: EvalSet) -> EvalSet:
    """Return the evenly spaced extracts as outputs of made-up systems, the best first, for people to judge."""
    width = len(str(max(len(s.spread) for s in result.spectra.values())))
    items = [
        Item(
            name,
            data[name].references,
            {f"spectrum-{n:0{width}}": s.texts[at] for n, at in enumerate(s.spread, 1)},
            data[name].sources,
            data[name].group,
            cluster=data[name].cluster,
            run=data[name].run,
        )
        for name, s in result.spectra.items()
    ]
    return EvalSet(items, allow_missing=True, people=())


def _check_options(pool: str, items: int, extracts: int, words: int | None) -> None:
    if pool not in POOLS:
        raise InputError(f"pool must be sources or outputs; got {pool!r}")
    for name, value in (("items", items), ("extracts", extracts)):
        if value < 1:
            raise InputError(f"{name} must be 1 or more; got {value}")
    if words is not None and words < 1:
        raise InputError(f"words must be 1 or more; got {words}")


def _pick_items(data: EvalSet, pool: str, count: int) -> list[Item]:
    """Return n of the items that have sentences to choose from, evenly spaced."""
    usable = [item for item in data if _sentences(item, pool)]
    if not usable:
        hint = "; pool=outputs (--pool outputs) uses the systems' own sentences" if pool == "sources" else ""
        raise InputError(f"no item has {pool}, and the extracts are made of their sentences{hint}")
    places = np.unique(np.linspace(0, len(usable) - 1, min(count, len(usable))).round().astype(int))
    return [usable[i] for i in places]


def _best_extract(item: Item, spectrum: Spectrum, sign: int) -> ProbedItem:
    best = spectrum.systems[int(spectrum.real[0].argmax())] if spectrum.systems else ""
    return ProbedItem(
        item=item.id,
        extract=spectrum.texts[0],
        score=sign * float(spectrum.scores[0, 0]),
        best_system=best,
        best_output=item.outputs[best] if best else "",
        best_score=sign * float(spectrum.real[0].max()) if spectrum.real.size else float("nan"),
        reference=item.references[0].text if item.references else "",
        words=spectrum.limit,
        generations=spectrum.generations,
        share_above=float((spectrum.above > 0).mean()),
    )


def _spectrum(
    item: Item,
    metrics: Sequence[Metric],
    people: frozenset[str],
    pool: str,
    most_words: int | None,
    population: int,
    generations: int,
    extracts: int,
    seed: int,
) -> Spectrum:
    sentences = _sentences(item, pool)
    systems = tuple(s for s in item.outputs if s not in people)
    limit = most_words or _usual_length(item, systems)
    if not limit:
        raise InputError(
            f"{item.place} has neither outputs nor references to take a length from: give a number of words"
        )

    def text(summary: Summary) -> str:
        return "\n".join(sentences[i] for i in summary)

    def fitness(many: Sequence[Summary]) -> Floats:
        values: Floats = _score_texts(item, [text(s) for s in many], metrics[:1])[0]
        return values

    search = evolve(
        [len(s.split()) for s in sentences], fitness, limit=limit, size=population, generations=generations, seed=seed
    )
    texts = tuple(text(s) for s in search.summaries)
    if np.isnan(search.fitness).all():
        raise InputError(f"{metrics[0].title} needs {metrics[0].needs}, and {item.place} has none")
    scores = _score_texts(item, texts, metrics)
    real = _score_texts(item, [item.outputs[s] for s in systems], metrics)
    return Spectrum(item.id, texts, scores, systems, real, limit, search.generations, search.spread(extracts))


def _sentences(item: Item, pool: str) -> list[str]:
    """Return the sentences to choose from, each once."""
    texts = item.sources if pool == "sources" else tuple(item.outputs.values())
    return list(dict.fromkeys(s for text in texts for s in split_sentences(text)))


def _usual_length(item: Item, systems: Sequence[str]) -> int:
    texts = [item.outputs[s] for s in systems] or [r.text for r in item.references]
    return int(np.median([len(t.split()) for t in texts])) if texts else 0


def _score_texts(item: Item, texts: Sequence[str], metrics: Sequence[Metric]) -> Floats:
    """Score texts as outputs of the item, none of them a person's: metrics x texts, higher is better."""
    if not texts:
        return np.empty((len(metrics), 0))
    one = Item(item.id, item.references, {str(i): t for i, t in enumerate(texts)}, item.sources, item.group)
    (block,) = score_stream([EvalSet([one], people=())], metrics)
    signs = np.array([1.0 if m.higher_is_better else -1.0 for m in metrics])
    values: Floats = block.values * signs[:, None]
    return values


def _other(name: str, k: int, spectra: Sequence[Spectrum]) -> OtherMetric:
    whole, within, above = ([_rank_correlation(s, k, part) for s in spectra] for part in ("whole", "within", "above"))
    beaten = [float(s.percentile()[k]) for s in spectra]
    return OtherMetric(name, _mean(whole), _mean(within), _mean(above), sum(v == v for v in above), _mean(beaten))


def _rank_correlation(spectrum: Spectrum, k: int, part: str) -> float:
    above = spectrum.above
    bottom = np.nanmin(spectrum.real[0]) if spectrum.real.size else np.nan
    among = {
        "whole": np.ones(len(above), dtype=bool),
        "within": (above <= 0) & (spectrum.scores[0] >= bottom),
        "above": above > 0,
    }[part]
    if among.sum() < 5:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        return stats.spearman(spectrum.scores[0][among], spectrum.scores[k][among])


def _range(values: Sequence[Floats], sign: int) -> tuple[float, float]:
    """Return the mean over items of the worst and of the best, in the metric's own direction."""
    some = [v for v in values if v.size and not np.isnan(v).all()]
    ends = [(float(np.nanmin(v)), float(np.nanmax(v))) for v in some]
    return sign * _mean([low for low, _ in ends]), sign * _mean([high for _, high in ends])


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else float("nan")
