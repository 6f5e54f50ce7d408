"""Joint fusion: one tree for all sentences, shared words once; a subtree by integer program; the base's word order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...text.align.monolingual import align
from ...text.align.monolingual import analyse as read_words
from ...text.parse.flat import ParsedText, parse_texts
from ...text.stems import stop_words
from ..budget import Limit, count_words
from ..compress._base import Source
from ..compress.length._costs import token_costs
from ..compress.length._limit import note_excess
from ..compress.neural.tagger import Tagger
from ..compress.tagger_tree import TaggerTree
from ..compress.truth._protected import match_patterns
from ._base import Cluster, FusedText, Fuser, Piece, nothing, one_sentence
from ._choice import TokenEvidence, expect_overlap
from ._conjuncts import graphs_of_conjuncts
from ._fusion_graph import Cores, FusionGraph, Shared, graph_of_both, graph_of_one, graph_of_shared
from ._linearize import find_stray_marks, write_fusion
from ._salience import Salience, compute_features, load_salience
from ._subtree import Weights, best_nodes
from ._units import Units, split_units

Floats = NDArray[np.float64]
RATES = (0.2, 0.29, 0.4, 0.6, 1.5)  # what a word costs: from nearly all units to none that may go
_MAX_JOINED = 3  # sentences of a larger cluster that are joined two by two
_CONTENT = frozenset({"exact", "stem", "synonym", "spelling", "phrase"})  # links that say the same thing


@dataclass(frozen=True)
class Joint(Fuser):
    """Sentence fusion: align the trees, choose a subtree by integer program, write it in the base sentence's order.

    Candidates are (a) each sentence or later half of one, whole or without units that may go, (b) a base sentence with
    what another says of a word they share, (c) two main clauses joined by *and*, the second without a subject that is
    the first's. For each, the program maximizes (1) the sum over kept words of p(said) - rate, plus half of p(said
    together) for neighbours; a unit stays only with the one it hangs on. The candidate with the highest expected
    overlap with a human fusion is chosen, minus `length` points for each word and plus `fusion` points if the sentences
    share a word's complements or the subject; with a length limit, among those within it and without the charge. A
    sentence alone stays as it is. Sentences are never joined by a semicolon. `faithful`: nothing goes without which the
    rest would not follow from the sentence (negations, bounds, conditions, who says it).
    """

    name: ClassVar[str] = "joint"
    honours_patterns: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    length: float = 0.51
    fusion: float = 2.0
    faithful: bool = True

    def __post_init__(self) -> None:
        if min(self.length, self.fusion) < 0:
            raise InputError(f"length and fusion of joint must not be below 0; got {self.signature()}")

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        salience = load_salience()  # first: without the models, the error then names all that is missing
        return [self.fuse_parsed(parsed, salience) for parsed in read_clusters(clusters, faithful=self.faithful)]

    def fuse_parsed(self, parsed: ParsedCluster, salience: Salience) -> FusedText:
        """Fuse a parsed cluster by this model."""
        cluster, texts = parsed.cluster, parsed.texts
        filled = [i for i, text in enumerate(texts) if not all(text.punctuation) and count_words(text.text)]
        if not filled:
            return nothing(cluster)
        if len({" ".join(texts[i].text.split()).lower() for i in filled}) == 1:
            note = ("only one sentence: nothing to fuse",) if len(filled) == 1 else ()
            return self._shorten(cluster, filled[0], note)
        candidates = [c for c in list_candidates(parsed, salience, filled) if _fits(cluster.limit, c.text)]
        if not candidates:
            best = max(filled, key=lambda i: float(parsed.headline[i].mean()))
            return self._shorten(cluster, best, ("no whole clause fits the length limit",))
        charge = self.length if cluster.limit is None else 0.0
        bonus = {"shared": self.fusion, "coordinated": self.fusion}
        best_candidate = max(
            candidates,
            key=lambda c: (c.wanted, c.overlap - charge * c.words + bonus.get(c.kind, 0.0)),
        )
        return FusedText(cluster.sentences, best_candidate.text, best_candidate.pieces, _notes(parsed, best_candidate))

    def _shorten(self, cluster: Cluster, i: int, notes: tuple[str, ...]) -> FusedText:
        """Return a sentence as it is if it is within the limit, else compressed."""
        if _fits(cluster.limit, cluster.sentences[i]) and not (cluster.keep or cluster.drop):
            return one_sentence(cluster, i, notes)
        budget = cluster.budget
        if budget.ratio is not None:  # a ratio is of all sentences together
            limit = cluster.limit
            assert limit is not None
            budget = replace(budget, ratio=None, words=limit.most)
        source = Source(cluster.sentences[i], budget, (), cluster.keep, cluster.drop)
        [compression] = TaggerTree().compress([source])
        pieces = tuple(
            Piece(i, compression.tokens[k].start, compression.tokens[k].end) for k in compression.kept_tokens
        )
        return FusedText(cluster.sentences, compression.text, pieces, (*notes, *compression.notes))


class ParsedCluster(NamedTuple):
    """A cluster, parsed: units, p(keep) of the tagger, features of each token, words that are shared."""

    cluster: Cluster
    texts: Sequence[ParsedText]
    units: Sequence[Units]
    headline: Sequence[Floats]
    rows: Sequence[Floats]
    links: Sequence[Shared]


class Candidate(NamedTuple):
    """One way to fuse a cluster."""

    text: str
    pieces: tuple[Piece, ...]
    kind: str  # as of its graph
    overlap: float  # expected overlap with a human fusion
    words: int
    wanted: int  # words that the user wants and that it has


def read_clusters(clusters: Sequence[Cluster], *, faithful: bool = True) -> list[ParsedCluster]:
    """Parse each cluster and compute the features of its words."""
    texts = parse_texts([s for cluster in clusters for s in cluster.sentences])
    headline = Tagger.load("headline").marginals([text.parse for text in texts])
    parsed, at = [], 0
    for cluster in clusters:
        here = slice(at, at + len(cluster.sentences))
        at = here.stop
        links = shared_words(texts[here])
        both = {side for link in links for side in link}
        units = [split_units(text, faithful=faithful) for text in texts[here]]
        rows = compute_features(texts[here], headline[here], units, both)
        parsed.append(ParsedCluster(cluster, texts[here], units, headline[here], rows, links))
    return parsed


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


def list_candidates(parsed: ParsedCluster, salience: Salience, filled: Sequence[int]) -> list[Candidate]:
    """List the ways to fuse a cluster, each text once."""
    p_word, p_pair = salience.probabilities(parsed.texts, parsed.rows)
    maker = _CandidateMaker(parsed, TokenEvidence(p_word, p_pair, parsed.texts))
    candidates: dict[str, Candidate] = {}
    for candidate in maker.make(filled):
        candidates.setdefault(candidate.text, candidate)
    return list(candidates.values())


class _CandidateMaker:
    """Makes the candidates of one cluster."""

    def __init__(self, parsed: ParsedCluster, evidence: TokenEvidence) -> None:
        self.parsed, self.evidence = parsed, evidence
        self.cores = Cores(parsed.texts, parsed.units, parsed.links)
        cluster = parsed.cluster
        sources = [Source(text, keep=cluster.keep, drop=cluster.drop) for text in cluster.sentences]
        matches = [match_patterns(s, t.tokens) for s, t in zip(sources, parsed.texts, strict=True)]
        self.wanted = {(n, k) for n, match in enumerate(matches) for k, yes in match.items() if yes}
        self.unwanted = {(n, k) for n, match in enumerate(matches) for k, yes in match.items() if not yes}
        limit = cluster.limit
        unit = limit.unit if limit else "words"
        self.costs = [token_costs(text.tokens, unit) for text in parsed.texts]

    def make(self, filled: Sequence[int]) -> Iterator[Candidate]:
        for i in filled:
            yield from self._whole(i)
        for graph in self._graphs(filled):
            roots = sum(node.parent < 0 for node in graph.nodes)
            if roots and graph.kind == "one":  # all but what says nothing, such as (CNN)
                yield from self._write(graph, range(len(graph.nodes)))
            for rate in RATES if roots else ():
                nodes = self._solve(graph, rate)
                yield from self._write(graph, nodes)
                if len(nodes) <= roots:  # a higher rate keeps no less
                    break

    def _graphs(self, filled: Sequence[int]) -> Iterator[FusionGraph]:
        """Yield the graphs, without words that the user does not want."""
        for graph in self._all_graphs(filled):
            for m, node in enumerate(graph.nodes if self.unwanted else ()):
                words = tuple(k for k in node.tokens if (node.sentence, k) not in self.unwanted)
                graph.nodes[m] = node._replace(tokens=words)
            yield graph

    def _all_graphs(self, filled: Sequence[int]) -> Iterator[FusionGraph]:
        for i in filled:
            for root in self.cores.roots(i):
                yield graph_of_one(self.cores, i, root)
                yield from graphs_of_conjuncts(self.cores, i, root)
                graph = graph_of_shared(self.cores, i, root)
                if graph is not None:
                    yield graph
        best = sorted(filled, key=lambda i: -float(self.evidence.p_word[i].mean()))[:_MAX_JOINED]
        for i, j in combinations(sorted(best), 2):
            graph = graph_of_both(self.cores, i, j)
            if graph is not None:
                yield graph

    def _whole(self, i: int) -> Iterator[Candidate]:
        """Yield a sentence without half a pair of quotation marks, unless it has words the user does not want."""
        text = self.parsed.texts[i]
        if any(n == i for n, _ in self.unwanted):
            return
        kept_tokens = [
            [k for k, mark in enumerate(t.punctuation) if not mark] if t is text else [] for t in self.parsed.texts
        ]
        stray = [text.tokens[k] for k in find_stray_marks(text)]
        starts, ends = [0, *(t.end for t in stray)], [*(t.start for t in stray), len(text.text)]
        pieces = tuple(Piece(i, a, b) for a, b in zip(starts, ends, strict=True) if text.text[a:b].strip())
        whole = " ".join(text.text[p.start : p.end].strip() for p in pieces) if stray else text.text
        yield self._candidate(whole, pieces, "one", kept_tokens)

    def _solve(self, graph: FusionGraph, rate: float) -> list[int]:
        """Return the best nodes at a rate; none if not even the roots fit."""
        costs = [float(sum(self.costs[node.sentence][k] for k in node.tokens)) for node in graph.nodes]
        required = [
            m for m, node in enumerate(graph.nodes) if any((node.sentence, k) in self.wanted for k in node.tokens)
        ]
        limit = self.parsed.cluster.limit
        weights = Weights(self.evidence.p_word, self.evidence.p_pair, rate)
        return best_nodes(graph, weights, costs, _room(limit, graph), _with_parents(graph, required)) or []

    def _write(self, graph: FusionGraph, nodes: Sequence[int]) -> Iterator[Candidate]:
        """Write the kept nodes, if they fit: with names for pronouns, else without."""
        kept_tokens: list[list[int]] = [[] for _ in self.parsed.texts]
        for m in nodes:
            kept_tokens[graph.nodes[m].sentence] += graph.nodes[m].tokens
        kind = graph.kind if any(graph.nodes[m].segment for m in nodes) else "one"
        for rename in (True, False) if nodes else ():
            writer = write_fusion(self.cores, graph, nodes, rename=rename)
            text = writer.text()
            if text and _fits(self.parsed.cluster.limit, text):
                yield self._candidate(text, writer.own_pieces(), kind, kept_tokens)
                return

    def _candidate(
        self, text: str, pieces: tuple[Piece, ...], kind: str, kept_tokens: Sequence[Sequence[int]]
    ) -> Candidate:
        places = [(n, k) for n, tokens in enumerate(kept_tokens) for k in tokens]
        wanted = sum(place in self.wanted for place in places)
        return Candidate(text, pieces, kind, expect_overlap(self.evidence, kept_tokens), len(places), wanted)


def _with_parents(graph: FusionGraph, required: Sequence[int]) -> set[int]:
    """Return nodes with all that they need."""
    nodes = set(required)
    for m in required:
        while graph.nodes[m].parent >= 0:
            m = graph.nodes[m].parent
            nodes.add(m)
    return nodes


def _room(limit: Limit | None, graph: FusionGraph) -> float | None:
    """Return what the words of a graph may cost: the limit without an inserted and."""
    if limit is None:
        return None
    inserted = sum(len(s.lead) + 1 if limit.unit == "chars" else "and" in s.lead for s in graph.segments)
    return float(limit.most - inserted)


def _fits(limit: Limit | None, text: str) -> bool:
    return limit is None or limit.holds(text)


def _notes(parsed: ParsedCluster, candidate: Candidate) -> tuple[str, ...]:
    excess = note_excess(candidate.text, parsed.cluster.limit)
    if not parsed.links and candidate.kind == "one":
        return ("the sentences share no content words: one of them was chosen", *excess)
    return excess
