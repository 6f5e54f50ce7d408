"""Decision tree and transducer on the last 1,000 of the 9,000 Google pairs, none of which is trained on.

python training/systems/compress/evaluate_trees.py
"""

from __future__ import annotations

import time

from google_pairs import DATA

import assay
from assay.systems.compress import compress

METRICS = ("tokenf1", "deletionf1", "exact", "rate(tokenizer=13a)")


def main() -> None:
    items = assay.read(DATA / "google-compression-9k.jsonl.gz").entries[-1000:]
    sources = [item.sources[0] for item in items]
    made, took = {}, {}
    for name in ("decision-tree", "transducer", "transducer(lm=0)"):
        compress(sources[:1], name)  # loads the models
        start = time.process_time()
        made[name] = [c.text for c in compress(sources, name)]
        took[name] = time.process_time() - start
    data = assay.EvalSet.from_texts(made, [[r.text for r in item.references] for item in items], sources)
    found = assay.score(data, METRICS)
    for k, name in enumerate(made):
        cells = "  ".join(f"{m} {found[m].means()[k]:.3f}" for m in METRICS)
        print(f"{name:18} {cells}  {took[name]:.1f} ms of CPU a sentence, parsing included")


if __name__ == "__main__":
    main()
