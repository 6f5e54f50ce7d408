"""Which word vectors ROUGE-WE and AVG_SIM should have: correlation with people on TAC 2008."""

from __future__ import annotations

import numpy as np
from common import Figure, data, main

from assay import Scores, meta
from assay.scoring.score import score

TITLE = "ROUGE-WE, AVG_SIM and soft match: which vectors (TAC 2008)"
NOTES = (
    "Pearson's r with Pyramid scores over the summaries of a topic, averaged over topics; a person's summary is scored "
    "against the other three references. Assay's default was chosen on these figures: at .8, the threshold of the "
    "released code of S3, `vectors=distilled` (the sentence encoder's vector of each word alone) is well above GloVe, "
    "whose vectors of 50 numbers match too much. As in the paper, soft matching gains little over ROUGE.",
)
CALLS = (
    *("rouge1(measure=recall)", "rouge2(measure=recall)"),
    *(f"rougeWE{n}(vectors=glove, threshold={t})" for n in (1, 2) for t in (0.8, 0.9, 0.95)),
    *(f"rougeWE{n}(vectors=distilled, threshold={t})" for n in (1, 2) for t in (0.7, 0.8, 0.9)),
    *("rougeWE1(vectors=distilled, rule=cosine)", "rougeWE2(vectors=distilled, rule=cosine, combine=product)"),
    *("avgsim(vectors=glove)", "avgsim(vectors=distilled)", "js1", "js2"),
    *("softmatch", "softmatch(refs=mean)", "softmatch(measure=recall, refs=mean)"),
)


def figures() -> list[Figure]:
    """One figure a setting."""
    tac = data("tac2008.jsonl.gz")
    human = tac.human("pyramid")
    return [Figure(call, None, _correlation(scores, human)) for call, scores in score(tac, CALLS).items()]


def _correlation(scores: Scores, human: Scores) -> float:
    found = meta.item_correlations(scores, human, method="pearson", without=())
    return float(np.mean(list(found.values())))


if __name__ == "__main__":
    main("peyrard_2017_vectors", TITLE, NOTES, figures)
