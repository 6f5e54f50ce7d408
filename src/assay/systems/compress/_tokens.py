"""Tokens: the pieces of a text that are kept or dropped, with their places in it."""

from __future__ import annotations

from ...text.tokens.pieces import Token, is_punctuation, place, split_tokens

__all__ = ["Token", "is_punctuation", "place", "split_tokens"]
