"""Standard streams that nothing hostile gets through: every command prints through these.

What people read is escaped: names and texts come from files that anybody may have written, and a terminal obeys what
it is sent. Data, one text a line, are raw to a pipe or file and escaped on a terminal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, NoReturn, TextIO

from ..errors import InputError
from ..printable import escape_hidden

# For a stream with an encoding that lacks them: what else there is to draw tables with.
_PLAIN = str.maketrans({"─": "-", "–": "-", "—": "-", "−": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'"})


# Colour only tells heads from numbers: nothing is said by colour alone.
_BOLD, _DIM, _GREEN, _END = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[0m"
_STARRED = re.compile(r"(?<=\d)\*(?= |$)")


class ReaderGone(Exception):
    """Whoever read standard output has enough (head)."""


class Screen:
    """A text stream that escapes what a terminal would obey or hide, and what its encoding lacks."""

    def __init__(self, stream: Any, *, forgiving: bool = False) -> None:
        self._stream, self._forgiving = stream, forgiving
        self._seen: bool | None = None  # by a person

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def isatty(self) -> bool:
        """Whether a person looks at it."""
        if self._seen is None:
            try:
                self._seen = bool(self._stream.isatty())
            except (AttributeError, ValueError):  # a closed stream
                self._seen = False
        return self._seen

    def write(self, text: str) -> int:
        """What people read: escaped."""
        self.write_control(escape_hidden(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Each of them."""
        for line in lines:
            self.write(line)

    def write_data(self, text: str) -> None:
        """What programs read: as it is, unless a person looks."""
        self.write_control(escape_hidden(text) if self.isatty() else text)

    def write_control(self, text: str) -> None:
        """What is meant to be obeyed: colours, the line of a progress bar."""
        with self._errors():
            try:
                self._stream.write(text)
            except UnicodeEncodeError:
                encoding = self._stream.encoding
                self._stream.write(text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding))

    def flush(self) -> None:
        """Hand on what was written."""
        with self._errors():
            self._stream.flush()

    def abandon(self) -> None:
        """Send what is left nowhere, so that the interpreter does not complain of it when it ends."""
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError as error:
            if not self._forgiving:
                raise ReaderGone from error
        except OSError as error:
            if not self._forgiving:
                raise InputError(f"standard output cannot be written: {error.strerror or error}") from error
        except ValueError as error:
            if isinstance(error, UnicodeError) or "closed" not in str(error):
                raise
            if not self._forgiving:
                raise InputError("standard output is closed") from error


class _ClosedInput:
    """Standard input where there is none."""

    def isatty(self) -> bool:
        return False

    @property
    def buffer(self) -> BinaryIO:
        return self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError("standard input is closed: give a file")


class _Nowhere:
    """Standard error where there is none: what is said there is lost, and nothing else is."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


@contextmanager
def screens() -> Iterator[None]:
    """Standard input, output and error made safe, and put back."""
    before = sys.stdin, sys.stdout, sys.stderr
    streams: tuple[Any, Any, Any] = (
        sys.stdin or _ClosedInput(),
        sys.stdout if sys.stdout is None or isinstance(sys.stdout, Screen) else Screen(sys.stdout),
        sys.stderr if isinstance(sys.stderr, Screen) else Screen(sys.stderr or _Nowhere(), forgiving=True),
    )
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def write_data(text: str) -> None:
    """One line of data on standard output."""
    if isinstance(sys.stdout, Screen):
        sys.stdout.write_data(text)
    else:
        sys.stdout.write(text)


def write_control(text: str, stream: Any) -> None:
    """Text with colours or movements of its own; the other parts are escaped already."""
    if isinstance(stream, Screen):
        stream.write_control(text)
    else:
        stream.write(text)


class _Bar:
    """Standard error for a progress bar, which moves the cursor."""

    def write(self, text: str) -> None:
        write_control(text, sys.stderr)

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def bar_stream() -> Any:
    """Where a progress bar is drawn."""
    return _Bar()


def one_line(text: str, most: int = 1000) -> str:
    r"""A message on one line, without what a terminal would obey, and no longer than anybody reads.

    >>> one_line("a\x1b b\n c")
    'a\\u001b b c'
    """
    line = escape_hidden(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most // 2]} … {line[-most // 2 :]}"


def uses_colour(stream: TextIO) -> bool:
    """Return whether to colour: never with NO_COLOR (no-color.org), always with FORCE_COLOR, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a text of sentences and tables, coloured if the stream is a terminal."""
    stream = stream or sys.stdout
    text = escape_hidden(text)
    write_control((paint(text) if uses_colour(stream) else text) + "\n", stream)


def paint(text: str) -> str:
    r"""Make heads of tables bold, their rules dim, significance marks green.

    >>> paint("system  rouge1\n──────────────\nA       0.5*")
    '\x1b[1msystem  rouge1\x1b[0m\n\x1b[2m──────────────\x1b[0m\nA       0.5\x1b[32m*\x1b[0m'
    """
    lines = text.split("\n")
    rules = [at for at, line in enumerate(lines) if line and not line.strip("─")]
    for at in rules:
        lines[at - 1], lines[at] = f"{_BOLD}{lines[at - 1]}{_END}", f"{_DIM}{lines[at]}{_END}"
        for row in range(at + 1, len(lines)):
            if not lines[row]:
                break
            lines[row] = _STARRED.sub(f"{_GREEN}*{_END}", lines[row])
    return "\n".join(lines)
