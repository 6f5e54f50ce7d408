"""No text of the research data is in the repository: most of it may be used but not passed on."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent

RUN = 8  # words in a row
MAX_RUNS = 12  # in common of a file and a data set: a sentence that a paper quotes, or words that anybody would write
ENDINGS = (".py", ".md", ".jsonl", ".txt", ".csv", ".tsv", ".json", ".toml", ".ipynb", ".html")
# Quoted from Clarke and Lapata (2006, Table 1); names of XML elements that DUCView writes; ids and letters alone.
ALLOWED = {
    ("tests/systems/compress/test_word_based.py", "broadcast-news.jsonl.gz"),
    ("src/assay/formats/_ducview/write.py", "duc2007.tar.xz"),
    ("tests/formats/test_ducview.py", "duc2007.tar.xz"),
    ("training/text/parse/en/vocab/strings.json", "en_ewt-ud-train.conllu.gz"),
    ("docs/replace-raters.md", "summeval.jsonl.gz"),
    ("docs/replace-raters.md", "summeval-llm-judges.jsonl.gz"),
}


def list_runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    return zip(*(words[i:] for i in range(RUN)), strict=False)


def read_texts(path: Path) -> Iterator[str]:
    if path.name.endswith(".tar.xz"):
        with tarfile.open(path) as archive:
            for member in archive:
                if (file := archive.extractfile(member) if member.isfile() else None) is not None:
                    yield file.read().decode("latin-1")
        return
    with gzip.open(path, "rt", "utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            if ".jsonl" in path.name:
                yield from list_strings(json.loads(line))
            elif ".conllu" not in path.name or line.startswith("# text"):
                yield line.partition("\t")[0] if "200k" in str(path) else line


def list_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from list_strings(part)


@pytest.mark.slow
def test_no_text_of_the_research_data_is_quoted():
    data = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    if not data.is_dir():
        pytest.skip(f"there is no research data at {data}")
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files: dict[tuple[str, ...], set[str]] = {}
    for name in names.splitlines():
        if name.endswith(ENDINGS) and (ROOT / name).stat().st_size < 5e6:
            for run in list_runs((ROOT / name).read_text("utf-8", "replace")):
                files.setdefault(run, set()).add(name)
    quoted: Counter[tuple[str, str]] = Counter()
    for path in sorted(data.rglob("*")):
        if path.is_file() and path.suffix in (".gz", ".xz", ".tsv"):
            runs = {run for text in read_texts(path) for run in list_runs(text) if run in files}
            quoted.update((name, path.name) for run in runs for name in files[run])
    assert {pair: n for pair, n in quoted.items() if n > MAX_RUNS and pair not in ALLOWED} == {}
