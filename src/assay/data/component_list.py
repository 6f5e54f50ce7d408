"""ComponentList and ComponentHelp: which metrics or systems there are, and what one of them does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from .result import Result


@dataclass(frozen=True)
class ListedComponent:
    """One metric or system; `default` says whether it is used where none is named."""

    kind: ClassVar[str] = "listed_component"
    name: str
    summary: str
    signature: str
    default: bool = False


@dataclass(frozen=True)
class ListedMetric(ListedComponent):
    """A metric, with the family that it is listed under."""

    kind: ClassVar[str] = "metric"
    family: str = ""


@dataclass(frozen=True)
class ListedSystem(ListedComponent):
    """A compressor or fuser, with what it can do."""

    kind: ClassVar[str] = "listed_system"
    patterns: bool = False
    english_only: bool = False


@dataclass(frozen=True)
class ComponentList(Result, question="components", kind="components"):
    """The components of one kind: metric, compressor or fuser."""

    of: str = field(repr=False)
    components: tuple[ListedMetric | ListedSystem, ...]
    about: str = field(default="", repr=False)


@dataclass(frozen=True)
class MetricFamilies(Result, question="components", kind="metric_families"):
    """All metrics, to be shown by family."""

    metrics: tuple[ListedMetric, ...]


@dataclass(frozen=True)
class ComponentHelp(Result, question="components", kind="component_help"):
    """What one metric computes: its docstring, what it needs, its direction and its signature."""

    name: str
    signature: str
    needs: str
    higher_is_better: bool
    text: str
