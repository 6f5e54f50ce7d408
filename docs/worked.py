"""One worked example for every metric: a small item, and the arithmetic behind its scores, which the tests check."""

from __future__ import annotations

import math
import warnings
from math import log, log2  # in the arithmetic  # noqa: F401

import assay
from assay.data.item import Item, Reference

SOURCE = "the old cat sat on the mat by the door"
REFERENCE = "the cat sat on the mat"
OUTPUT = "the cat sat on a mat"

# Metric -> what is counted, and the arithmetic. A metric that runs a model has no arithmetic to show.
WORKED = {
    "avgsim": ("without stop words both texts are cat, sat, mat: the same mean vector", "1"),
    "BE-H": ("all heads of the reference are in the output", "1"),
    "BE-HM": ("3 of the reference's 4 pairs of head and modifier are in the output; (mat, the) is not", "3 / 4"),
    "bleu": (
        "5 of 6 words, 3 of 5 bigrams, 2 of 4 trigrams and 1 of 3 four-grams match; the lengths are equal",
        "100 * (5/6 * 3/5 * 2/4 * 1/3) ** (1/4)",
    ),
    "bleu2": ("words and bigrams", "100 * (5/6 * 3/5) ** (1/2)"),
    "chrf": (
        "character n-grams of 1 to 6: mean precision P and mean recall R, then (1 + 4) P R / (4 P + R)",
        "100 * 5 * (P := (14/15 + 12/14 + 10/13 + 8/12 + 7/11 + 6/10) / 6) * "
        "(R := (14/17 + 12/16 + 10/15 + 8/14 + 7/13 + 6/12) / 6) / (4 * P + R)",
    ),
    "deletionf1": (
        "the output drops 5 words of the source, the reference 4, and these 4 are among the 5",
        "2 * 4 / (5 + 4)",
    ),
    "depeval": ("9 of the reference's 10 triples and features are in the output", "9 / 10"),
    "exact": ("a is not the", "0"),
    "gtm": ("the maximum match is 5 of 6 words", "5 / 6"),
    "gtm(exponent=1.2)": ("runs of 4 and of 1", "(4**1.2 + 1**1.2) ** (1/1.2) / 6"),
    "js1": ("without stop words the distributions are the same", "0"),
    "length": ("words", "6"),
    "length(unit=chars)": ("characters", "20"),
    "meteor": (
        "5 words match in 2 chunks: precision and recall 5/6, penalty 0.5 (2/5)^3",
        "5/6 * (1 - 0.5 * (2/5)**3)",
    ),
    "nist": (
        "information of the words that match: log2(6/2) for the, log2(6/1) for four others; of the cat log2(2/1)",
        "(log2(6/2) + 4 * log2(6/1)) / 6 + log2(2/1) / 5",
    ),
    "LR-1+Precision+SINGLE-REF": ("5 of the output's 6 words match", "5 / 6"),
    "LR-2+Recall+SINGLE-REF": ("3 of the reference's 5 bigrams match", "3 / 5"),
    "SKIP-2+Recall+SINGLE-REF": ("10 of the reference's 15 pairs with at most four words between match", "10 / 15"),
    "rate": ("words of the output and of the source", "6 / 10"),
    "rate(unit=chars)": ("characters", "20 / 38"),
    "red1": ("no word occurs twice", "3 / 3"),
    "relations": ("3 of 4 relations match", "3 / 4"),
    "rouge1": ("5 of 6 words match on both sides", "5 / 6"),
    "rouge2": ("3 of 5 bigrams", "3 / 5"),
    "rouge3": ("2 of 4 trigrams", "2 / 4"),
    "rougeL": ("the longest common subsequence has 5 words: the cat sat on mat", "5 / 6"),
    "rougeLsum": ("one sentence each, so as rougeL", "5 / 6"),
    "rougeS4": ("10 of 15 pairs of words match, rounded as in ROUGE-1.5.5", "round(10 / 15, 5)"),
    "rougeSU4": ("and 4 of 5 single words, the last one not counted", "(10 + 4) / (15 + 5)"),
    "rougeWE1": ("5 of 6 words match, and the vectors of a and the are not close", "5 / 6"),
    "finite": ("one sentence, with the finite verb sat", "1 / 1"),
    "repeats3": ("none of 4 trigrams repeats an earlier one", "0 / 4"),
    "sentencelength": ("one sentence", "6 / 1"),
    "unbalanced": ("no bracket or quotation mark lacks its partner", "0 / 1"),
    "unended": ("the one sentence has no full stop", "1 / 1"),
    "coverage1": ("cat, sat, mat of the source's old, cat, sat, mat, door", "3 / 5"),
    "sourcejs1": (
        "three words have 1/5 in the source, 1/3 in the output and 4/15 in the mean; two have 1/5, 0 and 1/10",
        "0.5 * (3/5 * log((1/5) / (4/15)) + 2/5 * log((1/5) / (1/10))) + 0.5 * log((1/3) / (4/15))",
    ),
    "sourcekl1": (
        "with delta = 0.0005, three words have p = (1 + delta) / (3 + 5 delta) in the output, two have "
        "r = delta / (3 + 5 delta), and all q = (1 + delta) / (5 + 5 delta) in the source: "
        "3 p log(p / q) + 2 r log(r / q)",
        "3 * (p := 1.0005 / 3.0025) * log(p / (q := 1.0005 / 5.0025)) + 2 * (r := 0.0005 / 3.0025) * log(r / q)",
    ),
    "ssa": ("one word is substituted", "1 - 1 / 6"),
    "ter": ("one edit, six words", "100 * 1 / 6"),
    "tokenf1": ("5 of 6 words in common", "5 / 6"),
    "wer": ("one edit, six words", "1 / 6"),
}


def example() -> assay.EvalSet:
    """Return the item that all pages use."""
    return assay.EvalSet([Item("1", (Reference(REFERENCE),), {"A": OUTPUT}, (SOURCE,))])


def worked_score(name: str) -> float:
    """Return the score of the example, NaN where the metric needs what the example has not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", assay.AssayWarning)
            return float(assay.score(example(), name).means()[0])
    except assay.AssayError:  # a lexicon that the user must give
        return math.nan


def arithmetic(name: str) -> float:
    """Return what the arithmetic of a metric gives."""
    return float(eval(WORKED[name][1]))


def worked_section(names: list[str]) -> str:
    """Return the worked example of a page, or nothing if no metric of it can score the example."""
    scores = {name: worked_score(name) for name in names}
    rows = [f"| `{name}` | {score:.4f} | {_steps(name)} |" for name, score in scores.items() if not math.isnan(score)]
    if not rows:
        return ""
    texts = f"Source: *{SOURCE}*. Reference: *{REFERENCE}*. Output: *{OUTPUT}*."
    return "\n\n".join(["## Worked example", texts, "| metric | score | |\n|---|---|---|\n" + "\n".join(rows)])


def _steps(name: str) -> str:
    if name not in WORKED:
        return ""
    words, expression = WORKED[name]
    return f"{words}: `{expression}`".replace("|", "\\|")
