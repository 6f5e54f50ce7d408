"""The truth suite: how often compressors lose what must not be lost, by category and length, with a note or without.

python reproduce/truth.py                            all systems on all sentences, ratios .4 to .8 (six minutes)
python reproduce/truth.py --half open --system ilp   one half, one system
python reproduce/truth.py --sentences > suite.txt    the sentences, one a line, to run another system on
python reproduce/truth.py --outputs llm=llm.txt      outputs of another system, one a line, at its own length
python reproduce/truth.py --write                    writes the tables into docs/truth.md too

A sentence is lost if the shorter text keeps the words on the left of one of its requirements but not those on the
right. The loss has a note if a note of the compressor names a missing word. A note is needless if it says that the
limit changed what is said, or may have, and nothing that the suite asks for is lost.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np
from common import ROOT
from tables import grid
from truth_suite import HALVES, Case, cases

from assay.systems.budget import Budget
from assay.systems.compress import Compression, compress
from assay.systems.compress.length._costs import token_costs
from assay.systems.compress.truth.faithful import FaithfulGroups
from assay.systems.compress.truth.word_groups import CONSTRAINTS, FORBIDDEN, Need, group_words
from assay.text.parse.flat import ParsedText, parse_texts
from assay.text.tokens.subsequence import kept_places

RATIOS = (0.4, 0.5, 0.6, 0.7, 0.8)
PAGE = ROOT / "docs" / "truth.md"
DEFAULT = "default"
SYSTEMS = {
    DEFAULT: ("tagger-tree", True),
    "default, --no-faithful": ("tagger-tree", False),
    "tagger alone": ("tagger-tree(keep=none, constraints=none)", False),
    "ILP": ("ilp(seconds=60)", True),
    "ILP, --no-faithful": ("ilp(seconds=60)", False),
    "decision tree": ("decision-tree", False),
    "transducer": ("transducer", False),
    "word-based": ("word-based", False),
    "lead": ("lead", False),
    "random": ("random", False),
    "drop stop words": ("drop-stop-words", False),
}
_QUOTED = re.compile(r'"([^"]*)"')
_FORCED = "changed what is said"  # and "may have changed what is said"


@dataclass(frozen=True)
class Output:
    """What one system made of one sentence: the places of its words, and its notes."""

    case: Case
    places: frozenset[int]
    notes: tuple[str, ...] = ()

    @property
    def is_lost(self) -> bool:
        """Tell whether something is lost that the suite asks for."""
        return any(requirement.lost(self.places) for requirement in self.case.requirements)

    @property
    def is_silent(self) -> bool:
        """Tell whether something is lost that no note names."""
        named = {word for note in self.notes for part in _QUOTED.findall(note) for word in _words(part)}
        losses = (requirement.lost(self.places) for requirement in self.case.requirements)
        return any(lost and not any(named & _words(self.case.words[i]) for i in lost) for lost in losses)

    @property
    def is_forced(self) -> bool:
        """Tell whether a note says that what is said was changed."""
        return any(_FORCED in note for note in self.notes)


def _words(text: str) -> set[str]:
    return set(re.findall(r"n't|[\w-]*[^\W_](?=n't)|[\w,.-]*\w", text.lower()))


@dataclass(frozen=True)
class Rates:
    """Shares of one system's outputs at one length; `needless` is a share of the notes that something was changed."""

    system: str
    ratio: float | None
    sentences: int
    lost: float
    silent: float
    noted: int
    needless: float
    rate: float


def run(system: str, ratio: float, suite: Sequence[Case]) -> list[Output]:
    """Compress the suite with one system."""
    spec, faithful = SYSTEMS[system]
    made = compress([case.sentence for case in suite], spec, ratio=ratio, faithful=faithful)
    return [Output(case, kept_words(one), one.notes) for case, one in zip(suite, made, strict=True)]


def kept_words(made: Compression) -> frozenset[int]:
    """Return the places of the words between white space that are kept whole."""
    selected, places, at = set(made.kept_tokens), set(), 0
    for place, word in enumerate(made.source.split()):
        start = made.source.index(word, at)
        at = start + len(word)
        parts = [i for i, t in enumerate(made.tokens) if start <= t.start < at and any(map(str.isalnum, t.text))]
        if parts and selected.issuperset(parts):
            places.add(place)
    return frozenset(places)


def read_outputs(path: str, suite: Sequence[Case]) -> list[Output]:
    """Read another system's outputs, one a line; words that are not in the sentence are passed over."""
    lines = Path(path).read_text("utf-8").splitlines()
    if len(lines) != len(suite):
        sys.exit(f"{path} has {len(lines)} lines; the suite has {len(suite)} sentences (--sentences prints them)")

    def bare(text: str) -> list[str]:
        return [re.sub(r"^\W+|\W+$", "", word).lower() for word in text.split()]

    pairs = zip(suite, lines, strict=True)
    return [Output(case, frozenset(kept_places(bare(case.sentence), bare(line)))) for case, line in pairs]


def rates(system: str, ratio: float | None, outputs: Sequence[Output]) -> Rates:
    """Count what is lost."""
    n = len(outputs)
    forced = [output for output in outputs if output.is_forced]
    return Rates(
        system,
        ratio,
        n,
        sum(output.is_lost for output in outputs) / n,
        sum(output.is_silent for output in outputs) / n,
        len(forced),
        sum(not output.is_lost for output in forced) / len(forced) if forced else float("nan"),
        sum(len(output.places) / len(output.case.words) for output in outputs) / n,
    )


def share_impossible(suite: Sequence[Case], ratio: float) -> float:
    """Return the share of sentences of which no text with the main verb and all that must survive is short enough.

    The texts are those that the default's constraints of grammar allow, with two fifths of the limit or more: a bound
    for a compressor that is told the requirements. The search is exact.
    """
    parsed_texts = parse_texts([case.sentence for case in suite])
    return sum(not is_possible(case, a, ratio) for case, a in zip(suite, parsed_texts, strict=True)) / len(suite)


def is_possible(case: Case, a: ParsedText, ratio: float) -> bool:
    """Tell whether a text within the limit loses nothing that the suite asks for."""
    limit = Budget(ratio).limit(case.sentence)
    assert limit is not None
    roots = [i for i, head in enumerate(a.heads) if head < 0]
    for groups in (FaithfulGroups(a, frozenset(CONSTRAINTS)).loose, group_words(a)):
        costs = groups.spread(token_costs(a.tokens, "words").astype(np.float64)).astype(np.int64)
        states = groups.group_states(roots, ())
        zeros, least = np.zeros(len(costs)), math.ceil(0.4 * limit.most)
        for needs in _alternatives(case, a, groups.group.tolist()):
            if groups.best_priced(zeros, costs, states, needs, least, limit.most) is not None:
                return True
    return False


def _alternatives(case: Case, a: ParsedText, group: list[int]) -> Iterator[list[Need]]:
    """Yield the ways to meet all requirements: one word on the left of each must go, or all on its right stay."""
    words, at = [], 0
    for word in case.words:
        start = case.sentence.index(word, at)
        at = start + len(word)
        words.append([i for i, t in enumerate(a.tokens) if start <= t.start < at and not a.punctuation[i]])
    ways = []
    for requirement in case.requirements:
        needed = {group[i] for place in requirement.needed for i in words[place]}
        if requirement.whole:
            ways.append([[(g, h) for g in needed for h in needed if g != h]])
        else:
            lefts = [{group[i] for i in words[place]} for place in sorted(requirement.kept)]
            ways.append([[(g, h) for g in left for h in needed if g != h] for left in lefts])
    for way in product(*ways):
        yield [Need(g, h, FORBIDDEN) for pairs in way for g, h in pairs]


def by_system(rows: Iterable[Rates]) -> str:
    """Return the table of systems: lost and, of these, lost without a note, at each ratio."""
    systems: dict[str, dict[float | None, Rates]] = {}
    for row in rows:
        systems.setdefault(row.system, {})[row.ratio] = row
    ratios = list(dict.fromkeys(ratio for known in systems.values() for ratio in known))
    heads = ["lost % (without a note %)", *("own length" if r is None else f"{r:g}" for r in ratios)]
    return grid(heads, [[name, *(_cell(known.get(r)) for r in ratios)] for name, known in systems.items()])


def _cell(row: Rates | None) -> str:
    return "" if row is None else f"{100 * row.lost:.1f} ({100 * row.silent:.1f})"


def by_category(found: dict[float, list[Output]]) -> str:
    """Return the table of categories for one system."""
    names = list(dict.fromkeys(output.case.category for outputs in found.values() for output in outputs))
    rows = []
    for name in names:
        parts = {ratio: [o for o in outputs if o.case.category == name] for ratio, outputs in found.items()}
        some = next(iter(parts.values()))
        rows.append([name, str(len(some)), *(_cell(rates(name, r, part)) for r, part in parts.items())])
    return grid(["lost % (without a note %)", "sentences", *(f"{r:g}" for r in found)], rows)


def needless(rows: Sequence[Rates]) -> str:
    """Return the table of notes: how many texts have one, how many needlessly, and how long the texts are."""
    heads = ["system", "ratio", "share of words kept", "texts with a note of a change", "of these needless %"]
    cells = [
        [r.system, f"{r.ratio:g}", f"{r.rate:.3f}", str(r.noted), f"{100 * r.needless:.0f}"] for r in rows if r.noted
    ]
    return grid(heads, cells)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default="", help="one half of one file of the suite (default: all)")
    parser.add_argument("--system", action="append", choices=SYSTEMS, help="only this system (may be repeated)")
    parser.add_argument("--outputs", action="append", default=[], metavar="NAME=FILE", help="outputs of another system")
    parser.add_argument("--sentences", action="store_true", help="print the sentences only")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/truth.md too")
    args = parser.parse_args()
    suite = cases(args.half)
    if args.sentences:
        print(*(case.sentence for case in suite), sep="\n")
        return
    rows: list[Rates] = []
    found: dict[float, list[Output]] = {}
    for system in args.system or SYSTEMS:
        for ratio in RATIOS:
            print(f"{system} at {ratio:g}", file=sys.stderr, flush=True)
            outputs = run(system, ratio, suite)
            rows.append(rates(system, ratio, outputs))
            if system == DEFAULT:
                found[ratio] = outputs
    for given in args.outputs:
        name, _, path = given.partition("=")
        rows.append(rates(name, None, read_outputs(path, suite)))
    if args.json:
        for row in rows:
            print(json.dumps(asdict(row)))
        return
    bound = ", ".join(f"{100 * share_impossible(suite, ratio):.1f} at {ratio:g}" for ratio in RATIOS)
    what = f"{len(suite)} sentences" + (f", the {args.half} half" if args.half else "")
    parts = [what + ":", by_system(rows), needless(rows)]
    parts.append(
        f"Sentences of which no text with the main verb and all that must survive is short enough, %: {bound}."
    )
    parts += ["The default, by category:", by_category(found)] if found else []
    text = "\n\n".join(parts)
    print(text)
    if args.write:
        write_block(args.half or "all", text)


def write_block(name: str, text: str) -> None:
    """Put text between the markers of this name on the page."""
    page = PAGE.read_text("utf-8")
    begin, end = f"<!-- begin truth {name} -->", f"<!-- end truth {name} -->"
    head, _, rest = page.partition(begin)
    _, _, tail = rest.partition(end)
    PAGE.write_text(f"{head}{begin}\n{text}\n{end}{tail}", "utf-8")


if __name__ == "__main__":
    main()
