"""Components of other installed packages, which name them as entry points: `assay.metrics`, `assay.formats`, ..."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from .errors import InputError


class Plugin(NamedTuple):
    """A component of an installed package: its name, where its class is, and the package with its version."""

    name: str
    target: str  # module:class
    package: str
    version: str

    @property
    def origin(self) -> str:
        """The package as it is written for pip, and in signatures."""
        return f"{self.package}=={self.version}"

    def load(self, kind: str, base: type) -> Any:
        """Import its class, which must be a Component of this name; what goes wrong is one line."""
        from importlib import import_module

        where = f"the {kind} {self.name!r} of {self.package} {self.version} cannot be used"
        module, _, attribute = self.target.partition(":")
        try:
            cls = getattr(import_module(module), attribute.strip())
        except Exception as error:  # whatever the code of another package does when it is imported
            reason = " ".join(str(error).split()) or "no reason given"
            raise InputError(f"{where}: {type(error).__name__}: {reason}") from error
        if not (isinstance(cls, type) and issubclass(cls, base)):
            raise InputError(f"{where}: {self.target} is not a subclass of {base.__module__}.{base.__name__}")
        name = vars(cls).get("name")
        if name != self.name:
            raise InputError(f"{where}: its class is called {name!r}; name the entry point so")
        return cls


@cache
def list_plugins(group: str) -> tuple[Plugin, ...]:
    """List the components that installed packages offer in a group, by name; none of the packages is imported."""
    from importlib.metadata import entry_points

    return tuple(
        sorted(
            Plugin(point.name, point.value, point.dist.name, point.dist.version)
            for point in entry_points(group=group)
            if point.dist is not None
        )
    )
