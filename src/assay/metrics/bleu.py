"""BLEU (Papineni et al. 2002) per sentence and per corpus, as sacreBLEU 2.6 computes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InputError
from ..matching.batch import Batch
from ..matching.pooling import closest_lengths, first_matches
from ..matching.unit import CountRequest, WordUnit
from ..text import TextReading
from ..units.surface import Ngram
from ._base import Floats, OwnReferences, check_choice
from ._names import parse_toutanova

_SMOOTH_VALUES = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
_LOG_OF_ZERO = -9999999999.0  # sacreBLEU's my_log(0)


@dataclass(frozen=True, kw_only=True)
class Bleu(OwnReferences):
    """BLEU: clipped n-gram precisions times a brevity penalty, 0 to 100.

    (1) BLEU = 100 BP exp(1/N sum over n = 1..N of log p_n), where p_n is the share of the output's n-grams that match;
    BP = exp(1 - r/c) if the output (c words) is shorter than the closest reference (r words), else 1.
    Several references: an n-gram matches at most as often as in the reference that has it most (refs=all); refs=single
    uses the first reference. No match, and so an empty output, is 0; an item without references has no score (NaN).
    smooth: exp (NIST's, the default), add-k, floor or none. k: its value; 0 takes sacreBLEU's default (add-k 1, floor
    0.1). Sentence scores count only the orders that the output is long enough for (sacreBLEU's effective order).
    aggregate: corpus (a system's score is computed from summed counts) or mean (the mean of its sentence scores).
    bleus is the smoothed BLEU of Lin and Och (2004): smooth=add-k, k=1, aggregate=mean.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> round(assay.score(data, "bleu").means().item(), 4)  # sacrebleu 2.6.0: 53.7285
    53.7285
    """

    name: ClassVar[str] = "bleu{n}"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = (
        "bleu",
        "bleu1",
        "bleu2",
        "bleu3",
        "bleus",
        *(f"BLEU-{n}+PrecBrev+{refs}" for n in (2, 3, 4) for refs in ("SINGLE-REF", "MULT-ALL")),
    )
    n: int = 4
    smooth: str = "exp"
    k: float = 0.0
    refs: str = "all"
    tokenizer: str = "13a"
    lower: bool = False
    aggregate: str = "corpus"

    def __post_init__(self) -> None:
        check_choice("bleu", "smooth", self.smooth, _SMOOTH_VALUES)
        check_choice("bleu", "refs", self.refs, ("all", "single"))
        check_choice("bleu", "aggregate", self.aggregate, ("corpus", "mean"))
        if not 1 <= self.n <= 20:
            raise InputError(f"n of bleu must be between 1 and 20; got {self.n}")
        if self.k < 0:
            raise InputError(f"k of bleu must be 0 (the default) or more; got {self.k}")
        if self.k == 0:
            object.__setattr__(self, "k", _SMOOTH_VALUES[self.smooth])
        self._reading()
        super().__post_init__()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        if name.lower() == "bleu":
            return {"n": "4"}
        if name.lower() == "bleus":  # Lin and Och 2004: one added to both counts of n > 1, sentence by sentence
            return {"n": "4", "smooth": "add-k", "k": "1", "aggregate": "mean"}
        parts = parse_toutanova(name)
        if parts is None or not parts[0].startswith("BLEU-") or parts[1] != "PrecBrev" or parts[2] == "MULT-PROB":
            return None
        # Footnote 15: the mean of sentence scores, which they found better than the corpus score.
        refs = "all" if parts[2] == "MULT-ALL" else "single"
        return {"n": parts[0][5:], "refs": refs, "tokenizer": "unicode", "aggregate": "mean"}

    def summary(self) -> str:
        of = "mean of sentences" if self.aggregate == "mean" else "corpus score"
        refs = "the first reference" if self.refs == "single" else "all references"
        return f"BLEU up to {self.n}-grams, {refs}, {of}"

    def requests(self) -> Iterable[CountRequest]:
        return (CountRequest(WordUnit(Ngram(n), self._reading()), self.keep_own) for n in range(1, self.n + 1))

    def takes_alternatives(self) -> bool:
        return True

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def _rows(self, batch: Batch) -> Floats:
        return batch.outputs.remember(self, lambda: self._count(batch))

    def _count(self, batch: Batch) -> Floats:
        """Count output length, nearest reference length, matches and totals of each order; NaN without references."""
        layout, single = batch.layout(self.keep_own), self.refs == "single"
        batch.prefetch(self.requests())
        counts = [batch.counts(request.unit, keep_own=self.keep_own) for request in self.requests()]
        closest = closest_lengths(counts[0], layout, first=single)
        matches = [first_matches(c, layout) if single else c.union_match for c in counts]
        return np.stack([counts[0].output, closest, *matches, *(c.output for c in counts)], axis=1)

    def values(self, batch: Batch) -> Floats:
        return self._bleu(self._rows(batch), effective_order=True)

    def corpus(self, sums: Floats) -> Floats:
        return self._bleu(sums, effective_order=False)

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower)

    def _bleu(self, rows: Floats, *, effective_order: bool) -> Floats:
        hyp, ref = rows[:, 0], rows[:, 1]
        correct, total = rows[:, 2 : 2 + self.n], rows[:, 2 + self.n :]
        any_match = correct.sum(axis=1) > 0
        if self.smooth == "add-k":
            later = np.arange(self.n) > 0
            correct, total = correct + self.k * later, total + self.k * later
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.where(hyp < ref, np.exp(1 - ref / hyp), 1.0)
            precision = correct / total
            if self.smooth == "exp":  # the i-th order without a match counts as 1/2^i of one
                zero = (correct == 0) & (total > 0)
                precision = np.where(zero, 1.0 / (2.0 ** np.cumsum(zero, axis=1) * total), precision)
            elif self.smooth == "floor":
                precision = np.where((correct == 0) & (total > 0), self.k / total, precision)
            logs = np.where(precision > 0, np.log(100.0 * precision), _LOG_OF_ZERO)
        # sacreBLEU stops at the first order the output is too short for; the rest have precision 0.
        reached = np.cumprod(total > 0, axis=1).astype(bool)
        logs = np.where(reached, logs, _LOG_OF_ZERO)
        orders = np.full(len(rows), self.n)
        if effective_order:
            logs, orders = np.where(reached, logs, 0.0), np.maximum(reached.sum(axis=1), 1)
        score = penalty * np.exp(logs.sum(axis=1) / orders)
        return np.where(np.isnan(ref), np.nan, np.where(any_match & (hyp > 0), score, 0.0))
