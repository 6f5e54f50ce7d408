"""probe: what a metric says outside the range of real systems (Peyrard et al. 2017, section 4.4)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .. import stats
from ..data.evalset import EvalSet, Item
from ..data.scores import Floats
from ..errors import InputError, UndefinedWarning
from ..metrics import Metric, metric
from ..metrics.learned import Learned
from ..scoring.score import prepare_metrics, score_stream
from ..systems.summarize.genetic import Summary, evolve
from ..text.sentences import split_sentences

POOLS = ("sources", "outputs")


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The last generation of one item, fittest first, under every metric; scores are turned: higher is better.

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
        """Per text, how far its fitness is above the best real output's (below: negative)."""
        apart: Floats = self.scores[0] - (np.nanmax(self.real[0]) if self.real.size else np.nan)
        return apart

    def percentile(self, at: int = 0) -> Floats:
        """Per metric, the share of real outputs that a text beats, ties half."""
        with np.errstate(invalid="ignore"):
            won = (self.scores[:, at : at + 1] > self.real) + 0.5 * (self.scores[:, at : at + 1] == self.real)
        count = (~np.isnan(self.real)).sum(axis=1)
        share: Floats = np.divide(won.sum(axis=1), count, out=np.full(len(count), np.nan), where=count > 0)
        return share


@dataclass(frozen=True)
class Other:
    """What another metric says along the spectrum: rank correlations with the fitness, averaged over items.

    whole: all generated summaries; within: those in the range of real outputs; above: those better than every real
    output by the fitness, on `items` items that have enough of them. beaten: the share of real outputs that the
    fittest summary beats by this metric.
    """

    metric: str
    whole: float
    within: float
    above: float
    items: int
    beaten: float


@dataclass(frozen=True, eq=False)
class Probe:
    """A metric tried as the fitness of a search."""

    metric: str
    spectra: tuple[Spectrum, ...]
    others: tuple[Other, ...]
    real: tuple[float, float]
    generated: tuple[float, float]
    higher_is_better: bool
    size: int
    seed: int

    def clearest(self) -> Spectrum:
        """The item whose fittest summary the other metrics think least of."""
        return min(self.spectra, key=lambda s: float(np.nan_to_num(s.percentile()[1:], nan=1.0).sum()))

    def sentence(self) -> str:
        """The answer in words."""
        n = len(self.spectra)
        said = (
            f"Extracts chosen by {self.metric} reach {self.generated[1]:.3f} where the best system has "
            f"{self.real[1]:.3f} (means over {n} item{'s' * (n != 1)})."
        )
        known = [o for o in self.others if not np.isnan(o.beaten)]
        if not known:
            return said
        least = min(known, key=lambda o: o.beaten)
        return f"{said} By {least.metric} the same extracts beat {100 * least.beaten:.0f}% of the systems' outputs."


def probe(
    data: EvalSet,
    fitness: str | Metric,
    others: Sequence[str | Metric] = (),
    *,
    items: int = 10,
    limit: int | None = None,
    pool: str = "sources",
    size: int = 100,
    generations: int = 50,
    keep: int = 10,
    seed: int = 0,
    follow: Callable[[Sequence[Item]], Iterable[Item]] = iter,
) -> Probe:
    """Make extracts from random to near the best under a metric, and see what other metrics say of them.

    Items: so many, evenly spaced. limit: words of a summary (the median of the item's outputs, or of its references).
    pool: where the sentences come from, the sources or the systems' outputs. keep: members of the last generation that
    are evenly spaced by fitness, as the paper gives to people. follow: sees the items pass by.
    """
    if pool not in POOLS:
        raise InputError(f"pool must be sources or outputs; got {pool!r}")
    for name, value in (("items", items), ("keep", keep)):
        if value < 1:
            raise InputError(f"{name} must be 1 or more; got {value}")
    if limit is not None and limit < 1:
        raise InputError(f"the limit must be 1 word or more; got {limit}")
    built = [metric(m) for m in (fitness, *others)]
    for m in built:
        if isinstance(m, Learned) and m.outside:
            raise InputError(f"{m.title} needs outside scores ({m.outside[0]}), and nobody scored texts made just now")
    ready = prepare_metrics(built, [data])
    names = [m if isinstance(m, str) else m.title for m in (fitness, *others)]
    usable = [item for item in data if _sentences(item, pool)]
    if not usable:
        hint = "; pool=outputs (--from outputs) draws on the systems' own sentences" if pool == "sources" else ""
        raise InputError(f"no item has {pool}, and the summaries are made of their sentences{hint}")
    chosen = [
        usable[i] for i in np.unique(np.linspace(0, len(usable) - 1, min(items, len(usable))).round().astype(int))
    ]
    people = frozenset(data.people)
    spectra = tuple(
        _spectrum(item, ready, people, pool, limit, size, generations, keep, seed + at)
        for at, item in enumerate(follow(chosen))
    )
    sign = 1 if ready[0].higher_is_better else -1
    return Probe(
        metric=names[0],
        spectra=spectra,
        others=tuple(_other(name, k, spectra) for k, name in enumerate(names[1:], 1)),
        real=_range([s.real[0] for s in spectra], sign),
        generated=_range([s.scores[0] for s in spectra], sign),
        higher_is_better=ready[0].higher_is_better,
        size=size,
        seed=seed,
    )


def _spectrum(
    item: Item, metrics: Sequence[Metric], people: frozenset[str], pool: str, limit: int | None, size: int,
    generations: int, keep: int, seed: int,
) -> Spectrum:  # fmt: skip
    sentences = _sentences(item, pool)
    systems = tuple(s for s in item.outputs if s not in people)
    words = limit or _usual_length(item, systems)
    if not words:
        raise InputError(f"{item.place} has neither outputs nor references to take a length from: give a limit")

    def text(summary: Summary) -> str:
        return "\n".join(sentences[i] for i in summary)

    def fitness(many: Sequence[Summary]) -> Floats:
        scored: Floats = _scored(item, [text(s) for s in many], metrics[:1])[0]
        return scored

    found = evolve(
        [len(s.split()) for s in sentences], fitness, limit=words, size=size, generations=generations, seed=seed
    )
    texts = tuple(text(s) for s in found.summaries)
    if np.isnan(found.fitness).all():
        raise InputError(f"{metrics[0].title} needs {metrics[0].needs}, and {item.place} has none")
    scores = _scored(item, texts, metrics)
    real = _scored(item, [item.outputs[s] for s in systems], metrics)
    return Spectrum(item.id, texts, scores, systems, real, words, found.generations, found.spread(keep))


def _sentences(item: Item, pool: str) -> list[str]:
    """The sentences to choose from, each once."""
    texts = item.sources if pool == "sources" else tuple(item.outputs.values())
    return list(dict.fromkeys(s for text in texts for s in split_sentences(text)))


def _usual_length(item: Item, systems: Sequence[str]) -> int:
    texts = [item.outputs[s] for s in systems] or [r.text for r in item.references]
    return int(np.median([len(t.split()) for t in texts])) if texts else 0


def _scored(item: Item, texts: Sequence[str], metrics: Sequence[Metric]) -> Floats:
    """Metrics x texts, higher is better: the texts as outputs of the item, none of them a person's."""
    if not texts:
        return np.empty((len(metrics), 0))
    one = Item(item.id, item.references, {str(i): t for i, t in enumerate(texts)}, item.sources, item.group)
    (block,) = score_stream([EvalSet([one], people=())], metrics)
    signs = np.array([1.0 if m.higher_is_better else -1.0 for m in metrics])
    scored: Floats = block.values * signs[:, None]
    return scored


def _other(name: str, k: int, spectra: Sequence[Spectrum]) -> Other:
    whole, within, above = ([_rank_correlation(s, k, part) for s in spectra] for part in ("whole", "within", "above"))
    beaten = [float(s.percentile()[k]) for s in spectra]
    return Other(name, _mean(whole), _mean(within), _mean(above), sum(v == v for v in above), _mean(beaten))


def _rank_correlation(spectrum: Spectrum, k: int, part: str) -> float:
    above = spectrum.above
    bottom = np.nanmin(spectrum.real[0]) if spectrum.real.size else np.nan
    kept = {
        "whole": np.ones(len(above), dtype=bool),
        "within": (above <= 0) & (spectrum.scores[0] >= bottom),
        "above": above > 0,
    }[part]
    if kept.sum() < 5:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        return stats.spearman(spectrum.scores[0][kept], spectrum.scores[k][kept])


def _range(values: Sequence[Floats], sign: int) -> tuple[float, float]:
    """The mean over items of the worst and of the best, in the metric's own direction."""
    some = [v for v in values if v.size and not np.isnan(v).all()]
    ends = [(float(np.nanmin(v)), float(np.nanmax(v))) for v in some]
    return sign * _mean([low for low, _ in ends]), sign * _mean([high for _, high in ends])


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else float("nan")
