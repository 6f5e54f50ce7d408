"""The sample of docs/paraphrases.md: fifty words or phrases at random, and how many of the judged ones are right.

python docs/paraphrase_sample.py ../shared/data/wmt17-de-en.jsonl.gz
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import assay
from assay.systems.paraphrase import paraphrases

PAGE = Path(__file__).parent / "paraphrases.md"
JUDGED = re.compile(r"<!-- judged (?P<least>\d+) (?P<threshold>\S+) -->\n```\n(?P<lines>.*?)\n```", re.S)


def sample(data: assay.EvalSet, least: int, threshold: float) -> list[str]:
    """Entries with what may replace them, the most probable first."""
    found = paraphrases(data, least=least, threshold=threshold)
    entries = sorted({member.text for group in found.sets for member in group.members})
    chosen = sorted(random.Random(0).sample(entries, 50))
    return [f"{entry}: {', '.join(r.new for r in found.of(entry))}" for entry in chosen]


def main() -> None:
    """Says whether the page's sample is the one drawn, and the share that was judged right."""
    data = assay.read(sys.argv[1])
    for block in JUDGED.finditer(PAGE.read_text("utf-8")):
        lines = block["lines"].splitlines()
        drawn = sample(data, int(block["least"]), float(block["threshold"]))
        marks = [re.findall(r"(?:: |, )([+-])", line) for line in lines]
        best, every = [m[0] for m in marks], [mark for m in marks for mark in m]
        same = [re.sub(r"(: |, )[+-]", r"\1", line) for line in lines] == drawn
        print(
            f"least={block['least']} threshold={block['threshold']}: the sample is {'the same' if same else 'ANOTHER'}"
        )
        print(f"  best {best.count('+')} of {len(best)}, all {every.count('+')} of {len(every)}")


if __name__ == "__main__":
    main()
