"""Joint fusion: choose words over all sentences at once, shared content only once, within one length limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...text.align.monolingual import align
from ...text.align.monolingual import analyse as read_words
from ...text.stems import stop_words
from .._budget import Limit, count_words
from .._parsed_text import ParsedText, parse_texts
from .._solver import Program
from ..compress._base import Compression, Source, build_compression
from ..compress._constraints import base, is_negation
from ..compress._costs import token_costs
from ..compress._length import note_excess
from ..compress._protected import find_protected, match_patterns, parse_kinds
from ..compress._tagger import Tagger
from ..compress._word_groups import WordGroups, group_words
from ..compress.tagger_tree import TaggerTree
from ._base import Cluster, FusedText, Fuser, Piece, nothing
from ._salience import features, log_odds

Floats = NDArray[np.float64]
Shared = tuple[tuple[int, int], tuple[int, int]]  # (sentence, token) twice
_EDGE = 1e-6
_FILL = 1.5  # how much lower the bar is where there is a budget: it is there to be used
_SECONDS = 2.0
_BACK = frozenset(
    {"he", "she", "they", "him", "her", "them", "his", "hers", "their", "theirs", "it", "its", "this", "these", "those"}
)
_CONTENT = frozenset({"exact", "stem", "synonym", "spelling", "phrase"})  # links that say the same thing


@dataclass(frozen=True)
class Joint(Fuser):
    """Integer program over the words of all sentences: shared content once, one length limit, trees kept whole.

    The program is over groups of words that are kept or deleted together (`constraints` of the compressor
    `tagger-tree`): (1) maximize, over the kept words, the sum of the log odds of being in a human fusion (salience:
    learned from the tagger's probability, position, part of speech and shared words) + `headline` x logit p(keep) of
    the tagger - `bar`, minus `again` for each content word that is kept in two sentences, minus `open` for each
    sentence that anything is kept of. A group is kept only with the one it depends on; a sentence is dropped if another
    has all its content words. With a length limit, at least nine tenths of it are used if possible. `keep`: words of
    these kinds (as in `tagger-tree`) that two sentences share are protected; a negation is always kept with its word.
    If the sentences share no content words and no later one refers back (he, its, this), the one with the likeliest
    words is shortened, with a note; so is a single sentence. A second sentence with the same subject as the first is
    joined to it by "and", without the subject.
    """

    name: ClassVar[str] = "joint"
    honours_patterns: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    headline: float = 0.6
    bar: float = 0.0
    again: float = 1.0
    open: float = 1.0
    keep: str = "negation"
    constraints: str = "tree+function+negation+unspaced"

    def __post_init__(self) -> None:
        parse_kinds(self.keep)
        if min(self.headline, self.again, self.open) < 0:
            raise InputError(f"headline, again and open of joint must not be below 0; got {self.signature()}")

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        return [self.one(reading) for reading in self.read(clusters)]

    def read(self, clusters: Sequence[Cluster]) -> list[ParsedCluster]:
        """Parse each cluster and compute the features of its words."""
        texts = parse_texts([s for cluster in clusters for s in cluster.sentences])
        keeps = Tagger.load("headline").marginals([text.parse for text in texts])
        parsed, at = [], 0
        for cluster in clusters:
            here = slice(at, at + len(cluster.sentences))
            at = here.stop
            links = shared_words(texts[here])
            rows = features(texts[here], keeps[here], {side for link in links for side in link})
            parsed.append(ParsedCluster(cluster, texts[here], keeps[here], rows, log_odds(rows), links))
        return parsed

    def one(self, reading: ParsedCluster) -> FusedText:
        """Fuse a parsed cluster."""
        cluster, texts = reading.cluster, reading.texts
        filled = [i for i, text in enumerate(texts) if not all(text.punctuation) and count_words(text.text)]
        if not filled:
            return nothing(cluster)
        if len(filled) == 1:
            return self._single(cluster, filled[0], "only one sentence: nothing to fuse")
        if not reading.links and not any(_refers_back(texts[i]) for i in filled[1:]):
            best = max(filled, key=lambda i: float(reading.odds[i].mean()))
            return self._single(cluster, best, "the sentences share no content words: nothing to fuse")
        problem = _Problem(self, reading)
        tokens_kept = problem.solve()
        parts = [
            (i, build_compression(texts[i].text, texts[i].tokens, tokens_kept[i])) for i in filled if tokens_kept[i]
        ]
        return _join_parts(cluster, texts, parts, problem.subjects(tokens_kept))

    def _single(self, cluster: Cluster, i: int, note: str) -> FusedText:
        budget = cluster.budget
        if budget.ratio is not None:  # a ratio is of all sentences together
            limit = cluster.limit
            assert limit is not None
            budget = replace(budget, ratio=None, words=limit.most)
        source = Source(cluster.sentences[i], budget, (), cluster.keep, cluster.drop)
        [compression] = TaggerTree(tagger="headline", keep=self.keep, constraints=self.constraints).compress([source])
        pieces = tuple(
            Piece(i, compression.tokens[k].start, compression.tokens[k].end) for k in compression.kept_tokens
        )
        return FusedText(cluster.sentences, compression.text, pieces, (note, *compression.notes))


def _refers_back(text: ParsedText) -> bool:
    """Tell whether a sentence refers to another: he, she, it, they, this, their ..."""
    return any(token.text.lower() in _BACK for token in text.tokens)


class ParsedCluster(NamedTuple):
    """A cluster, parsed: p(keep) of the headline tagger, features, log odds of being said, words that are shared."""

    cluster: Cluster
    texts: Sequence[ParsedText]
    headline: Sequence[Floats]
    rows: Sequence[Floats]
    odds: Sequence[Floats]
    links: Sequence[Shared]


def shared_words(texts: Sequence[ParsedText]) -> list[Shared]:
    """Find content words of two sentences with the same meaning: (sentence, token) and (sentence, token)."""
    pairs = []
    stop = stop_words()
    read = [read_words(text.text) for text in texts]
    for i, j in combinations(range(len(texts)), 2):
        a, b = texts[i], texts[j]
        places = [{t.start: k for k, t in enumerate(text.tokens)} for text in (a, b)]
        aligned = align(read[i], read[j])
        for link in aligned.links:
            left = places[0].get(aligned.a.tokens[link.a].start)
            right = places[1].get(aligned.b.tokens[link.b].start)
            if link.kind not in _CONTENT or left is None or right is None:
                continue
            if not (a.punctuation[left] or a.tokens[left].text.lower() in stop or b.punctuation[right]):
                pairs.append(((i, left), (j, right)))
    return pairs


class _Problem:
    """What of one cluster may, must and should be kept."""

    def __init__(self, fuser: Joint, reading: ParsedCluster) -> None:
        self.fuser, self.cluster, self.texts, self.links = fuser, reading.cluster, reading.texts, reading.links
        constraints = TaggerTree(constraints=fuser.constraints).parse_constraints()
        self.groups: list[WordGroups] = [group_words(text, constraints) for text in self.texts]
        logits = [np.log(np.clip(p, _EDGE, 1 - _EDGE) / np.clip(1 - p, _EDGE, 1)) for p in reading.headline]
        worth = zip(reading.odds, logits, strict=True)
        bar = fuser.bar if self.cluster.limit is None else fuser.bar - _FILL
        self.values = [odds + fuser.headline * logit - bar for odds, logit in worth]
        threshold = Tagger.load("headline").threshold
        self.marks = [
            {k for k, mark in enumerate(text.punctuation) if mark and p[k] >= threshold}
            for text, p in zip(self.texts, reading.headline, strict=True)
        ]
        self.starts = np.cumsum([0, *(len(f.parents) for f in self.groups)]).tolist()

    def solve(self) -> list[list[int]]:
        """Find the tokens to keep of each sentence."""
        limit = self.cluster.limit
        keep, requested, unwanted = self._find_required()
        for least, protected in ((0.9, keep), (0.0, keep), (0.0, [set() for _ in keep])):
            selection = self._solve_with(limit, least, protected, requested, unwanted)
            if selection is not None:
                return selection
        return self._shortest(limit)

    def _find_required(self) -> tuple[list[set[int]], list[set[int]], list[set[int]]]:
        """Find protected words that two sentences share, and the words that the user wants or does not want."""
        common: list[set[int]] = [set() for _ in self.texts]
        for left, right in self.links:
            common[left[0]].add(left[1])
            common[right[0]].add(right[1])
        selected = parse_kinds(self.fuser.keep) - {"quotes", "negation"}  # a negation is tied to its word
        keep = [find_protected(text, selected) & own for text, own in zip(self.texts, common, strict=True)]
        requested, unwanted = [], []
        for text in self.texts:
            source = Source(text.text, keep=self.cluster.keep, drop=self.cluster.drop)
            part_text = match_patterns(source, text.tokens)
            requested.append({k for k, yes in part_text.items() if yes})
            unwanted.append({k for k, yes in part_text.items() if not yes})
        return [k - d for k, d in zip(keep, unwanted, strict=True)], requested, unwanted

    def _solve_with(
        self,
        limit: Limit | None,
        least: float,
        keep: Sequence[set[int]],
        requested: Sequence[set[int]],
        unwanted: Sequence[set[int]],
    ) -> list[list[int]] | None:
        fuser, total, sentences = self.fuser, self.starts[-1], len(self.texts)
        pairs = sorted({(self._column(*a), self._column(*b)) for a, b in self.links if self._both(a, b)})
        width = total + sentences + len(pairs)
        gain = np.zeros(width)
        low, high = np.zeros(width), np.ones(width)
        costs = np.zeros(total)
        idle = self._idle()
        for n, (text, trees) in enumerate(zip(self.texts, self.groups, strict=True)):
            at = slice(self.starts[n], self.starts[n + 1])
            gain[at] = trees.spread(self.values[n])
            costs[at] = trees.spread(token_costs(text.tokens, limit.unit if limit else "words").astype(np.float64))
            states = trees.group_states(requested[n], unwanted[n])
            low[at][states > 0] = 1.0
            high[at][(states < 0) | ((states == 0) & (n in idle))] = 0.0
        gain[total : total + sentences] = -fuser.open
        gain[total + sentences :] = -fuser.again
        program = Program(gain, total + sentences, low, high)
        for n, trees in enumerate(self.groups):
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
        selected = solution.values[:total] > 0.5
        return [self._tokens(n, selected[self.starts[n] : self.starts[n + 1]]) for n in range(sentences)]

    def _tokens(self, n: int, selected: NDArray[np.bool_]) -> list[int]:
        tokens_kept = [k for k, g in enumerate(self.groups[n].group.tolist()) if g >= 0 and selected[g]]
        lost = {k for k, verb in self.groups[n].loose if verb not in tokens_kept}
        tokens_kept = [k for k in tokens_kept if k not in lost]
        return sorted({*tokens_kept, *self.marks[n]}) if tokens_kept else []

    def _shortest(self, limit: Limit | None) -> list[list[int]]:
        """Find the cheapest root group of all: nothing else is within the limit."""
        unit = limit.unit if limit else "words"
        best: tuple[float, int, list[int]] = (np.inf, 0, [])
        for n, (text, trees) in enumerate(zip(self.texts, self.groups, strict=True)):
            costs = trees.spread(token_costs(text.tokens, unit).astype(np.float64)).astype(np.int64)
            tokens_kept, _ = trees.best(trees.spread(self.values[n]), costs, trees.group_states((), ()), 1, 1)
            cost = sum(int(c) for c in token_costs([text.tokens[k] for k in tokens_kept], unit))
            best = min(best, (float(cost), n, tokens_kept))
        return [best[2] if n == best[1] else [] for n in range(len(self.texts))]

    def _idle(self) -> set[int]:
        """Find sentences that say nothing new: another that stays has all their content words."""
        repeated: set[int] = set()
        stop = stop_words()
        for n in reversed(range(len(self.texts))):
            text = self.texts[n]
            content = {k for k, t in enumerate(text.tokens) if not text.punctuation[k] and t.text.lower() not in stop}
            for other in range(len(self.texts)):
                if other == n or other in repeated:
                    continue
                sides = [(a, b) if a[0] == n else (b, a) for a, b in self.links if {a[0], b[0]} == {n, other}]
                if content <= {own[1] for own, _ in sides}:
                    repeated.add(n)
                    break
        return repeated

    def _column(self, sentence: int, token: int) -> int:
        group = int(self.groups[sentence].group[token])
        return self.starts[sentence] + group if group >= 0 else -1

    def _both(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return self._column(*a) >= 0 and self._column(*b) >= 0

    def subjects(self, tokens_kept: Sequence[Sequence[int]]) -> dict[int, set[int]]:
        """Find, for each sentence after the first, the subject if it is that of the one before."""
        subjects: dict[int, set[int]] = {}
        used = [n for n, tokens in enumerate(tokens_kept) if tokens]
        for before, n in pairwise(used):
            first, second = self._subject(before, tokens_kept[before]), self._subject(n, tokens_kept[n])
            if not first or not second:
                continue
            heads = {((before, first[0]), (n, second[0]))}
            if heads & set(self.links) and self._same(before, first[1], n, second[1]):
                subjects[n] = second[1]
        return subjects

    def _subject(self, n: int, tokens_kept: Sequence[int]) -> tuple[int, set[int]] | None:
        """Find the head and the kept words of the subject of a sentence that begins with it."""
        text = self.texts[n]
        words = [k for k in tokens_kept if not text.punctuation[k]]
        heads = [
            k
            for k in words
            if base(text.words[k].relation) == "nsubj" and base(text.words[text.heads[k]].relation) == "root"
        ]
        if not heads:
            return None
        inside = set(text.subtree(heads[0])) & set(tokens_kept)
        plain = {k for k in inside if not text.punctuation[k]}
        negated = any(is_negation(text, k) for k in plain)
        return (heads[0], inside) if not negated and plain == set(words[: len(plain)]) else None

    def _same(self, i: int, first: set[int], j: int, second: set[int]) -> bool:
        """Tell whether all content words of the second subject are in the first."""
        linked = {b[1] for a, b in self.links if a[0] == i and b[0] == j and a[1] in first}
        stop = stop_words()
        content = {k for k in second if not self.texts[j].punctuation[k]}
        return all(k in linked or self.texts[j].tokens[k].text.lower() in stop for k in content)


def _join_parts(
    cluster: Cluster, texts: Sequence[ParsedText], parts: list[tuple[int, Compression]], subjects: dict[int, set[int]]
) -> FusedText:
    """Join the parts: a semicolon between sentences, "and" before one with the same subject."""
    text, pieces = "", []
    for n, (i, part) in enumerate(parts):
        if i in subjects and n:
            part = build_compression(
                texts[i].text, texts[i].tokens, [k for k in part.kept_tokens if k not in subjects[i]]
            )
        begun = text.rstrip(" .;,")
        part_text = part.text
        if n and begun:
            joint = " and " if i in subjects else "; "
            first = texts[i].words[next(k for k in part.kept_tokens if not texts[i].punctuation[k])]
            part_text = (
                part_text if first.pos == "PROPN" or first.form == "I" else part_text[:1].lower() + part_text[1:]
            )
            text = f"{begun}{joint}{part_text}"
        else:
            text = part_text
        pieces += [Piece(i, part.tokens[k].start, part.tokens[k].end) for k in part.kept_tokens]
    return FusedText(cluster.sentences, text, tuple(pieces), note_excess(text, cluster.limit))
