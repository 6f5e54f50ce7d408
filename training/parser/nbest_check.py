"""Print the n best parses of a sentence, with their scores."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.language import Language
from spacy.pipeline._parser_internals import nonproj
from spacy.pipeline._parser_internals._beam_utils import BeamBatch  # type: ignore[import-not-found]
from spacy.tokens import Doc

MODEL = Path(__file__).resolve().parents[2] / "src" / "assay" / "text" / "models" / "en"


@dataclass(frozen=True)
class Parse:
    """A parsed sentence and its share of the beam's probability."""

    probability: float
    doc: Doc


def nbest(nlp: Language, text: str, n: int = 5, *, beam_width: int = 16, one_sentence: bool = True) -> list[Parse]:
    """The `n` most probable parses of `text` in a beam of `beam_width` states, best first.

    Probabilities sum to 1 over the parses in the beam and tell nothing about those outside it. `one_sentence` keeps the
    parser from cutting the text into sentences.
    """
    doc = nlp.make_doc(text)
    for name, component in nlp.pipeline:
        if name != "parser":  # a parsed Doc would force its own sentence bounds on the beam
            doc = component(doc)
    if not len(doc):
        return []
    if one_sentence:
        for token in doc[1:]:
            token.is_sent_start = False
    parser: Any = nlp.get_pipe("parser")
    [beam] = beams(parser, [doc], beam_width)
    found: dict[tuple[tuple[int, ...], tuple[str, ...]], Parse] = {}
    for probability, arcs in sorted(parser.moves.get_beam_parses(beam), key=lambda scored: -scored[0]):
        parsed = with_arcs(doc, arcs)
        key = tuple(t.head.i for t in parsed), tuple(t.dep_ for t in parsed)
        known = found.get(key)  # different transitions may build the same tree
        found[key] = Parse(probability + (known.probability if known else 0.0), known.doc if known else parsed)
    if not found:  # get_beam_parses leaves out parses without arcs, as of a single word
        return [Parse(1.0, with_arcs(doc, []))]
    return sorted(found.values(), key=lambda parse: -parse.probability)[:n]


def beams(parser: Any, docs: list[Doc], beam_width: int) -> list[Any]:
    """One beam for each document: `parser.beam_parse`, but the score of a transition is its log-probability.

    The raw scores that `beam_parse` adds up are not comparable between states of a parser trained greedily: with them
    a wider beam finds worse trees. No other factory is needed: the component that "parser" makes has all of this.
    """
    batch = BeamBatch(parser.moves, parser.moves.init_batch(docs), None, beam_width)
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


def with_arcs(doc: Doc, arcs: list[tuple[int, int, str]]) -> Doc:
    """A copy of `doc` whose tree is `arcs`, (head, child, label) as the beam gives them."""
    heads, labels = list(range(len(doc))), ["ROOT"] * len(doc)
    for head, child, label in arcs:
        heads[child], labels[child] = head, label
    copy = Doc(
        doc.vocab,
        words=[t.text for t in doc],
        spaces=[bool(t.whitespace_) for t in doc],
        tags=[t.tag_ for t in doc],
        pos=[t.pos_ for t in doc],
        morphs=[str(t.morph) for t in doc],
        lemmas=[t.lemma_ for t in doc],
        heads=heads,
        deps=labels,
    )
    nonproj.deprojectivize(copy)  # in place; undoes labels such as "nmod||obj", as the greedy parser does afterwards
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", default="The old man saw the boy with the telescope on the hill")
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("-n", type=int, default=5)
    parser.add_argument("--beam-width", type=int, default=16)
    args = parser.parse_args()
    if not (args.model / "meta.json").exists():
        parser.error(f"no spaCy model in {args.model}; run train.sh first, or name the folder of one with --model")
    for rank, parse in enumerate(nbest(spacy.load(args.model), args.text, args.n, beam_width=args.beam_width), 1):
        print(f"{rank}. {parse.probability:.4f}")
        print("   " + "  ".join(f"{t.text}<-{t.dep_}-{t.head.text}" for t in parse.doc if t.dep_ != "punct"))


if __name__ == "__main__":
    main()
