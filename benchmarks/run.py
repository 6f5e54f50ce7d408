"""Run the benchmarks: all files here that can be run, or those named, and put their tables into the docs.

    python benchmarks/run.py                        # all
    python benchmarks/run.py scoring startup --quick
    python benchmarks/run.py --write                # all, and replaces the tables on the pages of docs/ (make bench)

A benchmark is a script in this folder that prints its table. It may know --quick, --full and --json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from measure import describe_load
from peers import PINS

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
PAGE = DOCS / "performance.md"  # for tables that have no place yet
RUNNABLE = 'if __name__ == "__main__":'
OURS = ("assay", "numpy", "pyarrow", "msgspec")


def main() -> int:
    """Print every table as soon as it is there; return 1 if a benchmark failed."""
    args = _arguments()
    flags = [f"--{name}" for name in ("quick", "full", "json", "times") if getattr(args, name)]
    texts = {"machine": machine("make bench" if not args.names else "")}
    failed = []
    if not args.json:
        print(texts["machine"], flush=True)
    for name in args.names or benchmarks():
        run = subprocess.run([sys.executable, HERE / f"{name}.py", *flags], stdout=subprocess.PIPE, text=True)
        if run.returncode:
            failed.append(name)
            print(f"{name} ended with code {run.returncode}", file=sys.stderr)
            continue
        table = run.stdout.strip("\n")
        texts[name] = f"{command(name, flags)}\n\n{table}"
        print(_as_json(name, table) if args.json else f"\n{texts[name]}", flush=True)
        if args.write:  # at once: what was measured stays if a later benchmark is stopped
            write_table(name, texts)
    return 1 if failed else 0


def write_table(name: str, texts: Mapping[str, str]) -> None:
    """Put a table in its place on the pages, with the box that describes the machine."""
    pages = [page for page in sorted(DOCS.glob("*.md")) if f"<!-- bench: {name} -->" in page.read_text("utf-8")]
    for page in pages or [PAGE]:
        text = page.read_text("utf-8")
        parts = ("machine", name) if "<!-- bench: machine -->" in text else (name,)
        page.write_text(replace_tables(text, {part: texts[part] for part in parts}), encoding="utf-8")


def benchmarks() -> list[str]:
    """List the scripts of this folder, except this one and those that run a peer in an environment of its own."""
    files = sorted(file for file in HERE.glob("*.py") if file.stem != "run" and not file.stem.endswith("_worker"))
    return [file.stem for file in files if RUNNABLE in file.read_text(encoding="utf-8")]


def command(name: str, flags: Sequence[str]) -> str:
    """Write the command that prints one table: the first line of the table on the page.

    >>> command("streaming", ["--full"])
    '$ python benchmarks/run.py streaming --full'
    """
    return " ".join(["$ python benchmarks/run.py", name, *flags])


def machine(command: str = "") -> str:
    """Describe what the figures depend on, and the command that printed them all."""
    ours = ", ".join(f"{name} {version(name)}" for name in OURS)
    lines = {
        **({"command": command} if command else {}),
        "machine": f"{os.cpu_count()} cores, {_cpu_model()}, {_memory():.0f} GB",
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "load": describe_load() or "nothing else was running when the run began",
        "versions": ours,
        "peers": ", ".join(f"{name} {pin}" for name, pin in PINS.items()),
    }
    return "\n".join(f"{name:9} {value}" for name, value in lines.items())


def replace_tables(page: str, texts: Mapping[str, str]) -> str:
    """Put each text between its markers on the page; what has no place yet comes at the end.

    >>> print(replace_tables("<!-- bench: a -->\\nold\\n<!-- end -->\\nprose\\n", {"a": "new"}))
    <!-- bench: a -->
    ```text
    new
    ```
    <!-- end -->
    prose
    <BLANKLINE>
    """
    for name, text in texts.items():
        start, end = f"<!-- bench: {name} -->", "<!-- end -->"
        block = f"{start}\n```text\n{text}\n```\n{end}"
        if place := re.search(f"{re.escape(start)}.*?{re.escape(end)}", page, re.DOTALL):
            page = page[: place.start()] + block + page[place.end() :]
        else:
            page = f"{page.rstrip()}\n\n## {name.capitalize()}\n\n{block}\n"
    return page


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(benchmarks()))
    parser.add_argument("--quick", action="store_true", help="fewer items and rounds, to see that it works")
    parser.add_argument("--full", action="store_true", help="ten million items too: minutes and several GB of disk")
    parser.add_argument("--json", action="store_true", help="one record a row instead of tables")
    parser.add_argument("--times", action="store_true", help="the times behind the ratios too")
    parser.add_argument("--write", action="store_true", help="replace the tables on the pages of docs/")
    args = parser.parse_args()
    for name in args.names:
        if name not in benchmarks():
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(benchmarks())}")
    if args.write and (args.json or args.quick or args.times):
        parser.error("--write takes the tables of a whole run, without --json, --quick and --times")
    return args


def _as_json(name: str, text: str) -> str:
    """Return records as they are, and the table of a script that has no records as one record."""
    return text if text.startswith("{") else json.dumps({"benchmark": name, "text": text}, ensure_ascii=False)


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    model = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE) if info.exists() else None
    return model[1] if model else platform.processor() or platform.machine()


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


if __name__ == "__main__":
    sys.exit(main())
