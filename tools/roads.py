"""Count the files of the package that a command executes.

    python tools/roads.py            how many, by command
    python tools/roads.py --files    and which

A command that loads less starts sooner, and a reader has fewer files to look through. tests/test_roads.py holds the
numbers; benchmarks/startup.py measures the time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "src" / "assay" / "examples"
INPUTS = {"example.jsonl": "compressions.jsonl", "news.txt": "sentences.txt"}
# Command: the most files that it may execute.
ROADS = {
    "score example.jsonl -m rouge2": 75,
    "meta example.jsonl -m rouge2 -d meaning": 110,
    "report example.jsonl": 214,
    "compress news.txt --ratio 0.7": 90,
}
_CODE = """
import sys
from assay.cli.main import main
code = main(sys.argv[2:])
modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == "assay"]
files = {m.__file__ for m in modules if (m.__file__ or "").endswith(".py")}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\\n".join(sorted(files)))
raise SystemExit(code)
"""


def list_files(command: str) -> list[str]:
    """Run a command on the example files in a folder of its own, and list the files of the package it executed."""
    with tempfile.TemporaryDirectory(prefix="assay-roads-") as folder:
        for name, example in INPUTS.items():
            (Path(folder) / name).write_bytes((EXAMPLES / example).read_bytes())
        listing = Path(folder) / "files"
        process = [sys.executable, "-c", _CODE, str(listing), *command.split()]
        environment = {**os.environ, "ASSAY_CACHE": folder}
        subprocess.run(process, cwd=folder, env=environment, capture_output=True, check=True)
        files = listing.read_text("utf-8").split("\n")
    return [file.rpartition(f"{os.sep}assay{os.sep}")[2] for file in files]


def main() -> None:
    for command, most in ROADS.items():
        files = list_files(command)
        print(f"{len(files):4d} of at most {most}  assay {command}")
        if "--files" in sys.argv[1:]:
            print(*(f"        {file}" for file in files), sep="\n")


if __name__ == "__main__":
    main()
