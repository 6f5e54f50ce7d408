"""Show what a corpus of compressions is like."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import MISSING, format_count, format_decimals, format_percent, format_share

if TYPE_CHECKING:
    from ..corpus.describe import DeletionAgreement, Description, Shortening

_SPANS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, 9), (10, None))


def view_corpus(result: Description) -> View:
    """Show rates, spans that were dropped, agreement of the writers, and groups."""
    rows = [text for text in result.texts if text.role != "mean" or len(result.writers) > 1]
    tables = [Table(_rate_columns(rows)), Table(_span_columns(rows), title="Length of dropped spans, in tokens")]
    if result.pairs:
        tables.append(Table(_pair_columns(result.pairs), title="Agreement on what to delete"))
    if result.groups:
        tables.append(Table(_group_columns(result.groups), title="Groups"))
    return View(_sentences(result), tables, notes=_notes(result))


def _sentences(result: Description) -> list[str]:
    sources, mean = result.sources, result.mean
    groups = f" in {format_count(result.group_count, 'group')}" if result.group_count else ""
    sentences = [
        f"{format_count(result.items, 'item')}{groups}. Sources have {format_decimals(sources.mean, 1)} tokens on "
        f"average (median {sources.median:g}, range {sources.least} to {sources.most}), {sources.tokens:,} in total."
    ]
    if mean is not None:
        writers = f" (mean of {format_count(mean.lengths.n, 'reference')})" if len(result.writers) > 1 else ""
        sentences.append(
            f"References have {format_share(mean.rate_tokens)} of the tokens and "
            f"{format_share(mean.rate_chars)} of the characters of their source{writers}; "
            f"{format_percent(mean.compressed)} of them differ from the source."
        )
    if result.pairs and not isnan(result.alpha):
        alpha = format_decimals(result.alpha)
        sentences.append(f"Agreement of the writers on what to delete: Krippendorff's alpha {alpha}.")
    return sentences


def _rate_columns(rows: Sequence[Shortening]) -> list[Column]:
    return [
        text_column("text", [r.name for r in rows]),
        Column("n", [f"{r.lengths.n:,}" for r in rows]),
        Column("compressed", [format_share(r.compressed) for r in rows]),
        Column("rate (tokens)", [format_decimals(r.rate_tokens) for r in rows]),
        Column("rate (chars)", [format_decimals(r.rate_chars) for r in rows]),
        Column("total rate", [format_decimals(r.total_tokens) for r in rows]),
        Column("tokens", [format_decimals(r.lengths.mean, 1) for r in rows]),
        Column("only deleted", [format_share(r.only_deleted) for r in rows]),
    ]


def _span_columns(rows: Sequence[Shortening]) -> list[Column]:
    return [
        text_column("text", [r.name for r in rows]),
        Column("spans", [f"{r.spans_dropped:,}" for r in rows]),
        Column("mean", [format_decimals(r.mean_span, 2) for r in rows]),
        *(Column(_span_head(a, b), [format_share(r.share(a, b)) for r in rows]) for a, b in _SPANS),
    ]


def _span_head(least: int, most: int | None) -> str:
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
        text_column("group", [g.group or "" for g in groups]),
        Column("items", [f"{g.items:,}" for g in groups]),
        Column("source tokens", [format_decimals(g.sources.mean, 1) for g in groups]),
        Column("compressed", [format_share(m.compressed) if m else MISSING for m in means]),
        Column("rate (tokens)", [format_decimals(m.rate_tokens) if m else MISSING for m in means]),
        Column("rate (chars)", [format_decimals(m.rate_chars) if m else MISSING for m in means]),
        Column("mean span", [format_decimals(m.mean_span, 2) if m else MISSING for m in means]),
        Column("alpha", [format_decimals(g.alpha) for g in groups]),
    ]


def _notes(result: Description) -> list[str]:
    return [
        "compressed: texts with words that differ from the source. rate: length divided by the length of the source, "
        "mean over items. The row mean is over all references, each counted once. total rate: all tokens divided by "
        "all source tokens. tokens: mean length. only deleted: texts "
        "that can be made by deleting words. A span is a run of neighbouring source tokens that were dropped. same "
        "decision: share of source tokens that both writers keep or both delete; deletion F1 is micro-averaged. "
        f"Tokens are those of the {result.tokenizer} tokenizer, with punctuation."
    ]
