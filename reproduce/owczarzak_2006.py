"""Paraphrases from the test set itself: Owczarzak et al. (2006), Tables 1 and 2, on WMT17 German and Czech.

python reproduce/owczarzak_2006.py           prints published figures beside ours
python reproduce/owczarzak_2006.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

import warnings

import common
import numpy as np
import tables
from common import Figure

import assay
from assay.errors import PoolingWarning
from assay.metrics import METRICS as KNOWN
from assay.stats import williams
from assay.systems.paraphrase import Paraphrases, expand, paraphrases, score_expanded

NAME = "owczarzak_2006"
TITLE = "Owczarzak et al. 2006: paraphrases from the test set (Tables 1 and 2) on WMT17"
LANGUAGES = {"de": "German", "cs": "Czech"}
METRICS = {"BLEU": "bleu(smooth=none)", "BLEU smoothed": "bleu(smooth=add-k)", "NIST": "nist"}
PUBLISHED = {"BLEU": (0.297, 0.307), "BLEU smoothed": (0.396, 0.404), "NIST": (0.323, 0.355)}
SETS = {
    "twice": {},
    "once .1": {"least": 1, "threshold": 0.1},
    "once .2": {"least": 1, "threshold": 0.2},
    "intersection": {"symmetrize": "intersection"},
}
HOW = ("one", "lattice", "best")
OTHERS = {"BLEU smoothed": "bleu(smooth=add-k)", "ROUGE-2": "rouge2", "ROUGE-2, refs=max": "rouge2(refs=max)"}
RESAMPLES = 1000
NOTE = """The paper: 2,000 sentences of Europarl, French to English, 100 of them judged; 769 equivalence sets with
1,658 members; BLEU .2131 to .2407 (Pharaoh), .1782 to .2043 (Logomedia); Pearson's r with people as in the last
table. Europarl and those judgments are not available here, so the experiment is repeated on other data: WMT17 news,
outputs of all systems. r is over the judged outputs, each text once; p is Williams' one-sided test that r is higher
with paraphrases. *twice*: a pair of source and target phrase counts if seen twice and p(e|f), p(f|e) are at least
.05 (the default); *once .1* and *once .2*: seen once, with that threshold (the paper set none); *intersection*: as
*twice*, but from links that both directions found. *one*: one replacement at a time is added to the reference, as in
the paper; *lattice*: all replacements at once, an n-gram matches if some path contains it (suggested in the paper;
not for NIST, whose weights are counts of n-grams in listed references); *best*: the reference is replaced by its
variant nearest to the output."""

CHANGES = """Williams' test takes outputs as independent, but all outputs of a segment share its reference and its
replacements, so its p is too small. The interval below draws segments (1,000 samples; *twice*, *one*). Plain ROUGE-2
sums over references, and an output matches few of those that were added: it falls."""


def figures() -> list[Figure]:
    """The correlations, and the published ones."""
    return find()[1]


def find() -> tables.Found:
    metrics = {name: spec for name, spec in METRICS.items() if _known(spec)}
    rows, counts, found, changes = [], [], [], []
    for code, language in LANGUAGES.items():
        data = common.data(f"wmt17-{code}-en.jsonl.gz")
        people = data.human("adequacy").values
        there = _judged(data, people)
        for name, options in SETS.items():
            sets = paraphrases(data, **options)
            counts.append(_size(language, name, sets, data))
            changes += _changes(language, data, people, there, sets) if name == "twice" else []
            for how in HOW:
                for metric, spec in metrics.items():
                    if (metric, how) == ("NIST", "lattice"):
                        continue
                    row, figure = _row(data, people, there, sets, f"{language}, {name}, {how}", metric, spec, how)
                    rows.append(row)
                    found += figure if (name, how) == ("twice", "one") else []
    sizes = tables.grid(["bitext", "sets", "members", "references per segment"], counts)
    heads = ["paraphrases", "metric", "score", "with", "r", "r with", "n", "p"]
    more = tables.grid(["language", "metric", "score", "with", "change of r", "95% interval"], changes)
    texts = [" ".join(NOTE.split()), sizes, tables.grid(heads, rows), _verdict(rows, metrics)]
    return [*texts, " ".join(CHANGES.split()), more], found


def _judged(data: assay.EvalSet, people: np.ndarray) -> np.ndarray:
    """The judged outputs; of systems that wrote the same and were judged together, the first."""
    there = ~np.isnan(people)
    for column, item in enumerate(data):
        seen = set()
        for row in np.flatnonzero(there[:, column]):
            text = item.outputs[data.systems[row]]
            there[row, column] = text not in seen
            seen.add(text)
    return there


def _known(spec: str) -> bool:
    return any(cls.name.partition("{")[0] == spec.partition("(")[0] for cls in KNOWN.classes)


def _size(language: str, name: str, sets: Paraphrases, data: assay.EvalSet) -> list[str]:
    more = np.mean([len(item.references) for item in expand(data, sets)])
    return [f"{language}, {name}", str(len(sets.sets)), str(sum(len(s.members) for s in sets.sets)), f"{more:.1f}"]


def _row(data, people, there, sets, where, metric, spec, how) -> tuple[list[str], list[Figure]]:
    before = assay.score(data, spec)
    after = score_expanded(data, sets, lambda part: assay.score(part, spec), how=how)
    h, a, b = (v[there] for v in (people, before.values, after.values))
    ok = ~np.isnan(a) & ~np.isnan(b)
    (_, single, multi), (_, _, between), _ = np.corrcoef([h[ok], a[ok], b[ok]])
    n = int(ok.sum())
    p = williams(multi, single, between, n=n).pvalue
    means = [f"{s.means().mean():.2f}" for s in (before, after)]
    row = [where, metric, *means, f"{single:.3f}", f"{multi:.3f}", str(n), f"{p:.3f}"]
    note = "French Europarl there, WMT17 here"
    language = where.partition(",")[0]
    return row, [
        Figure(f"Table 2: H & {metric}, single ref, {language}", PUBLISHED[metric][0], float(single), note=note),
        Figure(f"Table 2: H & {metric}, multi ref, {language}", PUBLISHED[metric][1], float(multi), note=note),
    ]


def _changes(language, data, people, there, sets) -> list[list[str]]:
    """The change of r by paraphrases, with an interval that draws segments."""
    rows = []
    for name, spec in OTHERS.items():
        before = assay.score(data, spec)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PoolingWarning)  # the table shows what the warning says
            after = score_expanded(data, sets, lambda part, spec=spec: assay.score(part, spec))
        columns = [k for k in range(there.shape[1]) if there[:, k].any()]
        parts = [[v[there[:, k], k] for v in (people, before.values, after.values)] for k in columns]
        rng = np.random.default_rng(0)
        draws = [_change([parts[k] for k in rng.integers(len(parts), size=len(parts))]) for _ in range(RESAMPLES)]
        low, high = np.quantile(draws, [0.025, 0.975])
        means = [f"{s.means().mean():.4g}" for s in (before, after)]
        rows.append([language, name, *means, f"{_change(parts):+.4f}", f"{low:+.4f} to {high:+.4f}"])
    return rows


def _change(parts: list[list[np.ndarray]]) -> float:
    h, a, b = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return float(np.corrcoef(h, b)[0, 1] - np.corrcoef(h, a)[0, 1])


def _verdict(rows: list[list[str]], metrics: dict[str, str]) -> str:
    ways = {how: [row for row in rows if row[0].endswith(f", {how}")] for how in HOW}
    by_way = "; ".join(
        f"{how}: {sum(float(row[5]) > float(row[4]) for row in some)} of {len(some)} rise, by "
        f"{np.mean([float(row[5]) - float(row[4]) for row in some]):.4f} on average"
        for how, some in ways.items()
    )
    higher = sum(float(row[3]) > float(row[2]) for row in rows)
    better = sum(float(row[5]) > float(row[4]) for row in rows)
    sure = sum(float(row[7]) < 0.05 for row in rows)
    missing = "" if len(metrics) == len(METRICS) else " NIST is not among the metrics yet."
    return (
        f"Of {len(rows)} comparisons the score rises in {higher} and the correlation in {better}, "
        f"significantly (p < .05, not corrected for the number of tests) in {sure}.{missing} "
        f"Correlations by way: {by_way}."
    )


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
