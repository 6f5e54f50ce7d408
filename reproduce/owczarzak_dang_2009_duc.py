"""Owczarzak and Dang (2009), Tables 1, 3, 7, 9 in kind: the update task of DUC 2007, with Pyramid by 1 to 4 models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import tables
from common import Figure, duc2007
from owczarzak_dang_2009 import TABLE_1, TABLE_3, TABLE_7, TABLE_9, _count, _subsets

from assay import EvalSet, meta
from assay.data.scores import Floats, Scores
from assay.pyramid import add_judgments, read_pyramids
from assay.pyramid.annotated import score_against_models
from assay.scoring import score

TITLE = "Owczarzak and Dang 2009 in kind: varying data conditions on DUC 2007 (update task)"
ROUGE = "tokenizer=rouge155, stem=true, measure=recall, refs=sum"
CALLS = {"ROUGE-2": f"rouge2({ROUGE})", "ROUGE-SU4": f"rougeSU4({ROUGE})", "BE": "be(parser=files)"}
TOPICS = (1, 3, 6, 12, 24)
PYRAMID = (0.8839, 0.8943, 0.8974, 0.8997, 0.8997)  # Table 1: 1 to 3 models, 4 (bootstr), 4 (actual)
NOTES = (
    "The published figures are those of TAC 2008 (58 systems, 48 topics), ours of the update task of DUC 2007: 24 "
    "systems, 30 sets of documents (10 topics, three each), 4 models. ROUGE as NIST ran it, Basic Elements by Minipar "
    "from NIST's files, Pyramid by DUCView's rule from the annotations, responsiveness to content. Rows "
    '"(bootstr)" are '
    "1000 bootstrap samples of the systems, other rows 1000 draws of models or sets (seed 0).",
    "With n models the pyramid is made of the contributors of these models alone. Sets of a topic are drawn as if they "
    "were independent, as topics are in the paper. The misprints named in the results of TAC 2008 are in these columns "
    "too.",
)
OTHER = "other data: DUC 2007"


def find() -> tables.Found:
    data = add_judgments(duc2007("updateEval"))
    people = data.people
    human = {"Responsiveness": data.human("responsiveness"), "Pyramid": data.human("pyramid")}
    metrics = {name: score(data, call) for name, call in CALLS.items()}
    by_size = {name: {n: _subsets(data, call, n) for n in (1, 2, 3, 4)} for name, call in CALLS.items()}
    metrics["Pyramid"] = human["Pyramid"]
    by_size["Pyramid"] = {n: pyramids_by_models(data, human["Pyramid"], n) for n in (1, 2, 3, 4)}
    found = []
    for table, who, published in (
        ("Table 1", "Responsiveness", {"Pyramid": PYRAMID, **TABLE_1}),
        ("Table 3", "Pyramid", TABLE_3),
    ):
        for name, row in published.items():
            made = meta.reference_stability(by_size[name], metrics[name], human[who], without=people)
            found += _rows(table, name, dict(zip((1, 2, 3), row, strict=False)), row[-2:], made, "model")
    for table, who, published in (("Table 7", "Responsiveness", TABLE_7), ("Table 9", "Pyramid", TABLE_9)):
        for name, row in published.items():
            made = meta.item_stability(metrics[name], human[who], sizes=TOPICS, without=people)
            found += _rows(table, name, dict(zip(TOPICS, row, strict=False)), row[-2:], made, "topic")
    return [*NOTES, summarize(found)], found


def pyramids_by_models(data: EvalSet, like: Scores, models: int) -> Floats:
    """Return modified scores by every choice of n models: choice x system x set, in the order of `like`."""
    pyramids = {pyramid.item: pyramid for pyramid in read_pyramids(data)}
    choices = [list(combinations(pyramids[item].models, models)) for item in like.items]
    table = np.full((len(choices[0]), len(like.systems), len(like.items)), np.nan)
    for column, (item, own) in enumerate(zip(like.items, choices, strict=True)):
        for peer in pyramids[item].peers:
            row = like.systems.index(peer.peer)
            for k, choice in enumerate(own):
                table[k, row, column] = score_against_models(peer, pyramids[item], choice)
    return table


def _rows(
    table: str, name: str, published: Mapping[int, float], last: tuple[float, ...], made: meta.Stability, noun: str
) -> list[Figure]:
    assert made.resampled is not None
    where = f"{table}: {name}"
    rows = [
        Figure(f"{where}, {_count(s.size, noun)}", published[s.size], s.mean) for s in made.sizes if s.size < made.n
    ]
    rows.append(Figure(f"{where}, all {noun}s (bootstr)", last[0], made.resampled.mean))
    rows.append(Figure(f"{where}, all {noun}s (actual)", last[1], made.actual))
    return [replace(row, note=OTHER) for row in rows]


def summarize(found: list[Figure]) -> str:
    """Say what of the paper holds here too."""
    value = {figure.where: figure.ours for figure in found}
    gains = {
        name: value[f"Table 3: {name}, all models (actual)"] - value[f"Table 3: {name}, 1 model"] for name in CALLS
    }
    most = max(gains, key=lambda name: gains[name])
    one, full = value["Table 1: Pyramid, 1 model"], value["Table 1: Pyramid, all models (actual)"]
    six, every = value["Table 7: Pyramid, 6 topics"], value["Table 7: Pyramid, all topics (actual)"]
    verdict = "as in the paper, few topics cost more" if every - six > full - one else "unlike the paper, few models do"
    return (
        f"With one model in place of four, Pyramid correlates with responsiveness at {one:.3f} ({full:.3f} with "
        f"four); of "
        f"the metrics, {most} gains most from further models (+{gains[most]:.3f} with Pyramid). With six sets in "
        f"place of "
        f"30, Pyramid correlates at {six:.3f} ({every:.3f} with all): {verdict}."
    )


if __name__ == "__main__":
    tables.main("owczarzak_dang_2009_duc", TITLE, find)
