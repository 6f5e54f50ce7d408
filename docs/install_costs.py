"""Write the table of extras in docs/install.md: what each is for, and what it adds to the base install, measured.

    python docs/install_costs.py            # print the table
    python docs/install_costs.py --write    # write it into the page

Packages are those of this environment: what the base and each extra require, and what these require in turn. Megabytes
are the sizes of their files on disk, without compiled Python files.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

DOCS = Path(__file__).parent
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
MARKS = ("<!-- extras -->\n", "<!-- /extras -->\n")

PURPOSES = {
    "": "scores, comparisons, `meta`, `agree`, `plan`, the report; CSV, Excel and JSON Lines",
    "parse": "the parser and the dependency metrics: `depeval`, `BE-HM`, `relations`, `PARSE-2`, `frame1`",
    "text": "`assay compress`, `assay fuse`",
    "vectors": "`softmatch`, `rougeWE1`, `avgsim`",
    "tables": "Parquet files",
    "logs": "logs of inspect_ai (.eval)",
    "study": "`assay study`, the web app in which people judge texts",
    "judges": "`assay judge run`, judgments by language models",
    "dask": "scoring on a cluster: `--engine dask`",
    "figures": "charts as SVG and PNG: `assay report --figures DIR`",
    "all": "all of these, and those below",
    "learn": "`assay learn --learner svr` (other learners need nothing)",
    "align": "`assay paraphrase --aligner eflomal`",
    "compounds": "`assay split build`: lexicons of compounds from installed packages",
    "japanese": "`bleu(tokenizer=ja-mecab)`",
    "korean": "`bleu(tokenizer=ko-mecab)`",
    "pieces": "`bleu(tokenizer=flores200)`, with the model that sacreBLEU downloads",
}


def user_extras() -> list[str]:
    """List the extras that users may want, in the order of pyproject.toml."""
    return [extra for extra in PROJECT["optional-dependencies"] if extra in PURPOSES]


def requirements(extra: str) -> list[Requirement]:
    """List what an extra asks for; the empty name is the base. Extras of Assay itself are resolved."""
    lines = PROJECT["dependencies"] if not extra else PROJECT["optional-dependencies"][extra]
    listed: list[Requirement] = []
    for requirement in map(Requirement, lines):
        own = requirement.name == PROJECT["name"]
        listed += [r for e in requirement.extras for r in requirements(e)] if own else [requirement]
    return listed


def packages(wanted: list[Requirement]) -> set[str]:
    """Return the names of all packages that requirements lead to."""
    names: set[str] = set()
    queue = [(requirement.name, frozenset(requirement.extras)) for requirement in wanted]
    while queue:
        name, extras = queue.pop()
        package = _installed(name)
        if package is None or package.name.lower() in names:
            continue
        names.add(package.name.lower())
        for line in package.requires or ():
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in (extras or {""})):
                queue.append((needed.name, frozenset(needed.extras)))
    return names


@cache
def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def megabytes(names: set[str]) -> float:
    """Return how much the files of packages take on disk."""
    total = 0
    for name in names:
        if name.startswith(PROJECT["name"]):  # models are installed from the checkout, where their files stay
            files = (DOCS.parent / "models" / "base" / "assay_models").rglob("*")
            total += sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")
            continue
        installed = _installed(name)
        for file in (installed.files or ()) if installed else ():
            path = Path(str(file.locate()))
            total += path.stat().st_size if path.is_file() and path.suffix != ".pyc" else 0
    return total / 1e6


def table() -> str:
    """Return the table: the base, then what each extra adds to it."""
    base = packages(requirements(""))
    rows = ["| extra | for | packages it adds | MB |", "|---|---|---|---|"]
    for extra in ["", *user_extras()]:
        wanted = requirements(extra)
        absent = sorted({r.name for r in wanted if _installed(r.name) is None})
        added = packages(wanted) - (base if extra else set())
        names = list(dict.fromkeys(r.name for r in wanted))
        more = len(added - {name.lower() for name in names})
        listed = (
            f"{', '.join(names)}{f' and {more} more' if more else ''}" if extra != "all" else f"{len(added)} packages"
        )
        size = "not measured" if absent else f"{megabytes(added):.0f}" if megabytes(added) >= 1 else "below 1"
        rows.append(f"| {f'`{extra}`' if extra else '(none)'} | {PURPOSES[extra]} | {listed} | {size} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    if "--write" not in sys.argv:
        print(table(), end="")
        return
    page = DOCS / "install.md"
    before, rest = page.read_text("utf-8").split(MARKS[0])
    page.write_text(before + MARKS[0] + table() + MARKS[1] + rest.split(MARKS[1])[1], "utf-8")


if __name__ == "__main__":
    main()
