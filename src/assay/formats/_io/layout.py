"""Which column of a table, or key of a record, plays which role: by the names people use, or as the user says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product
from typing import Any, Literal, NamedTuple, get_args

from ...data.reading import BY_POSITION, METADATA, ReadColumn, Reading
from ...errors import FormatError, InputError, NoOutputs, UnknownName
from .cells import parse_texts
from .columns import Kind, MatchedColumn, TableColumn
from .evidence import (
    are_point_lists,
    find_system_text,
    group_raters,
    is_about,
    is_on_scale,
    is_rating,
    is_statistic,
    judge_of,
    list_outputs,
    names_rating,
)
from .roles import (
    CLUSTERS,
    CORES,
    GROUPS,
    LLM_NAME,
    RUNS,
    TEXT_WORDS,
    WEAK_SOURCES,
    WEAK_TEXTS,
    Role,
    fold,
    is_metadata,
    names_id,
    names_other_text,
    names_reference,
    names_weak_source,
    role_of_header,
    split_names,
    split_words,
)
from .text_file import read_whole

# What the values of a column are, as a sample of them shows. systems: {name: text}; records: [{...}, ...].
Holds = Literal["text", "number", "texts", "mixed", "numbers", "systems", "records", "empty", "other"]
ColumnMap = Mapping[str, str | Sequence[str]]  # role -> header, or several
ROLES: tuple[Role, ...] = get_args(Role)
NONE = "none"  # in place of a column: the file has none of this role
CONTEXTS = split_names(
    "context contexts documents passages sources retrievedcontexts"
)  # columns with cells that may be lists
WEAK_RATERS = split_names("user userid subject subjectid")  # raters where rows repeat without them
WEAK_DIMENSIONS = split_names("metric category attribute type question criteria facet measure qualitydimension label")
KEYS: tuple[Role, ...] = ("system", "rater", "dimension", "run", "occasion")  # what tells rows of one item apart
# Lists of judgments: who judged follows from the place where no name is given.
POSITIONAL = ("annotations", "annotation", "ratings", "rating", "judgments", "judgements", "scores", "evaluations")
# Where chats and answers of an API hold texts.
CHAT_ROLES: dict[str, Role] = {
    "messages.user": "source",
    "messages.assistant": "output",
    "choices.0.message.content": "output",
}
CHAT_ENDS = tuple(CHAT_ROLES)
MAX_NAME = 60  # characters of a header; longer ones are texts
MAX_SHOWN = 24  # characters of a value in a reading
_BRACKETS = re.compile(r"\[.*\]", re.DOTALL)
_CODE = re.compile(r"[\w.:#/@+-]{1,64}", re.ASCII)


class Slot(NamedTuple):
    """A column with its role. `name` is the dimension of a score; `system` and `rater`: the one it is about."""

    role: Role
    header: str
    kind: Kind
    name: str = ""
    system: str = ""
    rater: str = ""
    judge: str = ""  # the kind of rater that the header shows: llm or metric
    evidence: str = ""


@dataclass(frozen=True)
class Layout:
    """The columns that are read, ids first; `system` is the name of the outputs where no column tells it."""

    slots: tuple[Slot, ...]
    system: str = ""
    unused: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # of those not used: what might be ratings, but nothing shows that they are
    texts: tuple[str, ...] = ()  # of those not used: what might be outputs too
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # first values by column

    def of(self, role: Role) -> tuple[Slot, ...]:
        """Return the columns of a role."""
        return tuple(slot for slot in self.slots if slot.role == role)

    def to_read(self) -> list[MatchedColumn]:
        """Return the columns as a reader of rows takes them."""
        return [MatchedColumn(TableColumn(slot.role, slot.kind), slot.header) for slot in self.slots]

    def reading(self, path: object) -> Reading:
        """Return which column was taken for what."""
        file = str(path)
        used = [self._read_column(file, slot) for slot in self.slots]
        unused = [
            ReadColumn(file, h, METADATA, _explain_unused(h, *known), self.samples.get(h, ()), candidate=known[0])
            for h in self.unused
            if (known := ("score" if h in self.numbers else "output" if h in self.texts else "",))
        ]
        return Reading((file,), "", columns=(*used, *unused))

    def _read_column(self, file: str, slot: Slot) -> ReadColumn:
        rater = BY_POSITION if slot.role == "score" and slot.kind in ("records", "numbers") else slot.rater
        role = "judgment" if slot.role == "score" else slot.role
        names = {"dimension": slot.name, "system": slot.system, "rater": rater, "judge": slot.judge}
        return ReadColumn(file, slot.header, role, slot.evidence, self.samples.get(slot.header, ()), **names)


def _explain_unused(header: str, candidate: str) -> str:
    if candidate:
        return f"nothing shows that it is {'a rating' if candidate == 'score' else 'an output'}"
    return "names something about the row" if is_metadata(header) or is_about(header) else "no evidence of a role"


def recognize(
    headers: Sequence[str],
    holds: Mapping[str, Holds],
    *,
    path: object,
    system: str,
    columns: ColumnMap | None = None,
    judgments_only: bool = False,
    sample: Callable[[str, Kind], Sequence[Any]] = lambda header, kind: (),
    rows: Callable[[Sequence[str]], Sequence[tuple[Any, ...]]] = lambda headers: (),
) -> Layout:
    """Find the role of every column of a table, or of every key of records (nested keys: "meta.id").

    `holds` says what the values of each are; `columns` (role -> header or headers) is what the user says and always
    wins. `sample` returns the first values of a column, and `rows` those of several columns side by side: the evidence
    of what they are. With `judgments_only` the
    file lies next to one with the outputs and must have an id and ratings. What could be read two ways is an error that
    prints the `--columns` to use.
    """
    return _Recognizer(headers, holds, path, columns or {}, judgments_only, sample, rows).layout(system)


def parse_columns(text: str) -> dict[str, list[str]]:
    """Read what --columns takes; `@FILE` is what `assay check --save FILE` wrote, and `score=none` means no column.

    >>> parse_columns("output=prediction,reference=ref0+ref1,score=none")
    {'output': ['prediction'], 'reference': ['ref0', 'ref1'], 'score': []}
    """
    if text.startswith("@"):
        return _load_columns(text[1:])
    columns: dict[str, list[str]] = {}
    for part in text.split(","):
        role, equals, headers = part.partition("=")
        if not equals or not role.strip():
            raise InputError(f"--columns takes ROLE=COLUMN,ROLE=COLUMN+COLUMN; got {part!r} in {text!r}")
        columns[role.strip()] = [] if headers == NONE else [header for header in headers.split("+") if header]
    return columns


def _load_columns(path: str) -> dict[str, list[str]]:
    """Read the roles of columns that were saved in a file."""
    import tomllib

    try:
        table = tomllib.loads(read_whole(path).decode()).get("columns")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(
            f"not a file of columns, as `assay check --save FILE` writes it ({error})", path=path
        ) from error
    if not isinstance(table, dict) or not all(_is_name_list(names) for names in table.values()):
        raise FormatError("no table [columns] of lists of names, as `assay check --save FILE` writes it", path=path)
    return table


def _is_name_list(names: object) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)


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
        rows: Callable[[Sequence[str]], Sequence[tuple[Any, ...]]],
    ) -> None:
        self.sample, self.rows = cache(sample), rows
        self.evidence: dict[str, str] = {}
        self.owners: dict[str, str] = {}  # the system that a column of outputs names
        self.headers, self.holds, self.path, self.judgments_only = list(headers), holds, path, judged
        self.roles: dict[Role, list[str]] = {role: [] for role in ROLES}
        self.free = list(headers)
        self.stated = self._take_given(columns)
        self.scores: list[Slot] = []
        self.systems: list[str] | None = None  # what ratings may name, once the outputs are known
        self.groups: dict[str, tuple[str, str]] = {}  # dimension and rater of columns that name both

    def layout(self, system: str) -> Layout:
        singles: tuple[Role, ...] = ("system", "rater", "dimension", "occasion", "kind", "best", "run")
        for role in singles:
            self._take_one(role)
        self._use_run_as_system()
        self._take_id()
        self._take_weak()
        texts: tuple[Role, ...] = ("reference", "source", "output")
        for role in texts:
            if role not in self.stated and not self.judgments_only:
                self._take_texts(role)
        if not self.judgments_only:
            self._take_more_references()
            self._take_system_records()
            self._place_text_and_summary()
            self._find_outputs()
            self._find_system()
            self._find_id()
        self._take_groups()
        self._find_scores()
        self._refuse_gaps()
        self._refuse_repeats()
        self._refuse_broken_lists()
        unused = tuple(self._unused_headers())
        numbers = tuple(h for h in unused if self.holds[h] == "number" and not is_metadata(h) and not is_about(h))
        others = tuple(h for h in self._other_texts() if self._is_like_outputs(h)) if self.roles["output"] else ()
        samples = {h: tuple(_shorten(v) for v in self.sample(h, "name")[:3]) for h in self.headers}
        return Layout(tuple(self._slots()), self._system_name(system), unused, numbers, others, samples)

    def _is_like_outputs(self, header: str) -> bool:
        return bool(list_outputs({header: self._texts_of(header)}, self._reference_texts()))

    # What the user says

    def _take_given(self, columns: ColumnMap) -> set[Role]:
        stated: set[Role] = set()
        for name, names in columns.items():
            role = next((role for role in ROLES if role == name), None)
            if role is None:
                raise UnknownName("role of a column", name, ROLES, hint=f"(roles: {', '.join(ROLES)})")
            stated.add(role)
            if names == NONE and NONE not in self.headers:
                continue
            for header in self._headers_of([names] if isinstance(names, str) else list(names)):
                if header not in self.free:
                    raise FormatError(f"column {header!r} is given two roles; give it one", path=self.path)
                self.free.remove(header)
                self.roles[role].append(header)
                self.evidence[header] = "stated by the user"
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
            plain = [h for h in self.free if "." in h and _role_of_path(h) == role]
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
            plain = [header for header in plain if self.holds[header] not in ("systems", "records", "texts")]
        if role == "rater":  # a column of numbers called judge is what a judge said, unless nothing else is rated
            plain = [h for h in plain if self.holds[h] != "numbers" and not names_other_text(_without_rater(h))]
        if role == "dimension" and not plain:
            plain = self._named_dimensions()
        if len(plain) > 1:
            raise self._ambiguous(role, plain)
        self._take(role, *plain)

    # Ids, clusters, runs and groups, by the values of the rows

    def _own_keys(self) -> list[str]:
        return [header for role in KEYS for header in self.roles[role]]

    def _is_unique(self, *headers: str) -> bool:
        """Check if no two of the first rows have the same values in these columns."""
        rows = self.rows([*headers, *self._own_keys()])
        return bool(rows) and len(set(rows)) == len(rows)

    def _is_repeated(self, header: str) -> bool:
        values = [row[0] for row in self.rows([header])]
        return len(set(values)) < len(values)

    def _holds_codes(self, header: str) -> bool:
        """Check if a column holds ids or labels, and no texts."""
        if self.holds[header] == "number":
            return True
        values = self._texts_of(header) if self.holds[header] == "text" else []
        return bool(values) and all(_CODE.fullmatch(value) for value in values)

    def _use_run_as_system(self) -> None:
        """A column called run that names the systems, where no other does, is their column."""
        run = self.roles["run"]
        if run and not self.roles["system"] and "run" not in self.stated and self.holds[run[0]] == "text":
            self.roles["run"], self.roles["system"] = [], run
            self.evidence[run[0]] = "names of systems under 'run'"

    def _take_id(self) -> None:
        if "id" in self.stated:
            return
        plain, _ = self._candidates("id")
        if len(plain) > 1:
            plain = self._choose_id(plain)
        if not plain:
            plain = self._weak_id()
        self._take("id", *plain)

    def _choose_id(self, candidates: list[str]) -> list[str]:
        """Return the one column that tells the items apart; a document and a segment together, if neither does."""
        unique = [h for h in candidates if self._is_unique(h)]
        if len(unique) > 1 and self._own_keys():
            unique = [h for h in unique if self._is_repeated(h)]  # the id of a row is not that of an item
        if len(unique) == 1:
            return unique
        if not unique and self._is_unique(*candidates) and any(fold(h) in CLUSTERS for h in candidates):
            return candidates
        raise self._ambiguous("id", candidates)

    def _weak_id(self) -> list[str]:
        for header in self.free:
            if not names_id(header) or not self._holds_codes(header) or not self._is_unique(header):
                continue
            if not self._own_keys() or self._is_repeated(header) or not self._is_repeated(self._own_keys()[0]):
                return [header]
        return []

    def _take_weak(self) -> None:
        """Take a column of runs or raters by weaker names where rows repeat without it, and do not with it."""
        weak: tuple[tuple[Role, frozenset[str]], ...] = (("rater", WEAK_RATERS), ("run", RUNS))
        for role, names in weak:
            candidates = [h for h in self.free if fold(h) in names and self._holds_codes(h)]
            if self.roles[role] or role in self.stated or not self.roles["id"] or self._is_unique(*self.roles["id"]):
                continue
            if candidate := next((h for h in candidates if self._is_unique(*self.roles["id"], h)), None):
                self._take(role, candidate)
                self.evidence[candidate] = "rows repeat without it"

    def _named_dimensions(self) -> list[str]:
        """Return the column with the names of what was rated: two such values, or one under a weak name."""
        texts = [h for h in self.free if self.holds[h] == "text" and role_of_header(h) is None]
        values = {header: set(self._texts_of(header)) for header in texts}
        named = [h for h in texts if values[h] and all(map(names_rating, values[h]))]
        return [h for h in named if fold(h) in WEAK_DIMENSIONS or len(values[h]) > 1][:1]

    def _take_groups(self) -> None:
        ids = self.roles["id"]
        weak: tuple[tuple[Role, frozenset[str]], ...] = (("cluster", CLUSTERS), ("group", GROUPS))
        for role, names in weak:
            if role in self.stated or self.judgments_only:
                continue
            named = [h for h in (*self.free, *(ids if len(ids) > 1 else ())) if fold(h) in names]
            exact = [h for h in named if fold(h) == role]
            several = [h for h in named if self._holds_codes(h) and self._groups_items(h)]
            for header in (exact or several)[:1]:
                self.roles[role].append(header)
                self.free = [h for h in self.free if h != header]
                self.evidence.setdefault(header, "values repeat over items")

    def _groups_items(self, header: str) -> bool:
        """Check if a column has one value per item, and several items per value."""
        ids = self.roles["id"]
        pairs = {(row[0], row[1:]) for row in self.rows([header, *ids])} if ids else set()
        values, items = {value for value, _ in pairs}, {item for _, item in pairs}
        return len(items) == len(pairs) and 1 < len(values) <= len(items) / 2

    def _reference_texts(self) -> list[str]:
        return [text for h in self.roles["reference"] if self.holds[h] == "text" for text in self._texts_of(h)]

    def _take_texts(self, role: Role) -> None:
        plain, numbered = self._candidates(role)
        plain = [h for h in plain if not (fold(h) in CLUSTERS and self._holds_codes(h))]
        if len(plain) + len(numbered) > 1:  # a label of 0 or 1 is a rating, a word may be the name of a system
            texts = [h for h in (*plain, *numbered) if self._holds_texts(h)]
            others = [] if texts else [h for h in (*plain, *numbered) if self.holds[h] != "number"]
            plain = [h for h in plain if h in texts or h in others] or plain
            numbered = [h for h in numbered if h in texts or h in others]
        if len(plain) > 1 and not self._own_lists(plain):
            raise self._ambiguous(role, plain)
        self._take(role, *plain, *numbered)

    def _holds_texts(self, header: str) -> bool:
        """Check if a column may hold texts: no numbers, no ids or labels, no objects without a text in them."""
        if self.holds[header] == "records":
            entries = [entry for entries in self.sample(header, "records") for entry in entries]
            return any(isinstance(value, str) and " " in value for entry in entries for value in entry.values())
        return self.holds[header] not in ("number", "numbers") and not self._holds_codes(header)

    def _take_more_references(self) -> None:
        """Take columns with a word for references and more in their names, if their texts are like references."""
        if "reference" in self.stated:
            return
        named = [h for h in self.free if self.holds[h] in ("text", "texts") and names_reference(h)]
        lists = [h for h in named if self.holds[h] == "texts"]
        alike = list_outputs({h: self._texts_of(h) for h in named if h not in lists}, self._reference_texts())
        for header in [h for h in named if h in alike or h in lists]:
            self._take("reference", header)
            self.evidence[header] = "named after references, with texts like them"

    def _take_system_records(self) -> None:
        """Take a list of objects with a system and a text each, where no column is the output."""
        if self.roles["output"] or "output" in self.stated:
            return
        for header in [h for h in self.free if self.holds[h] == "records" and fold(h) not in POSITIONAL]:
            entries = [entry for entries in self.sample(header, "records") for entry in entries]
            if entries and all(find_system_text(entry) for entry in entries):
                self._take("output", header)
                self.evidence[header] = "objects with a system and a text"
                return

    def _find_system(self) -> None:
        """Take the column that tells the outputs of an item apart, where none is named as the system.

        Its values are labels that come with several items each; a rater who judged nothing is one of them.
        """
        if self.roles["system"] or {"system", "output"} & self.stated or len(self.roles["output"]) != 1:
            return
        output = self.roles["output"][0]
        keys = self.roles["id"] or self.roles["source"] or self.roles["reference"]
        others = [*self.roles["run"], *self.roles["dimension"], *self.roles["occasion"]]
        pairs = set(self.rows([*keys, *others, output])) if keys and self.holds[output] == "text" else set()
        if len(pairs) == len({pair[:-1] for pair in pairs}):
            return  # an output for each item
        raters = [] if "rater" in self.stated or self._rating_columns() else self.roles["rater"]
        free = [h for h in self.free if self.holds[h] == "text"]
        all_telling = [h for h in (*raters, *free) if self._tells_apart(h, [*keys, *others], output)]
        telling = [h for h in all_telling if not is_metadata(h) and not names_other_text(h)]
        if len(telling) != 1:
            self._refuse_outputs_of_nobody(all_telling)
        self.free = [h for h in self.free if h not in telling]
        self.roles["rater"] = [h for h in self.roles["rater"] if h not in telling]
        self.roles["system"] = telling
        self.evidence[telling[0]] = "tells the outputs of an item apart"

    def _find_id(self) -> None:
        """Take a column of labels that has one value for each source and reference, where rows repeat those."""
        texts = [*self.roles["source"], *self.roles["reference"]]
        if self.roles["id"] or "id" in self.stated or not texts or not (self.roles["system"] or self.roles["rater"]):
            return
        for header in [h for h in self.free if self._holds_codes(h) and (self.holds[h] == "text" or names_id(h))]:
            rows = self.rows([header, *texts])
            pairs = set(rows)
            values, items = {row[0] for row in pairs}, {row[1:] for row in pairs}
            if 1 < len(pairs) == len(values) == len(items) < len(rows) and None not in values:
                self._take("id", header)
                self.evidence[header] = "tells the sources and references apart"
                return

    def _tells_apart(self, header: str, keys: list[str], output: str) -> bool:
        """Check if there is one output for each item and value, and each value comes with half of the items or more."""
        rows = set(self.rows([header, *keys, output]))
        items, values = {row[1:-1] for row in rows}, Counter(row[0] for row in rows)
        crossed = len({row[:-1] for row in rows}) == len(rows) and None not in values
        return crossed and self._holds_codes(header) and len(values) > 1 and 2 * min(values.values()) >= len(items)

    def _refuse_outputs_of_nobody(self, candidates: Sequence[str]) -> None:
        options = " or ".join(f"--columns system={header}" for header in candidates[:4]) or "a column of systems"
        there = ", ".join(repr(header[:24]) for header in self.headers[:20])
        raise FormatError(
            f"items have several outputs, and no column says which systems they are of (the columns are {there}); give "
            f"{options}",
            path=self.path,
        )

    def _own_lists(self, plain: list[str]) -> bool:
        """Check if these are `reference` and `references`, which together are all of them."""
        return {fold(header) for header in plain} in ({"reference", "references"}, {"source", "sources"})

    def _place_text_and_summary(self) -> None:
        """`text` and `summary` are what the other columns leave for them to be."""
        texts = [h for h in self.free if fold(h) == "text"]
        named = [h for h in self.free if self.holds[h] in ("text", "texts", "mixed", "systems")]
        summaries = [h for h in named if fold(h.removesuffix(".text")) in WEAK_TEXTS]
        has_output, has_reference = bool(self.roles["output"]), bool(self.roles["reference"])
        if has_output:
            if summaries and not has_reference and "reference" not in self.stated:
                self._take("reference", summaries[0])
            if texts and not self.roles["source"] and "source" not in self.stated:
                self._take("source", texts[0])
        elif has_reference or self.roles["system"]:
            others = [] if self.roles["system"] else [h for h in self._other_texts() if self._is_like_outputs(h)]
            if texts and summaries:
                raise self._ambiguous("output", [*summaries, *texts])
            if summaries and others:
                choices = f"output={summaries[0]} or --columns output={'+'.join(others)}"
                raise NoOutputs(f"no column is named as the output; {self._columns(choices)}", path=self.path)
            self._take("output", *(texts or summaries)[:1])
        if not self.roles["source"] and "source" not in self.stated:
            weak = [h for h in self.free if names_weak_source(h) and self.holds[h] in ("text", "texts", "mixed")]
            self._take("source", *(weak if len(weak) == 1 else ()))

    def _find_outputs(self) -> None:
        """Where no column is the output, one per system may be: numbered, or any text next to a reference."""
        if self.roles["output"] or "output" in self.stated:
            return
        plain, numbered = self._candidates("system")
        wide = [h for h in (*numbered, *plain) if self.holds[h] in ("text", "systems")]
        if not wide and not self.roles["system"]:
            wide = self._owned_outputs()
        if not wide and (self.roles["reference"] or self.roles["source"]) and not self.roles["system"]:
            wide = self._other_texts()
            self._refuse_unlike(wide)
        self._take("output", *wide)

    def _owned_outputs(self) -> list[str]:
        """Return the columns named after an output and its system; one alone next to other such texts is none."""
        named = {h: name for h in self.free if self.holds[h] == "text" and (name := _owner(h))}
        alike = list_outputs({h: self._texts_of(h) for h in named}, self._reference_texts())
        others = [h for h in self._other_texts() if h not in named and self._is_like_outputs(h)]
        self.owners = {h: named[h] for h in alike if len(alike) > 1 or not others}
        return list(self.owners)

    def _refuse_unlike(self, candidates: list[str]) -> None:
        """Refuse columns of texts that are not all alike: which of them are outputs?"""
        texts = {header: self.sample(header, "passage") for header in candidates}
        references = self._reference_texts()
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
            and not names_other_text(h)
            and fold(h) not in ("text", *WEAK_TEXTS)
        ]

    # Ratings

    def _find_scores(self) -> None:
        numbers = self.roles["score"] if "score" in self.stated else [h for h in self.free if self.holds[h] == "number"]
        self.groups = {} if self.roles["rater"] else self._group_raters(numbers)
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
        self.scores = [slot for header in headers if (slot := self._score_slot(header))]

    def _rating_columns(self) -> list[str]:
        """List the free columns that are ratings by the evidence; other numbers are metadata."""
        judged = [h for h in self.free if self.holds[h] in ("number", "numbers", "records")]
        judged += [h for h in self.free if role_of_header(h) == ("score", None) and h not in judged]
        return [h for h in self.headers if h in judged and self._has_evidence(h)]

    def _has_evidence(self, header: str) -> bool:
        owner = self._owner_of(header)
        name = (_without(header, owner) or "score") if owner else header
        if header in self.groups:
            return True
        if self.holds[header] == "number" and judge_of(name):
            return not self.roles["rater"] or self._belongs_to_output(header)
        if is_metadata(name) or self._is_other_role(header) or is_statistic(header, self.groups):
            return False
        if self.holds[header] == "records":
            return names_rating(name.rpartition(".")[2])
        if self.holds[header] == "numbers":
            named = names_rating(name) and (fold(name) not in ("score", "scores") or self._are_points(header))
            return named or bool(self.roles["rater"])
        values = self.sample(header, "number") if self.holds[header] == "number" else ()
        return is_rating(name, values, has_rater=bool(self.roles["rater"]))

    def _are_points(self, header: str) -> bool:
        return are_point_lists(self.sample(header, "numbers"))

    def _belongs_to_output(self, header: str) -> bool:
        """Check if a column has one value per output, however many raters judged it."""
        keys = [*self.roles["id"], *self.roles["system"]]
        rows = self.rows([*keys, header]) if not self.judgments_only else ()
        return bool(rows) and len({row[:-1] for row in rows}) == len(set(rows))

    def _is_other_role(self, header: str) -> bool:
        named = role_of_header(header)
        if named is None or named[0] in ("score", "rater"):
            return False
        return not (named[0] == "reference" and self.holds[header] == "number" and bool(self.roles["reference"]))

    def _group_raters(self, headers: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return dimension and rater of columns that name a rater; in a table with a column per system, of each."""
        groups: dict[str, tuple[str, str]] = {}
        for owner in dict.fromkeys(map(self._owner_of, headers)):
            names = {(_without(h, owner) if owner else h): h for h in headers if self._owner_of(h) == owner}
            groups |= {names[name]: pair for name, pair in group_raters(list(names)).items()}
        return groups

    def _owner_of(self, header: str) -> str | None:
        """Return the system that the header of a rating names, in a table with a text for each system."""
        if self.systems is None:
            self.systems = self._list_systems()
        words = [name for name in self.systems if _find_words(header, name)]
        parts = words or [name for name in self.systems if len(fold(name)) > 2 and fold(name) in fold(header)]
        return max(parts, key=len, default=None)

    def _list_systems(self) -> list[str]:
        """List the systems that columns, or keys of objects, name."""
        outputs = self.roles["output"]
        if len(outputs) > 1:
            return [self.owners.get(header, header) for header in outputs]
        kind = self.holds[outputs[0]] if outputs else "text"
        if kind == "systems":
            return list(dict.fromkeys(name for texts in self.sample(outputs[0], "systems") for name in texts))
        if kind != "records":
            return []
        entries = (entry for entries in self.sample(outputs[0], "records") for entry in entries)
        return list(dict.fromkeys(pair[0] for entry in entries if (pair := find_system_text(entry))))

    def _score_slot(self, header: str) -> Slot | None:
        dimension, rater = self.groups.get(header, (header.strip().rpartition(".")[2], ""))
        owner = self._owner_of(header)
        if len(self.roles["output"]) > 1 and owner is None:  # which one was rated? It is named among what is not used
            self.free.append(header)
            return None
        if owner and header not in self.groups:
            dimension = _without(header.strip(), owner) or "score"
        judge = judge_of(dimension) or ("llm" if rater and LLM_NAME.fullmatch(fold(rater)) else "")
        if judge and not rater:
            rater = dimension
        why = self.evidence.get(header) or _explain_rating(header, rater, judge, bool(self.roles["rater"]))
        return Slot("score", header, self._score_kind(header), dimension, owner or "", rater, judge, why)

    def _score_kind(self, header: str) -> Kind:
        content = self.holds[header]
        return "records" if content == "records" else "numbers" if content == "numbers" else "number"

    # The result

    def _slots(self) -> Iterable[Slot]:
        wide = len(self.roles["output"]) > 1
        for role in ROLES:
            for header in self.roles[role]:
                own = header if role == "output" and (wide or self._is_own_name(header)) else ""
                own = self.owners.get(header, own) if own else own
                why = self.evidence.get(header) or self._explain(role, header)
                yield Slot(role, header, self._kind(role, header), system=own, evidence=why)
        yield from self.scores

    def _explain(self, role: Role, header: str) -> str:
        if role_of_header(header) or role_of_header(header.rpartition(".")[2]):
            return f"named as {'an' if role[0] in 'aeiou' else 'a'} {role}"
        if role == "output":
            return "names a system: texts as long as the references, mostly distinct"
        return "by what the other columns leave open" if role != "id" else "named as an id; tells the rows apart"

    def _is_own_name(self, header: str) -> bool:
        """Check if an output's column is named after its system."""
        named = role_of_header(header) or role_of_header(header.rpartition(".")[2])
        is_role = named is not None and named[0] != "system"
        return not is_role and fold(header) not in ("text", *WEAK_TEXTS) and not self.roles["system"]

    def _kind(self, role: Role, header: str) -> Kind:
        content = self.holds[header]
        if role == "output":
            return "systems" if content == "systems" else "records" if content == "records" else "text"
        if role in ("reference", "source"):
            if content == "texts" or content == "records":
                return content
            return "mixed" if role == "reference" or fold(header) in CONTEXTS else "passage"
        return "count" if role == "occasion" else "name"

    def _system_name(self, file: str) -> str:
        return file

    def _unused_headers(self) -> Iterable[str]:
        return (h for h in self.headers if h in self.free and fold(h) and not fold(h).startswith("indexlevel"))

    # Errors

    def _refuse_broken_lists(self) -> None:
        """Raise where all references stand in brackets, and none of them is a list that can be read."""
        for header in self.roles["reference"]:
            texts = self._texts_of(header) if self.holds[header] == "text" else []
            if len(texts) > 1 and all(map(_is_broken_list, texts)):
                message = f"the references in {header!r} stand in brackets and are not lists of texts"
                raise FormatError(f"{message}: {_shorten(texts[0])!r}; write JSON lists", path=self.path)

    def _refuse_gaps(self) -> None:
        if self.judgments_only:
            if not self.scores:
                raise FormatError(f"no column of ratings; {self._columns()}", path=self.path)
            if not self.roles["id"]:
                raise FormatError(f"no column with the ids of the items; {self._columns('id=...')}", path=self.path)
            return
        if not self.roles["output"] and "output" not in self.stated:  # columns={"output": ()}: there are none
            alone = self.scores and self.roles["id"] and not self._other_texts()
            hint = "; if it holds judgments alone, give it as --judgments with the outputs" if alone else ""
            if len(self.headers) == 1 or any(len(header) > MAX_NAME and " " in header for header in self.headers):
                hint = "; is its first line the header, with a name for each column?"
            raise NoOutputs(f"no column of outputs; {self._columns(self._suggest_wide())}{hint}", path=self.path)

    def _refuse_repeats(self) -> None:
        """Raise where rows of one output repeat, and columns that may be the rater or the ratings were not taken."""
        keys = [*self.roles["id"], *self.roles["system"], *self.roles["dimension"], *self.roles["run"]]
        keys += self.roles["occasion"]
        rows = self.rows(keys) if self.roles["id"] and not {"rater", "score"} & self.stated else ()
        if len(set(rows)) == len(rows) or (self.roles["rater"] and self.scores):
            return
        if not self.roles["rater"] and any(slot.rater for slot in self.scores):
            return
        options: dict[str, list[str]] = {}
        if not self.roles["rater"]:
            options["rater"] = [f"rater={h}" for h in self.free if self._may_rate(h, keys)]
        if not self.scores:
            numbers = [h for h in self.free if self.holds[h] == "number" and not is_about(h)]
            options["ratings"] = [f"score={h}" for h in numbers if is_on_scale(self.sample(h, "number"))]
        if all(options.values()):
            choices = " or ".join(f"--columns {','.join(choice)}" for choice in islice(product(*options.values()), 4))
            message = f"one output comes in several rows, and no column is known as the {' or the '.join(options)}"
            raise FormatError(f"{message}; give {choices}", path=self.path)

    def _may_rate(self, header: str, keys: list[str]) -> bool:
        """Check if a column has names that tell the rows of one output apart, a few of them many times."""
        if self.holds[header] != "text" and (self.holds[header] != "number" or is_about(header)):
            return False
        rows = self.rows([header, *keys])
        values = {row[0] for row in rows}
        return len(set(rows)) == len(rows) and None not in values and 1 < len(values) <= len(rows) / 2

    def _suggest_wide(self) -> str:
        texts = self._other_texts() if len(self.headers) > 1 else []
        if not texts and self.roles["system"]:
            texts = [h for h in self.roles["reference"] if self.holds[h] == "text"]
        if not texts:
            texts = list_outputs({h: self._texts_of(h) for h in self.free}, self._reference_texts())
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


def _role_of_path(header: str) -> Role | None:
    """Return the role of a nested key: by its last part, or by the one before a text in it.

    >>> _role_of_path("meta.gold"), _role_of_path("source.text"), _role_of_path("source.lang")
    ('reference', 'source', None)
    """
    before, _, last = header.rpartition(".")
    named = role_of_header(last)
    if header.endswith(CHAT_ENDS):
        return CHAT_ROLES[next(end for end in CHAT_ENDS if header.endswith(end))]
    if named is None and fold(last) in TEXT_WORDS | {"content", "question"}:
        named = role_of_header(before.rpartition(".")[2])
    return named[0] if named is not None and named[1] is None else None


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _is_broken_list(text: str) -> bool:
    try:
        return _BRACKETS.fullmatch(text) is not None and parse_texts(text) == [text]
    except ValueError:  # whoever reads the rows says what is wrong
        return False


def _without_rater(header: str) -> str:
    return " ".join(word for word in split_words(header) if word not in CORES["rater"] | {"id", "name"})


def _owner(header: str) -> str:
    """Return the system in the header of a column of outputs; "" where it names no output.

    >>> _owner("bart_output"), _owner("summary (t5)"), _owner("output_length"), _owner("bart")
    ('bart', 't5', '', '')
    """
    parts = [part for part in re.split(r"[\s_.()\[\]:]+", header) if part]
    own = [part for part in parts if part.lower() not in CORES["output"] | TEXT_WORDS]
    if not own or len(own) == len(parts) or names_other_text(header) or is_about(header) or role_of_header(header):
        return ""
    return "_".join(own) if len("".join(own)) > 1 else header


def _explain_rating(header: str, rater: str, judge: str, has_rater: bool) -> str:
    if judge:
        return "named as a score of " + ("a language model" if judge == "llm" else "a metric")
    if rater:
        return f"a rating by {rater}, named in the header"
    if names_rating(header) or names_rating(header.rpartition(".")[2]):
        return "named as a rating" + (", next to a rater" if has_rater else ", with values like ratings")
    return "values on a scale, next to a rater" if has_rater else "a list of ratings"


def _find_words(header: str, name: str) -> re.Match[str] | None:
    """Find a name in a header as words of their own: "A" is in "A_adequacy", and not in "B_adequacy"."""
    words = r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", name.strip())))
    return re.search(rf"(?<![^\W_]){words}(?![^\W_])|(?<![^\W_]){words}(?-i:(?=[A-Z][a-z]))", header, re.IGNORECASE)


def _without(name: str, system: str) -> str:
    """Return the dimension in the name of a column that has a system's name in it.

    >>> _without("bart_fluency", "bart"), _without("score (t5)", "t5"), _without("adequacy_A", "A")
    ('fluency', 'score', 'adequacy')
    """
    if match := _find_words(name, system):
        rest = name[: match.start()] + name[match.end() :]
    else:
        place = name.lower().find(system.lower())
        rest = name if place < 0 else name[:place] + name[place + len(system) :]
    return rest.strip(" _-.()[]:/")
