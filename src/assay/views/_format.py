"""Format numbers, intervals and names: the one place that decides how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isnan, nan

MISSING = "–"  # a cell without a value

# Krippendorff: rely on variables with alpha of at least 0.8, and tentatively from 0.667.
RELIABLE, TENTATIVE = 0.8, 0.667
ALPHA_NOTE = f"1 is perfect agreement, 0 is chance; rely on {RELIABLE:g} and more, tentatively on {TENTATIVE:g}"
_AGREEMENT_WORDS = ((RELIABLE, "well"), (TENTATIVE, "fairly well"), (0.4, "moderately"), (0.0, "poorly"))

_COEFFICIENTS = {"pearson": "r", "spearman": "rho", "kendall": "tau", "kendall-c": "tau-c", "ndcg": "NDCG"}
_TESTS = {
    "wilcoxon": "Wilcoxon test",
    "t": "t test",
    "flip": "permutation test",
    "permutation": "permutation test",
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "satterthwaite": "t test for new raters",
}


def format_number(value: float) -> str:
    """Format a number for a sentence: three significant digits.

    >>> format_number(0.91234), format_number(23.456), format_number(0.00123), format_number(float("nan"))
    ('0.912', '23.5', '0.00123', 'undefined')
    """
    if isnan(value):
        return "undefined"
    if value == 0 or 0.1 <= abs(value) < 10:
        return f"{value:.3f}"
    return f"{value:.4g}" if abs(value) >= 1000 else f"{value:.3g}"


def format_number_cell(value: float | None) -> str:
    """Format a number for a table cell with three significant digits, for columns of unknown scale.

    >>> format_number_cell(0.01764), format_number_cell(float("nan"))
    ('0.0176', '–')
    """
    return MISSING if value is None or isnan(value) else format_number(value)


def format_decimals(value: float | None, places: int = 3) -> str:
    """Format a number for a table cell, with a fixed number of decimals.

    >>> format_decimals(0.98765), format_decimals(float("nan")), format_decimals(None)
    ('0.988', '–', '–')
    """
    return MISSING if value is None or isnan(value) else f"{value:.{places}f}"


def format_signed(value: float, places: int = 3) -> str:
    """Format a difference for a table cell, with its sign.

    >>> format_signed(0.5), format_signed(-0.25, 2), format_signed(float("nan"))
    ('+0.500', '-0.25', '–')
    """
    return MISSING if isnan(value) else f"{value:+.{places}f}"


def format_scores(values: Sequence[float]) -> list[str]:
    """Format the scores of one column: four decimals for scores up to 1, two for scores up to 100.

    >>> format_scores([0.5, 0.25]), format_scores([37.094, 5.2])
    (['0.5000', '0.2500'], ['37.09', '5.20'])
    """
    places = score_places(values)
    return [format_decimals(v, places) for v in values]


def score_places(values: Sequence[float]) -> int:
    """Return how many decimals the scores of one column have."""
    return 2 if max((abs(v) for v in values if not isnan(v)), default=0.0) > 1.5 else 4


def find_best(values: Sequence[float], *, higher_is_better: bool = True) -> tuple[int, ...]:
    """Return the places of the best of two or more scores, none if all are equal.

    >>> find_best([0.5, 0.7, float("nan"), 0.7]), find_best([3, 1], higher_is_better=False), find_best([1, 1])
    ((1, 3), (1,), ())
    """
    known = [v for v in values if not isnan(v)]
    best = (max if higher_is_better else min)(known, default=nan)
    return tuple(i for i, v in enumerate(values) if v == best) if len(set(known)) > 1 else ()


def format_range(low: float, high: float, places: int = 3) -> str:
    """Format an interval for a table cell.

    >>> format_range(0.1, 0.25), format_range(-0.2, 0.1, 1), format_range(float("nan"), 1.0)
    ('0.100 to 0.250', '-0.2 to 0.1', '–')
    """
    return (
        MISSING if isnan(low) or isnan(high) else f"{format_decimals(low, places)} to {format_decimals(high, places)}"
    )


def is_all(low: float, high: float) -> bool:
    """Check if the interval of a correlation leaves out nothing: from -1 to 1, as it is written in a table.

    >>> is_all(-1.0, 0.9999), is_all(-1.0, 0.9), is_all(float("nan"), 1.0)
    (True, False, False)
    """
    return low < -0.9995 and high >= 0.9995


def format_ranges(ends: Sequence[tuple[float, float]], scores: Sequence[float] = ()) -> list[str]:
    """Format the intervals of one column of scores, with as many decimals as the scores have."""
    places = score_places(scores or [end for pair in ends for end in pair])
    return [format_range(low, high, places) for low, high in ends]


def format_interval(low: float, high: float, confidence: float = 0.95, *, places: int | None = None) -> str:
    """Format a confidence interval for a sentence, with a space in front; nothing if it is undefined.

    >>> format_interval(0.85, 0.945), format_interval(36.369, 37.861, places=2), format_interval(float("nan"), 1.0)
    (' (95% CI 0.850 to 0.945)', ' (95% CI 36.37 to 37.86)', '')
    """
    if isnan(low) or isnan(high):
        return ""
    ends = [format_number(end) if places is None else format_decimals(end, places) for end in (low, high)]
    return f" ({100 * confidence:.3g}% CI {ends[0]} to {ends[1]})"


def format_percent(share: float | None, *, missing: str = MISSING) -> str:
    """Format a share as a percentage; a share that is not quite all or nothing is never shown as 100% or 0%.

    >>> format_percent(0.8333), format_percent(1.0), format_percent(0.9996), format_percent(0.004)
    ('83%', '100%', '>99%', '0.4%')
    """
    if share is None or isnan(share):
        return missing
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.0f}%" if abs(share) >= 0.05 or share == 0 else f"{100 * share:.1f}%"


def format_interval_percent(low: float, high: float, confidence: float = 0.95) -> str:
    """Format the confidence interval of a share for a sentence, with a space in front; nothing if it is undefined.

    >>> format_interval_percent(0.612, 0.688), format_interval_percent(float("nan"), 1.0)
    (' (95% CI 61% to 69%)', '')
    """
    if isnan(low) or isnan(high):
        return ""
    return f" ({100 * confidence:.3g}% CI {format_percent(low)} to {format_percent(high)})"


def format_share(share: float) -> str:
    """Format a share as a percentage with one decimal.

    >>> format_share(0.5), format_share(float("nan"))
    ('50.0%', '–')
    """
    return MISSING if isnan(share) else f"{100 * share:.1f}%"


def format_p(p: float) -> str:
    """Format a p-value for a sentence.

    >>> format_p(0.0004), format_p(0.0312)
    ('p < 0.001', 'p = 0.031')
    """
    if isnan(p):
        return "p undefined"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def format_p_cell(p: float, *, significant: bool = False) -> str:
    """Format a p-value for a table cell; a star marks significance.

    >>> format_p_cell(0.0004, significant=True), format_p_cell(0.0712)
    ('<0.001*', '0.071 ')
    """
    if isnan(p):
        return MISSING
    return ("<0.001" if p < 0.001 else f"{p:.3f}") + ("*" if significant else " ")


def format_count(n: int, noun: str) -> str:
    """Format a count with its noun.

    >>> format_count(1, "item"), format_count(4800, "item"), format_count(2, "entry"), format_count(3, "pass")
    ('1 item', '4,800 items', '2 entries', '3 passes')
    """
    if n == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}es" if noun.endswith("ss") else f"{noun}s"
    return f"{n:,} {plural}"


def format_size(size: int) -> str:
    """Format a number of bytes.

    >>> format_size(1_250_000), format_size(12_300), format_size(700)
    ('1.2 MB', '12 kB', '1 kB')
    """
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def join_names(names: Sequence[str], most: int = 5) -> str:
    """Join names as in a sentence; beyond `most` the rest is counted.

    >>> join_names(["A"]), join_names(["A", "B"]), join_names(["A", "B", "C"]), join_names("ABCDEF", 3)
    ('A', 'A and B', 'A, B and C', 'A, B and 4 more')
    """
    parts = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def shorten_names(names: Sequence[str]) -> list[str]:
    """Shorten metric names for a table: without parameters, with the measure or numbered where two would be the same.

    >>> shorten_names(["rouge2(stem=true)", "rouge2", "bleu"])
    ['rouge2#1', 'rouge2#2', 'bleu']
    >>> shorten_names(["rouge2(measure=precision)", "rouge2(measure=recall)", "rouge2(measure=f)"])
    ['rouge2 P', 'rouge2 R', 'rouge2 F']
    """
    bare = [name.split("(")[0].strip() for name in names]
    measures = [re.search(r"\bmeasure=([prf])", name) for name in names]
    marked = [f"{b} {m[1].upper()}" if m else b for b, m in zip(bare, measures, strict=True)]
    unclear = {b for b, mark in zip(bare, marked, strict=True) if mark == b or marked.count(mark) > 1}
    bare = [b if b in unclear or bare.count(b) == 1 else mark for b, mark in zip(bare, marked, strict=True)]
    return [b if bare.count(b) == 1 else f"{b}#{bare[: i + 1].count(b)}" for i, b in enumerate(bare)]


def shorten_text(text: str, most: int) -> str:
    """Shorten a text to at most n characters, between words.

    >>> shorten_text("The first words of a text", 12), shorten_text("short", 12)
    ('The first …', 'short')
    """
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"


def judge_alpha(alpha: float) -> str:
    """Say how well people agree who have this alpha, to stand after "agree".

    >>> judge_alpha(0.85), judge_alpha(0.7), judge_alpha(0.1), judge_alpha(-0.2)
    ('well', 'fairly well', 'poorly', 'less than by chance')
    """
    return next((word for least, word in _AGREEMENT_WORDS if alpha >= least), "less than by chance")


def coefficient_symbol(method: str) -> str:
    """Return the symbol of a correlation coefficient.

    >>> coefficient_symbol("pearson"), coefficient_symbol("ndcg@5")
    ('r', 'NDCG@5')
    """
    at_top = re.fullmatch(r"ndcg(?:@|\(top=)(\d+)\)?", method)
    return f"NDCG@{at_top[1]}" if at_top else _COEFFICIENTS.get(method, method)


def test_name(test: str) -> str:
    """Return the name of a statistical test as written in a sentence.

    >>> test_name("wilcoxon"), test_name("flip")
    ('Wilcoxon test', 'permutation test')
    """
    return _TESTS.get(test, test)


test_name.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name says to pytest
