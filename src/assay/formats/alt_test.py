"""The JSON of the alternative annotator test: {rater: {"item__system__dimension": score}}.

Calderon et al. (2025) publish ratings so. The item may hold the two underscores itself; system and dimension may not.
Where no key has these three parts, a key is the id of an item, of one system, and the dimension is `score`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from ..data.item import Item
from ..errors import FormatError
from ..files import write_whole
from ._io.cells import parse_score
from ._io.json_file import as_object, dump_json, read_json
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat
from ._io.layout import ColumnMap
from ._io.peek import peek
from ._io.text_file import ReadProgress, StrPath

MARK = "__"
_FIRST_KEY = re.compile(rb'\s*\{\s*"((?:[^"\\]|\\.){0,300})"\s*:\s*\{\s*"([^"\\]{1,1000})"\s*:\s*[-\dn]')
_RATER = re.compile(
    rb"(?i)(annotator|rater|judge|worker|turker|expert|crowd|human|gpt|claude|gemini|llama|mistral|qwen)"
)


class AltTestJson(JudgmentsFormat):
    """Ratings by rater, as the alternative annotator test takes them."""

    name: ClassVar[str] = "alt-test"

    def recognizes(self, path: Path) -> bool:
        """Check if the first rater has a rating under such a key, or is called as a rater and rates by id."""
        first = _FIRST_KEY.match(peek(path))
        if first is None:
            return False
        return first[2].count(MARK.encode()) >= 2 or _RATER.match(first[1]) is not None

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what ratings by key cannot hold."""
        return ("texts", "groups", "clusters", "runs", "extra", "scales", "kinds", "occasions")

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of each rater."""
        raters = as_object(read_json(path), "the file", path)
        tables = {rater: as_object(ratings, f"the ratings of {rater!r}", path) for rater, ratings in raters.items()}
        by_id = not any(_split(key) for table in tables.values() for key in table)
        for rater, table in tables.items():
            for key, value in table.items():
                parts: tuple[str, str | None, str] | None = (key, None, "score") if by_id else _split(key)
                if parts is None:
                    raise FormatError(f"a key is item{MARK}system{MARK}dimension; got {key[:60]!r}", path=path)
                score = parse_score(value, f"the rating of {key[:60]!r}", path)
                if score is not None:
                    item, system, dimension = parts
                    yield JudgmentRow(item, system, rater, dimension, score, place=f"{path}: {rater}")

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write the judgments of the items, by rater; texts have no place."""
        ratings: dict[str, dict[str, float]] = {}
        for item in items:
            for j in item.judgments:
                for system in item.judged_systems(j):
                    key = MARK.join((item.id, system, j.dimension))
                    if MARK in f"{system}{j.dimension}" or key in ratings.setdefault(j.rater, {}):
                        message = f"{item.place}: the judgments of {key[:60]!r} cannot be told apart by such a key"
                        raise FormatError(message, path=path)
                    ratings[j.rater][key] = j.score
        if not ratings:
            raise FormatError("there are no judgments to write", path=path)
        write_whole(path, dump_json(ratings, path))


def _split(key: str) -> tuple[str, str, str] | None:
    """Return item, system and dimension; None for a key that does not have three parts."""
    parts = key.rsplit(MARK, 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None
