"""Does a metric lean towards statistical systems? Owczarzak et al. (2007a), Tables 3 and 4, on WMT17 Czech-English.

python reproduce/owczarzak_2007_bias.py           prints published figures beside ours (a minute)
python reproduce/owczarzak_2007_bias.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import common
import numpy as np
import tables
from common import Figure

import assay
from assay import EvalSet, Scores
from assay.systems.paraphrase import paraphrases, score_expanded

NAME = "owczarzak_2007_bias"
TITLE = "Owczarzak et al. 2007a: which kind of system a metric favours (Tables 3 and 4) on WMT17"
SET = "wmt17-cs-en.jsonl.gz"
STATISTICAL, NEURAL = "PJATK.4760", "uedin-nmt.4955"
NEAR = (0.05, 0.01, 0.005)
F = "depeval(measure=f, refs=max{})"
# Pharaoh less Logomedia: all sentences (Table 3), then those whose BLEU differs by at most .05, .01, .005 (Table 4).
METRICS: dict[str, tuple[str, tuple[float, float, float, float]]] = {
    "TER": ("ter", (1.997, -1.579, -1.228, -1.739)),
    "BLEU": ("bleu", (7.16, 0.95, 0.42, 0.59)),
    "NIST": ("nist", (6.58, 2.29, 1.76, 1.48)),
    "dep": (F.format(""), (4.93, 0.61, 0.04, -0.24)),
    "dep+paraphr": (F.format(""), (4.80, 0.67, 0.02, -0.15)),
    "GTM": ("gtm", (3.89, 0.94, 0.29, -0.09)),
    "METEOR": ("meteor(stages=exact+stem)", (3.80, -1.03, -0.99, -1.57)),
    "dep_preds": (F.format(", pred=true"), (3.79, -0.75, -1.37, -1.43)),
    "dep+paraphr_preds": (F.format(", pred=true"), (3.70, -0.70, -1.38, -1.30)),
    "dep+WordNet": (F.format(", wn=true"), (3.55, -0.29, -0.78, -0.99)),
    "dep+WordNet_preds": (F.format(", pred=true, wn=true"), (2.60, -1.43, -1.97, -1.94)),
    "METEOR+WordNet": ("meteor(stages=exact+stem+synonym)", (1.56, -2.51, -2.21, -2.74)),
}
NOTE = """\
The paper: 4,000 sentences of Europarl, Spanish to English, translated by Pharaoh (statistical) and Logomedia
(rule-based), without judgments; {published} below is Pharaoh less Logomedia. No system of WMT17 Czech- or
German-English is known to be rule-based (the online systems are anonymous), so the question is put to the one pair of
kinds there is: {statistical}, which is phrase-based and statistical, less {neural}, which is neural, on {n:,} segments
of Czech-English. The figures cannot be near; what can be compared is which metrics are kinder to the statistical
system. Points of 100; NIST as a share of what the references get; BLEU, NIST and TER are corpus scores. For TER, lower
is better: its sign is changed, so that a positive figure is always in favour of the statistical system."""
PEOPLE = """\
People put the neural system ahead by {gap:.2f} standard deviations of the judged segments ({a} judged outputs of one
and {b} of the other; standard error {error:.2f}). The last column is the same for each metric, on the same outputs: the
difference of means by the standard deviation of the segment scores. All are less negative than that of people: by this
measure all lean towards the statistical system, {most} least ({most_gap:+.2f}) and {least} most ({least_gap:+.2f});
BLEU has {bleu:+.2f}, the dependency F-score {dep:+.2f}."""
RANKS = """\
Over the twelve rows, our order and the paper's have Spearman's rho {rho:.2f} (Table 3). In the paper the
predicate-only scores are kinder to the rule-based system than those of all dependencies; here {predicates}. Where both
translations have nearly the same sentence BLEU, the other metrics show {sign} (Table 4)."""


def figures() -> list[Figure]:
    """Table 3."""
    return find()[1]


def find() -> tables.Found:
    whole = common.data(SET)
    data = two_systems(whole)
    scores = scored(data, whole)
    everything = np.ones(len(data), dtype=bool)
    gap = np.abs(np.subtract(*scores["sentence BLEU"].values))
    parts = {"Table 3": everything, **{f"Table 4, within {near}": gap <= 100 * near for near in NEAR}}
    perfect = assay.score(_references_as_outputs(data), "nist")
    ours = {where: {m: _lead(scores[m], rows, m, perfect) for m in METRICS} for where, rows in parts.items()}
    found = [Figure(f"Table 3: {name}", row[0], ours["Table 3"][name]) for name, (_, row) in METRICS.items()]
    note = NOTE.format(published='"published"', statistical=STATISTICAL, neural=NEURAL, n=len(data))
    human = data.human("adequacy")
    spreads = {name: _effect(scores[name], human) for name in METRICS}
    rows = [
        [
            name,
            *(f"{published[k]:+.2f}  {ours[where][name]:+.2f}" for k, where in enumerate(parts)),
            f"{spreads[name]:+.2f}",
        ]
        for name, (_, published) in METRICS.items()
    ]
    heads = ["published, ours", *(f"{w} (#{int(r.sum()):,})" for w, r in parts.items()), "in standard deviations"]
    texts = [note, _people(human, spreads), _ranks(ours)]
    return [*(" ".join(text.split()) for text in texts), tables.grid(heads, rows)], found


def two_systems(data: EvalSet) -> EvalSet:
    """Return the set with the two systems only, and the judgments of these."""
    both = (STATISTICAL, NEURAL)
    items = [
        replace(
            item,
            outputs={s: item.outputs[s] for s in both},
            judgments=tuple(j for j in item.judgments if set(j.system.split("+")) <= set(both)),
        )
        for item in data
    ]
    return EvalSet(items)


def scored(data: EvalSet, whole: EvalSet) -> dict[str, Scores]:
    """Return the scores of every metric; paraphrases come from the whole set, as in the paper."""
    made = assay.score(data, list(dict.fromkeys(spec for spec, _ in METRICS.values())))
    sets = paraphrases(whole)
    found = {"sentence BLEU": assay.score(data, "bleus")}
    for name, (spec, _) in METRICS.items():
        if "paraphr" in name:
            found[name] = score_expanded(data, sets, lambda part, spec=spec: assay.score(part, spec), how="best")
        else:
            found[name] = made[spec]
    return found


def _lead(scores: Scores, rows: np.ndarray, name: str, perfect: Scores) -> float:
    """Return the lead of the statistical system on some of the segments, in points of 100."""
    if scores.statistics is not None:
        first, second = (float(v) for v in scores.statistics.finish(scores.statistics.rows[:, rows].sum(axis=1)))
    else:
        first, second = (float(np.nanmean(row[rows])) for row in scores.values)
    scale = {"BLEU": 1.0, "TER": -1.0, "NIST": 100 / float(perfect.means()[0])}.get(name, 100.0)
    return scale * (first - second)


def _references_as_outputs(data: EvalSet) -> EvalSet:
    texts = [item.references[0].text for item in data]
    return EvalSet.from_texts(texts, texts)


def _effect(scores: Scores, human: Scores) -> float:
    """Return the lead of the statistical system on the judged outputs, in standard deviations of their scores."""
    values = np.where(np.isnan(human.values), np.nan, scores.values)
    first, second = np.nanmean(values, axis=1)
    sign = 1 if scores.higher_is_better else -1
    return sign * float(first - second) / float(np.nanstd(values))


def _people(human: Scores, spreads: Mapping[str, float]) -> str:
    there = (~np.isnan(human.values)).sum(axis=1)
    gap = -_effect(human, human)
    error = float(np.sqrt((1 / there).sum()))
    order = sorted(spreads, key=lambda name: spreads[name])
    ends = {"most": order[0], "most_gap": spreads[order[0]], "least": order[-1], "least_gap": spreads[order[-1]]}
    assert spreads[order[0]] > -gap, "the words of the page no longer fit"
    return PEOPLE.format(gap=gap, error=error, a=there[0], b=there[1], bleu=spreads["BLEU"], dep=spreads["dep"], **ends)


def _ranks(ours: Mapping[str, Mapping[str, float]]) -> str:
    from scipy.stats import spearmanr

    mine = ours["Table 3"]
    rho = float(spearmanr([mine[m] for m in METRICS], [published[0] for _, published in METRICS.values()]).statistic)
    change = mine["dep_preds"] - mine["dep"]
    more = "kinder" if change > 0 else "harder"
    predicates = f"they are {more} to the statistical system, by {abs(change):.2f} points"
    last = [v for name, v in ours[f"Table 4, within {NEAR[-1]}"].items() if name != "BLEU"]
    ahead = sum(v < 0 for v in last)
    return RANKS.format(rho=rho, predicates=predicates, sign=f"the neural system ahead in {ahead} of {len(last)} rows")


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
