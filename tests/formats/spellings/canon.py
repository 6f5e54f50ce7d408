"""One small evaluation set, what must be read of it however it is written, and the verdict on a reading."""

from __future__ import annotations

import re
import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.errors import AssayError
from assay.formats import parse_columns, stream

IDS = ("d01", "d02", "d03", "d04", "d05", "d06", "d07", "d08")
SOURCES = (
    'The old bridge over the Lohne, closed since May, will be torn down next spring, said mayor Karin "Kit" Vogel.',
    "A bakery in the harbour quarter sells bread by weight; regular customers say that the crust is thinner now.",
    "Two hikers were found unhurt on the north ridge on Sunday after a night in the snow, the rescue service reported.",
    "The city library lends out tools as well as books, and the drill is on loan for most weekends of the year.",
    "Heavy rain flooded three cellars in Ahornweg, where the pumps that were ordered in autumn have not arrived.",
    "The orchestra's new hall has 900 seats, fewer than the old one, but the sound reaches the last row much better.",
    "Farmers near Oße fear for the harvest: it has rained only twice since the beginning of June, they told reporters.",
    "The school moved its first lesson to nine o'clock, and teachers say that pupils are more awake than before.",
)
FIRST = (
    'The old Lohne bridge will be torn down in spring, says "Kit" Vogel.',
    "A harbour bakery sells its bread by weight.",
    "Two hikers survived a night in the snow unhurt.",
    "The library lends tools, and its drill is popular.",
    "Rain flooded three cellars because pumps are missing.",
    "The new hall has fewer seats, but it sounds better.",
    "Farmers near Oße fear a bad harvest after a dry June.",
    "School starts at nine now, and pupils are more awake.",
)
SECOND = (
    "Next spring the closed bridge over the Lohne goes.",
    "Bread is sold by weight in the harbour quarter.",
    "Hikers were rescued from the north ridge on Sunday.",
    "You can borrow a drill from the city library.",
    "Three cellars in Ahornweg are under water.",
    "The orchestra's hall is smaller and has a better sound.",
    "It has hardly rained near Oße since the start of June.",
    "Lessons that begin at nine make pupils less tired.",
)
OUTPUTS: dict[str, tuple[str, ...]] = {
    "bart": (
        "The closed bridge over the Lohne will be torn down.",
        "A bakery sells bread by weight; the crust is thin.",
        "Two hikers were found on the ridge on Sunday.",
        "The city library lends out tools and books.",
        "Rain flooded cellars, and pumps have not arrived.",
        "The new hall has 900 seats and a better sound.",
        "Farmers fear for the harvest because of the drought.",
        "The school moved its first lesson to nine o'clock.",
    ),
    "t5": (
        'Mayor "Kit" Vogel tears down the bridge herself.',
        "Customers, say bakers, like a thin crust.",
        "The rescue service reported a night in the snow.",
        "The drill is on loan on most weekends of the year.",
        "The pumps of Ahornweg were ordered in autumn.",
        "The orchestra moved into an old hall with more seats.",
        "It rained only twice in June, reporters told farmers.",
        "Teachers are more awake than pupils at nine.",
    ),
    "lead": (
        "The old bridge over the Lohne, closed since May, goes.",
        "A bakery in the harbour quarter sells bread.",
        "Two hikers were found unhurt on the north ridge.",
        "The city library lends out tools as well as books.",
        "Heavy rain flooded three cellars in Ahornweg.",
        "The orchestra's new hall has 900 seats, fewer.",
        "Farmers near Oße fear for the harvest: it has rained.",
        "The school moved its first lesson to nine.",
    ),
}
SYSTEMS = tuple(OUTPUTS)
RATERS = ("anna", "ben", "carla")
GROUPS = ("local", "food", "alpine", "local", "weather", "music", "farming", "school")
DIMENSIONS = ("fluency", "adequacy")
N = len(IDS)


def rating(item: int, system: str, rater: str, dimension: str) -> int:
    """Return a rating from 1 to 5 that looks like nothing but a rating: neither rising nor constant in any order."""
    place = 7 * item + 3 * SYSTEMS.index(system) + 5 * RATERS.index(rater) + 11 * DIMENSIONS.index(dimension)
    return (3, 5, 2, 4, 4, 1, 5, 3, 2, 4, 5, 3, 1)[place % 13]


class Rated(NamedTuple):
    """A judgment that must be read; a rater of None is anybody, as the file does not say who."""

    item: int
    system: str
    rater: str | None
    dimension: str
    value: float


@dataclass(frozen=True)
class Expected:
    """What must be read; a system called "" may have any name, ids of None may be any, a dimension may have more."""

    outputs: Mapping[str, Sequence[str | None]]
    references: Sequence[Sequence[str]] = ((),) * N
    sources: Sequence[Sequence[str]] = ((),) * N
    ids: Sequence[str] | None = None
    ratings: Sequence[Rated] = ()
    raters: int | None = None  # how many there are, where the file does not name them

    @property
    def items(self) -> int:
        """How many there are."""
        return len(next(iter(self.outputs.values())))


@dataclass(frozen=True)
class Case:
    """A spelling: what it is called, what makes the file or object in a folder, and what must be read."""

    name: str
    make: Callable[[Path], Any]
    expected: Expected
    options: Mapping[str, Any] = field(default_factory=dict)
    remedy: str = "--columns"  # what a refusal must offer; of files that no choice of columns can mend, other words


class Verdict(NamedTuple):
    """same, less, refused, stuck or misread.

    less: what is read is right, and a column that was left out is named in the line that says what was read.
    stuck: a refusal that offers nothing that works.
    """

    word: str
    reason: str = ""


def fold(name: object) -> str:
    """Return a name without case and punctuation."""
    return re.sub(r"[\W_]+", "", str(name)).lower()


def explain_difference(data: assay.EvalSet, expected: Expected) -> str:
    """Say where a set differs from what must be read, or return nothing."""
    items = list(data)
    if len(items) != expected.items:
        return f"{len(items)} items instead of {expected.items}"
    if expected.ids is not None:
        ids = [item.id for item in items]
        if sorted(ids) != sorted(map(str, expected.ids)):
            return f"ids {ids[:3]} instead of {list(expected.ids[:3])}"
        items = [items[ids.index(str(name))] for name in expected.ids]
    names = _match_systems(data.systems, tuple(expected.outputs))
    if names is None:
        return f"systems {list(data.systems)} instead of {list(expected.outputs)}"
    for number, item in enumerate(items):
        outputs = {names[s]: text for s, text in item.outputs.items()}
        texts = {s: texts[number] for s, texts in expected.outputs.items() if texts[number] is not None}
        found = (tuple(r.text for r in item.references), tuple(item.sources), outputs)
        for what, got, want in zip(
            ("references", "sources", "outputs"),
            found,
            (tuple(expected.references[number]), tuple(expected.sources[number]), texts),
            strict=True,
        ):
            if got != want:
                return f"item {number + 1}: {what} {str(got)[:150]} instead of {str(want)[:150]}"
    return _explain_ratings(items, names, expected)


def _match_systems(found: Sequence[str], wanted: Sequence[str]) -> dict[str, str] | None:
    """Return the expected name of each system found: its own, perhaps with more around it (bart_output)."""
    if len(found) != len(wanted):
        return None
    if wanted == ("",):
        return {found[0]: ""}
    names: dict[str, str] = {}
    for name in sorted(wanted, key=len, reverse=True):
        own = [s for s in found if s not in names and (fold(name) in fold(s) if fold(name) else name == s)]
        if not own:
            return None
        names[min(own, key=len)] = name
    return names


def _explain_ratings(items: Sequence[assay.Item], names: Mapping[str, str], expected: Expected) -> str:
    human = [(n, j) for n, item in enumerate(items) for j in item.judgments if j.kind in (None, "human")]
    dimensions = {r.dimension for r in expected.ratings}
    label = {
        d: next((e for e in sorted(dimensions, key=len, reverse=True) if fold(e) in fold(d)), d)
        for d in {j.dimension for _, j in human}
    }
    named = any(r.rater is not None for r in expected.ratings)
    got = Counter(
        (n, names[j.system], fold(j.rater) if named else "", label[j.dimension], float(j.score)) for n, j in human
    )
    want = Counter(
        (r.item, r.system, fold(r.rater) if named else "", r.dimension, float(r.value)) for r in expected.ratings
    )
    if got != want:
        shown = sorted({j.dimension for _, j in human}), len(human), list(got - want or want - got)[:2]
        return f"judgments {shown} instead of {sorted(dimensions), len(expected.ratings)}"
    raters = len({j.rater for _, j in human})
    if not named and expected.raters is not None and raters != expected.raters:
        return f"{raters} raters instead of {expected.raters}"
    return ""


def judge(case: Case, folder: Path) -> Verdict:
    """Read a case and return the verdict; of a refusal, the lines in its message are tried."""
    folder.mkdir(parents=True, exist_ok=True)
    source = case.make(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            chunks = stream(source, **case.options)
            data = chunks.read()
        except AssayError as error:
            return _judge_refusal(case, source, str(error))
        except Exception as error:
            return Verdict("misread", f"{type(error).__name__}: {error}")
    difference = explain_difference(data, case.expected)
    if not difference:
        return Verdict("same")
    less = "not used:" in chunks.recognized and not explain_difference(data, _leave_out(data, case.expected))
    return Verdict("less" if less else "misread", difference)


def _leave_out(data: assay.EvalSet, expected: Expected) -> Expected:
    """Return what must be read without the sources, references or ratings that no item of a set has.

    Ids may be left out where a row is an item; among rows of several systems only an id tells which belong together.
    """
    nothing = ((),) * expected.items
    numbered = len(data.systems) == 1 and data.items == tuple(str(i + 1) for i in range(len(data)))
    return replace(
        expected,
        references=expected.references if any(item.references for item in data) else nothing,
        sources=expected.sources if any(item.sources for item in data) else nothing,
        ids=None if numbered else expected.ids,
        ratings=expected.ratings if any(item.judgments for item in data) else (),
        raters=expected.raters if any(item.judgments for item in data) else None,
    )


def _judge_refusal(case: Case, source: Any, message: str) -> Verdict:
    if "\n" in message:
        return Verdict("stuck", f"several lines: {message!r}")
    if case.remedy != "--columns":
        return Verdict("refused", message) if case.remedy in message else Verdict("stuck", message)
    for line in list_columns_lines(message):
        try:
            columns = parse_columns(line)
            data = assay.read(source, **{**case.options, "columns": {**case.options.get("columns", {}), **columns}})
        except AssayError:
            continue
        if not explain_difference(data, case.expected):
            return Verdict("refused", message)
    return Verdict("stuck", message)


def list_columns_lines(message: str) -> list[str]:
    """Return what an error offers after --columns, as a shell would pass it on; further choices stand after "or".

    >>> list_columns_lines("use --columns output=a or output=b, or 'output=a+b c' for both")
    ['output=a', 'output=b', 'output=a+b c']
    """
    lines = []
    for part in message.split("--columns ")[1:]:
        for choice in re.split(r",? or (?=[\w']+=)", part):
            try:
                words = shlex.split(choice)
            except ValueError:  # an apostrophe later in the sentence
                words = choice.split()
            if words and "=" in words[0]:
                lines.append(words[0].rstrip(",;:."))
    return lines


def split_names(text: str) -> list[str]:
    """Return the names in a text, with semicolons between them."""
    return text.split(";")
