"""The tables of DUC and TAC that stand next to texts and pyramids: judgments, and who annotated which topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError
from .._io.cells import parse_score
from .names import is_topic, plain_number, plain_topic

# The five questions of DUC 2005 to 2007 on linguistic quality, by their numbers in its tables.
QUESTIONS = {
    "1": "grammaticality",
    "2": "non-redundancy",
    "3": "referential clarity",
    "4": "focus",
    "5": "structure and coherence",
}
_ROLES = {"topic": "topic", "set": "topic", "assessor": "assessor", "summarizer": "system", "question": "question"}


UNNAMED = "?"  # the rater of a table that names none


class TableJudgment(NamedTuple):
    """A row of a table of judgments."""

    topic: str
    system: str
    rater: str
    dimension: str
    score: float


class Annotators(NamedTuple):
    """Who made the pyramid of a topic, and who annotated its peers."""

    pyramid: str
    peers: str


def read_judgments(path: Path, text: str) -> Iterator[TableJudgment]:
    """Read a table with a stair of headers: a line for each column, with a bar for every column before it.

    The last column is a score, and its header the dimension; a column of question numbers says more of it.
    """
    roles: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or set(words) == {"|"}:
            continue
        if not is_topic(words[0]):
            roles.append(_role(line))
            continue
        if len(words) != len(roles) or "topic" not in roles or "system" not in roles:
            message = f"a row has {len(words)} values and the table {len(roles)} headers; is it a table of judgments?"
            raise FormatError(message, path=path, line=number)
        row = dict(zip(roles, words, strict=True))
        dimension = roles[-1]
        if (question := row.get("question")) is not None:
            dimension = QUESTIONS.get(question, f"{dimension} {question}")
        score = parse_score(words[-1], "the score", path, number)
        if score is not None:
            system = plain_number(row["system"])
            yield TableJudgment(plain_topic(row["topic"]), system, row.get("assessor", UNNAMED), dimension, score)


def is_manual(name: str) -> bool:
    """Check by its name if a file is a table of scores of TAC: manual.peer, manual.model.A; averages are not.

    >>> is_manual("manual.peer"), is_manual("manual.model.B"), is_manual("manual.peer.A.avg")
    (True, True, False)
    """
    return re.fullmatch(r"manual\.(peer|model)(\.[A-Z]+)?", name) is not None


def read_manual(path: Path, text: str) -> Iterator[TableJudgment]:
    """Read such a table, which has no headers: the last two columns are linguistic quality and responsiveness.

    The column between of letters alone is the assessor, who made the pyramid and annotated the peers.
    """
    rows = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, words in rows:
        if len(words) < 5 or not is_topic(words[0]):
            raise FormatError("a row has no topic, system and scores; is it a table of TAC?", path=path, line=number)
    columns = range(2, min((len(words) for _, words in rows), default=2) - 2)
    named = [k for k in columns if all(words[k].isalpha() for _, words in rows)]
    for number, words in rows:
        rater = words[named[0]] if named else UNNAMED
        for dimension, word in zip(("linguistic quality", "overall responsiveness"), words[-2:], strict=True):
            score = parse_score(word, "the score", path, number)
            if score is not None:
                yield TableJudgment(plain_topic(words[0]), plain_number(words[1]), rater, dimension, score)


def is_judgments(text: str) -> bool:
    """Check if a text is such a table: its first lines are the stair of headers."""
    lines = [line.split() for line in text.splitlines()[:8] if line.strip()]
    return len(lines) > 2 and lines[0] == ["Topic"] and lines[1][:1] == ["|"]


def read_annotators(text: str, name: str) -> dict[str, Annotators]:
    """Return who annotated each topic: a table with headers, or a file of pyramid creators; {} if it is neither.

    Where only the maker of the pyramid is named, NIST's own scripts take the peers as annotated by the same person.

    >>> read_annotators("Topic Pyramid-creator Peer-annotator\\n\\nD0701 101 109\\n", "annotator-table.txt")
    {'D0701': Annotators(pyramid='101', peers='109')}
    >>> read_annotators("D0703-A A\\n", "2007_pyramid_creators.txt")
    {'D0703-A': Annotators(pyramid='A', peers='A')}
    """
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows:
        return {}
    headers = [word.lower() for word in rows[0]]
    if headers[0] == "topic" and any("annotator" in word or "creator" in word for word in headers[1:]):
        rows = rows[1:]
        pyramid, peers = _column(headers, "creator"), _column(headers, "annotator")
    elif "pyramid_creators" in name and is_topic(rows[0][0]):
        pyramid = peers = 1
    else:
        return {}
    known = [row for row in rows if is_topic(row[0]) and len(row) > max(pyramid, peers)]
    return {plain_topic(row[0]): Annotators(row[pyramid], row[peers]) for row in known}


def _column(headers: Sequence[str], word: str) -> int:
    places = [k for k, header in enumerate(headers) if word in header]
    return places[0] if places else 1


def _role(line: str) -> str:
    """Return what a header names.

    >>> _role("|   |   Summarizer (baseline=1..2)"), _role("|  Content Responsiveness Score (1 = very poor)")
    ('system', 'responsiveness')
    """
    name = re.sub(r"\(.*", "", line).replace("|", " ").strip().lower()
    first = name.split()[0] if name else ""
    if first in _ROLES:
        return _ROLES[first]
    name = re.sub(r"\s*score$", "", name)
    if "question" in name:
        return "question"
    return "responsiveness" if name == "content responsiveness" else name
