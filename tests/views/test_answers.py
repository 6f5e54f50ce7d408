"""Questions as they are read: sentences, tables, notes and charts of their views, compared with tests/answers/*.txt."""

from __future__ import annotations

import pytest

from answers import names, printed, read


@pytest.mark.parametrize("name", names())
def test_what_is_printed_and_drawn(name):
    assert printed(name) == read(name, "txt"), f"if this was meant: python tests/answers.py {name}"
