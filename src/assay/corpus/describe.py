"""describe: what a corpus of compressions is like (Clarke and Lapata 2006, Table 2 and Figure 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.evalset import EvalSet, Item
from ..data.result import Result
from ..errors import InputError
from ..text import Lexicon, Reading, Texts
from ..text.tokens.subsequence import deleted_places

_MOST_WRITERS = 12  # with more names than these, references are told apart by their place
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
    """How one writer (or system) shortens the sources.

    `rate_tokens` and `rate_chars` are means over items of length / source length (CompR of Table 2), `total_tokens` and
    `total_chars` the sums divided; `compressed` is the share of texts that differ from their source in words (Comp%),
    `only_deleted` the share that can be had by deleting words. `spans` counts the runs of neighbouring source tokens
    that were dropped, by length (Figure 1).
    """

    name: str
    lengths: Lengths
    compressed: float
    rate_tokens: float
    rate_chars: float
    total_tokens: float
    total_chars: float
    only_deleted: float
    spans: dict[int, int] = field(default_factory=dict)

    @property
    def dropped(self) -> int:
        """How many spans were dropped."""
        return sum(self.spans.values())

    @property
    def mean_span(self) -> float:
        """Tokens in a dropped span."""
        return sum(k * n for k, n in self.spans.items()) / self.dropped if self.dropped else NAN

    def share(self, least: int, most: int | None = None) -> float:
        """The share of dropped spans that are so many tokens long.

        >>> Shortening("A", Lengths(1, 9, 9, 9, 9, 9, 20, 20), 1, 0.5, 0.5, 0.5, 0.5, 1, {1: 3, 6: 1}).share(5)
        0.25
        """
        wanted = sum(n for k, n in self.spans.items() if k >= least and (most is None or k <= most))
        return wanted / self.dropped if self.dropped else NAN


@dataclass(frozen=True)
class DeletionAgreement:
    """How far two writers delete the same tokens of the same sources: `f1` is micro, `exact` the share of equal texts.

    0/0 is NaN: kappa of two who never delete.
    """

    first: str
    second: str
    n: int
    tokens: int
    agreement: float
    kappa: float
    f1: float
    exact: float


@dataclass(frozen=True)
class Description:
    """A corpus, or one group of it: `group` is empty for the whole."""

    group: str
    items: int
    groups: int
    sources: Lengths
    writers: tuple[Shortening, ...]
    systems: tuple[Shortening, ...]
    pairs: tuple[DeletionAgreement, ...]
    alpha: float
    tokenizer: str

    @property
    def mean(self) -> Shortening | None:
        """The mean over writers (Av. of Table 2), with all their spans; None without references."""
        if not self.writers:
            return None
        names = ("compressed", "rate_tokens", "rate_chars", "total_tokens", "total_chars", "only_deleted")
        means = {name: float(np.mean([getattr(w, name) for w in self.writers])) for name in names}
        spans: Counter[int] = Counter()
        for writer in self.writers:
            spans.update(writer.spans)
        return Shortening(
            "mean", _pool_lengths([w.lengths for w in self.writers]), **means, spans=dict(sorted(spans.items()))
        )


@dataclass(frozen=True)
class CorpusDescription(Result, question="description", kind="corpus"):
    """A corpus as a whole, and its groups where they were wanted."""

    whole: Description
    groups: tuple[Description, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """List for the whole and each group: sizes, a record per writer, system and their mean, and per pair."""
        return [record for part in (self.whole, *self.groups) for record in _list_records(part)]


def _list_records(part: Description) -> Iterator[dict[str, Any]]:
    group = {"group": part.group or None}
    sizes = {"items": part.items, "groups": part.groups, "tokenizer": part.tokenizer, "alpha": part.alpha}
    yield {"kind": "corpus", **group, **sizes, **_list_lengths(part.sources)}
    rows = [("writer", w) for w in part.writers] + [("system", s) for s in part.systems]
    rows += [("mean", part.mean)] if part.mean else []
    for kind, row in rows:
        own = {name: value for name, value in vars(row).items() if name not in ("lengths", "spans")}
        spans = {"spans_dropped": row.dropped, "mean_span": row.mean_span}
        counts = {str(length): n for length, n in row.spans.items()}
        yield {"kind": kind, **group, **own, **spans, "spans": counts, **_list_lengths(row.lengths)}
    for pair in part.pairs:
        yield {"kind": "pair", **group, **vars(pair)}


def _list_lengths(lengths: Lengths) -> dict[str, Any]:
    return {
        "n": lengths.n,
        "tokens": lengths.tokens,
        "mean_tokens": lengths.mean,
        "median_tokens": lengths.median,
        "least_tokens": lengths.least,
        "most_tokens": lengths.most,
        "chars": lengths.chars,
        "mean_chars": lengths.mean_chars,
    }


def describe(
    data: EvalSet | str | PathLike[str],
    *,
    by_group: bool = False,
    systems: bool = False,
    tokenizer: str = "13a",
    lower: bool = False,
) -> CorpusDescription:
    """Describe a corpus as a whole, and its groups (`by_group`); systems' outputs beside the references (`systems`).

    Writers are told apart by the ids of their references, or by place (reference 1, 2, ...) where these are missing or
    more than 12. A file that is tokenized already is best read with tokenizer="space".

    >>> from assay import EvalSet
    >>> data = EvalSet.from_texts([""], [["the dog ran", "the big dog ran"]], ["the big dog ran away"])
    >>> whole = describe(data).whole
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
        raise InputError("a corpus is described by how its sources were shortened, and no item has a source")
    if not any(item.references for item in entries) and not systems:
        raise InputError("no item has references; ask for the systems' outputs (systems=True, --systems) instead")
    reader = _Reader(Reading(tokenizer, lower=lower))
    reader.read(entries, systems)
    names = _writer_names(entries)
    listed = data.systems if systems else ()
    whole = _description("", entries, reader, names, listed, tokenizer)
    parts: list[Description] = []
    if by_group:
        groups: dict[str, list[Item]] = {}
        for item in entries:
            groups.setdefault(item.group or "(no group)", []).append(item)
        if len(groups) > 1 or None not in {item.group for item in entries}:
            parts = [_description(g, items, reader, names, listed, tokenizer) for g, items in groups.items()]
    return CorpusDescription(whole, tuple(parts))


class _Reader:
    """Tokens of every text, made in one pass."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._words: dict[str, list[str]] = {}

    def read(self, entries: Iterable[Item], systems: bool) -> None:
        texts = {source_of(item): None for item in entries}
        texts |= {r.text: None for item in entries for r in item.references}
        if systems:
            texts |= {text: None for item in entries for text in item.outputs.values()}
        strings = list(texts)
        self._words = dict(zip(strings, Texts(strings, Lexicon()).words(self._reading), strict=True))

    def __getitem__(self, text: str) -> list[str]:
        return self._words[text]


def source_of(item: Item) -> str:
    """All sources of an item as one text."""
    return "\n".join(item.sources)


def _writer_names(entries: Sequence[Item]) -> list[str] | None:
    """Ids of writers in order, or None if they go by place."""
    ids = dict.fromkeys(r.id for item in entries for r in item.references)
    doubled = any(len({r.id for r in item.references}) < len(item.references) for item in entries)
    if None in ids or doubled or len(ids) > _MOST_WRITERS:
        return None
    return [str(name) for name in ids]


def _by_writer(item: Item, names: list[str] | None) -> dict[str, str]:
    if names is None:
        return {f"reference {k + 1}": r.text for k, r in enumerate(item.references)}
    return {str(r.id): r.text for r in item.references}


def _description(
    group: str,
    entries: Sequence[Item],
    reader: _Reader,
    names: list[str] | None,
    systems: Sequence[str],
    tokenizer: str,
) -> Description:
    texts = [_by_writer(item, names) for item in entries]
    order = names if names is not None else [f"reference {k + 1}" for k in range(max(map(len, texts), default=0))]
    deletions = _Deletions(entries, reader)
    writers = [
        w for name in order if (w := _shortening(name, entries, reader, deletions, [t.get(name) for t in texts]))
    ]
    outputs = [_shortening(s, entries, reader, deletions, [item.outputs.get(s) for item in entries]) for s in systems]
    bits = {w.name: deletions.bits([t.get(w.name) for t in texts]) for w in writers}
    pairs = [_agreement(a, b, bits, texts, reader) for a, b in combinations([w.name for w in writers], 2)]
    return Description(
        group=group,
        items=len(entries),
        groups=len({item.group for item in entries} - {None}),
        sources=_lengths([source_of(item) for item in entries], reader),
        writers=tuple(writers),
        systems=tuple(s for s in outputs if s),
        pairs=tuple(p for p in pairs if p.n),
        alpha=_alpha(list(bits.values())),
        tokenizer=tokenizer,
    )


class _Deletions:
    """What a text of each item deletes, worked out once."""

    def __init__(self, entries: Sequence[Item], reader: _Reader) -> None:
        self._reader = reader
        self._sources = [reader[source_of(item)] for item in entries]
        self._known: dict[tuple[int, str], list[int]] = {}

    def places(self, item: int, text: str) -> list[int]:
        if (item, text) not in self._known:
            self._known[item, text] = deleted_places(self._sources[item], self._reader[text])
        return self._known[item, text]

    def bits(self, texts: Sequence[str | None]) -> NDArray[np.float64]:
        """1 where a token is deleted, NaN where there is no text, for all source tokens in a row."""
        parts = []
        for k, (source, text) in enumerate(zip(self._sources, texts, strict=True)):
            row = np.full(len(source), 0.0 if text is not None else NAN)
            if text is not None:
                row[self.places(k, text)] = 1.0
            parts.append(row)
        return np.concatenate(parts)


def _shortening(
    name: str, entries: Sequence[Item], reader: _Reader, deletions: _Deletions, texts: Sequence[str | None]
) -> Shortening | None:
    there = [k for k, text in enumerate(texts) if text is not None]
    if not there:
        return None
    strings = [str(texts[k]) for k in there]
    sources = [source_of(entries[k]) for k in there]
    words, source_words = [reader[s] for s in strings], [reader[s] for s in sources]
    spans: Counter[int] = Counter()
    only = 0
    for k, text, output, source in zip(there, strings, words, source_words, strict=True):
        places = deletions.places(k, text)
        spans.update(runs(places))
        only += len(source) - len(places) == len(output)
    return Shortening(
        name,
        _lengths(strings, reader),
        compressed=float(np.mean([a != b for a, b in zip(words, source_words, strict=True)])),
        rate_tokens=_rate(words, source_words),
        rate_chars=_rate(strings, sources),
        total_tokens=sum(map(len, words)) / max(1, sum(map(len, source_words))),
        total_chars=sum(map(len, strings)) / sum(map(len, sources)),
        only_deleted=only / len(there),
        spans=dict(sorted(spans.items())),
    )


def _rate(texts: Sequence[Sequence[str]], sources: Sequence[Sequence[str]]) -> float:
    rates = [len(text) / len(source) for text, source in zip(texts, sources, strict=True) if source]
    return float(np.mean(rates)) if rates else NAN


def runs(places: Sequence[int]) -> list[int]:
    """The lengths of runs of neighbouring places.

    >>> runs([0, 1, 4, 6, 7, 8])
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
    there = ~(np.isnan(bits[a]) | np.isnan(bits[b]))
    x, y = bits[a][there].astype(np.int64), bits[b][there].astype(np.int64)
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
    """Krippendorff's alpha (nominal) of deleting each token; NaN with fewer than two writers or no deletions."""
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


def _pool_lengths(parts: Sequence[Lengths]) -> Lengths:
    n = sum(p.n for p in parts)
    tokens, chars = sum(p.tokens for p in parts), sum(p.chars for p in parts)
    median = float(np.mean([p.median for p in parts]))
    return Lengths(
        n, tokens, tokens / n, median, min(p.least for p in parts), max(p.most for p in parts), chars, chars / n
    )
