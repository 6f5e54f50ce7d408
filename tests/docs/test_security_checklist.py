"""The security checklist names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def named_tests() -> list[tuple[str, str]]:
    page = (ROOT / "docs" / "study-server.md").read_text("utf-8")
    table = page.partition("<!-- asvs -->")[2].partition("<!-- /asvs -->")[0]
    names, file = [], ""
    for one, test in re.findall(r"`([\w/.]*)::(test_\w+)`", table):
        file = one or file  # a name alone is in the file before it
        names.append((file, test))
    return names


def test_every_point_has_a_test_that_exists():
    names = named_tests()
    assert len(names) > 25
    for file, test in names:
        assert f"def {test}(" in (ROOT / "tests" / "study" / file).read_text("utf-8"), (file, test)
