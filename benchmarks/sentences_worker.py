"""The other side of sentences.py, run in the peers' environment: splits a JSON list of texts by the splitter named."""

from __future__ import annotations

import json
import sys


def syntok(texts: list[str]) -> list[list[str]]:
    from syntok.segmenter import analyze

    return [
        ["".join(token.spacing + token.value for token in sentence) for part in analyze(text) for sentence in part]
        for text in texts
    ]


def pysbd(texts: list[str]) -> list[list[str]]:
    from pysbd import Segmenter

    segmenter = Segmenter(language="en", clean=False)
    return [segmenter.segment(text) for text in texts]


def serve() -> None:
    splitters = {"syntok": syntok, "pysbd": pysbd}
    json.dump(splitters[sys.argv[1]](json.load(sys.stdin)), sys.stdout)
