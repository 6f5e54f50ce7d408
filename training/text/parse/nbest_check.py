"""Print the n best parses of a sentence, with their scores."""

from __future__ import annotations

import argparse

from assay.text.parse.parser import nbest
from assay.text.parse.sentence import Sentence


def drawn(sentence: Sentence) -> str:
    """The arcs of a sentence on one line, punctuation left out."""
    arcs = ((w, sentence[w.head].form if w.head >= 0 else w.form) for w in sentence if w.relation != "punct")
    return "  ".join(f"{word.form}<-{word.relation}-{head}" for word, head in arcs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", default="The old man saw the boy with the telescope on the hill")
    parser.add_argument("-n", type=int, default=5)
    args = parser.parse_args()
    [parses] = nbest([args.text], "en", args.n)
    for rank, parse in enumerate(parses, 1):
        print(f"{rank}. {parse.score:.4f}")
        print("   " + "  ".join(drawn(sentence) for sentence in parse.sentences))


if __name__ == "__main__":
    main()
