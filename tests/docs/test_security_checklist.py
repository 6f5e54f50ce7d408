"""The security checklist names tests that exist, and every point of its chapters."""

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


# Level 2 of ASVS 4.0.3, chapters 2 to 4: how many points each section has.
SECTIONS = {"2.1": 12, "2.2": 3, "2.3": 3, "2.4": 5, "2.5": 7, "2.6": 3, "2.7": 6, "2.8": 7, "2.9": 3, "2.10": 4}
SECTIONS |= {"3.1": 1, "3.2": 4, "3.3": 4, "3.4": 5, "3.5": 3, "3.7": 1, "4.1": 5, "4.2": 2, "4.3": 3}


def expand(text: str) -> set[str]:
    """Return the points that the first cell of a row names: sections, points, and ranges of either."""
    points: set[str] = set()
    for first, last in re.findall(r"(\d+(?:\.\d+)+)(?: to (\d+(?:\.\d+)+))?", text):
        head, _, low = first.rpartition(".")
        for number in range(int(low), int((last or first).rpartition(".")[2]) + 1):
            name = f"{head}.{number}"
            points |= {f"{name}.{n}" for n in range(1, SECTIONS.get(name, 0) + 1)} or {name}
    return points


def test_every_point_of_chapters_2_to_4_is_met_or_not_applicable():
    page = (ROOT / "docs" / "study-server.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|(.*?)\|$", page.partition("<!-- asvs -->")[2], re.M)
    wanted = {f"{section}.{n}" for section, count in SECTIONS.items() for n in range(1, count + 1)}
    listed = set().union(*(expand(point) for point, _, _ in rows))
    assert sorted(wanted - listed) == []
    assert all(test.strip() or "not " in reason for _, reason, test in rows)
