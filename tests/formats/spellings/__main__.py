"""Print how many spellings of one set are read the same: python tests/formats/spellings [-v] [--write] [GROUP ...]."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from spellings.cases import GROUPS, KNOWN, judge_group, list_failures

WORDS = ("same", "less", "refused", "stuck", "misread")


def main(arguments: list[str]) -> int:
    """Judge the groups that are named, or all; list each case that is misread or stuck, with -v all but the same.

    --write keeps the list of cases that fail, for the test that allows no others.
    """
    groups = [name for name in arguments if not name.startswith("-")] or list(GROUPS)
    total: Counter[str] = Counter()
    failures = []
    start = time.perf_counter()
    print(f"{'':30}{''.join(f'{word:>9}' for word in WORDS)}")
    for group in groups:
        verdicts = judge_group(group)
        counts = Counter(verdict.word for verdict in verdicts.values())
        total += counts
        failures += [f"{group}: {name}" for name in list_failures(verdicts)]
        print(f"{group:30}{''.join(f'{counts[word]:9}' for word in WORDS)}")
        for name, verdict in verdicts.items():
            if verdict.word in ("misread", "stuck") or ("-v" in arguments and verdict.word != "same"):
                print(f"    {verdict.word}: {name}: {verdict.reason}")
    print(f"{f'all {total.total():,}':30}{''.join(f'{total[word]:9}' for word in WORDS)}")
    print(f"refused, with a line that works or stuck: {(total['refused'] + total['stuck']) / total.total():.1%}")
    print(f"{time.perf_counter() - start:.1f} s")
    if "--write" in arguments and groups == list(GROUPS):
        KNOWN.write_text("".join(f"{name}\n" for name in failures), "utf-8")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
