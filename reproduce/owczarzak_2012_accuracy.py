"""Owczarzak et al. (2012, accuracy): what ROUGE and people decide about pairs of systems, on TAC 2008.

python reproduce/owczarzak_2012_accuracy.py           prints published figures beside ours (a minute)
python reproduce/owczarzak_2012_accuracy.py --write   and puts them into docs/reproduced.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import tables
from common import Figure, data
from owczarzak_2009 import folded, jackknifed

import assay
from assay import EvalSet, Scores, meta
from assay.stats import paired_matrix, proportion

NAME = "owczarzak_2012_accuracy"
TITLE = "Owczarzak et al. 2012: the accuracy of automatic evaluation (TAC 2008, Tables 2 and 3, Figures 1 to 3)"
ROUGE = "rouge{}(measure=recall, stem=true{})"
METRICS = {
    f"r{name}m{'s' * stop}": ROUGE.format(size, ", stop=true" * stop)
    for name, size in (("1", "1"), ("2", "2"), ("4", "SU4"))
    for stop in (False, True)
}
OTHERS = {"BE-HM": "BE-HM", "depeval": "depeval"}
HUMAN = {"Pyr": "pyramid", "Resp": "responsiveness"}
KINDS = {"Auto only": "systems", "Human-Automatic": "people"}
# Table 2 (diff, no diff, contr) and Table 3 (sig, all), in percent; Auto only with Pyr, Resp, then Human-Automatic.
MEASURES = ("diff", "no diff", "contr", "sig", "all")
PUBLISHED = {
    "r1m": ((91, 59, 0.85, 77, 87), (87, 51, 1.34, 70, 82), (91, 75, 0.06, 90, 99), (91, 100, 0.45, 90, 99)),
    "r1ms": ((90, 59, 0.83, 77, 88), (84, 50, 3.01, 69, 80), (91, 75, 0.06, 90, 98), (90, 100, 0.45, 90, 98)),
    "r2m": ((91, 68, 0.19, 81, 89), (88, 60, 0.47, 75, 83), (75, 75, 0.62, 75, 94), (75, 100, 1.02, 75, 94)),
    "r2ms": ((88, 72, 0, 81, 89), (84, 62, 0.65, 74, 81), (73, 75, 1.56, 72, 93), (72, 100, 1.95, 72, 93)),
    "r4m": ((91, 64, 0.62, 80, 88), (87, 56, 0.91, 73, 82), (82, 75, 0.43, 82, 96), (82, 100, 0.83, 82, 96)),
    "r4ms": ((90, 64, 0.04, 79, 89), (85, 55, 1.15, 71, 81), (83, 75, 0.81, 83, 96), (83, 100, 1.20, 83, 96)),
}
ABOUT = """\
The published figures are averages over TAC 2008 to 2011; only 2008 is here (initial summaries, 58 systems, 8 people),
so none need be near. Every pair of systems, and of a person and a system, is decided by a Wilcoxon signed-rank test
over topics at .05, not adjusted for the number of pairs. ROUGE is jackknifed: people against the other three
references, systems four times against three. diff: of the pairs that people find different, the share that the metric
finds different in the same direction; no diff: the same for pairs they do not find different; contr: both find a
difference, in opposite directions; sig: the same decision; all: the same order of means. In each cell: published,
ours, in percent."""
PAIRS = """\
Ours are {auto:,} pairs of systems and {mixed} pairs of a person and a system (each person wrote for half of the
topics). People find {none} of the latter not different by Pyramid; a dash: no such pairs. The paper's conclusions: """
SECTION_5 = """\
Section 5 compares other metrics with ROUGE-2 by the same decision about pairs of systems. The metrics of AESOP 2011 are
not available. In the paper, ROUGE-BE is significantly better than ROUGE-2 for Pyramid and for responsiveness. Here is
BE-HM of our own parser, and the dependency metric. The z-test of the paper takes the pairs as independent; intervals
and the second p are over systems, because pairs share them."""
MISSING = """\
Not recomputed: the years 2009 to 2011, AESOP 2011 (Figures 3 to 5), and the bars of Figures 1 and 2, of which the text
states only the figures below."""


def figures() -> list[Figure]:
    """Table 3, the thresholds that the text reads off Figures 1 and 2, and Basic Elements against ROUGE-2."""
    return find()[1]


def find() -> tables.Found:
    tac = data("tac2008.jsonl.gz")
    scores = _scores(tac)
    human = {name: tac.human(dimension) for name, dimension in HUMAN.items()}
    agreements = {
        (metric, h): meta.decision_agreement(scores[metric], human[h], test="wilcoxon", without=())
        for metric in METRICS
        for h in HUMAN
    }
    ours = {metric: [_cells(agreements[metric, h], kind) for kind in KINDS for h in HUMAN] for metric in METRICS}
    found = [*_table_3(ours), *_histograms(tac, scores["r2m"], human), *_section_5(scores, human)]
    notes = [ABOUT, *_table_2(ours), _conclusions(ours, agreements), SECTION_5, MISSING]
    return [note if note.startswith(("|", "- ")) else " ".join(note.split()) for note in notes], found


def _scores(tac: EvalSet) -> dict[str, Scores]:
    specs = {**METRICS, **OTHERS}
    made = assay.score(jackknifed(tac), list(specs.values()))
    return {name: folded(made[spec], tac) for name, spec in specs.items()}


def _cells(agreement: meta.DecisionAgreement, kind: str) -> tuple[float, ...]:
    """Return the five measures in percent."""
    pairs = agreement.systems if KINDS[kind] == "systems" else agreement.people
    assert pairs is not None
    shares = (pairs.differences, pairs.no_differences, pairs.contradictions, pairs.same_decision, pairs.same_order)
    return tuple(100 * (s if isinstance(s, float) else s.value) for s in shares)


def _columns() -> list[str]:
    return [f"{kind}, {h}" for kind in KINDS for h in HUMAN]


def _table_2(ours: Mapping[str, list[tuple[float, ...]]]) -> Iterator[str]:
    for kind in KINDS:
        places = [i for i, column in enumerate(_columns()) if column.startswith(kind)]
        heads = [kind, *(f"{m}, {_columns()[i].rpartition(' ')[2]}" for i in places for m in MEASURES)]
        rows = []
        for metric, cells in ours.items():
            pairs = [(PUBLISHED[metric][i][k], cells[i][k], MEASURES[k]) for i in places for k in range(len(MEASURES))]
            rows.append([metric, *(f"{_percent(a, m)}  {_percent(b, m)}" for a, b, m in pairs)])
        yield tables.grid(heads, rows)


def _percent(value: float, measure: str) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}" if measure == "contr" else f"{value:.0f}"


def _table_3(ours: Mapping[str, list[tuple[float, ...]]]) -> Iterator[Figure]:
    for metric, cells in ours.items():
        for column, published, mine in zip(_columns(), PUBLISHED[metric], cells, strict=True):
            for k in (3, 4):
                yield Figure(f"Table 3: {metric}, {column}, {MEASURES[k]}", published[k] / 100, mine[k] / 100)


def _histograms(tac: EvalSet, rouge: Scores, human: Mapping[str, Scores]) -> Iterator[Figure]:
    """Compute what the text says of Figures 1 and 2, for automatic systems."""
    rows = [i for i, s in enumerate(tac.systems) if s not in tac.people]
    first, second = np.triu_indices(len(rows), 1)
    apart = np.subtract(*(rouge.means()[rows][k] for k in (first, second)))
    for h, scores in human.items():
        judged = np.subtract(*(scores.means()[rows][k] for k in (first, second)))
        sure = paired_matrix(scores.values[rows]).pvalue[first, second] <= 0.05
        wrong = apart * judged < 0
        near, far, size = np.abs(apart) <= 0.007, np.abs(apart) > 0.05, np.abs(apart)
        yield Figure(
            f"Figure 1: differences up to .007 that are significant by {h}",
            15 / 200,
            float(sure[near].mean()),
            note=f"{int(sure[near].sum())} of {int(near.sum())} pairs; about 15 of 200 there",
        )
        note = f"{int(far.sum())} pairs"
        yield Figure(
            f"Figure 1: differences above .05 that are significant by {h}", 1.0, float(sure[far].mean()), note=note
        )
        below = size < 0.013
        note = f'{int(below.sum())} pairs; "about half" there'
        yield Figure(f"Figure 2: wrong order below .013 by {h}", 0.5, float(wrong[below].mean()), note=note)
        note = f"{int((size > 0.04).sum())} pairs"
        yield Figure(f"Figure 2: right order above .04 by {h}", 1.0, float((~wrong)[size > 0.04].mean()), note=note)
        largest = float(size[wrong].max())
        yield Figure(f"Figure 2: largest difference in the wrong order by {h}", 0.04, largest)


def _section_5(scores: Mapping[str, Scores], human: Mapping[str, Scores]) -> Iterator[Figure]:
    for h, judged in human.items():
        for name in ("r2m", *OTHERS):
            made = meta.decision_agreement(scores[name], judged, baseline=scores["r2m"], test="wilcoxon", without=())
            share = made.systems.same_decision
            z = proportion(round(share.value * share.n), share.n, against=share.baseline).pvalue
            p = "" if name == "r2m" else f", against ROUGE-2 z-test p = {z:.3f}, over systems p = {share.pvalue:.3f}"
            note = f"[{share.low:.3f}, {share.high:.3f}]{p}"
            yield Figure(f"section 5: {name}, same decision as {h}, Auto only", None, share.value, note=note)


def _conclusions(
    ours: Mapping[str, list[tuple[float, ...]]], agreements: Mapping[tuple[str, str], meta.DecisionAgreement]
) -> str:
    one = agreements["r2m", "Pyr"]
    assert one.people is not None
    text = PAIRS.format(auto=one.systems.pairs, mixed=one.people.pairs, none=one.people.no_differences.n or "none")
    best = {column: max(ours, key=lambda m: ours[m][i][3]) for i, column in enumerate(_columns())}
    plain = [(m, i) for m in ours if m.endswith("m") for i in range(4)]
    worse = sum(ours[f"{m}s"][i][3] < ours[m][i][3] for m, i in plain)
    contradictions = max(cells[i][2] for cells in ours.values() for i in range(4))
    return text + (
        f"ROUGE-2 is best among automatic systems, ROUGE-1 between people and systems (here, by sig: "
        f"{', '.join(f'{column} {metric}' for column, metric in best.items())}); leaving out stop words often lowers "
        f"the agreement (here in {worse} of {len(plain)} cases); contradictions are rare (here at most "
        f"{contradictions:.2f} %)."
    )


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
