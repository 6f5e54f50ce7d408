"""Write the help and one run of every command into one file, to be read from top to bottom: build/transcript.txt.

python tools/transcript.py [FILE]
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.cli.main import commands

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "src" / "assay" / "examples"
WIDTH = 100

SENTENCES = """The mayor of Lisbon resigned on Monday after two years in office, his spokesman said.
The storm, which reached the coast on Sunday, destroyed about forty boats in the harbour.
"""
CLUSTERS = """The storm reached the coast on Sunday.
On Sunday a storm destroyed forty boats in the harbour.
"""
UNITS = "unit,reference,long,short\nmayor resigned,1,1,1\non Monday,1,1,0\nhe was tired,0,1,0\n"

# What to run: the file set.jsonl is the example set. A line of `lm` trains the model that the next one asks.
RUNS = """
assay score set.jsonl -m rouge2 -m bleu
assay score set.jsonl -m rouge1 --json
assay compare set.jsonl
assay compare set.jsonl --baseline cedar
assay report set.jsonl --out report.html
assay metrics rouge2
assay meta set.jsonl --dimension meaning
assay meta set.jsonl --dimension meaning --question all
assay probe set.jsonl -m rouge2 --items 1 --words 60 --pool outputs --generations 5
assay learn set.jsonl --dimension meaning --features rouge1 rouge2 --learner ridge
assay agree set.jsonl
assay pyramid score units.csv --gold reference
assay describe set.jsonl
assay edits set.jsonl
assay align "The mayor resigned on Monday." "On Monday the mayor stepped down."
assay fuse pairs documents
assay paraphrase set.jsonl
assay compress sentences.txt --words 8
assay compress sentences.txt --words 3 --keep Monday
assay compress --list
assay fuse clusters.txt --words 10
assay fuse --list
assay lm train sentences.txt --out sentences.npz
assay lm score sentences.txt --model sentences.npz
assay example
assay example lines
assay demo --out demo.html
assay cache
assay score set.jsonl -m rogue2
assay score absent.jsonl
"""


def main(path: str = "build/transcript.txt") -> None:
    """Write the transcript."""
    out = ROOT / path
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(Path(folder))
        helps = [["assay", "--help"], *(["assay", name, "--help"] for name in commands())]
        runs = [shlex.split(line) for line in RUNS.strip().splitlines()]
        out.write_text("\n\n".join(transcribe([*helps, *runs], Path(folder))) + "\n", "utf-8")
    print(out)


def write_inputs(folder: Path) -> None:
    """Write the small files that the runs read."""
    (folder / "set.jsonl").write_bytes((EXAMPLES / "compressions.jsonl").read_bytes())
    (folder / "sentences.txt").write_text(SENTENCES, "utf-8")
    (folder / "clusters.txt").write_text(CLUSTERS, "utf-8")
    (folder / "units.csv").write_text(UNITS, "utf-8")
    (folder / "documents").mkdir()
    (folder / "documents" / "storm.doc").write_text(
        "The storm reached the coast on Sunday. Nobody slept. It destroyed about forty boats in the harbour.", "utf-8"
    )
    (folder / "documents" / "storm.abstract").write_text(
        "The storm reached the coast and destroyed forty boats.", "utf-8"
    )


def transcribe(runs: list[list[str]], folder: Path) -> Iterator[str]:
    """Run commands one after the other, and return each with what it printed."""
    environment = {**os.environ, "COLUMNS": str(WIDTH), "ASSAY_CACHE": str(folder / "cache"), "NO_COLOR": "1"}
    code = "import sys; from assay.cli.main import main; sys.exit(main())"
    for words in runs:
        run = subprocess.run(
            [sys.executable, "-c", code, *words[1:]], cwd=folder, env=environment, capture_output=True, text=True
        )
        yield f"$ {shlex.join(words)}\n{run.stdout}{run.stderr}".rstrip()


if __name__ == "__main__":
    main(*sys.argv[1:])
