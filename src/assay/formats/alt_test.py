"""The JSON of the alternative annotator test: {rater: {"item__system__dimension": score}}.

Calderon et al. (2025) publish ratings so. The item may hold the two underscores itself; system and dimension may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from ..data.item import Item
from ..errors import FormatError
from ..files import write_whole
from ._io.json_file import as_object, dump_json, read_json
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat
from ._io.layout import ColumnMap
from ._io.peek import peek
from ._io.score_cell import parse_score
from ._io.text_file import ReadProgress, StrPath

MARK = "__"
_FIRST_KEY = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.){0,300}"\s*:\s*\{\s*"([^"\\]{1,1000})"\s*:\s*[-\dn]')


class AltTestJson(JudgmentsFormat):
    """Ratings by rater, as the alternative annotator test takes them."""

    name: ClassVar[str] = "alt-test"

    def recognizes(self, path: Path) -> bool:
        """Tell whether the first rater has a rating under such a key."""
        first = _FIRST_KEY.match(peek(path))
        return first is not None and first[1].count(MARK.encode()) >= 2

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what ratings by key cannot hold."""
        return ("texts", "groups", "extra", "scales", "kinds", "occasions")

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of each rater."""
        for rater, ratings in as_object(read_json(path), "the file", path).items():
            for key, value in as_object(ratings, f"the ratings of {rater!r}", path).items():
                parts = key.rsplit(MARK, 2)
                if len(parts) != 3 or not all(parts):
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
