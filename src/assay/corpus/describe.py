"""Describe a corpus of compressions (Clarke and Lapata 2006, Table 2 and Figure 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from os import PathLike
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet, Item
from ..data.result import Result
from ..errors import InputError
from ..text import Lexicon, TextReading, Texts
from ..text.tokens.subsequence import deleted_places

_MAX_WRITERS = 12  # with more names than this, references are told apart by their position
NAN = float("nan")


@dataclass(frozen=True)
class Lengths:
    """Lengths of some texts in tokens and characters."""

    n: int
    tokens: int
    mean: float
    median: float
    least: int
    most: int
    chars: int
    mean_chars: float


@dataclass(frozen=True)
class Shortening:
    """How one writer or system shortens the sources; `role` is writer, system, or mean (of all references).

    `rate_tokens` and `rate_chars` are means over items of length / source length (CompR of Table 2), `total_tokens` and
    `total_chars` are ratios of the sums; `compressed` is the share of texts with words that differ from their source
    (Comp%), `only_deleted` the share that can be made by deleting words. `spans` counts the runs of neighbouring source
    tokens that were dropped, by length (Figure 1).
    """

    kind: ClassVar[str] = "shortening"
    role: str
    name: str
    lengths: Lengths
    compressed: float
    rate_tokens: float
    rate_chars: float
    total_tokens: float
    total_chars: float
    only_deleted: float
    spans_dropped: int
    mean_span: float
    spans: Mapping[int, int]

    def share(self, least: int, most: int | None = None) -> float:
        """Return the share of dropped spans of at least and at most n tokens."""
        count = sum(n for k, n in self.spans.items() if k >= least and (most is None or k <= most))
        return count / self.spans_dropped if self.spans_dropped else NAN


@dataclass(frozen=True)
class DeletionAgreement:
    """How far two writers delete the same tokens of the same sources: `f1` is micro, `exact` the share of equal texts.

    0/0 is NaN: kappa of two writers who never delete.
    """

    kind: ClassVar[str] = "deletion_agreement"
    first: str
    second: str
    n: int
    tokens: int
    agreement: float
    kappa: float
    f1: float
    exact: float


@dataclass(frozen=True)
class Description(Result, question="description", kind="corpus", shared=("group",)):
    """A corpus, with its groups if asked for, or one group (`group` is None for the whole)."""

    group: str | None
    items: int
    group_count: int
    tokenizer: str
    sources: Lengths
    alpha: float
    texts: tuple[Shortening, ...]
    pairs: tuple[DeletionAgreement, ...]
    groups: tuple[Description, ...] = ()

    @property
    def writers(self) -> tuple[Shortening, ...]:
        """The writers of the references."""
        return tuple(text for text in self.texts if text.role == "writer")

    @property
    def systems(self) -> tuple[Shortening, ...]:
        """The systems, if asked for."""
        return tuple(text for text in self.texts if text.role == "system")

    @property
    def mean(self) -> Shortening | None:
        """The mean over all references (Av. of Table 2), with all their spans; None without references.

        A text counts once, whoever wrote it: a writer of 5 texts (or the tenth reference, which few items have) weighs
        as much as 5 texts of another.
        """
        return next((text for text in self.texts if text.role == "mean"), None)


def describe(
    data: EvalSet | str | PathLike[str],
    *,
    by_group: bool = False,
    systems: bool = False,
    tokenizer: str = "13a",
    lower: bool = False,
) -> Description:
    """Describe the corpus as a whole, and if asked for each group of items and the outputs of the systems.

    Writers are told apart by the ids of their references, or by position (reference 1, 2, ...) where ids are missing or
    more than 12. For a file that is already tokenized use tokenizer="space".

    >>> from assay import EvalSet
    >>> data = EvalSet.from_texts([""], [["the dog ran", "the big dog ran"]], ["the big dog ran away"])
    >>> whole = describe(data)
    >>> [(w.name, w.compressed, w.rate_tokens, w.spans) for w in whole.writers]
    [('reference 1', 1.0, 0.6, {1: 2}), ('reference 2', 1.0, 0.8, {1: 1})]
    >>> round(whole.pairs[0].f1, 3)
    0.667
    """
    if not isinstance(data, EvalSet):
        from ..formats import read

        data = read(data)
    entries = [item for item in data if item.sources and any(source.strip() for source in item.sources)]
    if not entries:
        raise InputError("describe needs sources, and no item has one")
    if not any(item.references for item in entries) and not systems:
        raise InputError("no item has references; describe the systems' outputs instead (systems=True, --systems)")
    reader = _Reader(TextReading(tokenizer, lower=lower))
    reader.read(entries, systems)
    names = _writer_names(entries)
    reported = data.systems if systems else ()
    whole = _describe_group(None, entries, reader, names, reported, tokenizer)
    groups: dict[str, list[Item]] = {}
    for item in entries if by_group else ():
        groups.setdefault(item.group or "(no group)", []).append(item)
    if len(groups) < 2 and None in {item.group for item in entries}:
        return whole
    parts = (_describe_group(group, items, reader, names, reported, tokenizer) for group, items in groups.items())
    return replace(whole, groups=tuple(parts))


class _Reader:
    """The tokens of every text, split in one pass."""

    def __init__(self, reading: TextReading) -> None:
        self._reading = reading
        self._words: dict[str, list[str]] = {}

    def read(self, entries: Iterable[Item], systems: bool) -> None:
        texts = {join_sources(item): None for item in entries}
        texts |= {r.text: None for item in entries for r in item.references}
        if systems:
            texts |= {text: None for item in entries for text in item.outputs.values()}
        strings = list(texts)
        self._words = dict(zip(strings, Texts(strings, Lexicon()).words(self._reading), strict=True))

    def __getitem__(self, text: str) -> list[str]:
        return self._words[text]


def join_sources(item: Item) -> str:
    """Return all sources of an item as one text."""
    return "\n".join(item.sources)


def _writer_names(entries: Sequence[Item]) -> list[str] | None:
    """Return the ids of writers in order, or None if they go by position."""
    ids = dict.fromkeys(r.id for item in entries for r in item.references)
    repeated = any(len({r.id for r in item.references}) < len(item.references) for item in entries)
    if None in ids or repeated or len(ids) > _MAX_WRITERS:
        return None
    return [str(name) for name in ids]


def _by_writer(item: Item, names: list[str] | None) -> dict[str, str]:
    if names is None:
        return {f"reference {k + 1}": r.text for k, r in enumerate(item.references)}
    return {str(r.id): r.text for r in item.references}


def _describe_group(
    group: str | None,
    entries: Sequence[Item],
    reader: _Reader,
    names: list[str] | None,
    systems: Sequence[str],
    tokenizer: str,
) -> Description:
    texts = [_by_writer(item, names) for item in entries]
    order = names if names is not None else [f"reference {k + 1}" for k in range(max(map(len, texts), default=0))]
    deletions = _Deletions(entries, reader)

    def shorten(role: str, name: str, own: Iterable[tuple[int, str | None]]) -> Shortening | None:
        return _shortening(role, name, entries, reader, deletions, [(k, text) for k, text in own if text is not None])

    writers = [w for name in order if (w := shorten("writer", name, enumerate(t.get(name) for t in texts)))]
    mean = shorten("mean", "mean", ((k, text) for k, own in enumerate(texts) for text in own.values()))
    outputs = [o for s in systems if (o := shorten("system", s, enumerate(item.outputs.get(s) for item in entries)))]
    bits = {w.name: deletions.bits([t.get(w.name) for t in texts]) for w in writers}
    pairs = [_agreement(a, b, bits, texts, reader) for a, b in combinations([w.name for w in writers], 2)]
    return Description(
        group=group,
        items=len(entries),
        group_count=len({item.group for item in entries} - {None}),
        tokenizer=tokenizer,
        sources=_lengths([join_sources(item) for item in entries], reader),
        alpha=_alpha(list(bits.values())),
        texts=(*writers, *([mean] if mean else []), *outputs),
        pairs=tuple(p for p in pairs if p.n),
    )


class _Deletions:
    """The source tokens that a text of each item deletes, computed once."""

    def __init__(self, entries: Sequence[Item], reader: _Reader) -> None:
        self._reader = reader
        self._sources = [reader[join_sources(item)] for item in entries]
        self._cache: dict[tuple[int, str], list[int]] = {}

    def places(self, item: int, text: str) -> list[int]:
        if (item, text) not in self._cache:
            self._cache[item, text] = deleted_places(self._sources[item], self._reader[text])
        return self._cache[item, text]

    def bits(self, texts: Sequence[str | None]) -> NDArray[np.float64]:
        """Return 1 where a token is deleted, NaN where there is no text, for all source tokens in a row."""
        parts = []
        for k, (source, text) in enumerate(zip(self._sources, texts, strict=True)):
            row = np.full(len(source), 0.0 if text is not None else NAN)
            if text is not None:
                row[self.places(k, text)] = 1.0
            parts.append(row)
        return np.concatenate(parts)


def _shortening(
    role: str,
    name: str,
    entries: Sequence[Item],
    reader: _Reader,
    deletions: _Deletions,
    texts: Sequence[tuple[int, str]],
) -> Shortening | None:
    """Describe texts, each with the place of its item; None without texts."""
    if not texts:
        return None
    strings = [text for _, text in texts]
    sources = [join_sources(entries[k]) for k, _ in texts]
    words, source_words = [reader[s] for s in strings], [reader[s] for s in sources]
    spans: Counter[int] = Counter()
    only_deleted = 0
    for (k, text), output, source in zip(texts, words, source_words, strict=True):
        places = deletions.places(k, text)
        spans.update(run_lengths(places))
        only_deleted += len(source) - len(places) == len(output)
    return Shortening(
        role,
        name,
        _lengths(strings, reader),
        compressed=float(np.mean([a != b for a, b in zip(words, source_words, strict=True)])),
        rate_tokens=_rate(words, source_words),
        rate_chars=_rate(strings, sources),
        total_tokens=sum(map(len, words)) / max(1, sum(map(len, source_words))),
        total_chars=sum(map(len, strings)) / sum(map(len, sources)),
        only_deleted=only_deleted / len(texts),
        spans_dropped=spans.total(),
        mean_span=_mean_span(spans),
        spans=dict(sorted(spans.items())),
    )


def _mean_span(spans: Counter[int]) -> float:
    return sum(k * n for k, n in spans.items()) / spans.total() if spans else NAN


def _rate(texts: Sequence[Sequence[str]], sources: Sequence[Sequence[str]]) -> float:
    rates = [len(text) / len(source) for text, source in zip(texts, sources, strict=True) if source]
    return float(np.mean(rates)) if rates else NAN


def run_lengths(places: Sequence[int]) -> list[int]:
    """Return the lengths of runs of neighbouring places.

    >>> run_lengths([0, 1, 4, 6, 7, 8])
    [2, 1, 3]
    """
    if not places:
        return []
    breaks = [k for k, (a, b) in enumerate(pairwise(places), 1) if b != a + 1]
    return [end - start for start, end in pairwise([0, *breaks, len(places)])]


def _agreement(
    a: str, b: str, bits: dict[str, NDArray[np.float64]], texts: Sequence[dict[str, str]], reader: _Reader
) -> DeletionAgreement:
    from ..stats.kappa import kappas

    both = [t for t in texts if a in t and b in t]
    common = ~(np.isnan(bits[a]) | np.isnan(bits[b]))
    x, y = bits[a][common].astype(np.int64), bits[b][common].astype(np.int64)
    table = np.bincount(2 * x + y, minlength=4).reshape(2, 2).astype(np.float64)
    n = float(table.sum())
    total = 2 * table[1, 1] + table[0, 1] + table[1, 0]
    return DeletionAgreement(
        a,
        b,
        n=len(both),
        tokens=int(n),
        agreement=float(np.trace(table) / n) if n else NAN,
        kappa=float(kappas(table[None], "none")[0][0]) if n else NAN,
        f1=float(2 * table[1, 1] / total) if total else NAN,
        exact=float(np.mean([reader[t[a]] == reader[t[b]] for t in both])) if both else NAN,
    )


def _alpha(bits: Sequence[NDArray[np.float64]]) -> float:
    """Return Krippendorff's alpha (nominal) of deleting each token; NaN with fewer than two writers or no deletions."""
    import warnings

    from ..errors import UndefinedWarning
    from ..stats.alpha import krippendorff_alpha

    if len(bits) < 2:
        return NAN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        return krippendorff_alpha(np.transpose(bits), measure="nominal").value


def _lengths(strings: Sequence[str], reader: _Reader) -> Lengths:
    tokens, chars = [len(reader[s]) for s in strings], sum(map(len, strings))
    n, total = len(strings), sum(tokens)
    return Lengths(n, total, total / n, float(np.median(tokens)), min(tokens), max(tokens), chars, chars / n)
