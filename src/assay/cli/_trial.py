"""What is on trial in `assay meta`: metrics against one judged dimension."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..views._format import format_percent as percent

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Scores

__all__ = ["LETTERS", "Trial", "percent"]
LETTERS = {"pearson": "r", "spearman": "rho", "kendall": "tau", "ndcg": "NDCG"}


@dataclass(frozen=True)
class Trial:
    """Metrics by short name, as typed, against one judged dimension."""

    data: EvalSet
    metrics: dict[str, Scores]
    typed: dict[str, str]
    human: Scores
    args: argparse.Namespace

    @cached_property
    def without(self) -> tuple[str, ...]:
        """The people, unless they are to stay."""
        return () if self.args.people == "include" else self.data.people

    def notes(self) -> list[str]:
        """Who was left out, and the exact settings."""
        said = []
        if self.without:
            said.append(
                f"The {len(self.without)} people among the systems ({', '.join(self.without)}) are left out; "
                "--people include keeps them."
            )
        elif self.data.people:
            said.append(f"{len(self.data.people)} people are among the systems.")
        return said + self.settings()

    def settings(self) -> list[str]:
        """What each short name stands for."""
        return [f"{n} = {s.signature or s.name}" for n, s in self.metrics.items() if s.signature != n]

    def record(self, question: str, metric: str | None, **values: Any) -> dict[str, Any]:
        """One JSON record."""
        head: dict[str, Any] = {"question": question, "human": self.human.name}
        if metric is not None:
            head["metric"] = self.metrics[metric].signature or self.typed[metric]
        return {**head, **values}
