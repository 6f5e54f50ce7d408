"""What a summary keeps of its source's words: divergence, coverage and TF*IDF (Peyrard et al. 2017, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.evalset import EvalSet
from ..errors import InputError
from ..matching.batch import Batch
from ..matching.ngram_bags import BagPair, against_sources, per_text, text_of
from ..text import Lexicon, TextReading, Texts
from ._base import Floats, check_choice
from .js import NgramMetric


@dataclass(frozen=True, kw_only=True)
class SourceMetric(NgramMetric):
    """Metrics that compare with the sources of the item, taken together.

    An item without sources has no score (NaN)."""

    needs: ClassVar[str] = "sources"

    def frequencies(self, batch: Batch, bags: BagPair) -> tuple[Floats, NDArray[np.bool_]]:
        """Return per n-gram of the outputs its share among the source's n-grams; and which outputs have a source."""
        has_source = np.array([bool(texts) for texts in batch.item_sources], dtype=bool)
        place = np.cumsum(has_source) - 1  # of an item's source among all sources
        size = max(1, bags.others.vocab_size)
        counted, times = np.unique(text_of(bags.others) * size + bags.others.ids, return_counts=True)
        wanted = (
            np.where(has_source, place, len(bags.others))[batch.item][text_of(bags.outputs)] * size + bags.outputs.ids
        )
        at = np.minimum(np.searchsorted(counted, wanted), max(0, len(counted) - 1))
        in_source = counted[at] == wanted if len(counted) else np.zeros(len(wanted), dtype=bool)
        totals = np.append(np.diff(bags.others.starts), 1)[wanted // size]
        return np.where(in_source, times[at] if len(times) else 0, 0) / np.maximum(totals, 1), has_source[batch.item]


@dataclass(frozen=True, kw_only=True)
class SourceJensenShannon(SourceMetric):
    """Source JS-N: divergence of n-gram distributions from the source.

    As js1, with the source in place of a reference (Louis and Nenkova 2013): in nats, unsmoothed, 0 to log 2 = 0.693.
    Lower is better.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["cats chase"], sources=["cats chase mice"])
    >>> round(assay.score(data, "sourcejs1").values.item(), 4)
    0.1323
    """

    name: ClassVar[str] = "sourcejs{n}"
    family: ClassVar[str] = "source"
    examples: ClassVar[tuple[str, ...]] = ("sourcejs1", "sourcejs2")
    higher_is_better: ClassVar[bool] = False

    def values(self, batch: Batch) -> Floats:
        return _core.divergence(*against_sources(batch, self.unit()), 0, 0.0)


@dataclass(frozen=True, kw_only=True)
class SourceKullbackLeibler(SourceMetric):
    """Source KL-N: divergence of n-gram distributions, smoothed.

    (1) KL = sum over n-grams of p log(p / q), in nats. first: output (p is the output's distribution and q the
    source's) or source (the reverse, as in the summarizer KLSum; Haghighi and Vanderwende 2009). Both are smoothed as
    in Louis and Nenkova (2013): (2) p = (count + delta) / (n-grams of the text + delta V), except that V is the number
    of distinct n-grams of the two texts, so that KL is never negative. An empty output is the uniform distribution.
    Lower is better.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["cats chase mice"], sources=["mice chase cats"])
    >>> assay.score(data, "sourcekl1").values.item()
    0.0
    """

    name: ClassVar[str] = "sourcekl{n}"
    family: ClassVar[str] = "source"
    examples: ClassVar[tuple[str, ...]] = ("sourcekl1", "sourcekl2")
    higher_is_better: ClassVar[bool] = False
    first: str = "output"
    delta: float = 0.0005

    def __post_init__(self) -> None:
        check_choice(self.title, "first", self.first, ("output", "source"))
        if not (self.delta > 0 and np.isfinite(self.delta)):
            raise InputError(f"delta of {self.title} must be above 0; got {self.delta}")
        super().__post_init__()

    def values(self, batch: Batch) -> Floats:
        return _core.divergence(*against_sources(batch, self.unit()), 1 if self.first == "output" else 2, self.delta)


@dataclass(frozen=True, kw_only=True)
class Coverage(SourceMetric):
    """Cov-N: share of the source's n-grams that the output mentions.

    The sum, over the distinct n-grams of the output, of their shares among all n-grams of the source: the objective of
    the summarizer of Gillick and Favre (2009). repeats: true counts an n-gram each time it occurs in the output. An
    empty output scores 0.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["cats and more cats"], sources=["cats chase mice and other cats"])
    >>> assay.score(data, "coverage1").values.item()  # cats is 2 of cats, chase, mice, cats
    0.5
    """

    name: ClassVar[str] = "coverage{n}"
    family: ClassVar[str] = "source"
    examples: ClassVar[tuple[str, ...]] = ("coverage1", "coverage2")
    repeats: bool = False

    def values(self, batch: Batch) -> Floats:
        bags = against_sources(batch, self.unit())
        shares, has_source = self.frequencies(batch, bags)
        if not self.repeats:
            key = text_of(bags.outputs) * max(1, bags.outputs.vocab_size) + bags.outputs.ids
            once = np.zeros(len(key), dtype=bool)
            once[np.unique(key, return_index=True)[1]] = True
            shares = np.where(once, shares, 0)
        return np.where(has_source, per_text(shares, bags.outputs), np.nan)


@dataclass(frozen=True, kw_only=True)
class TfIdf(SourceMetric):
    """TF*IDF-N: weight in the source of the output's n-grams.

    (1) The sum over all n-grams of the output of tf idf (Luhn 1958): tf is the n-gram's share among the n-grams of the
    item's source, and (2) idf = log((D + 1) / (d + 1)), where d of D documents hold it.
    idf: set (every source text of the set is a document; `assay.score(..., background=other)` takes another set's), or
    a text file with a document on each line. With idf=set the set is read twice.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["cats", "dogs"], sources=["cats chase dogs", "dogs sleep"])
    >>> [[round(v, 4) for v in row] for row in assay.score(data, "tfidf1").values.tolist()]  # log(3/2) / 3, 0
    [[0.1352, 0.0]]
    """

    name: ClassVar[str] = "tfidf{n}"
    family: ClassVar[str] = "source"
    examples: ClassVar[tuple[str, ...]] = ("tfidf1", "tfidf2")
    idf: str = "set"

    @property
    def whole_set(self) -> bool:
        return self.idf == "set"

    def background(self, data: EvalSet) -> list[str]:
        return [text for item in data for text in item.sources]

    def prepare(self, texts: Iterable[list[str]]) -> TfIdf:
        ready, table = replace(self), _core.DocumentTable(self.n)
        for strings in texts:
            _add(table, strings, self.reading())
        object.__setattr__(ready, "_table", table)  # no parameter: the signature does not name it
        return ready

    def values(self, batch: Batch) -> Floats:
        table = self._documents()
        bags, texts = against_sources(batch, self.unit()), batch.outputs
        shares, has_source = self.frequencies(batch, bags)
        holding = table.holding(texts.tokens(self.reading()), texts.lexicon.vocab, self.unit().stop_map(texts))
        weights = np.log((table.documents + 1) / (holding + 1))  # Eq. 2
        return np.where(has_source, per_text(shares * weights, bags.outputs), np.nan)

    def _documents(self) -> _core.DocumentTable:
        if self.idf != "set":
            return _of_file(self.idf, self.n, self.reading())
        table: _core.DocumentTable | None = getattr(self, "_table", None)
        if table is None:
            raise InputError(f"{self.title} weighs by all sources of the set: use assay.score, or prepare it first")
        return table


def _add(table: _core.DocumentTable, strings: list[str], reading: TextReading) -> None:
    lexicon = Lexicon()
    table.add(Texts(strings, lexicon).tokens(reading), lexicon.vocab)


@lru_cache(maxsize=4)
def _of_file(path: str, n: int, reading: TextReading) -> _core.DocumentTable:
    try:
        lines = [line for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"idf: {path} cannot be read as text, a document a line ({error})") from None
    if not lines:
        raise InputError(f"idf: {path} is empty; a document a line was expected")
    table = _core.DocumentTable(n)
    _add(table, lines, reading)
    return table
