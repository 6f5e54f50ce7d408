"""The aligner on paraphrases that others wrote and linked: Edinburgh++ (Cohn, Callison-Burch and Lapata 2008).

The file is not part of the data of the tests: gold.test.sure.json, in the folder alignment-data/edinburgh of the
repository xuchen/jacana on GitHub. Put it into the folder of the data.

python reproduce/cohn_2008.py           prints precision, recall and F1 of the first 30 pairs
python reproduce/cohn_2008.py --write   and puts them into reproduce/results
"""

from __future__ import annotations

import json
import sys
from itertools import islice

import common
import tables
from common import Figure

from assay.text.align.monolingual import align
from assay.text.align.results import score_aligner

NAME = "cohn_2008"
TITLE = "Edinburgh++: the aligner on paraphrases that others linked (Cohn et al. 2008)"
FILE = "gold.test.sure.json"
PAIRS = 30
NOTE = """\
The first {n} pairs of the test part of Edinburgh++ (news; sure links made by hand between words that spaces separate).
Nothing was tuned on them. The file is not part of the data of the tests: `{file}` of the repository xuchen/jacana on
GitHub. *equal words*: each word is linked with the first free word that equals it."""


def find() -> tables.Found:
    path = common.data_folder() / FILE
    if not path.exists():
        sys.exit(f"{FILE} is not in {common.data_folder()}: fetch it from alignment-data/edinburgh of xuchen/jacana")
    pairs = list(islice(json.loads(path.read_text("utf-8")), PAIRS))
    scores = score_aligner((align(p["source"], p["target"]), links(p["sureAlign"])) for p in pairs)
    rows = [row for row in scores.scores if row.lines == "all"]
    found = [
        Figure(
            f"{row.aligner}: {name}", None, value, note=f"{row.right} of {row.links} links right, {row.gold} by hand"
        )
        for row in rows
        for name, value in (("precision", row.precision), ("recall", row.recall), ("F1", row.f1))
    ]
    return [" ".join(NOTE.format(n=len(pairs), file=FILE).split())], found


def links(text: str) -> set[tuple[int, int]]:
    """Read links as the file has them.

    >>> sorted(links("0-5 3-7 3-9"))
    [(0, 5), (3, 7), (3, 9)]
    """
    return {(int(a), int(b)) for a, _, b in (link.partition("-") for link in text.split())}


if __name__ == "__main__":
    tables.main(NAME, TITLE, find)
