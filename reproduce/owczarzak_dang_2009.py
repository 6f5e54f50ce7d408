"""Owczarzak and Dang (2009): correlations on TAC 2008 under varying numbers of models and topics."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from common import Figure, data, main

from assay import EvalSet, meta
from assay.data.scores import Floats, Scores
from assay.errors import UndefinedWarning
from assay.scoring import reference_subsets, score

TITLE = "Owczarzak and Dang 2009: metrics under varying data conditions (TAC 2008, initial summaries)"
ROUGE = {
    "ROUGE-2": "rouge2(measure=recall, stem=true, refs=sum)",
    "ROUGE-SU4": "rougeSU4(measure=recall, stem=true, refs=sum)",
}
NOTES = (
    "58 automatic systems, the 8 people left out; 1000 draws of each size, seed 0. The paper used the scores that NIST "
    "made with ROUGE-1.5.5; ours are made anew from the texts, by "
    + " and ".join(f"`{call}`" for call in ROUGE.values())
    + ".",
    'Rows "(bootstr)" are 1000 bootstrap samples of the systems: the paper does not say what is sampled, but sampling '
    "topics would lower the figures by about .02, and its figures are not lower.",
    "The paper contradicts itself. Table 7, ROUGE-SU4, 3 topics: .9016 stands between .4375 (1 topic) and .6836 "
    "(6 topics), so it must be a misprint, of .6016 perhaps. Table 6, Pyramid: by the Spearman-Brown formula its .439 "
    "for 3 topics means .207 for 1 topic, where it prints .333, and its .761 for 12 topics means .864 for 24, where it "
    "prints .851; our figures follow the formula.",
)
TABLE_1 = {"ROUGE-2": (0.8032, 0.8200, 0.8258, 0.8310, 0.8302), "ROUGE-SU4": (0.7842, 0.7957, 0.7999, 0.8023, 0.8033)}
TABLE_3 = {"ROUGE-2": (0.8789, 0.8972, 0.9036, 0.9082, 0.9077), "ROUGE-SU4": (0.8671, 0.8803, 0.8845, 0.8874, 0.8877)}
TOPICS = (1, 3, 6, 12, 24, 36, 39, 42, 45)
TABLE_7 = {
    "Pyramid": (0.4219, 0.6204, 0.7274, 0.8159, 0.8679, 0.8890, 0.8927, 0.8954, 0.8977, 0.8972, 0.8997),
    "ROUGE-2": (0.4276, 0.5980, 0.6901, 0.7618, 0.8040, 0.8208, 0.8231, 0.8258, 0.8274, 0.8302, 0.8302),
    "ROUGE-SU4": (0.4375, 0.9016, 0.6836, 0.7456, 0.7809, 0.7951, 0.7967, 0.7958, 0.8008, 0.8046, 0.8033),
}
TABLE_9 = {
    "ROUGE-2": (0.4693, 0.6575, 0.7577, 0.8332, 0.8805, 0.8980, 0.9008, 0.9033, 0.9052, 0.9074, 0.9077),
    "ROUGE-SU4": (0.4856, 0.6684, 0.7584, 0.8245, 0.8642, 0.8792, 0.8812, 0.8839, 0.8853, 0.8877, 0.8877),
}
HALVES = (1, 3, 6, 12, 24)
TABLE_6 = {"Responsiveness": (0.182, 0.405, 0.581, 0.738, 0.849), "Pyramid": (0.333, 0.439, 0.608, 0.761, 0.851)}
MISPRINTS = {
    ("Table 7", "ROUGE-SU4", "3 topics"): "the paper disagrees with itself",
    ("Table 6", "Pyramid", "1 topic"): "the paper disagrees with itself",
    ("Table 6", "Pyramid", "24 topics"): "the paper disagrees with itself",
}


def figures() -> list[Figure]:
    """Every figure of the tables that needs no content units and no parser."""
    tac = data("tac2008.jsonl.gz")
    people = tac.people
    human = {"Responsiveness": tac.human("responsiveness"), "Pyramid": tac.human("pyramid")}
    rouge = {name: score(tac, call) for name, call in ROUGE.items()}
    metrics = {"Pyramid": human["Pyramid"], **rouge}
    found = list(_actual(metrics, human, people))
    tables = {name: {size: _subsets(tac, call, size) for size in (1, 2, 3, 4)} for name, call in ROUGE.items()}
    for table, who, published in (("Table 1", "Responsiveness", TABLE_1), ("Table 3", "Pyramid", TABLE_3)):
        for name, row in published.items():
            made = meta.reference_stability(tables[name], rouge[name], human[who], without=people)
            found += _rows(table, name, row, made, "model")
    for table, who, published in (("Table 7", "Responsiveness", TABLE_7), ("Table 9", "Pyramid", TABLE_9)):
        for name, row in published.items():
            made = meta.item_stability(metrics[name], human[who], sizes=TOPICS, without=people)
            found += _rows(table, name, row, made, "topic")
    for name, row in TABLE_6.items():
        made = meta.split_half_stability(human[name], sizes=HALVES, without=people)
        found += [
            _figure("Table 6", name, _count(s.size, "topic"), p, s.mean) for p, s in zip(row, made.sizes, strict=True)
        ]
    return found


def _subsets(tac: EvalSet, call: str, size: int) -> Floats:
    with warnings.catch_warnings():  # a person whose own text is the one reference drawn has no score, nor need of one
        warnings.simplefilter("ignore", UndefinedWarning)
        return reference_subsets(tac, call, size)


def _actual(metrics: dict[str, Scores], human: dict[str, Scores], people: tuple[str, ...]) -> Iterator[Figure]:
    targets = {
        ("Pyramid", "Responsiveness"): 0.8997,
        ("ROUGE-2", "Responsiveness"): 0.8302,
        ("ROUGE-SU4", "Responsiveness"): 0.8033,
        ("ROUGE-2", "Pyramid"): 0.9077,
        ("ROUGE-SU4", "Pyramid"): 0.8877,
    }
    for (metric, who), published in targets.items():
        made = meta.correlate(metrics[metric], human[who], without=people, interval=None)
        yield Figure(f"system level: {metric} with {who}", published, made.value, 0.004)


def _rows(table: str, name: str, published: tuple[float, ...], made: meta.Stability, noun: str) -> list[Figure]:
    sizes = [s for s in made.sizes if s.size < made.n]
    rows = [(_count(s.size, noun), s.mean) for s in sizes]
    assert made.resampled is not None
    rows += [(f"{made.n} {noun}s (bootstr)", made.resampled.mean), (f"{made.n} {noun}s (actual)", made.actual)]
    return [_figure(table, name, label, p, ours) for p, (label, ours) in zip(published, rows, strict=True)]


def _figure(table: str, name: str, label: str, published: float, ours: float) -> Figure:
    note = MISPRINTS.get((table, name, label), "")
    return Figure(f"{table}: {name}, {label}", published, ours, None if note else 0.01, note)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


if __name__ == "__main__":
    main("owczarzak_dang_2009", TITLE, NOTES, figures)
