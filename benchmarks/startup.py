"""How long it takes to be there: `import assay` and `assay --version`, as a user waits for them."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from child import usage
from measure import Row, Scale, Target, main

EXAMPLES = Path(__file__).parent.parent / "src" / "assay" / "examples"
SET, NEWS = str(EXAMPLES / "compressions.jsonl"), str(EXAMPLES / "sentences.txt")
ASSAY = str(Path(sys.executable).parent / "assay")
ONE = "assay.score(assay.EvalSet.from_texts(['a b'], ['a c']), 'rouge1')"
COMMANDS = {
    "python, nothing else": [sys.executable, "-c", "pass"],
    "import numpy": [sys.executable, "-c", "import numpy"],
    "import assay": [sys.executable, "-c", "import assay"],
    "import assay, score one": [sys.executable, "-c", f"import assay; {ONE}"],
    "assay --version": [ASSAY, "--version"],
    "assay score, rouge2": [ASSAY, "score", SET, "-m", "rouge2"],
    "assay meta, rouge2": [ASSAY, "meta", SET, "-m", "rouge2", "-d", "meaning"],
    "assay compress, ratio 0.7": [ASSAY, "compress", NEWS, "--ratio", "0.7"],
}
NOTES = (
    "Wall time of the whole process, including the start of Python: median of 10 rounds, after one to warm up.",
    "The last three work on the examples of the package; `python tools/roads.py` counts the files they execute.",
    "Assay imports numpy when it is first used, so only the first score of a session includes that time.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """One row a command; the first two are what nobody gets below."""
    times: dict[str, list[float]] = {what: [] for what in COMMANDS}
    for _ in range(1 + scale.pick(3, 10)):
        for what, command in COMMANDS.items():
            times[what].append(usage(command).wall)
    for what, taken in times.items():
        target = Target(0.3, most=True) if what in ("import assay", "assay --version") else None
        yield Row(what, statistics.median(taken[1:]), "s", target=target)


if __name__ == "__main__":
    main("startup", rows, NOTES)
