"""Score the small example set that comes with Assay, as `assay score` would any other.

assay demo
"""

from __future__ import annotations

import argparse

SUMMARY = "score the example set that comes with Assay"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from importlib.resources import as_file, files

    from .main import main

    metrics = ["rouge1", "rouge2", "rougeL", "bleu", "SKIP-2+Recall+MULT-PROB", "rate"]
    with as_file(files("assay") / "data" / "example.jsonl") as path:
        command = [
            "score",
            str(path),
            *(part for m in metrics for part in ("-m", m)),
            *(["--json"] if args.json else []),
        ]
        if not args.json:
            print(
                "$ assay score example.jsonl", " ".join(f'-m "{m}"' if "+" in m else f"-m {m}" for m in metrics), "\n"
            )
        return main(command)
