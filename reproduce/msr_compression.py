"""MSR compressions (Toutanova et al. 2016): the default compressor beside lead and ILP, against all that people wrote.

python reproduce/msr_compression.py                 the 447 sources of valid, ratio .72
python reproduce/msr_compression.py --part train    300 sources of the training texts that no model here has seen

p-values: approximate randomization over sources (paired, two-sided, 10,000 draws, seed 0).
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from common import ROOT, data
from tables import grid

import assay
from assay import EvalSet
from assay.systems.compress import compress

sys.path.insert(0, str(ROOT / "training" / "systems" / "compress"))
from written import TRAINED, msr_sources

RATIO = 0.72
DRAWS = 10_000
TESTED = 3  # the first systems are tested against lead and ILP
METRICS = ("SKIP-2+Recall+MULT-PROB", "LR-3+F-1+MULT-PROB", "PARSE-2+F-1+MULT-PROB")
SYSTEMS = {
    "default": ("tagger-tree", True),
    "default, --no-faithful": ("tagger-tree", False),
    "keep=none, --no-faithful": ("tagger-tree(keep=none)", False),
    "conservative tagger, no bonus for neighbours": ("tagger-tree(tagger=conservative, adjacency=0)", True),
    "lead": ("lead", False),
    "ILP": ("ilp(seconds=60)", False),
}


def p_value(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of random swaps of the two systems with at least this difference of means."""
    difference = a - b
    signs = np.random.default_rng(0).choice((-1.0, 1.0), (DRAWS, len(difference)))
    beyond = np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9
    return float((beyond.sum() + 1) / (DRAWS + 1))


def sources_of(part: str) -> tuple[list[str], list[list[str]]]:
    """Return sources, and of each what people made of it."""
    if part == "valid":
        items = list(data("msr-compression/RawData/valid.tsv"))
        return [item.sources[0] for item in items], [list(item.outputs.values()) for item in items]
    unseen = [text for text in msr_sources() if text.part > TRAINED][:300]
    return [text.source for text in unseen], [text.rewrites for text in unseen]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("valid", "train"), default="valid", help="which sources")
    args = parser.parse_args()
    sources, references = sources_of(args.part)
    outputs, rates = {}, {}
    for name, (spec, faithful) in SYSTEMS.items():
        short = compress(sources, spec, ratio=RATIO, faithful=faithful)
        outputs[name] = [c.text for c in short]
        rates[name] = sum(c.word_rate for c in short) / len(short)
    scores = assay.score(EvalSet.from_texts(outputs, references, sources=sources), list(METRICS))
    names = list(SYSTEMS)
    rows = []
    for k, name in enumerate(names):
        cells = [f"{scores[metric].values[k].mean():.3f}" for metric in METRICS]
        rows.append([name, f"{rates[name]:.3f}", *cells])
    tests = []
    for k, name in enumerate(names[:TESTED]):
        for other in ("lead", "ILP"):
            values = [scores[metric].values[[k, names.index(other)]] for metric in METRICS]
            tests.append(
                [f"{name}, against {other}", *(f"{a.mean() - b.mean():+.3f} ({p_value(a, b):.4f})" for a, b in values)]
            )
    heads = [m.split("+")[0] for m in METRICS]
    print(f"MSR {args.part}, {len(sources)} sources, ratio {RATIO}\n")
    print(grid(["mean", "words kept", *heads], rows), grid(["difference (p)", *heads], tests), sep="\n\n")


if __name__ == "__main__":
    main()
