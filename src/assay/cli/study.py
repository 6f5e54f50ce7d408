"""Collect judgments from people: a web app with the protocols of the papers.

assay study new set.jsonl --protocol rate --dimensions meaning,grammar --scale 1-3 --out study/
assay study design study/ --places 6           (who sees what, before anybody rates)
assay study serve study/                       (prints the address for raters and the admin link)
assay study status study/
assay study export study/ --out judged.jsonl   (then: assay agree judged.jsonl)
assay study backup study/                      (safe while it is served)
assay study replay study/                      (derives everything from the log anew, and checks it)
assay study erase study/ RATER                 (removes a person's data)
assay study links study/ --renew all           (makes the links anew)

A study is a folder. Texts and design never change; changed instructions or labels make a new version, which every
judgment records. assay study COMMAND --help explains each.
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add

SUMMARY = "collect judgments from people in a web app"
SUBCOMMANDS = {
    "new": "_study_new",
    "serve": "_study_serve",
    "export": "_study_export",
    "design": "_study_design",
    "status": "_study_status",
    "replay": "_study_replay",
    "backup": "_study_backup",
    "erase": "_study_erase",
    "links": "_study_links",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", choices=list(SUBCOMMANDS), help="what to do; each has its own --help")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    raise InputError(f"give the command first: assay study {args.command} ...")
