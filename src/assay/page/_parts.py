"""What the page is made of: sections under a question, each a row of views or of choices between views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..data.view import View


@dataclass(frozen=True)
class Choice:
    """Views of which one set is looked at at a time: one per metric, or per judged dimension."""

    label: str
    options: Sequence[tuple[str, Sequence[View]]]


@dataclass(frozen=True)
class Section:
    """A part of the page under one question."""

    id: str
    title: str
    question: str
    parts: Sequence[View | Choice]
