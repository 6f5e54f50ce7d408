"""Makes the example set that comes with Assay: hand-written texts, outputs of its own systems, hand-given ratings.

    python training/examples/make.py --sheets DIR    # make outputs anew, and the sheets that raters fill in
    python training/examples/make.py                 # write src/assay/examples/compressions.jsonl and the folder lines

`texts.txt` holds forty sources in four genres with three reference compressions each. `outputs.jsonl` holds what the
systems below made of them at 55% of the words, as it was rated. `ratings/RATER-PASS.tsv` holds what each of the
project's two raters said, 1 (worst) to 5, of meaning and grammar, each text read and judged on its own: every output
once, and those of every fourth item a second time in another order. The second pass followed soon after the first, so
agreement with oneself is flattered; and raters who belong to the project are no sample of readers. The ratings show
how the commands work and say nothing about people. A text that several systems give is rated once.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from pathlib import Path

import assay
from assay.data.item import Item, Reference
from assay.systems.compress import compress

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "src" / "assay" / "examples" / "compressions.jsonl"
GENRES = ("news", "letter", "manual", "story")
RATIO = 0.55
# Neutral names: the set shows how the commands work, not which compressor is best.
SYSTEMS = {"alder": "word-based", "birch": "tagger-tree", "cedar": "lead", "elm": "ilp"}
DIMENSIONS = ("meaning", "grammar")


def read_texts() -> list[dict]:
    items = []
    for block in (HERE / "texts.txt").read_text("utf-8").strip().split("\n\n"):
        name, source, *references = block.splitlines()
        texts = [{"id": line[0], "text": line[3:]} for line in references]
        items.append(
            {"id": name, "group": name.split("-")[0], "source": source.removeprefix("source: "), "references": texts}
        )
    return sorted(items, key=lambda item: (GENRES.index(item["group"]), int(item["id"].split("-")[1])))


def add_outputs(items: list[dict]) -> list[dict]:
    sources = [item["source"] for item in items]
    made = {name: compress(sources, system, ratio=RATIO, faithful=False) for name, system in SYSTEMS.items()}
    return [{**item, "outputs": {name: made[name][i].text for name in SYSTEMS}} for i, item in enumerate(items)]


def read_rated(line: str) -> tuple[str, dict[str, str]]:
    record = json.loads(line)
    return record["id"], record["outputs"]


def sheet(items: list[dict], seed: int) -> str:
    """One line per distinct output, in random order: item, number, source, text."""
    rows = []
    for item in items:
        rows += [(item["id"], item["source"], text) for text in dict.fromkeys(item["outputs"].values())]
    random.Random(seed).shuffle(rows)
    return "".join(f"{name}\t{source}\t{text}\n" for name, source, text in rows)


def ratings() -> dict[tuple[str, str], list[dict[str, str | float]]]:
    """For each item and text what was said of it, in the order it was given; a second pass is occasion 2."""
    found: dict[tuple[str, str], list[dict[str, str | float]]] = {}
    for path in sorted((HERE / "ratings").glob("*.tsv")):
        rater, occasion = path.stem.rsplit("-", 1)
        repeat = {} if occasion == "1" else {"occasion": int(occasion)}
        for line in path.read_text("utf-8").splitlines():
            name, text, *scores = line.split("\t")
            for dimension, score in zip(DIMENSIONS, scores, strict=True):
                judgment = {"rater": rater, "dimension": dimension, "score": float(score), **repeat}
                found.setdefault((name, text), []).append(judgment)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=Path, metavar="DIR", help="write sheets to be rated, and nothing else")
    args = parser.parse_args()
    if args.sheets:
        items = add_outputs(read_texts())
        lines = [json.dumps({"id": i["id"], "outputs": i["outputs"]}, ensure_ascii=False) + "\n" for i in items]
        (HERE / "outputs.jsonl").write_text("".join(lines), "utf-8")
        args.sheets.mkdir(parents=True, exist_ok=True)
        for rater, seed in (("r1", 11), ("r2", 23)):
            (args.sheets / f"{rater}-1.tsv").write_text(sheet(items, seed), "utf-8")
            (args.sheets / f"{rater}-2.tsv").write_text(sheet(items[::4], seed + 1), "utf-8")
        return
    outputs = dict(map(read_rated, (HERE / "outputs.jsonl").read_text("utf-8").splitlines()))
    given = ratings()
    lines = []
    for item in read_texts():
        item["outputs"] = outputs[item["id"]]
        judgments = [
            {"system": system, **judgment}
            for system, text in item["outputs"].items()
            for judgment in given[item["id"], text]
        ]
        lines.append(json.dumps({**item, "judgments": judgments}, ensure_ascii=False) + "\n")
    TARGET.write_text("".join(lines), "utf-8")
    write_lines(TARGET.with_name("lines"))


def write_lines(folder: Path) -> None:
    """Write the texts as line-aligned files: a reference or the outputs of a system each."""
    if folder.exists():
        shutil.rmtree(folder)
    items = [
        Item(i.id, sources=i.sources, references=tuple(Reference(r.text) for r in i.references), outputs=i.outputs)
        for i in assay.read(TARGET)
    ]
    assay.write(assay.EvalSet(items), folder, format="lines")


if __name__ == "__main__":
    main()
