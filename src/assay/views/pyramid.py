"""Show the scores of texts by their content units, and how far texts contain the same units."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.minimums import MINIMUMS
from ..data.view import Column, Table, View, text_column
from ._format import (
    ALPHA_NOTE,
    find_best,
    format_count,
    format_decimals,
    format_interval,
    format_percent,
    join_names,
    judge_alpha,
)

if TYPE_CHECKING:
    from ..pyramid.annotated import AnnotatedScores, SystemPyramid
    from ..pyramid.annotators import AnnotatorAgreement, AnnotatorScore
    from ..pyramid.content_units import UnitKappas
    from ..pyramid.score import ContentScores

_HEADS = {
    "coverage": "coverage",
    "precision": "precision",
    "recall": "recall",
    "f": "F",
    "mean_f": "mean F",
    "original": "pyramid",
    "modified": "modified",
}


def view_content_scores(result: ContentScores) -> View:
    """Show the scores of each text."""
    rows = result.texts
    names = [name for name in _HEADS if any(getattr(row, name) is not None for row in rows)]
    columns = [
        text_column("text", [row.text for row in rows]),
        *(Column(_HEADS[name], [format_decimals(getattr(row, name)) for row in rows]) for name in names),
        Column("items", [f"{row.items:,}" for row in rows]),
    ]
    return View([_describe(result)], [Table(columns)], notes=_notes(result))


_ANNOTATED = {
    "modified": "modified",
    "original": "original",
    "quality": "quality",
    "coverage": "coverage",
    "comprehensive": "comprehensive",
}


def view_annotated_scores(result: AnnotatedScores) -> View:
    """Show the Pyramid scores of systems, then of models, each scored against the others."""
    peers = [row for row in result.systems if not row.model]
    models = [row for row in result.systems if row.model]
    tables = [_annotated_table(rows, title) for rows, title in ((peers, ""), (models, "Models")) if rows]
    notes = [
        "modified: weight of the units in the text, by the best weight of as many units as a model has on average "
        f"({_SIZES[result.size]}); it may exceed 1. original: by the best weight of as many units as the text has.",
        "quality, coverage, comprehensive: DUCView's names. A model is scored against the other models.",
        f"A unit weighs {_WEIGHTS[result.weight]}.",
    ]
    if result.upper_bounds:
        notes.append(
            f"In {format_count(result.upper_bounds, 'text')} units outside the pyramid were not marked: original and "
            "quality are upper bounds there."
        )
    return View([_describe_annotated(result, peers)], tables, notes=notes)


_WEIGHTS = {"contributors": "its number of contributors, as in DUCView", "models": "the models that state it"}
_SIZES = {"truncate": "truncated", "round": "rounded half up, as in DUCView", "ceil": "rounded up"}


def _annotated_table(rows: list[SystemPyramid], title: str) -> Table:
    rows = sorted(rows, key=lambda row: -row.modified)
    columns = [text_column("model" if title else "system", [row.system for row in rows])]
    for name, head in _ANNOTATED.items():
        values = [getattr(row, name) for row in rows]
        columns.append(Column(head, [format_decimals(value) for value in values], best=find_best(values)))
    columns.append(Column("topics", [f"{row.topics:,}" for row in rows]))
    return Table(columns, title=title)


def _describe_annotated(result: AnnotatedScores, peers: list[SystemPyramid]) -> str:
    sizes = f"{format_count(result.units, 'content unit')} in {format_count(result.topics, 'topic')}"
    if len(result.annotators) > 1:
        sizes += f", by {len(result.annotators)} annotators"
    if not peers:
        return f"No system was annotated; the models' scores are against each other ({sizes})."
    best = max(peers, key=lambda row: row.modified)
    text = f"{best.system} has the highest modified Pyramid score: {format_decimals(best.modified)}"
    models = [row.modified for row in result.systems if row.model]
    beside = f", models {format_decimals(sum(models) / len(models))} on average" if models else ""
    return f"{text}{beside} ({sizes}). Differences are not tested: assay compare tests them."


def view_unit_kappas(result: UnitKappas) -> View:
    """Show kappa of every two texts as a triangle."""
    pairs = {(p.first, p.second): p for p in result.pairs}
    rows, others = result.texts[:-1], result.texts[1:]
    columns = [
        text_column("kappa", list(rows)),
        *(Column(b, [format_decimals(pairs[a, b].kappa) if (a, b) in pairs else "" for a in rows]) for b in others),
    ]
    best = max(result.pairs, key=lambda p: -2.0 if isnan(p.kappa) else p.kappa)
    headline = (
        "Kappa of these texts is undefined: all of them contain the same units, or none."
        if isnan(best.kappa)
        else f"No two texts agree beyond chance on what to keep: the highest kappa is {format_decimals(best.kappa)} "
        f"({best.first} and {best.second})."
        if best.kappa <= 0
        else f"{best.first} and {best.second} agree most on what to keep: kappa {format_decimals(best.kappa)}."
    )
    return View([headline], [Table(columns)], notes=["Cohen's kappa over all units: 1 is agreement, 0 is chance."])


def view_annotator_agreement(result: AnnotatorAgreement) -> View:
    """Show how far annotators agree, every two of them, and what the scores are by each."""
    pairs = [
        text_column("annotators", [f"{p.first}, {p.second}" for p in result.pairs]),
        Column("kappa", [format_decimals(p.kappa) for p in result.pairs]),
        Column("same mark", [format_percent(p.observed) for p in result.pairs]),
        Column("marks", [f"{p.n:,}" for p in result.pairs]),
    ]
    texts = list(dict.fromkeys(row.text for row in result.scores))
    scores = {(row.annotator, row.text): row.score for row in result.scores}
    by_annotator = [
        text_column("text", texts),
        *(Column(a, [format_decimals(scores.get((a, text))) for text in texts]) for a in result.annotators),
    ]
    notes = [
        f"A mark is one unit in one text. alpha: Krippendorff's alpha, nominal; {ALPHA_NOTE}. "
        + (
            f"Interval: {result.resamples:,} bootstrap samples of items, seed {result.seed}."
            if not isnan(result.alpha_low)
            else "No interval: too few items."
        )
    ]
    tables = [Table(pairs), Table(by_annotator, title=f"{result.measure[:1].upper()}{result.measure[1:]} by annotator")]
    return View(_describe_agreement(result), tables, notes=notes, title="Do the annotators agree?")


def _describe_agreement(result: AnnotatorAgreement) -> list[str]:
    people = format_count(len(result.annotators), "annotator")
    if isnan(result.alpha):
        return [f"Agreement of the {people} is undefined: they marked no unit in common, or all marks are equal."]
    interval = format_interval(result.alpha_low, result.alpha_high, result.confidence)
    sentences = [
        f"The {people} agree {judge_alpha(result.alpha)} on which text contains which unit: Krippendorff's alpha "
        f"{format_decimals(result.alpha)}{interval}. {format_percent(result.same)} of "
        f"{format_count(result.marks, 'mark')} are the same."
    ]
    leaders = _leaders(result)
    if len(set(leaders.values())) > 1:
        names = "; ".join(f"{text} for {annotator}" for annotator, text in leaders.items())
        sentences.append(f"They do not agree on the text with the highest {result.measure}: {names}.")
    return sentences


def _leaders(result: AnnotatorAgreement) -> dict[str, str]:
    """Return the text with the highest score by each annotator; the gold text does not compete."""
    best: dict[str, AnnotatorScore] = {}
    for row in result.scores:
        if row.text != result.gold and not isnan(row.score):
            best[row.annotator] = max(best.get(row.annotator, row), row, key=lambda r: r.score)
    return {annotator: row.text for annotator, row in best.items()}


def _describe(result: ContentScores) -> str:
    sizes = f"{format_count(result.units, 'content unit')} in {format_count(result.items, 'item')}"
    if result.annotators > 1:
        sizes += f", mean of {result.annotators} annotators"
    others = [row for row in result.texts if row.text != result.gold and row.f is not None and not isnan(row.f)]
    if result.gold and others:
        best = max(others, key=lambda row: row.f or 0.0)
        numbers = f"{format_decimals(best.f)} ({sizes}). Differences of F are not tested"
        return f"{best.text} has the highest F against {result.gold}: {numbers}."
    best = max(result.texts, key=lambda row: -1.0 if isnan(row.coverage) else row.coverage)
    share = f"{format_decimals(best.coverage)} of the units ({sizes})"
    if len(result.texts) < 2:
        return f"{best.text} has {share}."
    if not result.leaders:
        least = MINIMUMS["comparison"].counts["clusters"]
        lack = f"Too few items ({result.items}) to say that others cover less: {least} are needed"
        return f"{best.text} has the highest coverage: {share}. {lack}."
    if len(result.leaders) == 1:
        return f"{best.text} covers most content, significantly more than any other text: {share}."
    rest = join_names([name for name in result.leaders if name != best.text])
    return f"{best.text} has the highest coverage: {share}. It is not significantly above {rest}."


def _notes(result: ContentScores) -> list[str]:
    tested = "; tested by item, all pairs of texts at once, level 0.05" if result.leaders else ""
    notes = [f"coverage: share of the units in the text, mean over items{tested}."]
    if result.gold:
        notes.append(f"precision, recall, F: against {result.gold}, over all units. mean F: mean over items.")
    if result.references:
        names = ", ".join(result.references)
        notes.append(
            f"pyramid, modified: original and modified Pyramid score against {names}, each of which is scored against "
            "the others."
        )
    return notes
