"""Make the library of studies from judged sets: python training/planning/library.py writes library.json of planning.

A study enters if its raters are persons who judged several systems of several items. SummEval's crowd and MSR have
positions instead of persons, TAC one assessor per topic: they are left out.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import assay
from assay.data.ratings import Ratings
from assay.planning.components import estimate_components

DRAWS = 60  # kept for intervals of plans
ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
STUDIES = {
    "summeval-expert": (
        "summeval.jsonl.gz",
        "expert*",
        "Fabbri et al. 2021, SummEval: three experts, 16 summarizers of CNN/DailyMail, 100 articles, scale 1 to 5",
    ),
    "simplicity-da": (
        "simplicity-da.jsonl.gz",
        "*",
        "Alva-Manchego et al. 2021, Simplicity-DA: crowd workers, 6 simplification systems, 100 sentences, 0 to 100",
    ),
}


def main() -> None:
    """Estimate the components of every dimension of every study and write them."""
    library = {}
    for name, (file, raters, source) in STUDIES.items():
        data = assay.read(DATA / file, allow_missing=True)
        dimensions = {}
        for dimension in data.dimensions:
            ratings = keep(data.ratings(dimension), raters)
            result = estimate_components(ratings)
            fields = asdict(result)
            fields["samples"] = [[round(x, 4) for x in row] for row in fields["samples"][:DRAWS]]
            dimensions[dimension] = {k: v for k, v in fields.items() if k not in ("source", "reliability")}
            print(name, dimension, {row.name: round(row.variance, 3) for row in result.components}, file=sys.stderr)
        library[name] = {"source": source, "dimensions": dimensions}
    target = ROOT / "src" / "assay" / "planning" / "library.json"
    target.write_text(json.dumps(library, separators=(",", ":")) + "\n", "utf-8")


def keep(ratings: Ratings, pattern: str) -> Ratings:
    """Leave out the raters whose names do not fit."""
    from fnmatch import fnmatchcase

    return ratings.without(*(rater for rater in ratings.raters if not fnmatchcase(rater, pattern)))


if __name__ == "__main__":
    main()
