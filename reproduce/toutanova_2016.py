"""The 80 metrics of Toutanova et al. (2016), 4.3, Table 9: ranked on rated human compressions, and on SummEval.

python reproduce/toutanova_2016.py           prints published figures beside ours
python reproduce/toutanova_2016.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import tables
from common import Figure, data
from published import TOUTANOVA_2016

import assay
from assay import EvalSet, Item, Scores
from assay.errors import AssayWarning
from assay.meta.dominate import Dominance, dominate
from assay.metrics import METRICS
from assay.metrics.overlap import parse_toutanova

NAME = "toutanova_2016"
TITLE = "Toutanova et al. 2016: 80 metrics (Table 9), on human compressions and on SummEval"
Values = dict[str, float]
WORDS = """\
In words. *Recall beats precision* for meaning and for the combination everywhere, for grammar almost nowhere.
*SKIP-2 and PARSE-2 beat single words* for grammar, PARSE-2 most, and it leads the ranking for grammar on
compressions; for meaning they do not: recall of single words leads on both sets. *Several references beat one* on
SummEval with its 11 references, for all qualities; on compressions, which have two to four others written by
people, they do so for grammar if both compressions meet the same references, and for meaning only as a union
(MULT-ALL) and in half of the cases. All correlations are lower than published, probably because what people write
differs less in quality than what the four systems wrote."""
PLACES = 5  # compressions of a source that are compared
SEED = 0
QUALITIES = ("meaning", "grammar", "combined")
SUMMEVAL = {"meaning": "relevance", "grammar": "fluency"}
QUESTIONS: dict[str, Callable[[str, str, str], tuple[str, str, str] | None]] = {
    "multiple references (MULT-MAX) beat one": lambda u, m, r: (u, m, "SINGLE-REF") if r == "MULT-MAX" else None,
    "MULT-PROB beats one": lambda u, m, r: (u, m, "SINGLE-REF") if r == "MULT-PROB" else None,
    "MULT-ALL beats one": lambda u, m, r: (u, m, "SINGLE-REF") if r == "MULT-ALL" else None,
    "recall beats precision": lambda u, m, r: (u, "Precision", r) if m == "Recall" else None,
    "SKIP-2 beats LR-1": lambda u, m, r: ("LR-1", m, r) if u == "SKIP-2" else None,
    "PARSE-2 beats LR-1": lambda u, m, r: ("LR-1", m, r) if u == "PARSE-2" else None,
    "PARSE-2 beats SKIP-2": lambda u, m, r: ("SKIP-2", m, r) if u == "PARSE-2" else None,
}
ABOUT = """\
The rated outputs of the paper's four systems are not in the corpus, so its figures cannot be had again; what can be
asked is whether its conclusions hold elsewhere. As in 4.3.2, differences between two outputs of one input are
correlated (Pearson) and averaged over pairs; a metric dominates another if Williams' test finds it better on 80% of
the pairs.

- **compressions**: the human compressions of the MSR valid file, each scored against the others of its source
  (`own=skip`). Too few are by one person to make people systems: the first, second, ... of at most {places}
  compressions of a source, in random order (seed {seed}), are compared, {pairs} pairs of places.
- **same references**: the same pairs, both scored against the remaining compressions of the source. Above, either
  of two compressions is a reference of the other, which hides differences between them.
- **SummEval**: 16 systems, 100 texts, 11 references, three experts; relevance stands for meaning, fluency for
  grammar, their mean for the combination."""
COUNTED = """Does it hold? In how many of the pairs of metrics that differ in nothing else, and the mean change of r."""


def combined(a: Scores, b: Scores) -> Scores:
    """C(o) = .5 M(o) + .5 G(o)."""
    return Scores(0.5 * (a.values + b.values), a.systems, a.items, "combined")


def by_place(scores: Scores, order: Mapping[str, list[str]]) -> Scores:
    """The outputs of each item in the given order, whoever wrote them."""
    row = {s: i for i, s in enumerate(scores.systems)}
    values = np.full((PLACES, len(scores.items)), np.nan)
    for column, item in enumerate(scores.items):
        for place, system in enumerate(order[item][:PLACES]):
            values[place, column] = scores.values[row[system], column]
    places = tuple(f"compression {p + 1}" for p in range(PLACES))
    return Scores(values, places, scores.items, scores.name)


def names() -> list[str]:
    """The 80."""
    return [name for name, _ in METRICS.examples() if parse_toutanova(name)]


def compressions() -> EvalSet:
    return data("msr-compression/RawData/valid.tsv")


def shuffled(msr: EvalSet) -> dict[str, list[str]]:
    """The compressions of each source in random order."""
    rng = np.random.default_rng(SEED)
    return {item.id: [list(item.outputs)[i] for i in rng.permutation(len(item.outputs))] for item in msr}


def left_one_out(msr: EvalSet) -> dict[str, Dominance]:
    order = shuffled(msr)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)  # three sources with one compression have no others
        scores = assay.score(msr, names())
    human = {d: by_place(msr.human(d), order) for d in ("meaning", "grammar")}
    return ranked({name: by_place(s, order) for name, s in scores.items()}, human)


def same_references(msr: EvalSet) -> dict[str, Values]:
    """Mean correlation of differences when both compressions are scored against the remaining ones."""
    order = shuffled(msr)
    items, pair = [], []
    for p, (a, b) in enumerate(combinations(range(PLACES), 2)):
        for item in msr:
            if len(order[item.id]) > max(b, 2):
                items.append(_pair(item, order[item.id][a], order[item.id][b], f"{p}/{item.id}"))
                pair.append(p)
    pairs = EvalSet(items)
    human = {d: pairs.human(d).values for d in ("meaning", "grammar")}
    human["combined"] = 0.5 * (human["meaning"] + human["grammar"])
    scores = {name: s.values for name, s in assay.score(pairs, names()).items()}
    return {q: {name: _mean_r(s, human[q], np.array(pair)) for name, s in scores.items()} for q in QUALITIES}


def _pair(item: Item, a: str, b: str, name: str) -> Item:
    judged = [j._replace(system={a: "a", b: "b"}[j.system]) for j in item.judgments if j.system in (a, b)]
    rest = tuple(r for r in item.references if r.id not in (a, b))
    outputs = {"a": item.outputs[a], "b": item.outputs[b]}
    return replace(item, id=name, outputs=outputs, references=rest, judgments=tuple(judged))


def _mean_r(metric: np.ndarray, human: np.ndarray, pair: np.ndarray) -> float:
    x, y = metric[0] - metric[1], human[0] - human[1]
    return float(np.mean([np.corrcoef(x[pair == p], y[pair == p])[0, 1] for p in np.unique(pair)]))


def summaries() -> dict[str, Dominance]:
    summeval = data("summeval.jsonl.gz")
    human = {quality: experts(summeval, dimension) for quality, dimension in SUMMEVAL.items()}
    return ranked(assay.score(summeval, names()), human)


def experts(summeval: EvalSet, dimension: str) -> Scores:
    """The mean of the experts."""
    each = [summeval.human(dimension, rater=r) for r in summeval.raters if r.startswith("expert")]
    return Scores(np.mean([s.values for s in each], axis=0), summeval.systems, summeval.items, dimension)


def ranked(scores: Mapping[str, Scores], human: dict[str, Scores]) -> dict[str, Dominance]:
    """Who dominates whom, for each quality."""
    human = {**human, "combined": combined(human["meaning"], human["grammar"])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)  # sources with one compression have no others
        return {quality: dominate(scores, human[quality]) for quality in QUALITIES}


def values(found: dict[str, Dominance]) -> dict[str, Values]:
    """Mean correlations by quality and metric."""
    return {quality: {s.metric: s.value for s in found[quality].ranking} for quality in QUALITIES}


def find() -> tables.Found:
    msr = compressions()
    ranks = {"compressions": left_one_out(msr), "SummEval": summaries()}
    again = same_references(msr)
    sets = {
        "compressions": values(ranks["compressions"]),
        "same references": again,
        "SummEval": values(ranks["SummEval"]),
    }
    pairs = PLACES * (PLACES - 1) // 2
    notes = [ABOUT.format(places=PLACES, seed=SEED, pairs=pairs), COUNTED, *answers(sets), WORDS]
    for title, found in ranks.items():
        notes += [
            f"Best of each unit, measure and pooling, {title} (Table 9; - dominated, * dominates those):",
            best(found),
        ]
        notes += ["\n".join(f"- {title}, {quality}: {found[quality].view().headline}" for quality in QUALITIES)]
    return notes, figures_of(again)


def figures() -> list[Figure]:
    return figures_of(same_references(compressions()))


def figures_of(found: dict[str, Values]) -> list[Figure]:
    """The rows of Table 9 that are the best of something."""
    return [
        Figure(f"same references, {quality}: {m}", r, found[quality][m], note="other outputs")
        for quality, published in TOUTANOVA_2016.items()
        for m, r in published.items()
    ]


def answers(sets: dict[str, dict[str, Values]]) -> list[str]:
    """Each question, counted over the grid: a table for each set."""
    tabled = []
    for title, found in sets.items():
        rows = []
        for question, other in QUESTIONS.items():
            cells = []
            for value in (found[quality] for quality in QUALITIES):
                change = [value[name] - value["+".join(o)] for name in value if (o := _other(name, other))]
                cells.append(f"{sum(c > 0 for c in change)}/{len(change)} {np.mean(change):+.3f}")
            rows.append([question, *cells])
        tabled.append(tables.grid([title, *QUALITIES], rows))
    return tabled


def _other(name: str, other: Callable[[str, str, str], tuple[str, str, str] | None]) -> tuple[str, str, str] | None:
    parts = parse_toutanova(name)
    return None if parts is None or parts[0].startswith(("BLEU", "ROUGE")) else other(*parts)


def best(found: dict[str, Dominance]) -> str:
    """Table 9's groups, a column for each quality."""
    columns = []
    for quality in QUALITIES:
        rows = [row for part in ("unit", "measure", "pooling") for row in found[quality].best_per(part)]
        columns.append([f"{row.metric} {row.value:.2f}{row.mark}" for row in rows])
    return tables.grid(["meaning", "grammar", "combined"], list(zip(*columns, strict=True)))


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
