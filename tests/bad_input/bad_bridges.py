"""Bad files and folders of other tools, made from the samples in tests/formats/samples."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bad_files import Case, Content

SAMPLES = Path(__file__).parents[1] / "formats" / "samples"
CATEGORY = "Files of other tools"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text("utf-8")


def folder(name: str, change: Callable[[Path], object]) -> Callable[[Path], None]:
    """Copy a sample folder and change something in it."""

    def make(path: Path) -> None:
        shutil.copytree(SAMPLES / name, path)
        change(path)

    return make


def pack(path: Path, *, member: str = "header.json", size: int = 0) -> None:
    log = json.loads(sample("inspect-ai/log.json"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in log.pop("samples"):
            archive.writestr(f"samples/{entry['id']}_epoch_{entry['epoch']}.json", json.dumps(entry) + " " * size)
        archive.writestr(member, json.dumps(log))


def cut(path: Path) -> None:
    pack(path)
    path.write_bytes(path.read_bytes()[:-40])


def second_pair(path: Path) -> None:
    shutil.copytree(path / "system-outputs/en-de", path / "system-outputs/de-en")
    shutil.copy(path / "sources/en-de.txt", path / "sources/de-en.txt")


SETS: dict[str, tuple[str, Content]] = {
    "mt-metrics-eval: one language pair has no outputs": (
        "set",
        folder("mtme", lambda path: (path / "sources/de-en.txt").write_text("a\n")),
    ),
    "mt-metrics-eval: two language pairs": ("set", folder("mtme", second_pair)),
    "mt-metrics-eval: a line too few": (
        "set",
        folder("mtme", lambda path: (path / "references/en-de.refA.txt").write_text("a\n")),
    ),
    "mt-metrics-eval: a score is a date": (
        "set",
        folder("mtme", lambda path: (path / "human-scores/en-de.mqm.seg.score").write_text("online-A\t2-Mar\n")),
    ),
    "MQM: an unknown severity": ("a.tsv", sample("mqm/google.tsv").replace("Minor", "Tiny")),
    "MQM: a row too short": ("a.tsv", sample("mqm/google.tsv").replace("\tMinor", "")),
    "WMT: an Excel date in the score column": ("a.csv", sample("wmt-da/da.csv").replace("0.25", "25-Jan")),
    "inspect_ai: a truncated zip file": ("a.eval", cut),
    "inspect_ai: no zip file": ("a.eval", "PK and nothing more"),
    "inspect_ai: a zip file without a header": ("a.eval", lambda path: pack(path, member="other.json")),
    "inspect_ai: a zip bomb": ("a.eval", lambda path: pack(path, size=70 << 20)),
    "inspect_ai: half a log": ("a.json", sample("inspect-ai/log.json")[:-400]),
    "deepeval: half a file": ("a.json", sample("deepeval/run.json")[:-400]),
    "deepeval: a score that is no number": ("a.json", sample("deepeval/run.json").replace("0.8,", '"good",')),
    "promptfoo: half a file": ("a.json", sample("promptfoo/results.json")[:-400]),
    "promptfoo: an output without a provider": (
        "a.json",
        sample("promptfoo/results.json").replace('"label": "small"', '"label": null').replace("openai:small", ""),
    ),
    "Label Studio: no output in a task": ("a.json", sample("label-studio/export.json").replace('"output":', '"n":')),
    "Label Studio: a number as output": (
        "a.json",
        sample("label-studio/export.json").replace('"output": "Es regnete ganzen Tag."', '"output": 4'),
    ),
    "Pearmut: fewer annotations than segments": (
        "a.jsonl",
        sample("pearmut/annotations.jsonl").replace('"annotation": [', '"annotation": [{}, '),
    ),
    "factgenie: a record without an output": (
        "a.jsonl",
        sample("factgenie/files/campaign.jsonl").replace('"output": "It rains on Monday."', '"output": null'),
    ),
    "light pyramid: an answer of z": (
        "a.csv",
        sample("lite-pyramid/realsumm.csv").replace("p,n", "p,z"),
    ),
}
WITHOUT_TEXTS: dict[str, tuple[str, Content]] = {
    "Appraise: judgments without outputs": ("a.csv", sample("appraise/direct.csv")),
    "AltTest: judgments without outputs": ("a.json", sample("alt-test/ratings.json")),
}
JUDGMENTS: dict[str, tuple[str, Content]] = {
    "Appraise: an Excel date as score": ("a.csv", sample("appraise/direct.csv").replace(",55,", ",2026-03-02,")),
    "Appraise: an unknown type": ("a.csv", sample("appraise/direct.csv").replace("CHK", "NEW")),
    "Appraise: two language pairs": ("a.csv", sample("appraise/direct.csv").replace("deu,91", "fra,91")),
    "Appraise: a segment that is not there": (
        "a.csv",
        sample("appraise/pairwise.csv").replace("online-B,1", "online-B,7"),
    ),
    "Mechanical Turk: an unknown type": ("a.tsv", sample("mturk-da/ratings.tsv").replace("REPEAT", "AGAIN")),
    "AltTest: a text as score": ("a.json", sample("alt-test/ratings.json").replace("3.5", '"good"')),
    "a table: an Excel date in the score column": (
        "a.csv",
        "item,system,rater,dimension,score\n1,online-A,ann,d,3-Feb\n",
    ),
    "a table: an unknown kind of rater": (
        "a.csv",
        "item,system,rater,dimension,score,kind\n1,online-A,ann,d,3,robot\n",
    ),
}


def bridge_cases() -> Iterator[Case]:
    for name, (file, content) in SETS.items():
        yield Case(name, CATEGORY, ("agree", file), {file: content})
    for name, (file, content) in WITHOUT_TEXTS.items():
        yield Case(name, CATEGORY, ("meta", file, "-m", "rouge1"), {file: content})
    outputs = sample("outputs.jsonl")
    for name, (file, content) in JUDGMENTS.items():
        arguments = ("agree", "outputs.jsonl", "--judgments", file)
        yield Case(name, CATEGORY, arguments, {"outputs.jsonl": outputs, file: content})
    for name, arguments in {
        "to a format that cannot hold it": ("convert", "set.jsonl", "new.csv"),
        "to a format that is only read": ("convert", "set.jsonl", "new.json", "--to", "promptfoo"),
        "to an unknown format": ("convert", "set.jsonl", "new.json", "--to", "label"),
        "to a name without a format": ("convert", "set.jsonl", "new"),
        "onto itself": ("convert", "set.jsonl", "set.jsonl"),
        "from the wrong format": ("convert", "set.jsonl", "new.jsonl", "--from", "mqm"),
        "from an unknown language pair": ("convert", "folder", "new.jsonl", "--from", "mtme(pair=en-fr)"),
    }.items():
        files: dict[str, Content] = {"folder": folder("mtme", lambda path: None)} if "folder" in arguments else {}
        yield Case(f"convert {name}", CATEGORY, arguments, files)
