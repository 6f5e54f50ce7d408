"""Show how well compounds are split, what the guesser does, and a lexicon that was built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_size

if TYPE_CHECKING:
    from ..systems.compounds.build import BuiltLexicon
    from ..systems.compounds.evaluate import GuesserEvaluation, SplitEvaluation

_GROUPS = {
    "all": "all words",
    "compounds": "compounds",
    "lexicon": "split by an entry",
    "dynamic": "split by the lexicon",
    "guesser": "split by the guesser",
    "unsplit": "not split",
}


def _percent(share: float) -> str:
    return format_decimals(100 * share, 1)


def view_split_evaluation(result: SplitEvaluation) -> View:
    """Show precision, recall and F of boundaries and lemmas, and the share of words that are right."""
    every = result.scores[0]
    headline = (
        f"{_percent(every.accuracy)}% of {format_count(result.words, 'word')} are split as in the gold "
        f"(95% CI {_percent(result.accuracy_low)} to {_percent(result.accuracy_high)}); "
        f"boundaries have F1 {format_decimals(every.f1)} "
        f"({format_decimals(result.f1_low)} to {format_decimals(result.f1_high)})."
    )
    other = f"Never splitting gets {_percent(result.never_split_accuracy)}% of the words right."
    heads = (
        ("precision", "precision"),
        ("recall", "recall"),
        ("F1", "f1"),
        ("accuracy", "accuracy"),
        ("lemma F1", "lemma_f1"),
    )
    columns = [
        text_column("words", [_GROUPS[s.group] for s in result.scores]),
        Column("number", [f"{s.words:,}" for s in result.scores]),
        *(Column(head, [format_decimals(getattr(s, name)) for s in result.scores]) for head, name in heads),
    ]
    notes = [
        "precision, recall and F1 are of boundaries, lemma F1 of the lemmas of compounds.",
        "accuracy: share of words with all boundaries right.",
        f"scores (--json) are off by {format_decimals(result.calibration_error)} on average: ten groups of words with "
        "like scores, their mean score against the share that is right.",
        f"intervals: {format_count(result.resamples, 'bootstrap sample')} of words, seed {result.seed}.",
    ]
    return View([headline, other], [Table(columns)], notes=notes)


def view_guesser_evaluation(result: GuesserEvaluation) -> View:
    """Show the guesser's accuracy, its best settings in the paper's order, and what each setting does to it."""
    best = result.best[0]
    headline = (
        f"With one part of every compound removed from the lexicon, {_percent(result.accuracy)}% of "
        f"{format_count(result.words, 'compound')} are split at the right places "
        f"(95% CI {_percent(result.accuracy_low)} to {_percent(result.accuracy_high)}); "
        f"longest first part, at its best settings, gets {_percent(best.accuracy)}%."
    )
    settings = [
        Column("most parts", [str(s.parts) for s in result.best]),
        Column("shortest word", [str(s.word) for s in result.best]),
        Column("shortest part", [str(s.part) for s in result.best]),
        Column("shortest unknown", [str(s.unknown) for s in result.best]),
        Column("accuracy", [format_decimals(s.accuracy) for s in result.best]),
    ]
    names = {"parts": "most parts", "word": "shortest word", "part": "shortest part", "unknown": "shortest unknown"}
    correlations = [
        text_column("limit", [names[c.limit] for c in result.correlations]),
        Column("correlation with accuracy", [format_decimals(c.correlation, 2) for c in result.correlations]),
    ]
    notes = [
        f"{format_count(result.removed_lemmas, 'lemma')} removed, {format_count(result.removed_forms, 'form')} of the "
        f"lexicon; lemma F1 of the model {format_decimals(result.lemma_f1)}; nothing is refused.",
        f"interval: {format_count(result.resamples, 'bootstrap sample')} of words, seed {result.seed}.",
    ]
    return View([headline], [Table(settings), Table(correlations)], notes=notes)


def view_lexicon(result: BuiltLexicon) -> View:
    """Show what was built, from what, and where it is."""
    sources = ", ".join(result.sources) or "own words"
    sentence = f"Built the lexicon of {result.language}: {format_count(result.entries, 'entry')} from {sources}."
    return View([sentence], notes=[f"file: {result.path} ({format_size(result.bytes)})"])
