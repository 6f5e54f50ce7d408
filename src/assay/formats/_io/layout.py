"""Which column of a table, or key of a record, plays which role: by the names people use, or as the user says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from ...errors import FormatError, InputError, NoOutputs, UnknownName
from .columns import Kind, MatchedColumn, TableColumn
from .evidence import is_about, is_rating, list_outputs, names_rating
from .roles import NAMES, NUMBERED, WEAK_SOURCES, Role, fold, is_metadata, role_of_header

# What the values of a column are, as a sample of them shows. systems: {name: text}; records: [{...}, ...].
Holds = Literal["text", "number", "texts", "mixed", "numbers", "systems", "records", "empty", "other"]
ColumnMap = Mapping[str, str | Sequence[str]]  # role -> header, or several
ROLES: tuple[Role, ...] = get_args(Role)
QUESTIONS = frozenset(["q", "question", "criterion", "dim", "item", "aspect"])  # q1, q2: two questions, not two raters
SHOWN: tuple[Role, ...] = ("output", "reference", "source", "id", "system", "group", "rater", "dimension")


class Slot(NamedTuple):
    """A column with its role. `name` is the dimension of a score; `system` and `rater`: whose alone the column is."""

    role: Role
    header: str
    kind: Kind
    name: str = ""
    system: str = ""
    rater: str = ""


@dataclass(frozen=True)
class Layout:
    """The columns that are read, ids first; `system` is the name of the outputs where no column tells it."""

    slots: tuple[Slot, ...]
    system: str = ""
    unused: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # of those not used: what might be ratings, but nothing shows that they are

    def of(self, role: Role) -> tuple[Slot, ...]:
        """Return the columns of a role."""
        return tuple(slot for slot in self.slots if slot.role == role)

    def to_read(self) -> list[MatchedColumn]:
        """Return the columns as a reader of rows takes them."""
        return [MatchedColumn(TableColumn(slot.role, slot.kind), slot.header) for slot in self.slots]

    def describe(self) -> str:
        """Say in a line which column was taken for what."""
        parts = [f"{role} = {' + '.join(s.header for s in self.of(role))}" for role in SHOWN if self.of(role)]
        if scores := self.of("score"):
            parts.append(f"ratings = {', '.join(map(_describe_score, scores))}")
        unused = f"; not used: {', '.join(self.unused)}" if self.unused else ""
        hint = f" (if a number among these is a rating: --columns score={self.numbers[0]})" if self.numbers else ""
        return f"{', '.join(parts)}{unused}{hint}"


def _describe_score(slot: Slot) -> str:
    by_position = slot.kind in ("records", "numbers")
    return f"{slot.header} (raters by position)" if by_position else slot.header


def recognize(
    headers: Sequence[str],
    holds: Mapping[str, Holds],
    *,
    path: object,
    system: str,
    columns: ColumnMap | None = None,
    judgments_only: bool = False,
    sample: Callable[[str, Kind], Sequence[Any]] = lambda header, kind: (),
) -> Layout:
    """Find the role of every column of a table, or of every key of records (nested keys: "meta.id").

    `holds` says what the values of each are; `columns` (role -> header or headers) is what the user says and always
    wins. `sample` returns the first values of a column, which are evidence of what it is. With `judgments_only` the
    file lies beside one with the outputs and must have an id and ratings. What could be read two ways is an error that
    prints the `--columns` to use.
    """
    return _Recognizer(headers, holds, path, columns or {}, judgments_only, sample).layout(system)


def parse_columns(text: str) -> dict[str, list[str]]:
    """Read what --columns takes.

    >>> parse_columns("output=prediction,reference=ref0+ref1")
    {'output': ['prediction'], 'reference': ['ref0', 'ref1']}
    """
    columns: dict[str, list[str]] = {}
    for part in text.split(","):
        role, equals, headers = part.partition("=")
        if not equals or not role.strip():
            raise InputError(f"--columns takes ROLE=COLUMN,ROLE=COLUMN+COLUMN; got {part!r} in {text!r}")
        columns[role.strip()] = [header for header in headers.split("+") if header]
    return columns


class _Recognizer:
    """One table on its way to a layout: `free` are the columns that have no role yet."""

    def __init__(
        self,
        headers: Sequence[str],
        holds: Mapping[str, Holds],
        path: object,
        columns: ColumnMap,
        judged: bool,
        sample: Callable[[str, Kind], Sequence[Any]],
    ) -> None:
        self.sample = sample
        self.headers, self.holds, self.path, self.judgments_only = list(headers), holds, path, judged
        self.roles: dict[Role, list[str]] = {role: [] for role in ROLES}
        self.free = list(headers)
        self.stated = self._take_given(columns)
        self.scores: list[Slot] = []

    def layout(self, system: str) -> Layout:
        singles: tuple[Role, ...] = ("id", "system", "rater", "dimension", "group", "occasion", "kind", "best")
        for role in singles:
            self._take_one(role)
        texts: tuple[Role, ...] = ("reference", "source", "output")
        for role in texts:
            if role not in self.stated and not self.judgments_only:
                self._take_texts(role)
        if not self.judgments_only:
            self._place_text_and_summary()
            self._find_outputs()
        self._find_scores()
        self._refuse_gaps()
        unused = tuple(self._unused_headers())
        numbers = tuple(h for h in unused if self.holds[h] == "number" and not is_metadata(h) and not is_about(h))
        return Layout(tuple(self._slots()), self._system_name(system), unused, numbers)

    # What the user says

    def _take_given(self, columns: ColumnMap) -> set[Role]:
        stated: set[Role] = set()
        for name, names in columns.items():
            role = next((role for role in ROLES if role == name), None)
            if role is None:
                raise UnknownName("role of a column", name, ROLES, hint=f"(roles: {', '.join(ROLES)})")
            stated.add(role)
            for header in self._headers_of([names] if isinstance(names, str) else list(names)):
                if header not in self.free:
                    raise FormatError(f"column {header!r} is given two roles; give it one", path=self.path)
                self.free.remove(header)
                self.roles[role].append(header)
        return stated

    def _headers_of(self, names: list[str]) -> Iterable[str]:
        if (whole := "+".join(names)) in self.headers:  # a header that has a plus in it
            return [whole]
        for name in names:
            if name not in self.headers:
                there = ", ".join(map(repr, self.headers[:20]))
                raise FormatError(f"no column {name!r}; the columns are {there}", path=self.path)
        return names

    # What the names say

    def _candidates(self, role: Role) -> tuple[list[str], list[str]]:
        """Return the free columns named as the role, and those numbered, in the order of their numbers."""
        plain: list[str] = []
        numbered: list[tuple[int, str]] = []
        for header in self.free:
            if (named := role_of_header(header)) is not None and named[0] == role:
                if named[1] is None:
                    plain.append(header)
                else:
                    numbered.append((named[1], header))
        if not plain and not numbered:  # a nested key is known by its last part
            plain = [h for h in self.free if "." in h and role_of_header(h.rpartition(".")[2]) == (role, None)]
        return plain, [header for _, header in sorted(numbered, key=lambda pair: pair[0])]

    def _take(self, role: Role, *headers: str) -> None:
        for header in headers:
            self.free.remove(header)
            self.roles[role].append(header)

    def _take_one(self, role: Role) -> None:
        """Take the one column that may have this role."""
        if role in self.stated:
            return
        plain, _ = self._candidates(role)
        if role != "id":
            plain = [header for header in plain if self.holds[header] != "systems"]
        if role == "rater":  # a column of numbers called judge is what a judge said, unless nothing else is rated
            plain = [h for h in plain if self.holds[h] != "numbers"]
        if len(plain) > 1:
            raise self._ambiguous(role, plain)
        self._take(role, *plain)

    def _take_texts(self, role: Role) -> None:
        plain, numbered = self._candidates(role)
        if len(plain) > 1:  # a label of 0 or 1 beside a reference is a rating
            plain = [header for header in plain if self.holds[header] != "number"] or plain
        if len(plain) > 1 and not self._own_lists(plain):
            raise self._ambiguous(role, plain)
        self._take(role, *plain, *numbered)

    def _own_lists(self, plain: list[str]) -> bool:
        """Tell whether these are `reference` and `references`, which together are all of them."""
        return {fold(header) for header in plain} in ({"reference", "references"}, {"source", "sources"})

    def _place_text_and_summary(self) -> None:
        """`text` and `summary` are what the other columns leave for them to be."""
        texts, summaries = ([h for h in self.free if fold(h) == name] for name in ("text", "summary"))
        has_output, has_reference = bool(self.roles["output"]), bool(self.roles["reference"])
        if has_output:
            if summaries and not has_reference and "reference" not in self.stated:
                self._take("reference", summaries[0])
            if texts and not self.roles["source"] and "source" not in self.stated:
                self._take("source", texts[0])
        elif has_reference or self.roles["system"]:
            if texts and summaries:
                raise self._ambiguous("output", [*summaries, *texts])
            self._take("output", *(texts or summaries)[:1])
        if not self.roles["source"] and "source" not in self.stated:
            weak = [h for h in self.free if fold(h) in WEAK_SOURCES and self.holds[h] == "text"]
            self._take("source", *(weak if len(weak) == 1 else ()))

    def _find_outputs(self) -> None:
        """Where no column is the output, one per system may be: numbered, or any text beside a reference."""
        if self.roles["output"] or "output" in self.stated:
            return
        plain, numbered = self._candidates("system")
        wide = [h for h in (*numbered, *plain) if self.holds[h] in ("text", "systems")]
        if not wide and self.roles["reference"] and not self.roles["system"]:
            wide = self._other_texts()
            self._refuse_unlike(wide)
        self._take("output", *wide)

    def _refuse_unlike(self, candidates: list[str]) -> None:
        """Refuse columns of texts that are not all alike: which of them are outputs?"""
        texts = {header: self.sample(header, "passage") for header in candidates}
        references = [text for h in self.roles["reference"] if self.holds[h] == "text" for text in self._texts_of(h)]
        alike = list_outputs({h: [t for t in values if t] for h, values in texts.items()}, references)
        if any(texts.values()) and len(alike) < len(candidates):
            others = ", ".join(repr(header) for header in candidates if header not in alike)
            raise NoOutputs(
                f"no column of outputs, and {others} {'is' if len(candidates) - len(alike) == 1 else 'are'} not like "
                f"texts of a system; {self._columns('output=' + ('+'.join(alike) or '...'))}",
                path=self.path,
            )

    def _texts_of(self, header: str) -> list[str]:
        return [text for text in self.sample(header, "passage") if text]

    def _other_texts(self) -> list[str]:
        return [
            h
            for h in self.free
            if self.holds[h] == "text"
            and role_of_header(h) is None
            and not is_metadata(h)
            and fold(h) not in WEAK_SOURCES
            and fold(h) not in ("text", "summary")
        ]

    # Ratings

    def _find_scores(self) -> None:
        headers = self.roles["score"] if "score" in self.stated else self._rating_columns()
        self.roles["score"] = []
        self.free = [header for header in self.free if header not in headers]
        if self.roles["dimension"]:
            if len(headers) > 1:
                named = [h for h in headers if role_of_header(h) == ("score", None)]
                if len(named) != 1:
                    raise self._ambiguous("score", headers)
                self.free += [h for h in headers if h not in named]
                headers = named
            self.scores = [Slot("score", header, self._score_kind(header)) for header in headers]
            return
        groups = self._rater_groups(headers)
        self.scores = [slot for header in headers if (slot := self._score_slot(header, groups))]

    def _rating_columns(self) -> list[str]:
        """List the free columns that are ratings by the evidence; other numbers are metadata."""
        judged = [h for h in self.free if self.holds[h] in ("number", "numbers", "records")]
        judged += [h for h in self.free if role_of_header(h) == ("score", None) and h not in judged]
        return [
            h
            for h in self.headers
            if h in judged and not is_metadata(h) and not self._is_other_role(h) and self._has_evidence(h)
        ]

    def _has_evidence(self, header: str) -> bool:
        owner = next((s for s in self.roles["output"] if fold(s) in fold(header)), None)
        name = (_without(header, owner) or "score") if owner and len(self.roles["output"]) > 1 else header
        if self.holds[header] == "records":
            return names_rating(name.rpartition(".")[2])
        if self.holds[header] == "numbers":
            return names_rating(name) or bool(self.roles["rater"])
        values = self.sample(header, "number") if self.holds[header] == "number" else ()
        return is_rating(name, values, has_rater=bool(self.roles["rater"]))

    def _is_other_role(self, header: str) -> bool:
        named = role_of_header(header)
        if named is None or named[0] in ("score", "rater"):
            return False
        return not (named[0] == "reference" and self.holds[header] == "number" and bool(self.roles["reference"]))

    def _rater_groups(self, headers: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return dimension and rater of columns that differ by a number only: one rater each."""
        parts = {h: m for h in headers if (m := NUMBERED.fullmatch(h.strip())) and fold(m[1]) not in QUESTIONS}
        bases = [fold(match[1]) for match in parts.values()]
        groups: dict[str, tuple[str, str]] = {}
        for header, match in parts.items():
            if self.roles["rater"] or not match[1] or bases.count(fold(match[1])) < 2:
                continue
            if fold(match[1]) in NAMES["rater"]:
                groups[header] = ("score", header.strip())
            else:
                groups[header] = (match[1].strip(" _-"), f"rater{match[2]}")
        return groups

    def _score_slot(self, header: str, groups: Mapping[str, tuple[str, str]]) -> Slot | None:
        dimension, rater = groups.get(header, (header.strip().rpartition(".")[2], ""))
        slot = Slot("score", header, self._score_kind(header), dimension, rater=rater)
        if len(self.roles["output"]) < 2:
            return slot
        owner = next((s for s in self.roles["output"] if fold(s) in fold(dimension)), None)
        if owner is None:  # whose rating is it? It is named among what is not used
            self.free.append(header)
            return None
        rest = _without(dimension, owner) or "score"
        return slot._replace(name=rest, system=owner)

    def _score_kind(self, header: str) -> Kind:
        content = self.holds[header]
        return "records" if content == "records" else "numbers" if content == "numbers" else "number"

    # The result

    def _slots(self) -> Iterable[Slot]:
        wide = len(self.roles["output"]) > 1
        for role in ROLES:
            for header in self.roles[role]:
                own = header if role == "output" and (wide or self._is_own_name(header)) else ""
                yield Slot(role, header, self._kind(role, header), system=own)
        yield from self.scores

    def _is_own_name(self, header: str) -> bool:
        """Tell whether an output's column is named after its system."""
        named = role_of_header(header) or role_of_header(header.rpartition(".")[2])
        is_role = named is not None and named[0] != "system"
        return not is_role and fold(header) not in ("text", "summary") and not self.roles["system"]

    def _kind(self, role: Role, header: str) -> Kind:
        content = self.holds[header]
        if role == "output":
            return "systems" if content == "systems" else "records" if content == "records" else "text"
        if role in ("reference", "source"):
            return content if content == "texts" or content == "mixed" or content == "records" else "passage"
        return "count" if role == "occasion" else "name"

    def _system_name(self, file: str) -> str:
        return file

    def _unused_headers(self) -> Iterable[str]:
        return (h for h in self.headers if h in self.free and fold(h) and not fold(h).startswith("indexlevel"))

    # Errors

    def _refuse_gaps(self) -> None:
        if self.judgments_only:
            if not self.scores:
                raise FormatError(f"no column of ratings; {self._columns()}", path=self.path)
            if not self.roles["id"]:
                raise FormatError(f"no column with the ids of the items; {self._columns('id=...')}", path=self.path)
            return
        if not self.roles["output"]:
            alone = self.scores and self.roles["id"] and not self._other_texts()
            hint = "; if it holds judgments alone, give it as --judgments beside the outputs" if alone else ""
            raise NoOutputs(f"no column of outputs; {self._columns(self._suggest_wide())}{hint}", path=self.path)

    def _suggest_wide(self) -> str:
        texts = self._other_texts()
        return f"output={'+'.join(texts)}" if texts else "output=..."

    def _columns(self, mapping: str = "score=...") -> str:
        there = ", ".join(repr(header[:24]) for header in self.headers[:20])
        return f"the columns are {there}; name it with --columns {mapping} (columns={{...}} in Python)"

    def _ambiguous(self, role: Role, candidates: Sequence[str]) -> FormatError:
        """Return the error about several columns for one role, with what to type."""
        first, *others = (self._option(role, candidate) for candidate in candidates)
        names = " and ".join(map(repr, candidates))
        there = ", ".join(repr(header[:24]) for header in self.headers[:20])
        together = f", or {role}={'+'.join(candidates)} for both" if role not in ("system", "rater", "score") else ""
        return FormatError(
            f"{names} could both be the {role} (the columns are {there}); use --columns {first}"
            f"{''.join(f' or {other}' for other in others)}{together}",
            path=self.path,
        )

    def _option(self, role: Role, candidate: str) -> str:
        references = self.roles["reference"]
        others = [f"reference={'+'.join(references)}"] if references and role != "reference" else []
        return ",".join([f"{role}={candidate}", *others])


def _without(name: str, system: str) -> str:
    """Return the dimension in the name of a column that has a system's name in it.

    >>> _without("bart_fluency", "bart"), _without("score (t5)", "t5")
    ('fluency', 'score')
    """
    place = name.lower().find(system.lower())
    rest = name if place < 0 else name[:place] + name[place + len(system) :]
    return rest.strip(" _-.()[]:/")
