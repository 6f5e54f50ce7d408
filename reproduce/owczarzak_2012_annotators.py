"""Owczarzak et al. (2012), Figure 1 and the mP-aP parts of Tables 2 to 4, in kind: the annotators of DUC 2007."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tables
from common import Figure, duc2007

from assay.data.scores import Scores
from assay.errors import ignore_undefined
from assay.pyramid import add_judgments, auto_pyramid
from assay.scoring import score
from assay.stats import pearson, spearman

TITLE = "Owczarzak et al. 2012 in kind: which annotators select content units consistently (DUC 2007)"
TASKS = {
    "update": ("updateEval", "rouge2(tokenizer=rouge155, stem=true, measure=recall, refs=jackknife)"),
    "main": ("mainPyramidEval", "rouge2(tokenizer=rouge155, stem=true, measure=recall, refs=jackknife)"),
}
# mP-aP, with one and two assessors left out: system means with the original ones (Table 2), with ROUGE-2 (Table 3), and
# mean correlation of summaries within assessors with ROUGE-2 (Table 4).
PEARSON, SPEARMAN = (0.996, 0.987), (0.975, 0.943)
TABLE_3, TABLE_4 = (0.954, 0.942, 0.923), (0.771, 0.752, 0.741)
OTHER = "other data: DUC 2007"
NOTES = (
    "The published figures are those of TAC 2011 (7 assessors), ours of both annotated tasks of DUC 2007: 9 "
    "assessors of "
    "NIST for 10 topics in three sets (update), 15 annotators of as many sites for 23 topics (main). autoPyramid "
    "matches exact strings, as in the paper, every peer left out in turn; scores are modified Pyramid scores. Figure 1 "
    "has no numbers in print, so its bars have nothing to be compared with.",
    "Not possible: consistency on identical summaries (Table 1, and the other columns of Tables 2 to 4). The "
    "update task "
    "has 2 pairs of identical summaries, the main task none. Table 5 needs TAC 2009 to 2011.",
)


def find() -> tables.Found:
    found = [figure for task in TASKS for figure in _task(task)]
    value = {figure.where: figure.ours for figure in found}
    said = (
        "Means of systems without the one or two annotators with the lowest mP-aP, with all means and with ROUGE-2: "
        + "; ".join(
            f"{task} task r = {value[f'{task}, Table 2: -1 worst, Pearson']:.3f} and "
            f"{value[f'{task}, Table 2: -2 worst, Pearson']:.3f}; with ROUGE-2 with all, and then, "
            f"{value[f'{task}, Table 3: before']:.3f}, "
            f"{value[f'{task}, Table 3: -1 worst']:.3f} and {value[f'{task}, Table 3: -2 worst']:.3f}"
            for task in TASKS
        )
    )
    return [*NOTES, f"{said}."], found


def _task(task: str) -> Iterator[Figure]:
    folder, call = TASKS[task]
    data = add_judgments(duc2007(folder))
    made = auto_pyramid(data)
    order = sorted(made.annotators, key=lambda row: row.difference)
    for row in reversed(order):
        note = f"manual {row.manual:.3f}, automatic {row.automatic:.3f}, {row.topics} topic{'s' * (row.topics > 1)}"
        yield Figure(f"{task}, Figure 1: mP-aP of {row.annotator}", None, row.difference, None, note)
    pyramid, rouge = data.human("pyramid"), score(data, call)
    systems = [s for s in pyramid.systems if s not in set(data.people)]
    owners = {row.item: row.annotator for row in made.by_topic}
    left = [{row.annotator for row in order[:n]} for n in (0, 1, 2)]
    manual, automatic = ([_means(scores, systems, owners, out) for out in left] for scores in (pyramid, rouge))
    for n in (1, 2):
        yield Figure(
            f"{task}, Table 2: -{n} worst, Pearson", PEARSON[n - 1], pearson(manual[0], manual[n]), None, OTHER
        )
        rho = spearman(manual[0], manual[n])
        yield Figure(f"{task}, Table 2: -{n} worst, Spearman", SPEARMAN[n - 1], rho, None, OTHER)
    for n, words in enumerate(("before", "-1 worst", "-2 worst")):
        yield Figure(f"{task}, Table 3: {words}", TABLE_3[n], pearson(manual[n], automatic[n]), None, OTHER)
    for n, words in enumerate(("before", "-1 worst", "-2 worst")):
        within = [
            _within(name, pyramid, rouge, systems, owners) for name in sorted(set(owners.values()) - left[n], key=str)
        ]
        yield Figure(f"{task}, Table 4: {words}", TABLE_4[n], float(np.mean(within)), None, OTHER)


def _means(scores: Scores, systems: list[str], owners: dict[str, str | None], out: set[str | None]) -> np.ndarray:
    columns = [k for k, item in enumerate(scores.items) if owners[item] not in out]
    return np.array([np.nanmean(scores.row(system)[columns]) for system in systems])


def _within(
    annotator: str | None, pyramid: Scores, rouge: Scores, systems: list[str], owners: dict[str, str | None]
) -> float:
    """Return the correlation over all summaries that one annotator marked."""
    items = [item for item in pyramid.items if owners[item] == annotator]
    pairs = [
        (pyramid.row(s)[pyramid.items.index(item)], rouge.row(s)[rouge.items.index(item)])
        for s in systems
        for item in items
    ]
    with ignore_undefined():
        return pearson(*zip(*pairs, strict=True))


if __name__ == "__main__":
    tables.main("owczarzak_2012_annotators", TITLE, find)
