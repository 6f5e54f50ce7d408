"""Run four commands on the example set that comes with Assay: scores, meta-evaluation, agreement, and the report.

assay demo
assay demo --out demo.html
"""

from __future__ import annotations

import argparse

from ._options import add

SUMMARY = "run four commands on the example set that comes with Assay"
_METRICS = ("rouge1", "rouge2", "bleu", "chrf", "SKIP-2+Recall+MULT-PROB")


def arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "out", "json", out={"default": "assay-demo.html", "detail": "the report"})


def run(args: argparse.Namespace) -> int:
    from importlib.resources import as_file, files

    metrics = [part for metric in _METRICS for part in ("-m", metric)]
    more = [*(["--json"] if args.json else []), *(["--quiet"] if args.quiet else [])]
    with as_file(files("assay") / "examples" / "compressions.jsonl") as path:
        steps = (
            ("score", [str(path), *metrics, "-m", "rate"]),
            ("meta", [str(path), "-m", "rouge2", "-m", "chrf", "--dimension", "meaning"]),
            ("agree", [str(path), "--dimension", "meaning"]),
            ("report", [str(path), *metrics, "--out", args.out]),
        )
        for command, arguments in steps:
            code = _step(command, arguments, more, as_json=args.json, file=str(path))
            if code:
                return code
    return 0


def _step(command: str, arguments: list[str], more: list[str], *, as_json: bool, file: str) -> int:
    """Run one command, after printing what to type for it."""
    import shlex

    from .main import main

    if not as_json:
        typed = shlex.join([command, *("example.jsonl" if part == file else part for part in arguments)])
        print(f"\n$ assay {typed}\n", flush=True)
    return main([command, *arguments, *more])
