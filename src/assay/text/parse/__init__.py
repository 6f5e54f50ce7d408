"""Parsing: from strings to words with heads and relations."""
