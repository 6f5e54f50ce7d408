"""Compounds of languages without gold: 160 each, and 30 words that are none, written for the tests.

python reproduce/compound_lists.py     prints how many are split right when told to be compounds, and when not
"""

from __future__ import annotations

import tomllib

from common import ROOT
from tables import grid

from assay.text.compounds.splitter import load_splitter

LISTS = ROOT / "tests" / "text" / "compounds" / "sanity.toml"


def count_right(code: str, compounds: list[str], simple: list[str]) -> tuple[int, int, int]:
    """Count compounds that are right with --force, compounds that are right without, and simple words left alone."""
    words = [marked.replace("|", "") for marked in compounds]
    forced, free = (load_splitter(code, force=force).mark(words) for force in (True, False))
    alone = load_splitter(code).mark(simple)
    pairs = ((forced, compounds), (free, compounds), (alone, simple))
    return tuple(sum(a == b for a, b in zip(ours, right, strict=True)) for ours, right in pairs)  # type: ignore[return-value]


def main() -> None:
    rows = []
    for code, words in tomllib.loads(LISTS.read_text("utf-8")).items():
        compounds, simple = words["compounds"].split(), words["simple"].split()
        forced, free, alone = count_right(code, compounds, simple)
        rows.append([code, *map(str, (len(compounds), forced, free, len(simple), alone))])
    print(grid(["language", "compounds", "right with --force", "right", "simple words", "left alone"], rows))


if __name__ == "__main__":
    main()
