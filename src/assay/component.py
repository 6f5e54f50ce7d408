"""Components: things that are named, with parameters, as text: `rouge2(measure=recall)`, `ilp(lambda=1.4)`.

Metrics, systems and models are components: frozen dataclasses with their parameters as fields, which are their
signature. They are found by listing a folder; naming one imports only its file.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields
from functools import cache, cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from ._component_table import TABLE
from .errors import InputError, PluginWarning, UnknownName

if TYPE_CHECKING:
    from .plugins import Plugin

MAX_NUMBER = 2**31 - 1  # of a number among the parameters: what the core counts with
_CALL = re.compile(r"\s*(?P<name>[^()\s][^()]*?)\s*(?:\((?P<args>.*)\)\s*)?", re.DOTALL)
POSITIONAL = "\0"  # stands for the value of a parameter that was typed without its name


@dataclass(frozen=True)
class Component:
    """Something with a name and parameters. A subclass says its `name`, with fields in braces: "rouge{n}".

    A parameter that is one of Python's own words has a trailing underscore as a field, `lambda_`, which is not typed.
    """

    name: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()
    origin: ClassVar[str] = ""  # package==version of a component from outside Assay

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Return the parameters that another program's or paper's name stands for, or None if it is not known here."""
        return None

    @classmethod
    def parameter_of(cls, value: str) -> str | None:
        """Return the parameter that a value typed alone belongs to (refs for `rouge2(best)`), or None."""
        return None

    @property
    def title(self) -> str:
        """The name with its numbers: rouge2; rougeS* for any gap."""
        values = {k: getattr(self, k) for k in self._in_name()}
        return self.name.format(**{k: "*" if v == -1 else format_value(v) for k, v in values.items()})

    def signature(self) -> str:
        """Write what one would type to get the same again, every parameter spelled out, and the package it is from."""
        parameters = [f"{k.rstrip('_')}={format_value(getattr(self, k))}" for k in self._in_signature()]
        if self.origin:
            parameters.append(f"package={self.origin}")
        return f"{self.title}({', '.join(parameters)})" if parameters else self.title

    def summary(self) -> str:
        """Describe it in one short line, for a list."""
        return inspect.cleandoc(type(self).__doc__ or "").splitlines()[0]

    @classmethod
    def _depth(cls, field: Field[Any]) -> int:
        """Put a component's own parameters before those it shares with others."""
        return max(i for i, base in enumerate(cls.__mro__) if field.name in vars(base).get("__annotations__", {}))

    @classmethod
    @cache
    def _in_signature(cls) -> tuple[str, ...]:
        return tuple(f.name for f in sorted(fields(cls), key=cls._depth) if f.name not in cls._in_name())

    @classmethod
    @cache
    def _in_name(cls) -> tuple[str, ...]:
        return tuple(re.findall(r"\{(\w+)\}", cls.name))


C = TypeVar("C", bound=Component)
FileComponent = TypeVar("FileComponent", bound=Component, covariant=True)


class ComponentFiles(Protocol[FileComponent]):
    """Components that users keep in files or folders: a learned scorer."""

    def holds(self, text: str) -> bool:
        """Check if a text names a file that holds a component."""

    def load(self, text: str) -> FileComponent:
        """Read the component in the file that a text names."""


class Folder(Generic[C]):
    """The components of one kind: every class with a `name` in the modules of a package, or in one module.

    Nothing is registered: a table made from the folder (tools/components.py) says which file to import for a name, and
    files that are not in it yet are imported and looked through. Other packages add components as entry points of
    `group`; one that has the name of a component of Assay, or cannot be imported, is left out with a warning. With
    `files`, a text may also name a file that holds a component. `hint` ends the error about an unknown name; without
    it the error lists the names there are.
    """

    def __init__(
        self,
        package: str,
        base: type[C],
        *,
        kind: str,
        example: str,
        hint: str = "",
        files: ComponentFiles[C] | None = None,
        group: str = "",
        group_base: type[Component] | None = None,
    ) -> None:
        self.package, self.base, self.kind, self.group = package, base, kind, group
        self._group_base = group_base or base  # what all components of the group are
        self._example, self._hint, self._files = example, hint, files
        self._classes: dict[str, list[type[C]]] = {}  # of the modules that were imported
        self._named: dict[str, type[C]] = {}  # by names that were asked for

    def build(self, text: str | C) -> C:
        """Build the component that a text stands for; a component is returned as it is."""
        if isinstance(text, self.base):
            self._mark_origin(type(text))
            return text
        if not isinstance(text, str):
            raise InputError(
                f"{_article(self.kind)} {self.kind} is a text such as {self._example!r}; got {type(text).__name__}"
            )
        if self._files is not None and is_path(text):
            return self._files.load(text)
        if (component := self.find(text)) is not None:
            return component
        if self._files is not None and self._files.holds(text):
            return self._files.load(text)
        raise self.unknown(text)

    def build_named(self, text: str) -> C:
        """Build the component that a text stands for, without looking at files."""
        if (component := self.find(text)) is None:
            raise self.unknown(text)
        return component

    def find(self, text: str) -> C | None:
        """Build the component that a text names, or return None if there is none of that name."""
        name, arguments = split_call(text, self.kind, self._example)
        for candidates in (
            ([self._named[name]] if name in self._named else ()),
            self._candidates(name),
            self._outside(name),
        ):
            for cls in candidates:
                if (from_name := read_name(cls, name)) is not None:
                    self._named[name] = cls
                    return cls(**convert_arguments(cls, name, {**from_name, **arguments}))
        return None

    def unknown(self, text: str) -> UnknownName:
        """Return the error for a text that names no component, with the nearest name."""
        name, _ = split_call(text, self.kind, self._example)
        known = sorted({*(name for name, _ in self.own_examples()), *self._plugin_names()})
        return UnknownName(self.kind, name, known, hint=self._hint or f"(known: {', '.join(known)})")

    @cached_property
    def classes(self) -> tuple[type[C], ...]:
        """Every class, by module and name, then those of other packages. Imports all of them."""
        outside = [cls for plugin in self.plugins if (cls := self._try_plugin(plugin)) is not None]
        return (*self.own_classes, *outside)

    @cached_property
    def own_classes(self) -> tuple[type[C], ...]:
        """Every class of the folder, by module and name. Imports all of the folder."""
        classes = {cls for module in self.modules for cls in self._classes_in(module)}
        return tuple(sorted(classes, key=lambda cls: (cls.__module__, cls.name)))

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every class; nothing of the folder or of other packages is imported, but files without a row."""
        table = TABLE.get(self.package, {})
        rows = {m: table[m][0] if m in table else [cls.name for cls in self._classes_in(m)] for m in self.modules}
        return (*(name for module in sorted(rows) for name in sorted(rows[module])), *self._plugin_names())

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The components that other installed packages offer; none of the packages is imported."""
        if not self.group:
            return ()
        from .plugins import list_plugins  # needed only for names that Assay does not have

        return list_plugins(self.group)

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The full names of the modules that may hold components."""
        package = self._package()
        if not hasattr(package, "__path__"):
            return (self.package,)
        modules = pkgutil.iter_modules(package.__path__, f"{self.package}.")  # sub-packages hold helpers
        return tuple(m.name for m in modules if not m.ispkg and not m.name.rpartition(".")[2].startswith("_"))

    def examples(self) -> Iterator[tuple[str, type[C]]]:
        """List the names worth showing, each with its class; those with a number in the name accept others too."""
        for cls in self.classes:
            yield from ((name, cls) for name in cls.examples or (cls.name,))

    def own_examples(self) -> Iterator[tuple[str, type[C]]]:
        """List the names worth showing of the folder's own components."""
        for cls in self.own_classes:
            yield from ((name, cls) for name in cls.examples or (cls.name,))

    def _candidates(self, name: str) -> Iterator[type[C]]:
        """List classes that may have this name: those of the file that declares it, then those with aliases."""
        wanted = plain_name(name)
        table = TABLE.get(self.package, {})
        for module, (names, _) in table.items():
            patterns = [*names, module.rpartition(".")[2]]  # bleu.py holds bleu{n}, and bleu stands for one
            if any(_name_pattern(pattern).fullmatch(wanted) for pattern in patterns):
                yield from self._classes_in(module)
        for module, (_, has_aliases) in table.items():
            if has_aliases:
                yield from self._classes_in(module)
        for module in self.modules:
            if module not in table:
                yield from self._classes_in(module)

    def _outside(self, name: str) -> Iterator[type[C]]:
        """List the classes of other packages that have this name; what is wrong with one is an error."""
        wanted = plain_name(name)
        offers = [plugin for plugin in self.plugins if _name_pattern(plugin.name).fullmatch(wanted)]
        if len(offers) > 1:
            packages = " and ".join(f"{plugin.package} {plugin.version}" for plugin in offers)
            raise InputError(f"{packages} both have a {self.kind} {name!r}: uninstall one of them")
        for plugin in offers:
            if (cls := self._load_plugin(plugin)) is not None:
                yield cls

    def _load_plugin(self, plugin: Plugin) -> type[C] | None:
        """Import the class of a plugin; None if it is a system of another kind."""
        if any(True for cls in self._candidates(plugin.name) if read_name(cls, plugin.name) is not None):
            raise InputError(
                f"the {self.kind} {plugin.name!r} of {plugin.package} {plugin.version} cannot be used: Assay has a "
                f"{self.kind} of that name"
            )
        cls: type[Component] = plugin.load(self.kind, self._group_base)
        cls.origin = plugin.origin
        return cls if issubclass(cls, self.base) else None

    def _try_plugin(self, plugin: Plugin) -> type[C] | None:
        """Import the class of a plugin; what is wrong with it is a warning, and the others work."""
        try:
            return self._load_plugin(plugin)
        except InputError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=4)
            return None

    def _plugin_names(self) -> tuple[str, ...]:
        return tuple(plugin.name for plugin in self.plugins)

    def _mark_origin(self, cls: type[C]) -> None:
        """Let the signature of a component that was built by hand show its package, too."""
        if not cls.origin and self.group and cls.__module__.partition(".")[0] != __package__:
            target = f"{cls.__module__}:{cls.__qualname__}"
            cls.origin = next((plugin.origin for plugin in self.plugins if plugin.target == target), "")

    def list_declarations(self) -> dict[str, tuple[tuple[str, ...], bool]]:
        """Return module -> names of its components and whether any has aliases. Imports all of the folder."""
        classes = {module: self._classes_in(module) for module in self.modules}
        return {
            module: (tuple(cls.name for cls in own), any(map(_has_aliases, own)))
            for module, own in classes.items()
            if own
        }

    def _package(self) -> ModuleType:
        return importlib.import_module(self.package)

    def _classes_in(self, module: str) -> list[type[C]]:
        if module not in self._classes:
            types = [v for v in vars(importlib.import_module(module)).values() if isinstance(v, type)]
            own = (cls for cls in types if issubclass(cls, self.base) and cls.__module__ == module)
            self._classes[module] = [cls for cls in own if "name" in vars(cls)]
        return self._classes[module]


def is_path(text: str) -> bool:
    """Tell a path from a name: it has a slash.

    >>> is_path("./scorer(checksum=1a2b)"), is_path("rouge2(words=0)")
    (True, False)
    """
    return any(mark in text.partition("(")[0] for mark in ("/", "\\"))


def split_call(text: str, kind: str, example: str) -> tuple[str, dict[str, str]]:
    """Split a call into its name and its parameters, as they were typed.

    >>> split_call("rouge2(measure=recall, stem='true')", "metric", "rouge2(measure=recall)")
    ('rouge2', {'measure': 'recall', 'stem': 'true'})
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not {_article(kind)} {kind}: write a name and its parameters, as {example}")
    return match["name"], dict(_split_arguments(match["args"] or ""))


def _split_arguments(text: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, (p.strip() for p in text.split(","))):
        key, equals, value = part.partition("=")
        yield key.strip(), value.strip().strip("'\"") if equals else POSITIONAL


def plain_name(name: str) -> str:
    """Fold a name, so that ROUGE-2, rouge_2 and rouge2 are one.

    >>> plain_name("ROUGE-2")
    'rouge2'
    """
    return re.sub(r"[-_\s]", "", name.lower())


def read_name(cls: type[Component], name: str) -> Mapping[str, str] | None:
    """Read the parameters that a name itself holds (rouge2: n=2), or return None if it is not this component's."""
    if (from_alias := cls.alias(name)) is not None:
        return from_alias
    match = _name_pattern(cls.name).fullmatch(plain_name(name))
    return None if match is None else {k: "-1" if v == "*" else v for k, v in match.groupdict().items()}


def _has_aliases(cls: type[Component]) -> bool:
    """Check if a class goes by other names: by a method of its own, or an inherited one that knows its examples."""
    return "alias" in vars(cls) or any(cls.alias(name) is not None for name in cls.examples if name != cls.name)


@cache  # a few dozen names, matched again for every component that is built
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\d+|\\*)", re.escape(plain_name(name))))


def convert_arguments(cls: type[Component], name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    """Convert parameters to the types of the dataclass's defaults."""
    known = {f.name.rstrip("_"): f for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, text in arguments.items():
        if text == POSITIONAL:
            if (parameter := cls.parameter_of(key)) is None:
                raise InputError(f"{key!r} in '{name}({key})' is not a parameter: write name=value")
            key, text = parameter, key
        if key == "package" and cls.origin:
            if text != cls.origin:
                raise InputError(f"{name} is of {cls.origin} here; {text} was asked for")
            continue
        if key not in known:
            raise UnknownName(f"parameter of {name}", key, known, hint=f"(there are {', '.join(known)})")
        field = known[key]
        either = "bool" in str(field.type)  # str | bool: true and false mean yes and no, not a name
        values[field.name] = _convert_value(text, field.default, f"{key} of {name}", either=either)
    return values


def _convert_value(text: str, default: Any, what: str, *, either: bool = False) -> Any:
    """Convert a text to the type of the default; with `either` true and false are taken as well."""
    lowered = text.lower()
    if (either and lowered in ("true", "false")) or isinstance(default, bool):
        if lowered in ("true", "yes", "1"):
            return True
        if lowered in ("false", "no", "0"):
            return False
        raise InputError(f"{what} must be true or false; got {text!r}")
    try:
        value = type(default)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[type(default)]
        raise InputError(f"{what} must be {kind}; got {_cut(text)!r}") from None
    if isinstance(value, (int, float)) and not abs(value) <= MAX_NUMBER:  # NaN too
        raise InputError(f"{what} must be a number between -{MAX_NUMBER} and {MAX_NUMBER}; got {_cut(text)!r}")
    return value


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def format_value(value: Any) -> str:
    """Write a parameter's value as it is typed.

    >>> format_value(True), format_value(1.0), format_value(1.2), format_value("max")
    ('true', '1', '1.2', 'max')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
