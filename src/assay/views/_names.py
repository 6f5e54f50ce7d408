"""Names as they are read."""

from __future__ import annotations

_TESTS = {"wilcoxon": "Wilcoxon", "flip": "permutation"}


def test_name(test: str) -> str:
    """A test's name in a sentence.

    >>> test_name("wilcoxon"), test_name("t")
    ('Wilcoxon', 't')
    """
    return _TESTS.get(test, test)
