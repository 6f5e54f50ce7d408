"""Joint fusion: one choice of words over all sentences, what they share said once, to one exact budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...text.monoalign import align
from ...text.stem import stop_words
from ..budget import Limit, count_words
from ..compress.analysis import Analysis, analyse
from ..compress.assay import Assay
from ..compress.base import Compression, Source, compression
from ..compress.constraints import base, is_negation
from ..compress.costs import token_costs
from ..compress.fitting import too_long
from ..compress.forest import Forest, forest
from ..compress.mustkeep import kinds, must_keep, wanted
from ..compress.solver import Program
from ..compress.tagger import Tagger
from .base import Cluster, Fuser, Fusion, Piece, nothing

Floats = NDArray[np.float64]
_DEAR = 100.0  # what keeping a word that must stay is worth: more than any sum of odds
_EDGE = 1e-6
_SECONDS = 2.0
_CONTENT = frozenset({"exact", "stem", "synonym", "spelling", "phrase"})  # links that say the same thing


@dataclass(frozen=True)
class Joint(Fuser):
    """A tagger's choice of words over all sentences at once: shared content once, one budget, trees left whole.

    An integer program over groups of words that stay or go together (`laws` of the compressor `assay`):
    (1) maximize sum of (logit p(keep) - logit threshold + `share` for each content word that other sentences have too)
    over the kept words, less `again` for each content word that is kept in two sentences, less `open` for each sentence
    that anything is kept of; a group stays only with the one it hangs on. With a budget the kept words are at most as
    many, and no fewer than nine in ten if there are. `keep`: words of these kinds (as in `assay`) must stay if two
    sentences have them; a negation always stays with its word. If the sentences share no content word there is nothing
    to fuse, and the one whose words are likeliest is shortened, with a note; so is a single sentence. A second sentence
    whose subject is that of the first is joined to it by "and" without it.
    """

    name: ClassVar[str] = "joint"
    honours_patterns: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    tagger: str = "headline"
    share: float = 1.0
    again: float = 2.0
    open: float = 1.0
    keep: str = "all"
    laws: str = "all"

    def __post_init__(self) -> None:
        kinds(self.keep)
        if min(self.share, self.again, self.open) < 0:
            raise InputError(f"share, again and open of joint must not be below 0; got {self.signature()}")

    def fuse(self, clusters: Sequence[Cluster]) -> list[Fusion]:
        texts = analyse([s for cluster in clusters for s in cluster.sentences])
        tagger = Tagger.load(self.tagger)
        odds = tagger.marginals([text.parse for text in texts])
        made, at = [], 0
        for cluster in clusters:
            end = at + len(cluster.sentences)
            made.append(self._one(cluster, texts[at:end], odds[at:end], tagger.threshold))
            at = end
        return made

    def _one(self, cluster: Cluster, texts: Sequence[Analysis], odds: Sequence[Floats], threshold: float) -> Fusion:
        filled = [i for i, text in enumerate(texts) if not all(text.punctuation) and count_words(text.text)]
        if not filled:
            return nothing(cluster)
        problem = _Problem(self, cluster, [texts[i] for i in filled], [odds[i] for i in filled], threshold)
        if len(filled) == 1:
            return self._single(cluster, filled[0], "one sentence: there is nothing to fuse")
        if not problem.shared:
            best = max(filled, key=lambda i: float(odds[i].mean()))
            return self._single(cluster, best, "the sentences share no content word: there is nothing to fuse")
        kept = problem.solve()
        parts = [(i, compression(texts[i].text, texts[i].tokens, kept[n])) for n, i in enumerate(filled) if kept[n]]
        return _joined(cluster, texts, parts, problem.subjects(kept, filled))

    def _single(self, cluster: Cluster, i: int, note: str) -> Fusion:
        budget = cluster.budget
        if budget.ratio is not None:  # a ratio is of all sentences together
            limit = cluster.limit
            assert limit is not None
            budget = replace(budget, ratio=None, words=limit.most)
        source = Source(cluster.sentences[i], budget, (), cluster.keep, cluster.drop)
        [made] = Assay(tagger=self.tagger, keep=self.keep, laws=self.laws).compress([source])
        pieces = tuple(Piece(i, made.tokens[k].start, made.tokens[k].end) for k in made.kept)
        return Fusion(cluster.sentences, made.text, pieces, (note, *made.notes))


class _Problem:
    """What of one cluster may, must and should be kept."""

    def __init__(
        self, fuser: Joint, cluster: Cluster, texts: Sequence[Analysis], odds: Sequence[Floats], threshold: float
    ) -> None:
        self.fuser, self.cluster, self.texts = fuser, cluster, texts
        laws = Assay(laws=fuser.laws).chosen_laws()
        self.forests: list[Forest] = [forest(text, laws) for text in texts]
        bias = float(np.log(threshold / (1 - threshold)))
        clipped = [np.clip(p, _EDGE, 1 - _EDGE) for p in odds]
        self.values = [np.log(p / (1 - p)) - bias for p in clipped]
        self.marks = [{k for k, mark in enumerate(t.punctuation) if mark and p[k] >= threshold}
                      for t, p in zip(texts, odds, strict=True)]  # fmt: skip
        self.links = self._links()
        self.shared = bool(self.links)
        self.starts = np.cumsum([0, *(len(f.parents) for f in self.forests)]).tolist()

    def _links(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Content words of two sentences that say the same: (sentence, token) and (sentence, token)."""
        found = []
        stop = stop_words()
        for i, j in combinations(range(len(self.texts)), 2):
            a, b = self.texts[i], self.texts[j]
            places = [{t.start: k for k, t in enumerate(text.tokens)} for text in (a, b)]
            aligned = align(a.text, b.text)
            for link in aligned.links:
                left = places[0].get(aligned.a.tokens[link.a].start)
                right = places[1].get(aligned.b.tokens[link.b].start)
                if link.kind not in _CONTENT or left is None or right is None:
                    continue
                if a.punctuation[left] or a.tokens[left].text.lower() in stop or b.punctuation[right]:
                    continue
                found.append(((i, left), (j, right)))
        return found

    def solve(self) -> list[list[int]]:
        """The kept tokens of each sentence."""
        limit = self.cluster.limit
        keep, told, dropped = self._musts()
        for least, musts in ((0.9, keep), (0.0, keep), (0.0, [set() for _ in keep])):
            found = self._solved(limit, least, musts, told, dropped)
            if found is not None:
                return found
        return self._shortest(limit)

    def _musts(self) -> tuple[list[set[int]], list[set[int]], list[set[int]]]:
        """What should stay (kinds of words that two sentences have), what the user wants, and does not want."""
        common: list[set[int]] = [set() for _ in self.texts]
        for left, right in self.links:
            common[left[0]].add(left[1])
            common[right[0]].add(right[1])
        chosen = kinds(self.fuser.keep) - {"quotes", "negation"}  # a negation is tied to its word
        keep = [must_keep(text, chosen) & own for text, own in zip(self.texts, common, strict=True)]
        told, dropped = [], []
        for text in self.texts:
            source = Source(text.text, keep=self.cluster.keep, drop=self.cluster.drop)
            said = wanted(source, text.tokens)
            told.append({k for k, yes in said.items() if yes})
            dropped.append({k for k, yes in said.items() if not yes})
        return [k - d for k, d in zip(keep, dropped, strict=True)], told, dropped

    def _solved(
        self,
        limit: Limit | None,
        least: float,
        keep: Sequence[set[int]],
        told: Sequence[set[int]],
        dropped: Sequence[set[int]],
    ) -> list[list[int]] | None:
        fuser, total, sentences = self.fuser, self.starts[-1], len(self.texts)
        pairs = sorted({(self._column(*a), self._column(*b)) for a, b in self.links if self._both(a, b)})
        width = total + sentences + len(pairs)
        gain = np.zeros(width)
        low, high = np.zeros(width), np.ones(width)
        costs = np.zeros(total)
        common = {side for link in self.links for side in link}
        for n, (text, trees) in enumerate(zip(self.texts, self.forests, strict=True)):
            at = slice(self.starts[n], self.starts[n + 1])
            worth = self.values[n] + fuser.share * np.array([(n, k) in common for k in range(len(text.tokens))])
            gain[at] = trees.spread(worth)
            costs[at] = trees.spread(token_costs(text.tokens, limit.unit if limit else "words").astype(np.float64))
            states = trees.forced(told[n], dropped[n])
            low[at][states > 0] = 1.0
            high[at][states < 0] = 0.0
        gain[total : total + sentences] = -fuser.open
        gain[total + sentences :] = -fuser.again
        program = Program(gain, total + sentences, low, high)
        for n, trees in enumerate(self.forests):
            for g, parent in enumerate(trees.parents.tolist()):
                column = self.starts[n] + g
                above = self.starts[n] + parent if parent >= 0 else total + n
                program.add([column, above], [1.0, -1.0], -np.inf, 0.0)
        for m, (a, b) in enumerate(pairs):  # kept twice
            program.add([a, b, total + sentences + m], [1.0, 1.0, -1.0], -np.inf, 1.0)
        for n, places in enumerate(keep):  # what must stay is said somewhere
            for k in places:
                same = {self._column(n, k)} | {
                    self._column(*other) for a, b in self.links for me, other in ((a, b), (b, a)) if me == (n, k)
                }
                program.add(sorted(c for c in same if c >= 0), [1.0] * len([c for c in same if c >= 0]), 1.0, np.inf)
        program.add(list(range(total)), costs, 1.0, np.inf)
        if limit is not None:
            program.add(list(range(total)), costs, least * limit.most, float(limit.most))
        solution = program.solve(_SECONDS)
        if solution.values is None:
            return None
        chosen = solution.values[:total] > 0.5
        return [self._tokens(n, chosen[self.starts[n] : self.starts[n + 1]]) for n in range(sentences)]

    def _tokens(self, n: int, chosen: NDArray[np.bool_]) -> list[int]:
        kept = [k for k, g in enumerate(self.forests[n].group.tolist()) if g >= 0 and chosen[g]]
        gone = {k for k, verb in self.forests[n].loose if verb not in kept}
        kept = [k for k in kept if k not in gone]
        return sorted({*kept, *self.marks[n]}) if kept else []

    def _shortest(self, limit: Limit | None) -> list[list[int]]:
        """The cheapest root group of all: no lawful choice is within the limit."""
        unit = limit.unit if limit else "words"
        best: tuple[float, int, list[int]] = (np.inf, 0, [])
        for n, (text, trees) in enumerate(zip(self.texts, self.forests, strict=True)):
            costs = trees.spread(token_costs(text.tokens, unit).astype(np.float64)).astype(np.int64)
            kept, _ = trees.best(trees.spread(self.values[n]), costs, trees.forced((), ()), 1, 1)
            cost = sum(int(c) for c in token_costs([text.tokens[k] for k in kept], unit))
            best = min(best, (float(cost), n, kept))
        return [best[2] if n == best[1] else [] for n in range(len(self.texts))]

    def _column(self, sentence: int, token: int) -> int:
        group = int(self.forests[sentence].group[token])
        return self.starts[sentence] + group if group >= 0 else -1

    def _both(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return self._column(*a) >= 0 and self._column(*b) >= 0

    def subjects(self, kept: Sequence[Sequence[int]], filled: Sequence[int]) -> dict[int, set[int]]:
        """Of each sentence after the first that has anything the subject, if it is that of the one before."""
        found: dict[int, set[int]] = {}
        used = [n for n, tokens in enumerate(kept) if tokens]
        for before, n in pairwise(used):
            first, second = self._subject(before, kept[before]), self._subject(n, kept[n])
            if not first or not second:
                continue
            heads = {((before, first[0]), (n, second[0]))}
            if heads & set(self.links) and self._same(before, first[1], n, second[1]):
                found[filled[n]] = second[1]
        return found

    def _subject(self, n: int, kept: Sequence[int]) -> tuple[int, set[int]] | None:
        """The head and the kept words of the subject of a sentence that begins with it."""
        text = self.texts[n]
        words = [k for k in kept if not text.punctuation[k]]
        heads = [
            k
            for k in words
            if base(text.words[k].relation) == "nsubj" and base(text.words[text.heads[k]].relation) == "root"
        ]
        if not heads:
            return None
        inside = set(text.subtree(heads[0])) & set(kept)
        plain = {k for k in inside if not text.punctuation[k]}
        negated = any(is_negation(text, k) for k in plain)
        return (heads[0], inside) if not negated and plain == set(words[: len(plain)]) else None

    def _same(self, i: int, first: set[int], j: int, second: set[int]) -> bool:
        """Whether all content words of the second subject are in the first."""
        linked = {b[1] for a, b in self.links if a[0] == i and b[0] == j and a[1] in first}
        stop = stop_words()
        content = {k for k in second if not self.texts[j].punctuation[k]}
        return all(k in linked or self.texts[j].tokens[k].text.lower() in stop for k in content)


def _joined(
    cluster: Cluster, texts: Sequence[Analysis], parts: list[tuple[int, Compression]], subjects: dict[int, set[int]]
) -> Fusion:
    """The parts as one text: a semicolon between sentences, "and" before one that goes on about the same subject."""
    text, pieces = "", []
    for n, (i, part) in enumerate(parts):
        if i in subjects and n:
            part = compression(texts[i].text, texts[i].tokens, [k for k in part.kept if k not in subjects[i]])
        begun = text.rstrip(" .;,")
        said = part.text
        if n and begun:
            joint = " and " if i in subjects else "; "
            said = said[:1].lower() + said[1:] if i in subjects else said
            text = f"{begun}{joint}{said}"
        else:
            text = said
        pieces += [Piece(i, part.tokens[k].start, part.tokens[k].end) for k in part.kept]
    return Fusion(cluster.sentences, text, tuple(pieces), too_long(text, cluster.limit))
