"""The plain twin of the core's beam: the n best parses of a sentence, from the transition system of a spaCy parser."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from assay.text.parse.beam import combine
from assay.text.parse.sentence import Sentence, Word
from assay.text.parse.spacy import span_words

Tree = tuple[tuple[int, ...], tuple[str, ...]]

NARROWEST = 16  # states; a narrower beam finds too few different trees
LONG = 150  # words; the work grows with the square of the length, so longer sentences get the narrowest beam
_AT_ONCE = 64  # sentences


def nbest_sentences(nlp: Any, texts: Sequence[str], n: int) -> Iterator[list[tuple[float, tuple[Sentence, ...]]]]:
    """Return for each text its `n` best parses, best first, with the logarithm of their probability within the beam.

    Sentences are those of the plain parser; the parses of several are combined by the product of their probabilities.
    """
    docs = list(nlp.pipe(texts))
    spans = [span for doc in docs for span in doc.sents]
    parsed = _sentences(nlp, spans, n)
    for doc in docs:
        yield combine([next(parsed) for _ in doc.sents], n)


def _sentences(nlp: Any, spans: list[Any], n: int) -> Iterator[list[tuple[float, Sentence]]]:
    parser: Any = nlp.get_pipe("parser")
    for start in range(0, len(spans), _AT_ONCE):
        for long, some in groupby(spans[start : start + _AT_ONCE], key=lambda span: len(span) > LONG):
            docs = [_without_tree(nlp, span) for span in some]
            width = NARROWEST if long else max(NARROWEST, n + n // 2)  # several states may build the same tree
            for doc, beam in zip(docs, _beams(parser, docs, width), strict=True):
                yield _best_trees(parser, doc, beam, n)


def _without_tree(nlp: Any, span: Any) -> Any:
    """Return the words and tags of a sentence without its tree, marked as one sentence."""
    from spacy.tokens import Doc

    doc = Doc(
        nlp.vocab,
        words=[t.text for t in span],
        spaces=[bool(t.whitespace_) for t in span],
        tags=[t.tag_ for t in span],
        pos=[t.pos_ for t in span],
        morphs=[str(t.morph) for t in span],
        lemmas=[t.lemma_ for t in span],
        sent_starts=[i == 0 for i in range(len(span))],
    )
    for token, original in zip(doc, span, strict=True):
        token.norm_ = original.norm_  # the tokenizer's exceptions have norms of their own: "n't" is "not"
    if nlp.has_pipe("tok2vec"):
        doc = nlp.get_pipe("tok2vec")(doc)  # the parser reads its vectors from the document
    return doc


def _beams(parser: Any, docs: list[Any], width: int) -> list[Any]:
    """Return one beam for each document: `parser.beam_parse`, but the score of a transition is its log-probability.

    The raw scores that `beam_parse` adds up are not comparable between states of a parser trained greedily: with them
    a wider beam finds worse trees.
    """
    from spacy.pipeline._parser_internals._beam_utils import BeamBatch

    batch = BeamBatch(parser.moves, parser.moves.init_batch(docs), None, width)
    step = parser.model.predict(docs)
    while not batch.is_done:
        states = batch.get_unfinished_states()
        if not states:
            break
        scores = step.predict(states)
        scores = scores - scores.max(axis=1, keepdims=True)
        batch.advance(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))
    step.clear_memory()
    return list(batch)


def _best_trees(parser: Any, doc: Any, beam: Any, n: int) -> list[tuple[float, Sentence]]:
    """Return the trees of a beam with their shares of its probability; several states may hold the same tree."""
    shares: dict[Tree, float] = {}
    for probability, arcs in parser.moves.get_beam_parses(beam):
        tree = _tree(len(doc), arcs)
        shares[tree] = shares.get(tree, 0.0) + float(probability)
    if not shares:  # parses without arcs, as of a single word, are left out
        shares = {_tree(len(doc), []): 1.0}
    best = heapq.nlargest(n, shares.items(), key=lambda item: item[1])
    words = span_words(doc[:])
    return [(math.log(max(share, 1e-300)), _with_tree(doc, words, tree)) for tree, share in best]


def _tree(words: int, arcs: list[tuple[int, int, str]]) -> Tree:
    heads, labels = list(range(words)), ["ROOT"] * words
    for head, child, label in arcs:
        heads[child], labels[child] = head, label
    return tuple(heads), tuple(labels)


def _with_tree(doc: Any, words: Sentence, tree: Tree) -> Sentence:
    heads, labels = tree
    if any("||" in label for label in labels):
        heads, labels = _deprojectivize(doc, tree)
    placed = zip(words, range(len(words)), heads, labels, strict=True)
    return tuple(
        Word(*word[:5], *((-1, "root") if head == place else (head, label))) for word, place, head, label in placed
    )


def _deprojectivize(doc: Any, tree: Tree) -> Tree:
    """Undo labels such as "nmod||obj", which stand for crossing arcs, as the plain parser does."""
    from spacy.pipeline._parser_internals import nonproj
    from spacy.tokens import Doc

    copy = Doc(doc.vocab, words=[t.text for t in doc], heads=list(tree[0]), deps=list(tree[1]))
    nonproj.deprojectivize(copy)  # in place
    return tuple(t.head.i for t in copy), tuple(t.dep_ for t in copy)
