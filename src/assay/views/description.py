"""Show what a corpus of compressions is like."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ..corpus.describe import CorpusDescription, DeletionAgreement, Description, Shortening
from ._format import MISSING, format_count, format_decimals, format_share
from ._view import Column, Table, View, text_column

_SPANS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, 9), (10, None))


def view_corpus(result: CorpusDescription) -> View:
    """Show rates, dropped spans and the agreement of writers; then each group."""
    whole = result.whole
    rows = [*whole.writers, *([whole.mean] if whole.mean and len(whole.writers) > 1 else []), *whole.systems]
    tables = [Table(_rate_columns(rows)), Table(_span_columns(rows), "Dropped spans, by their length in tokens")]
    if whole.pairs:
        tables.append(Table(_pair_columns(whole.pairs), "Agreement of writers on what to delete"))
    if result.groups:
        tables.append(Table(_group_columns(result.groups), format_count(len(result.groups), "group")))
    return View(_sentences(whole), tables, notes=_notes(whole))


def _sentences(part: Description) -> list[str]:
    sources = part.sources
    groups = f" in {format_count(part.groups, 'group')}" if part.groups else ""
    sentences = [
        f"{format_count(part.items, 'item')}{groups}. Sources have {sources.mean:.1f} tokens on average (median "
        f"{sources.median:g}, range {sources.least} to {sources.most}), {sources.tokens:,} in all."
    ]
    if part.mean:
        count = len(part.writers)
        writers = f"mean of {format_count(count, 'writer')}" if count > 1 else "one writer"
        sentences.append(
            f"The compression rate is {part.mean.rate_tokens:.3f} in tokens and {part.mean.rate_chars:.3f} in "
            f"characters ({writers}). {format_share(part.mean.compressed)} of the references differ from the source."
        )
    if part.pairs and not isnan(part.alpha):
        sentences.append(f"Writers agree on which tokens to delete with Krippendorff's alpha {part.alpha:.2f}.")
    return sentences


def _rate_columns(rows: Sequence[Shortening]) -> list[Column]:
    return [
        text_column("text", [r.name for r in rows]),
        Column("items", [f"{r.lengths.n:,}" for r in rows]),
        Column("compressed", [format_share(r.compressed) for r in rows]),
        Column("rate (tokens)", [format_decimals(r.rate_tokens) for r in rows]),
        Column("rate (chars)", [format_decimals(r.rate_chars) for r in rows]),
        Column("total rate", [format_decimals(r.total_tokens) for r in rows]),
        Column("mean tokens", [format_decimals(r.lengths.mean, 1) for r in rows]),
        Column("only deleted", [format_share(r.only_deleted) for r in rows]),
    ]


def _span_columns(rows: Sequence[Shortening]) -> list[Column]:
    return [
        text_column("text", [r.name for r in rows]),
        Column("spans", [f"{r.dropped:,}" for r in rows]),
        Column("mean", [format_decimals(r.mean_span, 2) for r in rows]),
        *(Column(_span_name(a, b), [format_share(r.share(a, b)) for r in rows]) for a, b in _SPANS),
    ]


def _span_name(least: int, most: int | None) -> str:
    return f"{least}+" if most is None else str(least) if least == most else f"{least}-{most}"


def _pair_columns(pairs: Sequence[DeletionAgreement]) -> list[Column]:
    return [
        text_column("writers", [f"{p.first}, {p.second}" for p in pairs]),
        Column("items", [f"{p.n:,}" for p in pairs]),
        Column("same decision", [format_decimals(p.agreement) for p in pairs]),
        Column("kappa", [format_decimals(p.kappa) for p in pairs]),
        Column("deletion F1", [format_decimals(p.f1) for p in pairs]),
        Column("same text", [format_share(p.exact) for p in pairs]),
    ]


def _group_columns(groups: Sequence[Description]) -> list[Column]:
    means = [g.mean for g in groups]
    return [
        text_column("group", [g.group for g in groups]),
        Column("items", [f"{g.items:,}" for g in groups]),
        Column("source tokens", [format_decimals(g.sources.mean, 1) for g in groups]),
        Column("compressed", [format_share(m.compressed) if m else MISSING for m in means]),
        Column("rate (tokens)", [format_decimals(m.rate_tokens) if m else MISSING for m in means]),
        Column("rate (chars)", [format_decimals(m.rate_chars) if m else MISSING for m in means]),
        Column("mean span", [format_decimals(m.mean_span, 2) if m else MISSING for m in means]),
        Column("alpha", [format_decimals(g.alpha, 2) for g in groups]),
    ]


def _notes(part: Description) -> list[str]:
    return [
        "compressed: texts whose words differ from the source. rate: length divided by the length of the source, mean "
        "over items. total rate: all tokens of the texts divided by all tokens of the sources. only deleted: texts "
        "that result from deleting words. A span is a run of neighbouring source tokens that were dropped. "
        f"Tokenizer: {part.tokenizer}; punctuation counts. Agreement is computed over the tokens of all sources.",
    ]
