"""Answer a question for each group of items (--by group), and for all items."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import AssayError, InputError

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.grouped import GroupResult
    from ..data.result import Result

Question = Callable[["Sequence[str] | None"], "Result"]  # from the ids of items, None for all, to the answer


def answer_all(args: argparse.Namespace, data: EvalSet | None, questions: Iterable[Question]) -> list[Result]:
    """Answer questions for all items; with --by group also for each group of them."""
    if args.by is None:
        return [question(None) for question in questions]
    if data is None or not data.groups:
        raise InputError('no item has a group; --by group needs one: a key "group" of items, or a column of tables')
    return [_answer_groups(data, question) for question in questions]


def _answer_groups(data: EvalSet, question: Question) -> Result:
    from ..data.grouped import GroupedResults

    parts = [_answer_group(name, ids, question) for name, ids in data.groups.items()]
    return GroupedResults(question(None), len(data), tuple(parts))


def _answer_group(name: str, ids: tuple[str, ...], question: Question) -> GroupResult:
    from ..data.grouped import GroupResult

    try:
        return GroupResult(name, len(ids), question(ids))
    except AssayError as error:  # a group may be too small for an answer; the others have theirs
        return GroupResult(name, len(ids), None, str(error))
