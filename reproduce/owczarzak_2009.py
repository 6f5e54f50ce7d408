"""DEPEVAL(summ): the 32 variants of Owczarzak (2009), Tables 1 and 2, on the initial summaries of TAC 2008.

python reproduce/owczarzak_2009.py           prints published figures beside ours
python reproduce/owczarzak_2009.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import tables
from common import Figure, data
from published import OWCZARZAK_2009

import assay
from assay import EvalSet, Scores

NAME = "owczarzak_2009"
TITLE = "Owczarzak 2009: DEPEVAL(summ), 32 variants (TAC 2008, Tables 1 and 2)"
SWITCHES = ("pm", "wn", "pred", "norel", "one")
OTHERS = {
    "ROUGE-2": "rouge2(measure=recall, stem=true)",
    "ROUGE-SU4": "rougeSU4(measure=recall, stem=true)",
    "BE-HM": "BE-HM",
}
HUMAN = {"Pyramid": "pyramid", "Responsiveness": "responsiveness"}
COLUMNS = [(level, human, who) for level in ("system", "summary") for human in HUMAN for who in ("models", "systems")]
ABOUT = """\
48 topics, 58 systems, 8 people; the published figures also hold the 48 update topics, which this file does not
have, so none need be near. Pearson. Jackknifed as in the paper: each person against the other three, each system
four times against three, averaged. Recall over all references together (`refs=sum`; with `one` each triple once
over their union). Summary level: all summaries pooled. In each cell: published, ours."""
WORDS = """\
The paper compares each single switch with the base variant. For systems, predicates only raises the correlation with
responsiveness and lowers that with Pyramid (published: both rise); one hit raises both; partial matching lowers it
little, where the paper lost much (its `pm` row differs from its other rows with pm). With Pyramid, the dependency
metric is ahead of ROUGE-2, ROUGE-SU4 and BE-HM for people and for systems, except for single summaries of systems,
where ROUGE-SU4 is equal; in the paper it is behind ROUGE-2 and BE-HM for systems at system level. With the
responsiveness of people, ROUGE is ahead here; in the paper, the dependency metric is."""
EFFECT = """\
What a switch does: the mean change of the correlation when it is turned on, over the 16 combinations of the others.
In each cell: published, ours."""


def variants() -> dict[str, str]:
    """The 32, under the paper's names and as metrics."""
    found = {"base": "depeval"}
    for size in range(1, 6):
        for chosen in combinations(SWITCHES, size):
            found[" ".join(chosen)] = f"depeval({', '.join(f'{s}=true' for s in chosen)})"
    return found


def jackknifed(tac: EvalSet) -> EvalSet:
    """Each item once for each reference that is left out, with all systems and the person left out."""
    people = set(tac.people)
    items = [
        replace(
            item,
            id=f"{item.id}/{k}",
            references=tuple(r for r in item.references if r is not out),
            outputs={s: t for s, t in item.outputs.items() if s not in people or s == out.id},
            judgments=(),
        )
        for item in tac
        for k, out in enumerate(item.references)
    ]
    return EvalSet(items, allow_missing=True, people=())


def folded(scores: Scores, tac: EvalSet) -> Scores:
    """The mean over the ways to leave one out, by item of the whole set."""
    values = np.full((len(tac.systems), len(tac)), np.nan)
    row = {s: i for i, s in enumerate(scores.systems)}
    column = {item: i for i, item in enumerate(scores.items)}
    for i, system in enumerate(tac.systems):
        for k, item in enumerate(tac):
            parts = [scores.values[row[system], column[f"{item.id}/{j}"]] for j in range(len(item.references))]
            there = [p for p in parts if not np.isnan(p)]
            values[i, k] = np.mean(there) if there else np.nan
    return Scores(values, tac.systems, tac.items, scores.name, signature=scores.signature)


def correlations() -> dict[str, list[float]]:
    """Of every variant and the three others, in the order of COLUMNS."""
    tac = data("tac2008.jsonl.gz")
    specs = {**variants(), **OTHERS}
    scores = assay.score(jackknifed(tac), list(specs.values()))
    groups = {"models": tac.people, "systems": tuple(s for s in tac.systems if s not in tac.people)}
    human = {name: tac.human(dimension) for name, dimension in HUMAN.items()}
    found: dict[str, list[float]] = {}
    for name, spec in specs.items():
        mine = folded(scores[spec], tac)
        found[name] = [
            assay.correlate(
                mine, human[h], level="system" if level == "system" else "pooled", interval=None, systems=groups[who]
            ).value
            for level, h, who in COLUMNS
        ]
    return found


def effects(table: dict[str, list[float]]) -> dict[str, list[float]]:
    """Mean change by turning each switch on."""
    found = {}
    for switch in SWITCHES:
        on = [name for name in table if switch in name.split()]
        off = [" ".join(s for s in name.split() if s != switch) or "base" for name in on]
        found[switch] = np.mean(
            [np.subtract(table[a], table[b]) for a, b in zip(on, off, strict=True)], axis=0
        ).tolist()
    return found


def find() -> tables.Found:
    ours = correlations()
    mine = effects({name: ours[name] for name in variants()})
    theirs = effects({name: OWCZARZAK_2009[name] for name in variants()})
    notes = [
        ABOUT,
        *_by_level(OWCZARZAK_2009, ours, "{:.3f}"),
        EFFECT,
        *_by_level(theirs, mine, "{:+.3f}"),
        *words(theirs, mine),
    ]
    return notes, figures_of(ours)


def figures() -> list[Figure]:
    return figures_of(correlations())


def figures_of(ours: dict[str, list[float]]) -> list[Figure]:
    """Two variants of which the paper makes most, one by one."""
    return [
        Figure(f"{level} level: {name} with {human}, {who}", OWCZARZAK_2009[name][i], ours[name][i])
        for name in ("base", "one")
        for i, (level, human, who) in enumerate(COLUMNS)
    ]


def _by_level(published: dict[str, list[float]], ours: dict[str, list[float]], form: str) -> list[str]:
    found = []
    for level in ("system", "summary"):
        places = [i for i, column in enumerate(COLUMNS) if column[0] == level]
        heads = [f"{level} level", *(f"{COLUMNS[i][1]}, {COLUMNS[i][2]}" for i in places)]
        rows = [
            [name, *(f"{form.format(published[name][i])}  {form.format(ours[name][i])}" for i in places)]
            for name in ours
        ]
        found.append(tables.grid(heads, rows))
    return found


def words(theirs: dict[str, list[float]], mine: dict[str, list[float]]) -> list[str]:
    """The paper's conclusions, each held against both sets of figures."""
    models = [i for i, (_, _, who) in enumerate(COLUMNS) if who == "models"]
    at = {column: i for i, column in enumerate(COLUMNS)}
    systems = [at["system", h, "systems"] for h in HUMAN]
    claims = {
        "Predicates only help systems (system level)": ("pred", systems, 1),
        "Predicates only hurt models": ("pred", models, -1),
        "WordNet does little": ("wn", range(len(COLUMNS)), 0),
        "One hit per type helps systems (system level)": ("one", systems, 1),
        "Partial matching helps models": ("pm", models, 1),
        "Partial matching hurts systems (system level)": ("pm", systems, -1),
        "Leaving labels out helps models": ("norel", models, 1),
    }
    lines = []
    for claim, (switch, places, sign) in claims.items():
        sides = []
        for name, table in (("published", theirs), ("ours", mine)):
            change = [table[switch][i] for i in places]
            agreed = sum(abs(c) < 0.02 if sign == 0 else c * sign > 0 for c in change)
            sides.append(f"{name} {np.mean(change):+.3f}, in {agreed} of {len(change)} columns")
        holds = agreed == len(change) or (sign * np.mean(change) > 0 and 2 * agreed > len(change))
        almost = sign == 0 and 4 * agreed > 3 * len(change)
        verdict = "carries over" if holds else "nearly carries over" if almost else "does not carry over"
        lines.append(f"- {claim}: {verdict} ({'; '.join(sides)}).")
    return ['The conclusions of the paper, over all 32 variants ("little": less than .02):', "\n".join(lines), WORDS]


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
