"""All of it in a minute on the example set that comes with Assay: scores, metrics on trial, judges, and the report.

assay demo
assay demo --out demo.html
"""

from __future__ import annotations

import argparse

SUMMARY = "score, meta-evaluate and report the example set that comes with Assay"
_METRICS = ("rouge1", "rouge2", "bleu", "chrf", "SKIP-2+Recall+MULT-PROB")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", default="assay-demo.html", metavar="FILE", help="the page to write (assay-demo.html)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from importlib.resources import as_file, files

    named = [part for metric in _METRICS for part in ("-m", metric)]
    more = [*(["--json"] if args.json else []), *(["--quiet"] if args.quiet else [])]
    with as_file(files("assay") / "examples" / "compressions.jsonl") as path:
        steps = (
            ("score", [str(path), *named, "-m", "rate"]),
            ("meta", [str(path), "-m", "rouge2", "-m", "chrf", "--dimension", "meaning"]),
            ("agree", [str(path), "--dimension", "meaning"]),
            ("report", [str(path), *named, "--out", args.out]),
        )
        for command, arguments in steps:
            code = _step(command, arguments, more, as_json=args.json, file=str(path))
            if code:
                return code
    return 0


def _step(command: str, arguments: list[str], more: list[str], *, as_json: bool, file: str) -> int:
    """One command, after showing what one would type."""
    import shlex

    from .main import main

    if not as_json:
        typed = shlex.join([command, *("example.jsonl" if part == file else part for part in arguments)])
        print(f"\n$ assay {typed}\n", flush=True)
    return main([command, *arguments, *more])
