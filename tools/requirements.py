"""Print what pip must install for some extras of this project: python tools/requirements.py study test.

The project itself is installed with `--no-deps --no-build-isolation`, which is quick to rebuild; everything else is
installed from this list with isolation on, so that a dependency that comes as source builds in its own environment.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]


def expand(requirements: list[str]) -> list[str]:
    """Replace `assay-eval[a,b]` by what its extras ask for; packages of models are in the checkout."""
    expanded: list[str] = []
    for requirement in requirements:
        own = re.fullmatch(rf"{PROJECT['name']}\[([\w,\s-]+)\]", requirement)
        extras = own[1].split(",") if own else []
        expanded += [r for extra in extras for r in list_extra(extra.strip())] if own else [requirement]
    expanded = [r for r in expanded if not r.startswith(f"{PROJECT['name']}-")]
    return list(dict.fromkeys(expanded))


def list_extra(name: str) -> list[str]:
    """List the requirements of one extra."""
    return expand(PROJECT["optional-dependencies"][name])


if __name__ == "__main__":
    lines = [*PROJECT["dependencies"], *(r for extra in sys.argv[1:] for r in list_extra(extra))]
    print("\n".join(dict.fromkeys(lines)))
