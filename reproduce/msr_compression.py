"""MSR compressions (Toutanova et al. 2016): the default compressor next to lead and ILP, against all that people wrote.

python reproduce/msr_compression.py     the 447 sources of valid, ratio .72, and what is kept without a limit

p-values: approximate randomization over sources (paired, two-sided, 10,000 draws, seed 0).
"""

from __future__ import annotations

import numpy as np
from common import data
from tables import grid

import assay
from assay import EvalSet
from assay.systems.compress import compress

RATIO = 0.72
DRAWS = 10_000
TESTED = 3  # the first systems are tested against lead and ILP
METRICS = ("SKIP-2+Recall+MULT-PROB", "LR-3+F-1+MULT-PROB", "PARSE-2+F-1+MULT-PROB")
SYSTEMS = {
    "default": ("tagger-tree", True),
    "default, --no-faithful": ("tagger-tree", False),
    "keep=none, --no-faithful": ("tagger-tree(keep=none)", False),
    "conservative tagger": ("tagger-tree(tagger=conservative)", True),
    "lead": ("lead", False),
    "ILP": ("ilp(seconds=60)", False),
}


def p_value(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of random swaps of the two systems with at least this difference of means."""
    difference = a - b
    signs = np.random.default_rng(0).choice((-1.0, 1.0), (DRAWS, len(difference)))
    beyond = np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9
    return float((beyond.sum() + 1) / (DRAWS + 1))


def main() -> None:
    """Print the tables."""
    items = list(data("msr-compression/RawData/valid.tsv"))
    sources, references = [item.sources[0] for item in items], [list(item.outputs.values()) for item in items]
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
    print(f"MSR valid, {len(sources)} sources, ratio {RATIO}\n")
    print(grid(["mean", "words kept", *heads], rows), grid(["difference (p)", *heads], tests), sep="\n\n")
    for faithful in (True, False):
        rate = np.mean([c.token_rate for c in compress(sources, faithful=faithful)])
        print(f"\ntokens kept without a limit{'' if faithful else ', --no-faithful'}: {rate:.3f}")


if __name__ == "__main__":
    main()
