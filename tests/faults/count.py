"""Counts the faults that Assay survives: `python tests/faults/count.py` prints a table, command by kind of fault."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def run(*arguments: str) -> dict[str, Any]:
    """The harness in a process of its own, with the shim before the C library; what it found."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        raise RuntimeError("fault injection needs Linux and a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        shim = Path(folder, "shim.so")
        subprocess.run(
            [compiler, "-O1", "-Wall", "-shared", "-fPIC", HERE / "shim.c", "-o", shim, "-ldl", "-lpthread"], check=True
        )
        environment = {**os.environ, "LD_PRELOAD": str(shim), "ASSAY_CACHE": "off", "PYTHONPATH": str(HERE)}
        command = [sys.executable, HERE / "harness.py", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the harness broke: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(rows: list[dict[str, Any]]) -> str:
    """Markdown: a row per command, a column per kind."""
    kinds = [name for name in rows[0] if name != "case"]
    lines = ["| | " + " | ".join(kinds) + " | all |", "|---|" + "--:|" * (len(kinds) + 1)]
    for row in [*rows, {"case": "**all**", **{kind: sum(r[kind] for r in rows) for kind in kinds}}]:
        numbers = [row[kind] for kind in kinds]
        lines.append(f"| {row['case']} | " + " | ".join(f"{n:,}" for n in [*numbers, sum(numbers)]) + " |")
    return "\n".join(lines)


def put(page: Path, text: str) -> None:
    """The table in its place on a page."""
    before, rest = page.read_text("utf-8").split("<!-- faults -->")
    _, after = rest.split("<!-- /faults -->")
    page.write_text(f"{before}<!-- faults -->\n{text}\n<!-- /faults -->{after}", "utf-8")


def main() -> int:
    """Prints the table; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", action="append", default=[], metavar="NAME", help="only this one; repeat for more")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    args = parser.parse_args()
    found = run(*(a for name in args.case for a in ("--case", name)))
    print(table(found["rows"]))
    print(f"\n{len(found['failures'])} broken promises", *found["failures"], sep="\n")
    if args.write:
        put(args.write, table(found["rows"]))
    return 1 if found["failures"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
