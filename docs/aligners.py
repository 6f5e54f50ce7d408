"""Two aligners on one set: CPU time, how far their links agree, and the paraphrases that come from them.

python docs/aligners.py ../shared/data/wmt17-de-en.jsonl.gz
"""

from __future__ import annotations

import os
import sys

import assay
from assay.systems.paraphrase import paraphrases
from assay.text.align.bitext import align

METHODS = ("hmm", "eflomal")


def links(data: assay.EvalSet, method: str) -> tuple[set[tuple[int, int, int]], float]:
    """All links, and the seconds they took, child processes among them."""
    sources = [" ".join(item.sources) for item in data for _ in item.references]
    targets = [reference.text for item in data for reference in item.references]
    before = sum(os.times()[:4])
    found = align(sources, targets, method)
    took = sum(os.times()[:4]) - before
    return {(line, *link) for line, pairs in enumerate(found.pairs) for link in pairs}, took


def alike(a: set, b: set) -> float:
    """F of one by the other."""
    return 2 * len(a & b) / (len(a) + len(b))


def main(path: str) -> None:
    data = assay.read(path)
    found = {method: links(data, method) for method in METHODS}
    for method, (every, took) in found.items():
        print(f"{method}: {len(every)} links in {took:.2f} s of CPU time")
    ours, theirs = (found[method][0] for method in METHODS)
    again = links(data, "eflomal")[0]
    print(f"F of the links: {alike(ours, theirs):.3f}; of eflomal's with another run's: {alike(theirs, again):.3f}")
    replacements = []
    for method in METHODS:
        sets = paraphrases(data, aligner=method)
        members = {member.text for group in sets.sets for member in group.members}
        replacements.append({(old, r.new) for old in members for r in sets.of(old)})
        print(f"{method}: {len(sets.sets)} equivalence sets, {len(replacements[-1])} replacements")
    print(f"{len(replacements[0] & replacements[1])} replacements in common")


if __name__ == "__main__":
    main(*sys.argv[1:])
