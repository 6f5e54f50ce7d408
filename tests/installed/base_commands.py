"""Runs the commands that the base install can do with the `assay` of this Python: what tests a wheel on other systems.

python tests/installed/base_commands.py
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import smoke


def main() -> int:
    from assay.cli.main import main as run

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        for name, text in smoke.FILES.items():
            Path(name).write_text(text, "utf-8")
        failed = [step.command for step in smoke.STEPS if not step.needs and run_step(run, step.command)]
        os.chdir("/")
    print(f"{len(failed)} of {sum(not step.needs for step in smoke.STEPS)} commands failed", *failed, sep="\n")
    return len(failed) > 0


def run_step(run, command: str) -> int:
    print(f"$ assay {command}", flush=True)
    try:
        return run(shlex.split(command))
    except SystemExit as end:  # --help
        return int(end.code or 0)


if __name__ == "__main__":
    sys.exit(main())
