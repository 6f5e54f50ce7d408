"""The figures of every question to one made set, compared with tests/answers/*.jsonl."""

from __future__ import annotations

import pytest

from answers import names, read, written


@pytest.mark.parametrize("name", names("corpus"))
def test_the_figures(name):
    assert written(name) == read(name, "jsonl"), f"if this was meant: python tests/answers.py {name}"
