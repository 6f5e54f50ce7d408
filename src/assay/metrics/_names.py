"""Names that stand for several metrics, for another metric, or for one that is not here."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import TypeVar

from ..component import plain_name
from ..errors import StandInWarning, UnknownName

# The names of Toutanova et al. (2016), section 4: unit, measure and pooling.
TOUTANOVA_MEASURES = {"Precision": "precision", "Recall": "recall", "F-1": "f"}
TOUTANOVA_POOLINGS = {"SINGLE-REF": "single", "MULT-MAX": "max", "MULT-ALL": "all", "MULT-PROB": "prob"}
GRID_UNITS = ("LR-1", "LR-2", "LR-3", "LR-4", "SKIP-2", "PARSE-2")
# The metrics of Toutanova et al. (2016), section 4: 72 overlaps, six of BLEU and two of ROUGE-L.
GRID = (
    *(
        f"{unit}+{measure}+{refs}"
        for unit in GRID_UNITS
        for measure in TOUTANOVA_MEASURES
        for refs in TOUTANOVA_POOLINGS
    ),
    *(f"BLEU-{n}+PrecBrev+{refs}" for n in (2, 3, 4) for refs in ("SINGLE-REF", "MULT-ALL")),
    *(f"ROUGE-L+Recall+{refs}" for refs in ("SINGLE-REF", "MULT-MAX")),
)
# What each family measures, in the order of the list.
FAMILIES = {
    "rouge": "ROUGE (Lin 2004): n-grams, subsequences and skip-bigrams; equal to rouge-score and ROUGE-1.5.5",
    "translation": "metrics of machine translation; bleu, chrf and ter equal to sacreBLEU",
    "words": "words in common and word edits",
    "dependencies": "words in common with their grammatical relations",
    "meaning": "words that need not be the same: vectors in context, word vectors, frames",
    "distributions": "distance between distributions of n-grams",
    "compression": "how much of the source was kept, and which words were dropped",
    "source": "the output against its source; no reference needed",
    "output": "the output alone: length, repetition, form; no reference needed",
    "content": "facts that people marked in the texts; no words are compared",
    "grid": "unit x measure x references, and six of BLEU and two of ROUGE-L (Toutanova et al. 2016)",
    "other": "other metrics",
    "installed": "metrics of other installed packages",
}
GROUPS: dict[str, tuple[str, ...]] = {"rouge": ("rouge1", "rouge2", "rougeL"), "grid": GRID}

BERTSCORE = (
    "bertscore is not in Assay, and softmatch is used instead. The same: word pieces matched greedily by the cosine of "
    "their vectors in context, precision, recall and F, idf, the best of several references. Not the same: the model "
    "(all-MiniLM-L6-v2, not roberta-large), no [CLS] and [SEP], no rescaling by a baseline. The numbers cannot be "
    "compared with published ones"
)
# What people ask for that runs on a neural model of its own, and the package that computes it.
ELSEWHERE = {
    "comet": "unbabel-comet",
    "cometkiwi": "unbabel-comet",
    "xcomet": "unbabel-comet",
    "bleurt": "bleurt",
    "metricx": "metricx",
    "bartscore": "bart_score",
    "moverscore": "moverscore",
    "unieval": "UniEval",
}

AnyMetric = TypeVar("AnyMetric")


def parse_toutanova(name: str) -> tuple[str, str, str] | None:
    """Split a name such as SKIP-2+Recall+MULT-PROB into unit, measure and pooling, spelled as in the paper, or None.

    >>> parse_toutanova("skip-2+recall+mult-prob")
    ('SKIP-2', 'Recall', 'MULT-PROB')
    """
    parts = [part.strip() for part in name.split("+")]
    if len(parts) != 3:
        return None
    measure = next((m for m in (*TOUTANOVA_MEASURES, "PrecBrev") if m.lower() == parts[1].lower()), None)
    pooling = next((p for p in TOUTANOVA_POOLINGS if p.lower() == parts[2].lower()), None)
    return (parts[0].upper(), measure, pooling) if measure and pooling else None


PRF = ("precision", "recall", "f")
_ALL_MEASURES = re.compile(r"\bmeasure\s*=\s*all\b")


def expand_names(metrics: Iterable[str | AnyMetric]) -> list[str | AnyMetric]:
    """Put the metrics of a group in its place; parameters of the group are those of each.

    measure=all is precision, recall and F.

    >>> expand_names(["rouge(stem=true)", "bleu"])
    ['rouge1(stem=true)', 'rouge2(stem=true)', 'rougeL(stem=true)', 'bleu']
    >>> expand_names(["rouge2(measure=all)"])
    ['rouge2(measure=precision)', 'rouge2(measure=recall)', 'rouge2(measure=f)']
    """
    expanded: list[str | AnyMetric] = []
    for metric in metrics:
        expanded.extend(_expand_name(metric) if isinstance(metric, str) else (metric,))
    return list(dict.fromkeys(expanded))


def _expand_name(text: str) -> list[str]:
    name, bracket, parameters = text.partition("(")
    members = [f"{member}{bracket}{parameters}" for member in GROUPS.get(plain_name(name.strip()), (name,))]
    if not _ALL_MEASURES.search(text):
        return members
    return [_ALL_MEASURES.sub(f"measure={measure}", member) for member in members for measure in PRF]


def replace_stand_ins(metrics: Iterable[str]) -> list[str]:
    """Write the name of the metric that is computed where another was typed: the head of a column must be true."""
    return [f"softmatch{text[len(name) :]}" if stand_in(name := text.partition("(")[0]) else text for text in metrics]


def stand_in(name: str) -> bool:
    """Check if softmatch stands in for this name, and warn about it."""
    if plain_name(name) not in ("bertscore", "bertscoref1"):
        return False
    warnings.warn(BERTSCORE, StandInWarning, stacklevel=3)
    return True


def explain_absence(name: str) -> UnknownName | None:
    """Return the error for a name of a group, or of a metric of which one can only bring the scores, or None."""
    plain = plain_name(name)
    if plain in GROUPS:
        members = GROUPS[plain]
        few = ", ".join(members) if len(members) < 9 else f"{members[0]}, {members[1]}, ..."
        hint = f"here: it stands for {len(members)} metrics ({few}); name one of them"
        return UnknownName("metric", name, (), hint=hint)
    package = ELSEWHERE.get(plain) or next((p for n, p in ELSEWHERE.items() if plain.startswith(n)), None)
    if package is None:
        return None
    return UnknownName(
        "metric",
        name,
        (),
        hint=f"(it runs a neural model that is not part of Assay): score with {package}, write the columns system, "
        "item, metric, score to a CSV file, and give it as --scores FILE to compare, meta or report",
    )
