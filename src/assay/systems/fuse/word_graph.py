"""Word-graph fusion (Filippova 2010), with keyphrases (Boudin and Morin 2013): for any number of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from ...errors import InputError, UnknownName
from ...text.parse.flat import ParsedText
from ...text.stems import foreign_stop_words, stop_words
from ...text.tokens.offsets import Token, is_punctuation, split_tokens
from ..budget import count_words
from ..compress.length._limit import note_excess
from ..compress.truth.constraints import base
from ._base import Cluster, FusedText, Fuser, Piece, nothing, one_sentence
from ._fusion_graph import is_clause
from ._graph import GraphWord, WordGraph
from ._joining import join_pieces
from ._keyphrases import keyphrases
from ._paths import Path, lightest_paths
from ._units import SAYING

_RANKS = ("keyphrases", "weight")
_AT_ONCE = 3  # candidates that are parsed together
Sentences = list[tuple[tuple[Token, ...], list[GraphWord]]]  # a cluster, cut into tokens


@dataclass(frozen=True)
class WordGraphFuser(Fuser):
    """Paths through a graph of the sentences' words, the best one for its length.

    rank=weight is Filippova (2010): (1) weight / words. rank=keyphrases is Boudin and Morin (2013): (2) weight /
    (words x (1 + sum of the scores of the keyphrases on the path)). `paths` candidates of at least `least` words are
    ranked, with a verb if there is a tagger. `language` picks the stop words; only en is tagged by itself, `parser`
    names one for others (stanza:fr, spacy:NAME) and none does without.
    With a parser, a path is rejected unless it parses as one clause with a subject and a finite verb. If no path is
    long enough, shorter ones are tried, then ones without a verb; if the sentences share nothing, or no path is a
    clause, the sentence nearest to the others is given, with a note.
    """

    name: ClassVar[str] = "wordgraph"
    language: str = "en"
    rank: str = "keyphrases"
    least: int = 8
    paths: int = 100
    parser: str = "auto"

    def __post_init__(self) -> None:
        if self.rank not in _RANKS:
            raise UnknownName("rank of wordgraph", self.rank, _RANKS, hint=f"(there are {', '.join(_RANKS)})")
        if self.least < 1 or self.paths < 1:
            raise InputError(f"least and paths of wordgraph must be 1 or more; got {self.least} and {self.paths}")
        stop_list(self.language)

    def fuse(self, clusters: Sequence[Cluster]) -> list[FusedText]:
        tagged = self._tag(clusters)
        return [self._one(cluster, words) for cluster, words in zip(clusters, tagged, strict=True)]

    @property
    def _parser(self) -> str:
        return {"auto": "en" if self.language == "en" else "none"}.get(self.parser, self.parser)

    def _tag(self, clusters: Sequence[Cluster]) -> list[Sentences]:
        stop = stop_list(self.language)
        texts = [s for cluster in clusters for s in cluster.sentences]
        if self._parser == "none":
            cut = [split_tokens(text) for text in texts]
            sentences = [(tokens, [_untagged_word(token.text, stop) for token in tokens]) for tokens in cut]
        else:
            from ...text.parse.flat import parse_texts

            read = parse_texts(texts, self._parser)
            sentences = [
                (a.tokens, [_of(t.text, w.pos, stop) for t, w in zip(a.tokens, a.words, strict=True)]) for a in read
            ]
        parts = iter(sentences)
        return [[next(parts) for _ in cluster.sentences] for cluster in clusters]

    def _one(self, cluster: Cluster, read: Sentences) -> FusedText:
        filled = [i for i, s in enumerate(cluster.sentences) if count_words(s)]
        if not filled:
            return nothing(cluster)
        if len(filled) == 1:
            return one_sentence(cluster, filled[0], ("only one sentence: nothing to fuse",))
        graph = WordGraph([words for _, words in read])
        shared = [node for node, places in enumerate(graph.where) if len(places) > 1 and graph.words[node].content]
        if not shared:
            return one_sentence(cluster, _central(cluster, filled, read), ("the sentences share no content words",))
        paths = self._rank(graph, cluster, read)
        if not paths:
            return one_sentence(cluster, _central(cluster, filled, read), ("no path fits the length limit",))
        ranked = [_pieces(graph, path, read) for path in paths]
        texts = [join_pieces(cluster.sentences, pieces) for pieces in ranked]
        best = self._first_clause(texts)
        if best is None:
            return one_sentence(
                cluster, _central(cluster, filled, read), ("no path is a clause with subject and verb",)
            )
        return FusedText(cluster.sentences, texts[best], ranked[best], note_excess(texts[best], cluster.limit))

    def _first_clause(self, texts: Sequence[str]) -> int | None:
        """Find the first text that parses as one clause; the first of all without a parser."""
        if self._parser == "none":
            return 0
        from ...text.parse.flat import parse_texts

        for start in range(0, len(texts), _AT_ONCE):
            for place, parsed in enumerate(parse_texts(texts[start : start + _AT_ONCE], self._parser), start):
                if _is_one_clause(parsed):
                    return place
        return None

    def _rank(self, graph: WordGraph, cluster: Cluster, read: Sentences) -> list[Path]:
        """Return the paths, the best first."""
        limit = cluster.limit
        chars = limit is not None and limit.unit == "chars"
        sizes = [
            (len(w.key) + 1 if chars else int(not w.punctuation)) if i > 1 else 0 for i, w in enumerate(graph.words)
        ]
        most = None if limit is None else limit.most
        has_verb = any(word.verb for word in graph.words)
        least = self.least if most is None or chars else min(self.least, most)
        scores = keyphrases([words for _, words in read]) if self.rank == "keyphrases" else {}
        phrases = {_write_keys(phrase): score for phrase, score in scores.items()}
        for words, verb in ((least, has_verb), (max(1, least // 2), has_verb), (1, False)):

            def accept(nodes: tuple[int, ...], verb: bool = verb) -> bool:
                return not verb or any(graph.words[n].verb for n in nodes)

            able = list(
                lightest_paths(graph, most=self.paths, least_words=words, sizes=sizes, limit=most, accept=accept)
            )
            if able:
                return sorted(able, key=lambda path: (self._cost(path, graph, phrases), path.nodes))
        return []

    def _cost(self, path: Path, graph: WordGraph, phrases: dict[str, float]) -> float:
        words = sum(not graph.words[n].punctuation for n in path.nodes)
        if self.rank == "weight":
            return path.weight / words  # Eq. 1
        path_text = _write_keys(graph.words[n].key for n in path.nodes)
        phrase_score = sum(score for phrase, score in phrases.items() if phrase in path_text)
        return path.weight / (words * (1 + phrase_score))  # Eq. 2


def _is_one_clause(a: ParsedText) -> bool:
    """Check if a text has one root, with a subject and a finite verb, and nothing loose but who says it."""
    roots = [i for i, head in enumerate(a.heads) if head < 0 and not a.punctuation[i]]
    loose = any(
        base(word.relation) in ("dep", "list", "orphan", "reparandum")
        or (base(word.relation) == "parataxis" and word.lemma.lower() not in SAYING)
        for word in a.words
    )
    return len(roots) == 1 and is_clause(a, roots[0]) and not loose


def _write_keys(keys: Iterable[str]) -> str:
    """Join keys into one string, in which a shorter sequence is found as a substring."""
    return " " + " ".join(keys) + " "


def _untagged_word(form: str, stop: frozenset[str]) -> GraphWord:
    mark = is_punctuation(form)
    return GraphWord(form.lower(), not mark and form.lower() not in stop, mark)


def _of(form: str, tag: str, stop: frozenset[str]) -> GraphWord:
    mark = is_punctuation(form)
    content = not mark and form.lower() not in stop
    return GraphWord(f"{form.lower()}/{tag}", content, mark, tag in ("VERB", "AUX"))


def _pieces(graph: WordGraph, path: Path, read: Sentences) -> tuple[Piece, ...]:
    """Choose a sentence for the word of each node: that of the word before, if it has this node too.

    Inside the text a word is not taken from the start of a sentence, where it has a capital, if it is elsewhere too.
    """
    pieces: list[Piece] = []
    last = -1
    for node in path.nodes:
        places = graph.where[node]
        inner = [s for s, place in places.items() if place > 0]
        if last not in places or (pieces and inner and last not in inner):
            last = min(inner if pieces and inner else places)
        token = read[last][0][places[last]]
        pieces.append(Piece(last, token.start, token.end))
    return tuple(pieces)


def _central(cluster: Cluster, filled: list[int], read: Sentences) -> int:
    """Find the sentence that shares most content words with the others for its length; within the limit if one is."""
    keys = {i: {word.key for word in read[i][1] if word.content} for i in filled}
    limit = cluster.limit
    able = [i for i in filled if limit is None or limit.holds(cluster.sentences[i])] or filled

    def share(i: int) -> float:
        others = [len(keys[i] & keys[j]) for j in filled if j != i]
        return sum(others) / max(1, len(keys[i]))

    return max(able, key=lambda i: (share(i), -i))


@lru_cache(maxsize=8)
def stop_list(language: str) -> frozenset[str]:
    """Return the stop words of a language: the SMART list for English, those of spaCy 3.8 for others; none for none."""
    if language == "en":
        return stop_words()
    if language == "none":
        return frozenset()
    lists = foreign_stop_words()
    if language not in lists:
        raise InputError(
            f"there is no list of stop words for language {language!r}: give one of {', '.join(lists)}, or none"
        )
    return lists[language]
