"""CoNLL-U: parses of one's own parser, read from a file and found by their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from ...errors import FormatError, InputError
from .engines import Block, Scored
from .relations import check_relations, to_universal
from .sentence import Sentence, Word

_MAX_SHOWN = 60


class ConlluEngine:
    """A file of parsed sentences. A text is found as sentences with characters that, white space apart, make it up."""

    cached = False
    beam = False
    shared = False
    loaded = True
    version = ""

    def __init__(self, model: str, path: Path) -> None:
        self.model, self.path = model, path

    @cached_property
    def sentences(self) -> dict[str, Sentence]:
        """Sentences by their characters, as `# text` and as the forms have them."""
        by_text: dict[str, Sentence] = {}
        for texts, sentence in read_conllu(self.path):
            for text in texts:
                by_text.setdefault(text, sentence)
        check_relations((w.relation for s in by_text.values() for w in s), self.model)
        return {text: to_universal(sentence) for text, sentence in by_text.items() if text}

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """The lengths of the sentences that begin with the same four characters, longest first."""
        lengths: dict[str, set[int]] = {}
        for text in self.sentences:
            lengths.setdefault(text[:4], set()).add(len(text))
        return {start: sorted(some, reverse=True) for start, some in lengths.items()}

    def blocks(self, text: str) -> list[str]:
        squeezed = "".join(text.split())
        return [squeezed] if squeezed else []

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        return [self._find(part) for part in parts]

    def _find(self, text: str) -> Block:
        """Search depth first; a longer sentence is tried before a shorter one with the same beginning."""
        dead: set[int] = set()
        path: list[tuple[int, Iterator[int]]] = [(0, self._ends(text, 0))]
        furthest = 0
        while path:
            start, ends = path[-1]
            end = next((e for e in ends if e not in dead), None)
            if end is None:
                dead.add(start)
                path.pop()
            elif end == len(text):
                cuts = [*(s for s, _ in path), end]
                return tuple(self.sentences[text[a:b]] for a, b in pairwise(cuts))
            else:
                furthest = max(furthest, end)
                path.append((end, self._ends(text, end)))
        missing = text[furthest : furthest + _MAX_SHOWN]
        raise InputError(
            f"{self.path} holds no sentence that begins (spaces apart) at {missing!r}"
            f"{' of a text with a beginning that it holds' if furthest else ''}; parse every text that is scored"
        )

    def _ends(self, text: str, start: int) -> Iterator[int]:
        for shorter in range(4, 0, -1):  # a sentence may be shorter than four characters
            for length in self._lengths.get(text[start : start + shorter], ()):
                if text[start : start + length] in self.sentences:
                    yield start + length

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        raise NotImplementedError


def read_conllu(path: Path) -> Iterator[tuple[list[str], Sentence]]:
    """Yield each sentence with its characters, without white space: those of `# text`, and those of the forms."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 (byte {error.start})", path=path) from None
    rows: list[tuple[int, list[str]]] = []
    comment = ""
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            name, _, value = line[1:].partition("=")
            comment = value if name.strip() == "text" else comment
        elif line.strip():
            rows.append((number, _columns(line, path, number)))
        elif rows:
            yield [_without_spaces(comment), _surface(rows)], _sentence(rows, path)
            rows, comment = [], ""


def _columns(line: str, path: Path, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != 10:
        message = f"CoNLL-U has 10 columns with tabs between them, this line {len(columns)}"
        raise FormatError(message, path=path, line=number)
    return columns


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _surface(rows: list[tuple[int, list[str]]]) -> str:
    """Return the forms in a row; a contraction (1-2 don't) stands for its words, empty nodes (1.1) for nothing."""
    forms: list[str] = []
    inside = 0
    for number, (place, form, *_) in rows:
        first, dash, last = place.partition("-")
        if dash:
            inside = int(last) if last.isdigit() else number
            forms.append(form)
        elif first.isdigit() and int(first) > inside:
            forms.append(form)
    return _without_spaces("".join(forms))


def _sentence(rows: list[tuple[int, list[str]]], path: Path) -> Sentence:
    words = [(number, columns) for number, columns in rows if "-" not in columns[0] and "." not in columns[0]]
    return tuple(_word(columns, i, len(words), path, number) for i, (number, columns) in enumerate(words, 1))


def _word(columns: list[str], place: int, words: int, path: Path, line: int) -> Word:
    number, form, lemma, pos, tag, features, head, relation, *_ = columns
    if number != str(place):
        raise FormatError(f"word {place} of the sentence has the number {number!r}", path=path, line=line)
    if not head.isdigit() or int(head) > words or int(head) == place:
        message = f"the head of {form!r} is {head!r}, which is no other word of the sentence"
        raise FormatError(message, path=path, line=line)
    lemma = form.lower() if lemma == "_" and form != "_" else lemma
    return Word(form, lemma, _field(pos), _field(tag), _field(features), int(head) - 1, _field(relation))


def _field(field: str) -> str:
    return "" if field == "_" else field
