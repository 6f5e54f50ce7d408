"""Speed of the translation metrics: CPU time per item, one thread, against sacreBLEU, fastchrf and nltk."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Row, Scale, Target, main
from scoring import Job, against
from workload import workload

NOTES = (
    "CPU time per item of one thread (time.process_time), tokenizing and stemming included, from texts in memory.",
    "ratio: median over rounds, each of which measures Assay, the peer, and Assay again.",
    "(a): 20,000 items of about 18 words, 4 references; (b): 1,000 items of 60-100 words, 1-4 references.",
    "Slow peers score a part of the items, a different one in each round: see SHARE in benchmarks/scoring.py.",
    "TER, chrF: before timing, the numbers must equal those of the peer on some items. METEOR and NIST of nltk differ: "
    "its METEOR ignores crossings, and its NIST takes the weights of n-grams from one item (see `assay metrics meteor` "
    "and `assay metrics nist`).",
    "METEOR: exact and stem stages, words separated by white space. fastchrf is called once for many items.",
)
METEOR = "meteor(stages=exact+stem, tokenizer=space)"
NIST = "nist(tokenizer=space)"


def rows(scale: Scale) -> Iterator[Row]:
    """All of it."""
    a, b = workload("a", scale.pick(4_000, 20_000)), workload("b", scale.pick(200, 1_000))
    ter_a, ter_b, chrf = Job.of(["ter"], a), Job.of(["ter"], b), Job.of(["chrf"], a)
    yield against("TER (a)", ter_a, "sacrebleu-ter", scale, Target(100), checked=20)
    yield against("TER (b)", ter_b, "sacrebleu-ter", scale, Target(1000), share=2, checked=2)
    yield against("chrF (a)", chrf, "sacrebleu-chrf", scale, Target(50))
    yield against("chrF++ (a)", Job.of(["chrf++"], a), "sacrebleu-chrfpp", scale, Target(50))
    yield against("chrF (a)", chrf, "fastchrf", scale, Target(20))
    yield against("METEOR (a)", Job.of([METEOR], a), "nltk-meteor", scale, Target(50), checked=0)
    yield against("NIST (a)", Job.of([NIST], a), "nltk-nist", scale, Target(20), checked=0)


if __name__ == "__main__":
    main("translation", rows, NOTES)
