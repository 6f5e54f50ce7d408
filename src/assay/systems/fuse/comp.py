"""Comp: document compression (Daumé III and Marcu 2002) over clauses, as a fuser of sentences that stand together.

The original is a noisy channel over a tree of discourse and syntax and needs an RST parser and a treebank that cannot
be had. Here the units are the clauses of the dependency parse (`assay.systems._clauses`), what dropping one costs is
learned from compressions, and words inside kept clauses are dropped only where the length limit requires it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...text.parse.flat import ParsedText, parse_texts
from ...text.stems import stop_words
from .._clauses import Clause, clauses
from ..budget import Budget, Limit, count_words
from ..compress._base import Compression, Source, build_compression
from ..compress.length._limit import note_excess
from ._base import Cluster, FusedText, Fuser, Piece, nothing
from ._clause_costs import log_odds_kept

Table = dict[int, tuple[float, tuple[int, ...]]]  # for each size the best gain, and the clauses that make it
_NUCLEUS = 100.0  # more than all satellites together: a main clause is dropped only where the limit has no room for it


@dataclass(frozen=True)
class Comp(Fuser):
    """Clauses of all sentences, in order: main clauses first, then the satellites that people tend to keep.

    (1) score = sum over kept clauses of log p(kept) / p(dropped); a clause is kept only with the one it depends on.
    Without a length limit, satellites with p(dropped) < .5 are kept; with one, the best set that fits, by exact search
    over the trees of clauses. Main clauses that share more content words with other sentences come first. If not even
    one main clause fits, it is shortened by `inner`, a compressor.
    """

    name: ClassVar[str] = "comp"
    english_only: ClassVar[bool] = True
    inner: str = "word-based"

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        texts = iter(parse_texts([s for cluster in clusters for s in cluster.sentences]))
        return [self._one(cluster, [next(texts) for _ in cluster.sentences]) for cluster in clusters]

    def _one(self, cluster: Cluster, texts: list[ParsedText]) -> FusedText:
        filled = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
        if not filled:
            return nothing(cluster)
        units = [(i, clause) for i in filled for clause in clauses(texts[i])]
        gains = _gains(texts, units)
        limit = cluster.limit
        kept_clauses = _best(texts, units, gains, limit)
        parts = _texts(texts, units, kept_clauses)
        text = " ".join(part.text for _, part in parts)
        if limit is not None and not limit.holds(text):
            parts = [(parts[0][0], self._shorten(parts[0][1], limit))]
            text = parts[0][1].text
        pieces = tuple(
            Piece(i, part.tokens[k].start, part.tokens[k].end) for i, part in parts for k in part.kept_tokens
        )
        return FusedText(cluster.sentences, text, pieces, note_excess(text, limit))

    def _shorten(self, part: Compression, limit: Limit) -> Compression:
        """Shorten a clause to the limit, and locate its tokens in the sentence."""
        from ..compress import COMPRESSORS

        budget = Budget(words=limit.most) if limit.unit == "words" else Budget(chars=limit.most)
        [shorter] = COMPRESSORS.build(self.inner).compress([Source(part.text, budget)])
        kept_clauses = []
        at = 0
        for i in shorter.kept_tokens:
            form = shorter.tokens[i].text.lower()
            place = next((k for k in part.kept_tokens if k >= at and part.tokens[k].text.lower() == form), None)
            if place is not None:
                kept_clauses.append(place)
                at = place + 1
        return build_compression(part.source, part.tokens, kept_clauses)


def _gains(texts: Sequence[ParsedText], units: Sequence[tuple[int, Clause]]) -> list[float]:
    """Compute the gain of keeping each clause; it is negative for a main clause that says nothing new."""
    content = [_content(t, range(len(t.tokens))) for t in texts]
    mains = [(i, clause, _content(texts[i], clause.tokens)) for i, clause in units if clause.parent < 0]
    gains = []
    for i, clause in units:
        if clause.parent >= 0:
            own = [c for j, c in units if j == i]
            gains.append(log_odds_kept(texts[i], own, clause))
            continue
        here = _content(texts[i], clause.tokens)
        others = set().union(*(content[j] for j in range(len(texts)) if j != i))
        at = next(n for n, (j, c, _) in enumerate(mains) if (j, c) == (i, clause))
        is_repeated = any(
            here < other or (here == other and n < at) for n, (_, _, other) in enumerate(mains) if n != at
        )
        gains.append(-1.0 if is_repeated else _NUCLEUS + len(here & others) / (1 + len(clause.tokens)))
    return gains


def _content(text: ParsedText, tokens: Iterable[int]) -> set[str]:
    """Return the lemmas of the content words."""
    return {text.words[i].lemma.lower() for i in tokens if not text.punctuation[i]} - stop_words()


def _best(
    texts: Sequence[ParsedText], units: Sequence[tuple[int, Clause]], gains: Sequence[float], limit: Limit | None
) -> list[int]:
    """Find the clauses with the highest gain within the limit; the best main clause if none fits."""
    below: dict[int, list[int]] = {}
    first = {i: n for n, (i, _) in reversed(list(enumerate(units)))}
    for n, (i, clause) in enumerate(units):
        below.setdefault(-1 if clause.parent < 0 else first[i] + clause.parent, []).append(n)
    sizes = [_size(texts[i], clause, limit) for i, clause in units]
    most = sum(sizes) if limit is None else limit.most

    def options(n: int) -> Table:
        """Return, for each size, the best of keeping this clause with some of those below it."""
        here: Table = {sizes[n]: (gains[n], (n,))} if sizes[n] <= most else {}
        for child in below.get(n, []):
            here = _merge_tables(here, options(child), most)
        return here

    table: Table = {0: (0.0, ())}
    for root in below.get(-1, []):
        table = _merge_tables(table, options(root), most)
    best_clauses = max(table.values(), key=lambda entry: (entry[0], -len(entry[1])))[1]
    return sorted(best_clauses) or [max(below[-1], key=lambda n: (gains[n], -sizes[n]))]


def _merge_tables(left: Table, right: Table, most: int) -> Table:
    """Combine each entry on the left with at most one on the right; keep the best of each size."""
    table = dict(left)
    for size, (gain, members) in left.items():
        for more, (extra, others) in right.items():
            total, together = size + more, gain + extra
            if total <= most and (total not in table or table[total][0] < together):
                table[total] = (together, members + others)
    return table


def _size(text: ParsedText, clause: Clause, limit: Limit | None) -> int:
    """Count the words of a clause, or its characters with a space for each word."""
    if limit is not None and limit.unit == "chars":
        return sum(len(text.tokens[i].text) + 1 for i in clause.tokens)
    return sum(not text.punctuation[i] for i in clause.tokens)


def _texts(
    texts: Sequence[ParsedText], units: Sequence[tuple[int, Clause]], kept_clauses: Sequence[int]
) -> list[tuple[int, Compression]]:
    """Build each sentence from its kept clauses; commas around a dropped clause are deleted."""
    tokens: dict[int, set[int]] = {}
    for n in kept_clauses:
        i, clause = units[n]
        tokens.setdefault(i, set()).update(clause.tokens)
    for n, (i, clause) in enumerate(units):
        if n not in kept_clauses and i in tokens and clause.tokens:
            for beside in (min(clause.tokens) - 1, max(clause.tokens) + 1):
                if 0 <= beside < len(texts[i].tokens) and texts[i].tokens[beside].text in (",", "-", "--", "–", "—"):
                    tokens[i].discard(beside)
    return [(i, build_compression(texts[i].text, texts[i].tokens, places)) for i, places in sorted(tokens.items())]
