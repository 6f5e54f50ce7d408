"""Schemes of guided summarization: categories of topics, and the aspects that a summary of each should cover."""

from __future__ import annotations

import os
import tomllib
from typing import Any

from ..errors import FormatError
from ._io.json_file import parse_json
from ._io.text_file import StrPath, read_whole


def read_scheme(path: StrPath) -> dict[str, tuple[str, ...]]:
    """Read categories with their aspects, in order, from JSON or TOML: {"Attacks": ["what", "when"], ...}."""
    data = read_whole(path)
    scheme = _parse_toml(data, path) if os.fspath(path).lower().endswith(".toml") else parse_json(data, path)
    if not isinstance(scheme, dict) or not scheme:
        raise FormatError('a scheme is categories with lists of aspects: {"Attacks": ["what", "when"]}', path=path)
    return {category: _aspects(category, aspects, path) for category, aspects in scheme.items()}


def _parse_toml(data: bytes, path: StrPath) -> Any:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"not a TOML document ({error})", path=path) from error


def _aspects(category: str, aspects: Any, path: StrPath) -> tuple[str, ...]:
    if not isinstance(aspects, list) or not aspects or not all(isinstance(each, str) and each for each in aspects):
        raise FormatError(f"the aspects of {category!r} must be a list of names", path=path)
    if twice := next((each for each in aspects if aspects.count(each) > 1), None):
        raise FormatError(f"category {category!r} has the aspect {twice!r} twice", path=path)
    return tuple(aspects)
