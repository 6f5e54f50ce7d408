"""Segment-level correlation of string metrics with people: Owczarzak et al. (2007b), Table 3, on WMT17 de-en.

python reproduce/owczarzak_2007_metrics.py           prints published figures beside ours
python reproduce/owczarzak_2007_metrics.py --write   and puts them into docs/reproduced.md
"""

from __future__ import annotations

import common
import tables
from common import Figure

import assay

NAME = "owczarzak_2007_metrics"
TITLE = "Owczarzak et al. 2007b: metrics and people, segment by segment (Table 3)"
# The column "accuracy" of Table 3, which is nearest to what was judged in WMT17 (adequacy); TER's sign is turned.
PUBLISHED: dict[str, tuple[str, float | None]] = {
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
NOTE = """\
Pearson correlation over single outputs, all systems together, with 95% intervals from {resamples:,} bootstraps of
systems and segments. The published figures are the column "accuracy", on 16,800 segments of Chinese-English newswire;
WMT17 de-en has {n} judged outputs of {systems} systems, each with one reference, so only the order of the metrics can
be compared, and with these intervals it is uncertain. Lower is better for TER and WER: their sign is changed."""


def figures() -> list[Figure]:
    """One figure a metric."""
    return find()[1]


def find() -> tables.Found:
    data = common.data("wmt17-de-en.jsonl.gz")
    people = data.human("adequacy")
    scores = assay.score(data, list(PUBLISHED))
    found, n, resamples = [], 0, 1000
    for metric, (name, published) in PUBLISHED.items():
        r = assay.correlate(scores[metric], people, level="pooled", resamples=resamples)
        n = r.n
        found.append(Figure(name, published, r.value, note=f"[{r.low:.3f}, {r.high:.3f}]"))
    return [NOTE.format(resamples=resamples, n=n, systems=len(data.systems))], found


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
