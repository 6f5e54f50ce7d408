"""PyrXSum (Zhang and Bansal 2021): content units of one reference, marked in the summaries of ten systems."""

from __future__ import annotations

from collections.abc import Iterator

from common import Figure, data, data_folder, main

from assay import EvalSet, meta
from assay.formats import read_units
from assay.pyramid.annotated import add_judgments
from assay.pyramid.unit_sentences import match_sentences
from assay.scoring.score import score

FILE = "pyrxsum-content-units.jsonl.gz"
TITLE = "Zhang and Bansal 2021: content units of PyrXSum, and how far metrics and matched sentences follow them"
METRICS = ("rouge1", "rouge2", "rougeL", "bleu")
METHODS = ("exact", "lemma", "partial")
NOTES = (
    "100 articles with one reference each, whose content units (478 sentences) were marked as present or absent in the "
    "summaries of 10 systems. There are no spans, so that coverage and rankings can be checked, and not autoPyramid. "
    "Coverage is the mean share of an item's units in a system's summary; with one reference it is the modified "
    "Pyramid score. Correlations of metrics are with coverage: over systems, and within items.",
    "Matched sentences: a unit counts as stated where the words of its sentence are found in the summary, as they "
    "stand (exact), in dictionary form (lemma), or four of five content words aligned in one sentence (partial). The "
    "threshold of four of five was set before this set was looked at.",
)


def figures() -> list[Figure]:
    """Coverage, then metrics, then matched sentences."""
    sums = add_judgments(data(FILE))
    return [*_coverage(sums), *_metrics(sums), *_matches(sums)]


def _coverage(sums: EvalSet) -> Iterator[Figure]:
    human = sums.human("pyramid")
    means = dict(zip(human.systems, human.means().tolist(), strict=True))
    for system in sorted(means, key=lambda name: -means[name]):
        yield Figure(f"coverage: {system}", None, means[system])


def _metrics(sums: EvalSet) -> Iterator[Figure]:
    human = sums.human("pyramid")
    for name, scores in score(sums, list(METRICS)).items():
        for level in ("system", "item"):
            result = meta.correlate(scores, human, level=level)
            note = f"[{result.low:.3f}, {result.high:.3f}]"
            yield Figure(f"{name} with coverage, r ({level} level)", None, result.value, None, note)


def _matches(sums: EvalSet) -> Iterator[Figure]:
    rows = [(marks, dict(sums[marks.item].outputs)) for marks in read_units(data_folder() / FILE)]
    for method in METHODS:
        result = match_sentences(rows, method=method)
        yield Figure(f"matched sentences, {method}: precision", None, result.precision)
        yield Figure(f"matched sentences, {method}: recall", None, result.recall)
        yield Figure(f"matched sentences, {method}: r of systems' coverage", None, result.pearson)
        yield Figure(f"matched sentences, {method}: r of texts' coverage", None, result.text_pearson)


if __name__ == "__main__":
    main("zhang_bansal_2021", TITLE, NOTES, figures)
