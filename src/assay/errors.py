"""Every exception and warning Assay raises.

AssayError                 anything below; catch this to catch them all
├── InputError             a file, text or argument that cannot be used as it is (also a ValueError)
│   ├── FormatError        a file that does not hold what its format says; knows path and line
│   │   └── NoOutputs      a file without outputs: perhaps judgments alone
│   ├── AlignmentError     outputs, references and items that do not belong together
│   ├── RefusedEvent       an answer or step that a study does not allow there and then; knows its code
│   └── MissingExtra       a package that this part needs is not installed; names the extra (also an ImportError)
├── BrokenContract         a metric, format, system or learner is not as all must be (also an AssertionError)
├── NotSaved               an event that could not be written to the database of a study
└── UnknownName            a metric, tokenizer, parameter or format that does not exist (also a ValueError)

AssayWarning               a UserWarning; the text says what was done instead
├── UndefinedWarning       a number that does not exist: the result holds NaN
├── MismatchWarning        two sets of scores share only some of their systems or items: the rest is left out
├── EmptyTextWarning       texts that came out empty, by themselves or under the tokenizer
├── SkippedWarning         parts of a file of another tool that have no place in an evaluation set
├── MarkupWarning          texts that hold tags or entities, which metrics would count as words
├── StandInWarning         another metric was computed for a name that is not here
├── PluginWarning          a component of another package cannot be used, and is left out
├── PoolingWarning         paraphrased references are pooled so that more of them lower the score
└── FallbackWarning        something simpler was computed than what was asked for, as a text is too long for it
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class AssayError(Exception):
    """Base of all errors: one sentence that says what is wrong, where, and what to do."""


class InputError(AssayError, ValueError):
    """Something given cannot be used as it is."""


class FormatError(InputError):
    """A file that does not hold what its format says."""

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}:{line}: " if line is not None else f"{path}: "
        # a header may have a line break in it; an error is one line
        super().__init__((where + message).replace("\r", "\\r").replace("\n", "\\n"))
        self.path, self.line = path, line


class BrokenContract(AssayError, AssertionError):
    """A component is not as all of its kind must be; `assay.testing` raises it."""


class NoOutputs(FormatError):
    """A file without outputs: it may hold judgments alone."""


class AlignmentError(InputError):
    """Outputs, references and items that do not belong together."""


class RefusedEvent(InputError):
    """An answer or step that a study does not allow there and then; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotSaved(AssayError):
    """Something that could not be written to the database of a study: whoever waits for it is told so."""


class UnknownName(AssayError, ValueError):
    """A name that does not exist, with the nearest that does."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        known = list(known)
        import difflib  # slow to load, and needed only here

        near = difflib.get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.5)
        original = next((k for k in known if near and k.lower() == near[0]), None)
        guess = f"; did you mean {original!r}?" if original else ""
        super().__init__(f"unknown {kind} {name!r}{guess}{' ' + hint if hint else ''}")
        self.kind, self.name = kind, name


class MissingExtra(InputError, ImportError):
    """A package that comes with an extra is not installed; the message has the pip command."""


class AssayWarning(UserWarning):
    """Base of all warnings."""


class UndefinedWarning(AssayWarning):
    """A number that does not exist; the result holds NaN."""


class MismatchWarning(AssayWarning):
    """Two sets of scores that share only some of their systems or items; the rest is left out."""


class EmptyTextWarning(AssayWarning):
    """Texts that came out empty, by themselves or under the tokenizer."""


class MarkupWarning(AssayWarning):
    """Texts that hold tags such as <t> or entities such as &amp;, which metrics would count as words."""


class StandInWarning(AssayWarning):
    """Another metric was computed for a name that is not here; the text says what differs."""


class SkippedWarning(AssayWarning):
    """Parts of a file of another tool that have no place in an evaluation set, and were not read."""


class PluginWarning(AssayWarning):
    """A component of another package cannot be used, and is left out; the others work."""


class PoolingWarning(AssayWarning):
    """Paraphrased references are pooled so that more of them lower the score."""


class FallbackWarning(AssayWarning):
    """Something simpler was computed than what was asked for, as a text is too long for it."""


@contextmanager
def ignore_undefined() -> Iterator[None]:
    """Ignore the warnings about undefined parts: the caller warns once, for the whole result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        yield
