"""Integer programming (Clarke and Lapata 2008): a trigram model and word significance under linguistic constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...text.lm.trigrams import END, NONE, START, LanguageModel, load
from ...text.parse.flat import ParsedText, parse_texts
from .._solver import Program, Solution
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from ._significance import document_counts, significance
from .length._costs import room, token_costs
from .length._limit import note_excess, shorten
from .truth._protected import match_patterns
from .truth.constraints import ConstraintRow, implies, rows
from .truth.faithful import FaithfulGroups
from .word_based import parts

Floats = NDArray[np.float64]
_TRIGRAMS = 32  # tokens up to which trigrams are used; the program for bigrams is quadratic instead of cubic
_MAX_TOKENS = 90  # tokens that are solved at once
_MIN_SHARE = 0.4  # of the limit: a text that loses nothing is taken if it is at least so long


@dataclass(frozen=True)
class Ilp(Compressor):
    """Trigram model and significance under linguistic constraints, by integer programming (Clarke and Lapata 2008).

    Maximizes the sum of the kept sentence's trigram log-probabilities plus lambda * I over its nouns and verbs;
    I = (l / N) f log(F_a / F_w), l the clause depth of the word, N the deepest. `lambda=0` is the language model alone.
    Without a length limit, at least a share `least` of the tokens is kept. Bigrams are used for sentences of more than
    32 tokens; those of more than 90 are solved in parts; `seconds` is the time limit of one program. Notes say so.
    """

    name: ClassVar[str] = "ilp"
    honours_patterns: ClassVar[bool] = True
    is_faithful: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    lambda_: float = 1.4
    least: float = 0.4
    seconds: float = 5.0
    parser: str = "en"
    model: str = ""

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        model = load(self.model or None)
        parsed_texts = parse_texts([source.text for source in sources], self.parser)
        return [self._one(source, a, model) for source, a in zip(sources, parsed_texts, strict=True)]

    def _one(self, source: Source, a: ParsedText, model: LanguageModel) -> Compression:
        if all(a.punctuation):
            return build_compression(source.text, a.tokens, ())
        spans = parts(a.tokens, _MAX_TOKENS)
        notes = [f"the text has {len(a.tokens)} tokens and was solved in {len(spans)} parts"] if len(spans) > 1 else []
        if len(a.tokens) > _TRIGRAMS:
            notes.append(f"bigrams were used instead of trigrams: the text has more than {_TRIGRAMS} tokens")
        gains = self.lambda_ * significances(source, a, model)
        fixed = [
            ConstraintRow("patterns", {i: 1.0}, float(keep), float(keep))
            for i, keep in match_patterns(source, a.tokens).items()
        ]
        constraints = rows(a)
        faithful = FaithfulGroups(a, frozenset()) if source.faithful else None
        truth = [implies("truth", *bond[:2]) for bond in faithful.bonds.strict] if faithful else []
        limit = source.limit

        def within(most: int) -> list[int]:
            tokens_kept: list[int] = []
            costs = token_costs(a.tokens, limit.unit) if limit else np.ones(len(a.tokens), np.uint32)
            left, total = (room(a.tokens, Limit(most, limit.unit)), int(costs.sum())) if limit else (0, 0)
            for start, end in spans:
                problem = Problem(a, model, gains, costs, [*constraints, *fixed], start, end, self.seconds, truth)
                if limit:
                    share = round(left * int(costs[start:end].sum()) / max(1, total))
                    left, total = left - share, total - int(costs[start:end].sum())
                    parsed_texts, part_notes = problem.fill(share, limit.unit)
                else:
                    parsed_texts, part_notes = problem.best(int(self.least * (end - start)))
                tokens_kept += parsed_texts
                notes.extend(n for n in part_notes if n not in notes)
            return tokens_kept

        if limit is None:
            compression = build_compression(source.text, a.tokens, within(0), notes)
        else:
            compression = shorten(source, a.tokens, within, limit)
            compression = replace(compression, notes=(*notes, *note_excess(compression.text, limit)))
        return faithful.label(compression) if faithful else compression


def significances(source: Source, a: ParsedText, model: LanguageModel) -> Floats:
    """Compute I of each token: (l / N) f log(F_a / F_w) for nouns and verbs, else 0."""
    depth = clause_depths(a)
    deepest = max(depth, default=1)
    counts = document_counts(source)
    topics = [w.pos in ("NOUN", "PROPN", "VERB") for w in a.words]
    values = [
        depth[i] / deepest * significance(t.text, counts, model) if topics[i] else 0.0 for i, t in enumerate(a.tokens)
    ]
    return np.array(values)


_CLAUSES = frozenset({"acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis", "root"})


def clause_depths(a: ParsedText) -> list[int]:
    """Compute the clause depth of each word, 1 for the main clause: the clause heads on its way up to the root."""
    depths: list[int] = [0] * len(a.words)

    def depth(i: int) -> int:
        path = []
        while i >= 0 and not depths[i]:
            path.append(i)
            i = a.heads[i]
        value = depths[i] if i >= 0 else 0
        for k in reversed(path):
            value += a.words[k].relation.partition(":")[0] in _CLAUSES or a.heads[k] < 0
            depths[k] = max(1, value)
        return value

    for i in range(len(a.words)):
        depth(i)
    return depths


Length = tuple[Floats, float, float]  # costs of the tokens, the least and the most they may add up to


class Problem:
    """The program of tokens start..end of a text; places 1..n in it, 0 is the start symbol."""

    def __init__(
        self,
        a: ParsedText,
        model: LanguageModel,
        gains: Floats,
        costs: NDArray[np.uint32],
        constraints: list[ConstraintRow],
        start: int,
        end: int,
        seconds: float,
        truth: Sequence[ConstraintRow] = (),
    ) -> None:
        self.start, self.n, self.seconds = start, end - start, seconds
        self.words = model.ids([t.text for t in a.tokens[start:end]])
        self.gains, self.costs = gains[start:end], costs[start:end].astype(np.float64)
        self.real = np.array([not p for p in a.punctuation[start:end]], dtype=np.float64)
        self.model, self.trigrams = model, len(a.tokens) <= _TRIGRAMS
        inside = range(start, end)
        self.constraints = [row for row in constraints if all(i in inside for i in row.terms)]
        self.truth = [row for row in truth if all(i in inside for i in row.terms)]

    def best(self, least: int) -> tuple[list[int], list[str]]:
        """Find the best choice of at least n tokens; of fewer if the constraints allow no other."""
        length = (np.ones(self.n), float(least), INFINITY)
        return self._first([(length, True), (length, False), (None, False)])

    def fill(self, most: int, unit: str) -> tuple[list[int], list[str]]:
        """Find the best choice that costs as much as allowed, or a little less; the cheapest if all cost more."""
        slack = 0 if unit == "words" else 7
        full = (self.costs, max(0.0, most - slack), float(most))
        enough = (self.costs, _MIN_SHARE * most, float(most))
        faithful = [(full, True), (enough, True)] if self.truth else []
        return self._first([*faithful, (full, False), ((self.costs, 0.0, float(most)), False), (None, False)])

    def _first(self, lengths: list[tuple[Length | None, bool]]) -> tuple[list[int], list[str]]:
        """Solve with one length after the other, with the rows of truth or without, until there is a solution."""
        for length, faithful in lengths:
            solution = self.solve(length, faithful)
            if solution.values is not None:
                tokens_kept = [self.start + i for i in range(self.n) if solution.values[i] > 0.5]
                return tokens_kept, [] if solution.optimal else [
                    f"stopped after {self.seconds:g} s: there may be a better text"
                ]
        return list(range(self.start, self.start + self.n)), ["no solution found in time: nothing was deleted"]

    def solve(self, length: Length | None, faithful: bool = False) -> Solution:
        """Solve with a row for the length; without one, find the cheapest solution."""
        gain, chain = self._trigrams() if self.trigrams else self._bigrams()
        columns = len(gain)
        if length is None:
            gain = np.zeros(columns)
            gain[: self.n] = -self.costs - 1e-3
        program = Program(gain, self.n, np.zeros(columns), np.ones(columns))
        for row_columns, values, low, high in chain:
            program.add(row_columns, values, low, high)
        everyone = np.arange(self.n, dtype=np.int32)
        program.add(everyone, self.real, 1.0, INFINITY)
        if length is not None:
            program.add(everyone, *length)
        for row in [*self.constraints, *(self.truth if faithful else ())]:
            program.add([i - self.start for i in row.terms], list(row.terms.values()), row.low, row.high)
        return program.solve(self.seconds)

    def _log_probs(self, a: NDArray[np.uint32], b: NDArray[np.uint32], c: NDArray[np.uint32]) -> Floats:
        return np.asarray(self.model.grams.log_probs(*map(np.ascontiguousarray, (a, b, c))))

    def _trigrams(self) -> tuple[Floats, list[ChainRow]]:
        """Build columns y, p, x, q and the sequence constraints 1 to 5."""
        n = self.n
        ids = np.concatenate([[START], self.words]).astype(np.uint32)
        none = np.full(n, NONE, dtype=np.uint32)
        x = np.array(list(combinations(range(n + 1), 3)), dtype=np.int32).reshape(-1, 3)  # i < j < k, i may be 0
        q = np.array(list(combinations(range(n + 1), 2)), dtype=np.int32).reshape(-1, 2)
        starts = self._log_probs(none, np.full(n, START, np.uint32), self.words)
        middles = self._log_probs(*(ids[x[:, k]] for k in range(3)))
        ends = self._log_probs(ids[q[:, 0]], ids[q[:, 1]], np.full(len(q), END, np.uint32))
        alone = q[:, 0] == 0  # one word alone: the context of the end is <s> and the word
        gain = np.concatenate([self.gains, starts, middles, ends])
        p0, x0, q0 = n, 2 * n, 2 * n + len(x)
        chain: list[ChainRow] = [
            (np.arange(p0, p0 + n), np.ones(n), 1.0, 1.0),  # (1) one word starts
            (np.arange(q0, q0 + len(q)), np.ones(len(q)), 1.0, 1.0),  # (5) one pair ends
        ]
        for w in range(1, n + 1):
            third = x0 + np.flatnonzero(x[:, 2] == w)
            second, ending = x0 + np.flatnonzero(x[:, 1] == w), q0 + np.flatnonzero(q[:, 1] == w)
            first, before = x0 + np.flatnonzero(x[:, 0] == w), q0 + np.flatnonzero((q[:, 0] == w) & ~alone)
            y, p = w - 1, p0 + w - 1
            chain.append(_equals(y, [[p], third]))  # (2) starts, or is the third of a trigram
            chain.append(_equals(y, [second, ending]))  # (3) the second of a trigram, or the last of the end
            chain.append(_equals(y, [first, before, ending]))  # (4) the first of a trigram, or in the end
        return gain, chain

    def _bigrams(self) -> tuple[Floats, list[ChainRow]]:
        """Build columns y and one for each pair of neighbours (0 and n + 1 are the ends), with flow constraints."""
        n = self.n
        ids = np.concatenate([[START], self.words, [END]]).astype(np.uint32)
        z = np.array([(j, k) for j, k in combinations(range(n + 2), 2) if (j, k) != (0, n + 1)], dtype=np.int32)
        none = np.full(len(z), NONE, dtype=np.uint32)
        gain = np.concatenate([self.gains, self._log_probs(none, ids[z[:, 0]], ids[z[:, 1]])])
        chain: list[ChainRow] = [(n + np.flatnonzero(z[:, 0] == 0), np.ones(n), 1.0, 1.0)]
        for w in range(1, n + 1):
            chain.append(_equals(w - 1, [n + np.flatnonzero(z[:, 1] == w)]))
            chain.append(_equals(w - 1, [n + np.flatnonzero(z[:, 0] == w)]))
        return gain, chain


ChainRow = tuple[NDArray[np.int64], Floats, float, float]
INFINITY = float("inf")


def _equals(y: int, groups: Sequence[Sequence[int] | NDArray[np.int64]]) -> ChainRow:
    """Build the row y = sum of the columns."""
    columns = np.concatenate([[y], *groups]).astype(np.int64)
    values = np.full(len(columns), -1.0)
    values[0] = 1.0
    return columns, values, 0.0, 0.0
