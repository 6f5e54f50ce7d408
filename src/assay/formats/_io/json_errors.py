"""What is wrong with a line of JSON, in one sentence."""

from __future__ import annotations

import json
import re

import msgspec

from ...errors import FormatError
from .text_file import ReadProgress, StrPath, utf8_error

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def explain_json(error: Exception, line: bytes, path: StrPath, number: int, progress: ReadProgress) -> Exception:
    """Return the error that says what is wrong with the line."""
    if isinstance(error, msgspec.ValidationError):
        words = f'{error}; a line is one item: {{"id": ..., "references": [...], "outputs": {{...}}}}'
        return FormatError(words, path=path, line=number)
    if not isinstance(error, RecursionError | UnicodeDecodeError | msgspec.DecodeError):
        return error  # an AlignmentError: it knows its place
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return utf8_error(line, wrong, path, number, progress)
    if b"\0" in line:
        words = f"a NUL byte (at byte {line.index(0)} of the line); JSON writes it as \\u0000"
    elif _has_lone_surrogate(line):
        words = "a lone surrogate (half of a \\ud83d\\ude00 pair): that is not a character; remove or complete it"
    elif isinstance(error, RecursionError):
        words = "nested too deeply"
    else:
        words = f"not one whole JSON object ({error}); write one item a line, or one JSON array"
    return FormatError(words, path=path, line=number)


def _has_lone_surrogate(line: bytes) -> bool:
    if not SURROGATE.search(line):
        return False
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False
