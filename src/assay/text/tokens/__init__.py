"""Tokens: how a text is cut into words, by name."""
