"""System: what compressors and fusers have in common, and the checks of what they are given to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from ..component import Component, Folder
from ..errors import InputError, MissingExtra
from ..patterns import check_pattern

Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True)
class System(Component):
    """A program that makes texts."""

    honours_patterns: ClassVar[bool] = False  # whether `keep` and `drop` are obeyed
    english_only: ClassVar[bool] = False  # whether it needs the English parser or a model of English


def check_patterns(system: System, patterns: Sequence[str], folder: Folder[Any]) -> None:
    """Refuse patterns that are not regular expressions, and patterns for a system that does not obey them."""
    for pattern in patterns:
        check_pattern(pattern)
    if patterns and not system.honours_patterns:
        able = ", ".join(cls.name for cls in folder.classes if cls.honours_patterns)
        raise InputError(f"{system.name} does not keep or drop words by pattern; these do: {able}")


def check_text(text: Any, place: str) -> str:
    """Return the text; raise an InputError that names the place if it is not a text or holds half a character.

    >>> check_text(b"a cat", "text 3")
    Traceback (most recent call last):
    assay.errors.InputError: text 3 must be a text (str); got bytes: decode it first
    """
    if not isinstance(text, str):
        hint = ": decode it first" if isinstance(text, bytes | bytearray) else ""
        raise InputError(f"{place} must be a text (str); got {type(text).__name__}{hint}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{place} holds half a character (a lone surrogate) at position {error.start}: {text[:40]!r}; "
                "decode the file again, with errors='replace' if it cannot be mended"
            ) from None
    return text


def check_texts(texts: Sequence[Any], whole: str, each: str) -> tuple[str, ...]:
    """Check each of several texts, which are numbered from 1.

    >>> check_texts(["a", None], "texts", "text")
    Traceback (most recent call last):
    assay.errors.InputError: text 2 must be a text (str); got NoneType
    """
    if isinstance(texts, str | bytes) or not hasattr(texts, "__iter__"):
        raise InputError(f"{whole} must be a list of texts; got {type(texts).__name__}")
    return tuple(check_text(text, f"{each} {number}") for number, text in enumerate(texts, 1))


@dataclass
class LanguageGate:
    """Passes on the texts that a system can work on.

    If most of the first texts are in another language, that is an error; later, and among English texts, one that is
    not English is left as it is, with a note. `language`: what all texts are in, whatever they look like.
    """

    system: System
    language: str | None = None
    opened: bool = False  # whether texts have passed

    def __post_init__(self) -> None:
        if self.language not in (None, "en") and self._is_english:
            raise InputError(f"the language is {self.language}, and {self._limits()}")

    def run(
        self,
        inputs: Sequence[Given],
        texts: Sequence[str],
        make: Callable[[Sequence[Given]], list[Made]],
        leave: Callable[[Given, str], Made],
    ) -> list[Made]:
        """Make something of the input that belongs to each text; where the text is not English, leave the input."""
        foreign = self.find(texts)
        results = iter(make([x for x, language in zip(inputs, foreign, strict=True) if not language]))
        return [
            leave(x, f"it seems to be {language}, not English") if language else next(results)
            for x, language in zip(inputs, foreign, strict=True)
        ]

    def find(self, texts: Sequence[str]) -> list[str]:
        """Return the language of each text that is not English, "" for one that passes."""
        if not self._is_english or self.language:
            return [""] * len(texts)
        from ..text.language import name_foreign

        try:
            foreign = [name_foreign(text) for text in texts]
        except MissingExtra:  # the system needs the same package, and names all that is missing
            return [""] * len(texts)
        if not self.opened and 2 * sum(map(bool, foreign)) > len(texts):
            first = next(i for i, language in enumerate(foreign) if language)
            place = f"text {first + 1} ({' '.join(texts[first].split())[:40]!r})"
            override = "--language en takes texts as English all the same"
            raise InputError(f"{place} seems to be {foreign[first]}, and {self._limits()}; {override}")
        self.opened = self.opened or bool(texts)
        return foreign

    @property
    def _is_english(self) -> bool:
        """Whether the system is for English: a parser that the user names may be for another language."""
        return self.system.english_only and getattr(self.system, "parser", "en") == "en"

    def _limits(self) -> str:
        """Say that the system is for English, and which are not."""
        from .compress import COMPRESSORS
        from .fuse import FUSERS

        folder = FUSERS if self.system.name in FUSERS.names else COMPRESSORS
        able = ", ".join(cls.name for cls in folder.classes if not cls.english_only)
        return f"{self.system.name} is for English (for other languages: {able})"
