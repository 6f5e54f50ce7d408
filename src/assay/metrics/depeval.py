"""DEPEVAL: overlap of labelled dependencies (Owczarzak et al. 2007a, 2007b; Owczarzak 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..component import format_value
from ..errors import InputError
from ..matching.bags import Counts, Layout
from ..matching.batch import Batch
from ..matching.nbest import best_pairs
from ..matching.pooling import pool_counts, pool_table
from ..matching.triple_bags import TripleUnit
from ._base import Floats, OverlapMetric, ParserParameters, check_choice
from ._weights import read_weights


@dataclass(frozen=True, kw_only=True)
class Depeval(OverlapMetric, ParserParameters):
    """DEPEVAL: dependency triples shared with the references.

    recall = |D_out & D_ref| / |D_ref| over triples such as subj(resign, john) and atomic features such as
    tense(resign, past); a triple matches at most as often as it occurs on both sides (Owczarzak 2009, Eq. 2). The names
    are those of Lexical-Functional Grammar, mapped from Universal Dependencies by a table (docs/dependencies.md). A
    text without triples (one word, in most cases) scores 0.
    The default is DEPEVAL(summ) as published: recall summed over references. The labelled-dependency F-score of
    Owczarzak et al. (2007) for single sentences is depeval(measure=f, refs=max).
    Five switches make the 32 variants of 2009: pred (grammatical relations only, no atomic features), norel (without
    labels), pm (partial matches: each relation as two halves, subj(resign, x) and subj(x, john)), wn (words that share
    a WordNet synset are one word), one (a triple counts once per text; with refs=sum also once over all references, as
    refs=all).
    active: a passive clause has the relations of the active one it stands for (the law was passed by parliament:
    parliament passed the law). Not by default: it is not in the papers, and on WMT17 it gains nothing.
    nbest: score the best-matching pair among this many parses of output and reference (refs=single, max or mean only).
    weights: how much a relation counts, as subj:2;obj:1 or a JSON file of such numbers; * stands for all others.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["Yesterday, John resigned."], ["John resigned yesterday."])
    >>> assay.score(data, "depeval").values.item()
    1.0
    """

    name: ClassVar[str] = "depeval"
    family: ClassVar[str] = "dependencies"
    examples: ClassVar[tuple[str, ...]] = ("depeval", "depeval(measure=f, refs=max)", "depeval(pm=true, wn=true)")
    measure: str = "recall"
    refs: str = "sum"
    pred: bool = False
    norel: bool = False
    pm: bool = False
    wn: bool = False
    one: bool = False
    nbest: int = 1
    weights: str = "none"
    active: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.nbest <= 1000:
            raise InputError(f"nbest of depeval must be between 1 and 1000; got {self.nbest}")
        if self.nbest > 1:
            check_choice("depeval with nbest", "refs", self.refs, ("single", "max", "mean"))
        if self.wn and self.word != "lemma":
            raise InputError(f"wn of depeval looks words up in WordNet and needs word=lemma; got word={self.word}")
        weights = read_weights(self.weights)
        if weights and self.norel:
            raise InputError("weights of depeval are by relation: they need norel=false")
        text = ";".join(f"{name}:{format_value(value)}" for name, value in weights.items())
        object.__setattr__(self, "weights", text or "none")  # a file's content, so that the signature says it all

    def make_unit(self) -> TripleUnit:
        weights = tuple(read_weights(self.weights).items())
        switches = (self.pred, self.norel, self.pm, self.wn, self.one)
        return TripleUnit(self.parser, "lfg", self.word, *switches, weights, self.active)

    def values(self, batch: Batch) -> Floats:
        if self.nbest == 1:
            return super().values(batch)
        table = best_pairs(batch, self.make_unit(), self.nbest, self._best, keep_own=self.keep_own)
        return pool_table(table, self.refs)

    def pool(self, counts: Counts, layout: Layout) -> Floats:
        refs = "all" if self.one and self.refs == "sum" else self.refs
        return pool_counts(counts, layout, measure=self.measure, refs=refs, beta=self.beta)

    def _best(self, counts: Counts, layout: Layout) -> Floats:
        return pool_counts(counts, layout, measure=self.measure, refs="max", beta=self.beta)

    def summary(self) -> str:
        switches = [name for name in ("pred", "norel", "pm", "wn", "one", "active") if getattr(self, name)]
        return f"{self.measure} of dependency triples" + (f" ({', '.join(switches)})" if switches else "")
