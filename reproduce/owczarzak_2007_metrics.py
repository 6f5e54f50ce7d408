"""Segment-level correlation of metrics with people: Owczarzak et al. (2007b), Table 3, on WMT17.

python reproduce/owczarzak_2007_metrics.py           prints published figures beside ours (two minutes)
python reproduce/owczarzak_2007_metrics.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import common
import tables
from common import Figure

import assay
from assay import EvalSet, Scores

NAME = "owczarzak_2007_metrics"
TITLE = "Owczarzak et al. 2007b: metrics and people, segment by segment (Table 3)"
LANGUAGES = {"cs": "Czech-English", "de": "German-English"}
# The column "accuracy" of Table 3, which is nearest to what was judged in WMT17 (adequacy); TER's sign is turned.
STRINGS: dict[str, tuple[str, float | None]] = {
    "bleu": ("BLEU", 0.199),
    "bleus": ("BLEU, add-one (Lin and Och)", None),
    "nist": ("NIST", 0.273),
    "gtm": ("GTM", 0.203),
    "gtm(exponent=1.2)": ("GTM, exponent 1.2", None),
    "ter": ("TER", 0.192),
    "meteor(stages=exact+stem)": ("METEOR", 0.278),
    "meteor(stages=exact+stem+synonym)": ("METEOR + WordNet", 0.294),
    "chrf": ("chrF", None),
    "chrf++": ("chrF++", None),
    "wer": ("WER", None),
}
F = "depeval(measure=f, refs=max{})"
DEPENDENCIES: dict[str, tuple[str, float | None]] = {
    F.format(""): ("d", 0.256),
    F.format(", pred=true"): ("d_pr", 0.240),
    F.format(", pm=true"): ("d_var", 0.266),
    F.format(", wn=true"): ("d+WN", 0.260),
    F.format(", pm=true, wn=true"): ("d_var+WN", None),
    F.format(", beta=2"): ("d, recall counts twice", None),
    "BE-HM": ("BE-HM", None),
    "relations": ("relations", None),
    "PARSE-2+F-1+MULT-MAX": ("PARSE-2 (F-1)", None),
}
PARSES: dict[str, tuple[str, float | None]] = {
    F.format(", nbest=2"): ("d_2", 0.257),
    F.format(", nbest=10"): ("d_10", 0.262),
    F.format(", nbest=50"): ("d_50", 0.262),
    F.format(", nbest=2, pm=true"): ("d_2_var", 0.270),
    F.format(", nbest=10, pm=true"): ("d_10_var", 0.273),
    F.format(", nbest=50, pm=true"): ("d_50_var", 0.273),
    F.format(", nbest=50, wn=true"): ("d_50+WN", 0.269),
}
RESAMPLES = 1000
NOTE = """\
Pearson correlation over single outputs, all systems together, with 95% intervals from {resamples:,} bootstraps of
systems and segments. The published figures are the column "accuracy", on 16,800 segments of Chinese-English newswire.
WMT17 has other languages, other systems and one reference for each segment ({counts}), so only the order of the metrics
can be compared, and with these intervals it is uncertain. Lower is better for TER and WER: their sign is changed.
d: dependency F (`depeval(measure=f, refs=max)`); _pr: predicate-only (`pred`); _var: partial matches (`pm`); +WN:
WordNet (`wn`); _2, _10, _50: the best of so many parses of each side (`nbest`); recall counts twice: `beta=2`, which
the paper tried first but has no figure of."""


def figures() -> list[Figure]:
    """String metrics, and dependencies of the best parse: what takes seconds."""
    return [figure for code in LANGUAGES for figure in _language(code, DEPENDENCIES, resamples=50)[0]]


def find() -> tables.Found:
    found, counts = [], []
    for code, language in LANGUAGES.items():
        rows, n, systems = _language(code, {**DEPENDENCIES, **PARSES}, RESAMPLES)
        counts.append(f"{language}: {n} judged outputs of {systems} systems")
        found += rows
    note = NOTE.format(resamples=RESAMPLES, counts="; ".join(counts))
    return [" ".join(note.split()), _compare(found)], found


def _language(
    code: str, dependencies: Mapping[str, tuple[str, float | None]], resamples: int
) -> tuple[list[Figure], int, int]:
    data = common.data(f"wmt17-{code}-en.jsonl.gz")
    found, n = [], 0
    # NIST weighs n-grams by all references of the set. A dependency score is the same without the other segments.
    for part, metrics in ((data, STRINGS), (judged(data), dependencies)):
        human, scores = part.human("adequacy"), assay.score(part, list(metrics))
        for metric, (name, published) in metrics.items():
            r = assay.correlate(scores[metric], human, level="pooled", resamples=resamples)
            n, interval = r.n, f"[{r.low:.3f}, {r.high:.3f}]"
            found.append(Figure(f"{LANGUAGES[code]}: {name}", published, r.value, note=interval))
    return found, n, len(data.systems)


def judged(data: EvalSet) -> EvalSet:
    """Return the judged outputs only."""
    human = data.human("adequacy")
    items = [
        replace(item, outputs={s: t for s, t in item.outputs.items() if _has_score(human, s, k)})
        for k, item in enumerate(data)
        if item.judgments
    ]
    return EvalSet(items, allow_missing=True)


def _has_score(human: Scores, system: str, item: int) -> bool:
    value = human.values[human.systems.index(system), item]
    return bool(value == value)


def _compare(found: list[Figure]) -> str:
    """What the paper concludes, beside what is found here."""
    r = {figure.where: figure.ours for figure in found}
    claims = {
        "predicate-only dependencies correlate less (d_pr below d)": ("d", "d_pr"),
        "partial matches correlate more (d_var above d)": ("d_var", "d"),
        "WordNet correlates more (d+WN above d)": ("d+WN", "d"),
        "ten parses correlate more (d_10 above d)": ("d_10", "d"),
        "METEOR with WordNet is above the best dependency metric (d_50_var)": ("METEOR + WordNet", "d_50_var"),
        "the dependency metric is above BLEU": ("d", "BLEU"),
        "more weight on recall than on precision improves results": ("d, recall counts twice", "d"),
    }
    lines = []
    for claim, (higher, lower) in claims.items():
        gains = {language: r[f"{language}: {higher}"] - r[f"{language}: {lower}"] for language in LANGUAGES.values()}
        said = ", ".join(f"{gain:+.3f} in {language}" for language, gain in gains.items())
        holds = sum(gain > 0 for gain in gains.values())
        lines.append(f"- {claim}: {('does not hold', 'holds for one pair', 'holds')[holds]} ({said}).")
    return "The conclusions of the paper, by the differences alone:\n\n" + "\n".join(lines)


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
