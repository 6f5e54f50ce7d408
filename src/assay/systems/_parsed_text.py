"""Parsed texts, as all systems see them."""

from __future__ import annotations

from ..text.parse.flat import ParsedText, parse_texts

__all__ = ["ParsedText", "parse_texts"]
