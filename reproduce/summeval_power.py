"""Does a plan keep its promise? Predicted power beside the power reached on SummEval's experts, for these raters only.

The 100 articles are the population. So many of them are drawn with replacement, the 16 systems are compared as
`assay compare --these-raters` does, and it is counted how often each of the 120 pairs is found to differ. Predicted is
the power that `assay plan` computes from the components of all ratings and the true difference of the pair.

python reproduce/summeval_power.py           prints the mean absolute error of all pairs
python reproduce/summeval_power.py --write   and puts it into reproduce/results
"""

from __future__ import annotations

from itertools import combinations

import common
import numpy as np
import tables
from common import Figure
from scipy.special import stdtrit

from assay import read
from assay.data.ratings import Floats
from assay.stats.rating_contrasts import ContrastDesign, contrast_power
from assay.stats.variance_components import complete_components

NAME = "summeval_power"
TITLE = "Planned and reached power on SummEval (Fabbri et al. 2021)"
EXPERTS = ("expert1", "expert2", "expert3")
DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
ITEMS = (25, 50, 100)
DRAWS = 1000
NOTE = """\
Items drawn with replacement from the 100 articles ({draws} draws, seed 0), all 120 pairs of the 16 systems, for these
three raters only: the mean over pairs of the absolute difference between the power predicted from the components and
the share of draws in which the test of `assay compare --these-raters` finds the pair. It should be at most .05."""


def find() -> tables.Found:
    return [" ".join(NOTE.format(draws=f"{DRAWS:,}").split())], figures()


def figures() -> list[Figure]:
    """Return the mean absolute error by dimension and number of items."""
    data = read(common.data_folder() / "summeval.jsonl.gz").keep_raters(EXPERTS)
    found = []
    for dimension in DIMENSIONS:
        values, system, item, rater = data.ratings(dimension).flatten()
        table = np.zeros((system.max() + 1, item.max() + 1, rater.max() + 1))
        table[system, item, rater] = values
        for items in ITEMS:
            predicted, reached = powers(table, items)
            error = float(np.abs(predicted - reached).mean())
            note = f"mean predicted {predicted.mean():.3f}, reached {reached.mean():.3f}"
            found.append(Figure(f"{dimension}, {items} items: mean absolute error", None, error, note=note))
    return found


def powers(table: Floats, items: int, draws: int = DRAWS, seed: int = 0) -> tuple[Floats, Floats]:
    """Return the predicted and the reached power of all pairs of systems; the table is systems x items x raters."""
    systems, population, raters = table.shape
    parts, design = complete_components(table), ContrastDesign(systems, items, raters, raters)
    means = table.mean(axis=2)
    chosen = np.random.default_rng(seed).integers(0, population, (draws, items))
    drawn = means[:, chosen]  # systems x draws x items
    squares = raters * interaction_squares(drawn) / ((systems - 1) * (items - 1))  # MS_si of each draw
    limit = stdtrit((systems - 1) * (items - 1), 0.975) * np.sqrt(2 * squares / (items * raters))
    pairs = list(combinations(range(systems), 2))
    reached = [float((np.abs((drawn[i] - drawn[k]).mean(axis=1)) > limit).mean()) for i, k in pairs]
    gaps = np.array([(means[i] - means[k]).mean() for i, k in pairs])
    return contrast_power(gaps, parts, design, new_raters=False), np.array(reached)


def interaction_squares(drawn: Floats) -> Floats:
    """Return the sum of squares of system x item of each draw."""
    by_system, by_item = drawn.mean(axis=2, keepdims=True), drawn.mean(axis=0, keepdims=True)
    rest = drawn - by_system - by_item + by_system.mean(axis=0, keepdims=True)
    return np.asarray((rest**2).sum(axis=(0, 2)))


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
