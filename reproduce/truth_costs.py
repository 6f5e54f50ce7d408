"""What --faithful costs: the default compressor with and without it, against what people wrote.

python reproduce/truth_costs.py           prints the tables (two minutes)
python reproduce/truth_costs.py --write   and puts them into docs/truth.md

People delete *probably* and *he said* too: the last table has the labels of what they left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import truth
from broadcast import broadcast
from common import data
from compressors import as_words
from tables import grid

import assay
from assay import EvalSet
from assay.systems.compress import compress
from assay.text.logic.modifiers import LABELS
from assay.text.logic.texts import label_text
from assay.text.parse.flat import parse_texts

MSR = ("SKIP-2+Recall+MULT-PROB", "LR-3+F-1+MULT-PROB", "PARSE-2+F-1+MULT-PROB")


def score(sources: Sequence[str], outputs: Sequence[str], references: list[list[str]], metric: str) -> float:
    """Return the mean score of one system."""
    found = EvalSet.from_texts({"x": list(outputs)}, references, sources=list(sources))
    return float(assay.score(found, metric).means()[0])


def on_broadcast() -> list[list[str]]:
    """Relations F on Broadcast News."""
    items = list(broadcast())
    sources = [item.sources[0] for item in items]
    references = [[reference.text for reference in item.references] for item in items]
    rows = []
    for ratio in (0.7, 0.75):
        cells = []
        for faithful in (False, True):
            made = compress(sources, ratio=ratio, faithful=faithful)
            cells.append(score(sources, [as_words(one) for one in made], references, "relations(refs=mean)"))
        rows.append([f"Broadcast News, ratio {ratio:g}: relations F", *(f"{cell:.3f}" for cell in cells)])
    return rows


def on_msr() -> list[list[str]]:
    """Three of the best metrics of Toutanova et al. (2016) on the MSR valid sentences, at ratio .72."""
    items = list(data("msr-compression/RawData/valid.tsv"))
    sources = [item.sources[0] for item in items]
    references = [list(item.outputs.values()) for item in items]
    made = [compress(sources, ratio=0.72, faithful=faithful) for faithful in (False, True)]
    return [
        [
            f"MSR valid, ratio 0.72: {m}",
            *(f"{score(sources, [c.text for c in one], references, m):.3f}" for one in made),
        ]
        for m in MSR
    ]


def by_people() -> str:
    """Return the labels of the deletions in the human compressions of Broadcast News."""
    labels: Counter[str] = Counter()
    items = list(broadcast())
    for item, source in zip(items, parse_texts([item.sources[0] for item in items]), strict=True):
        for reference in item.references:
            labels.update(deletion.label for deletion in label_text(source, reference.text) or ())
    total = labels.total()
    shares = [f"{100 * labels[label] / total:.0f} %" for label in LABELS]
    return grid(["deletions of people, Broadcast News", *LABELS], [[f"{total:,}", *shares]])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/truth.md too")
    args = parser.parse_args()
    text = grid(["", "--no-faithful", "--faithful"], [*on_broadcast(), *on_msr()]) + "\n\n" + by_people()
    print(text)
    if args.write:
        truth.write_block("costs", text)


if __name__ == "__main__":
    main()
