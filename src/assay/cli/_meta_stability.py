"""How many items and references a verdict needs: the stability question of `assay meta`."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ..views._view import Column
from ._answer import Answer, decimals

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Floats
    from ..meta import Size, Stability
    from ._trial import Trial

_FEW = 6  # references up to which every number of them is tried


def answer(trial: Trial) -> Answer:
    """Items for every metric, references for those that can be scored here, and halves of the human scores."""
    from ..meta import halves, topics

    options: dict[str, Any] = {"draws": trial.args.resamples, "seed": trial.args.seed, "without": trial.without}
    common = {**options, "method": trial.args.method}
    shown = {"tolerance": trial.args.tolerance, **common}
    items = {n: topics(s, trial.human, **shown) for n, s in trial.metrics.items()}
    by_references = {n: made for n in trial.metrics if (made := _by_references(trial, n, shown))}
    split = halves(trial.human, **common) if len(trial.human.items) > 1 else None
    sentences = [next(iter(items.values())).sentence()]
    sentences += [next(iter(by_references.values())).sentence()] if by_references else []
    sentences += [split.sentence()] if split else []
    notes = [
        f"Mean correlation at system level over {trial.args.resamples} random draws (sd), seed {trial.args.seed}; the "
        "metric sees a part, people all. systems drawn anew: all there is, with systems bootstrapped. p: do the sizes "
        "differ (analysis of variance). halves: two disjoint sets of items, each with the human scores "
        "(Owczarzak and Dang 2009).",
        *trial.notes(),
    ]
    tables = [_columns("items", items, split), *([_columns("references", by_references)] if by_references else [])]
    records = [r for made in (items, by_references) for n, s in made.items() for r in _records(trial, n, s)]
    records += _records(trial, None, split) if split else []
    return Answer(sentences, tables[0], notes, records, more=tables[1:])


def _references(data: EvalSet) -> int:
    return min((len(item.references) for item in data), default=0)


def _sizes(most: int) -> list[int]:
    if most < 2:
        return []
    return list(range(1, most + 1)) if most <= _FEW else sorted({1, 2, 3, 4, *range(8, most, 4), most})


def _by_references(trial: Trial, name: str, options: dict[str, Any]) -> Stability | None:
    from ..meta import references

    tables = reference_tables(trial.data, trial.typed[name], trial.args.seed)
    return references(tables, trial.metrics[name], trial.human, **options) if tables else None


def reference_tables(data: EvalSet, name: str, seed: int) -> dict[int, Floats] | None:
    """By number of references, a metric's scores against choices of so many; None where that cannot be asked."""
    from ..errors import AssayError, UndefinedWarning
    from ..metrics import metric
    from ..scoring.score import reference_subsets

    try:
        built = metric(name)
    except AssayError:
        return None  # scores of another program cannot be made anew
    sizes = _sizes(_references(data))
    if built.needs != "references" or not sizes:
        return None
    with warnings.catch_warnings():  # a person whose own text is the one reference drawn has no score
        warnings.simplefilter("ignore", UndefinedWarning)
        return {size: reference_subsets(data, built, size, most=12, seed=seed) for size in sizes}


def _columns(what: str, made: dict[str, Stability], split: Stability | None = None) -> list[Column]:
    first = next(iter(made.values()))
    rows = [str(s.size) for s in first.sizes[:-1]]
    labels = [*rows, f"{first.n} (all)", "systems drawn anew", "p"]
    columns = [Column(what, labels, right=False)]
    for name, stable in made.items():
        cells = [_spread(s) for s in stable.sizes[:-1]]
        again = stable.resampled
        cells += [
            decimals(stable.actual),
            "–" if again is None else _spread(again),
        ]
        p = stable.anova.pvalue if stable.anova else float("nan")
        columns.append(Column(name, [*cells, "<.001" if p < 0.001 else decimals(p)]))
    if split is not None:
        by_size = {str(s.size): _spread(s) for s in split.sizes}
        columns.append(Column("halves", [by_size.get(label, "") for label in labels]))
    return columns


def _spread(size: Size) -> str:
    return "–" if size.mean != size.mean else f"{decimals(size.mean)} ({decimals(size.sd, 2)})"


def _records(trial: Trial, name: str | None, made: Stability) -> list[dict[str, Any]]:
    values = {"what": made.what, "method": made.method, "draws": made.draws, "seed": made.seed}
    sizes = [
        trial.record("stability", name, **values, size=s.size, mean=s.mean, sd=s.sd, low=s.low, high=s.high)
        for s in made.sizes
    ]
    smallest = {"smallest": made.smallest, "tolerance": made.tolerance, "actual": made.actual}
    p = made.anova.pvalue if made.anova else None
    return [*sizes, trial.record("stability", name, **values, **smallest, p=p, sentence=made.sentence())]
