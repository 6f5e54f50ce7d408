"""Show language models and the perplexity of texts under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import View
from ._format import format_count, format_decimals, format_percent, format_size

if TYPE_CHECKING:
    from ..text.lm.trigrams import ModelSummary, Perplexity


def view_perplexity(result: Perplexity) -> View:
    """Show the perplexity of a text."""
    model = result.model or "the English model of Assay"
    share = format_percent(result.unknown / result.words) if result.words else "0%"
    unknown = f"{result.unknown:,} of them unknown ({share})"
    counts = f"{format_count(result.sentences, 'sentence')}, {format_count(result.words, 'word')}, {unknown}"
    value, known = format_decimals(result.value, 1), format_decimals(result.without_unknown, 1)
    return View([f"Perplexity {value} under {model}: {counts}. Without unknown words: {known}."])


def view_language_model(result: ModelSummary) -> View:
    """Show what is in a model."""
    grams = ", ".join(f"{n:,} {order}-grams" for order, n in enumerate(result.grams, 1))
    text = f"{format_count(result.sentences, 'sentence')} with {format_count(result.words, 'word')}"
    return View([f"{result.model} ({format_size(result.bytes)}): {grams}, trained on {text}."])
