"""Bad files: each case is what is typed, and the files that are bad. `bad_commands.py` has what is typed wrong."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

Content = str | bytes | Callable[[Path], None]  # a function makes what is no plain file

ITEMS = [
    {
        "id": str(i),
        "group": "news",
        "source": f"The mayor of town {i} resigned on Monday after twenty years in office.",
        "references": [f"The mayor of town {i} resigned."],
        "outputs": {"A": f"The mayor of town {i} left.", "B": f"A mayor resigned {'today' if i % 2 else ''}."},
        "judgments": [
            {"system": s, "rater": r, "dimension": "meaning", "score": (i * k + k + n) % 5}
            for k, s in enumerate("AB")
            for n, r in enumerate(("ann", "bob"))
        ],
    }
    for i in range(4)
]


def jsonl(*items: object) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


# What lies in the folder of every case and is right.
GOOD: dict[str, Content] = {
    "set.jsonl": jsonl(*ITEMS),
    "plain.jsonl": jsonl(*({k: v for k, v in item.items() if k in ("id", "references", "outputs")} for item in ITEMS)),
    "a.txt": "the cat sat\na dog ran\n",
    "b.txt": "a cat sat\nthe dog ran\n",
    "r.txt": "the cat sat down\nthe dog ran off\n",
    "long.txt": "The mayor resigned on Monday after twenty years in office.\nIt rained all day in town.\n",
    "pairs.tsv": "The cat sat.\tThe old cat sat down.\n",
    "units.csv": "unit,A,B\none,1,0\ntwo,1,1\n",
    "outputs.csv": "item,system,text\n1,A,the cat\n1,B,a cat\n",
    "references.csv": "item,text\n1,the cat sat\n",
    "scores.jsonl": jsonl(
        *({"system": s, "metric": "m", "score": 0.5, "item": str(i)} for s in "AB" for i in range(4))
    ),
}


@dataclass(frozen=True)
class Case:
    """One bad input: what it is, what is typed, and the files that are bad."""

    name: str
    category: str
    arguments: tuple[str, ...]
    files: Mapping[str, Content] = field(default_factory=dict)
    stdin: bytes | None = None
    stdout: str | None = None  # a file to print to, instead of what is caught
    code: int = 2


# Commands that read an evaluation set, with what else they need; {} is the file.
READERS: dict[str, tuple[str, ...]] = {
    "score": ("{}", "-m", "rouge1"),
    "compare": ("{}", "-m", "rouge1", "--resamples", "5"),
    "meta": ("{}", "-m", "rouge1", "--resamples", "5"),
    "report": ("{}", "-m", "rouge1", "--resamples", "5", "--out", "page.html"),
    "describe": ("{}",),
    "edits": ("{}",),
    "learn": ("{}", "--dimension", "meaning", "--features", "rouge1", "--out", "scorer"),
    "paraphrase": ("{}", "--out", "more.jsonl"),
    "probe": ("{}", "-m", "rouge1", "--out", "spectrum.jsonl"),
    "agree": ("{}",),
}
# Other commands that read a file.
OTHERS: dict[str, tuple[str, ...]] = {
    "fuse pairs": ("{}", "--out", "found.tsv"),
    "pyramid score": ("{}",),
    "align": ("{}",),
    "compress": ("{}", "--system", "lead", "--words", "3", "--out", "short.txt"),
    "fuse": ("{}", "--system", "longer", "--out", "fused.txt"),
    "lm train": ("{}", "--quiet", "--out", "model.npz"),
    "lm score": ("{}",),
}


def typed(command: str, arguments: tuple[str, ...], file: str) -> tuple[str, ...]:
    return (*command.split(), *(file if a == "{}" else a for a in arguments))


def make_folder(path: Path) -> None:
    path.mkdir()


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


CUT_GZIP = gzip.compress(jsonl(*ITEMS * 50).encode(), mtime=0)[:-30]
# name of the case: the file's name and what it holds (None: there is no such file)
FILES: dict[str, tuple[str, Content | None]] = {
    "missing file": ("absent.jsonl", None),
    "folder instead of a file": ("folder.jsonl", make_folder),
    "symbolic link to itself": ("loop.jsonl", make_loop),
    "name longer than the system allows": ("x" * 300 + ".jsonl", None),
    "empty file": ("empty.jsonl", ""),
    "blank lines": ("blank.jsonl", "\n\n  \n"),
    "byte order mark alone": ("bom.jsonl", b"\xef\xbb\xbf"),
    "invalid UTF-8": ("broken.jsonl", jsonl(ITEMS[0]).encode().replace(b"mayor", b"may\xffr")),
    "UTF-16 cut off": ("wide.jsonl", jsonl(ITEMS[0]).encode("utf-16")[:-1]),
    "NUL bytes": ("nul.jsonl", b"\x00" * 64),
    "gzip cut off": ("cut.jsonl.gz", CUT_GZIP),
    "gzip in name and first bytes only": ("fake.jsonl.gz", b"\x1f\x8b" + b"no gzip at all"),
    "no JSON": ("prose.jsonl", "It rained.\n"),
    "JSON cut off": ("half.jsonl", jsonl(ITEMS[0])[:-20]),
}
TEXT_FILES = {name: FILES[name] for name in [*list(FILES)[:4], "invalid UTF-8", "NUL bytes", "gzip cut off"]}


def file_cases() -> Iterator[Case]:
    """Every reading command on every sort of file that is none."""
    for readers, files in ((READERS, FILES), (OTHERS, TEXT_FILES)):
        for command, arguments in readers.items():
            for name, (file, content) in files.items():
                if command in ("align", "compress", "fuse", "fuse pairs") and name in ("missing file", "NUL bytes"):
                    continue  # words to align, a name of a folder, or a character like others
                if command == "fuse pairs" and name.startswith("name longer"):
                    continue
                made = {} if content is None else {file: content}
                yield Case(f"{command}: {name}", "Files", typed(command, arguments, file), made)


def item(**changes: object) -> dict[str, object]:
    base: dict[str, object] = {"id": "1", "references": ["a b"], "outputs": {"A": "a", "B": "b"}}
    return {key: value for key, value in {**base, **changes}.items() if value is not ...}


JSON_ITEMS: dict[str, list[object]] = {
    "a number": [1],
    "a text": ["x"],
    "null": [None],
    "a list": [[1, 2]],
    "no id": [item(id=...)],
    "id is null": [item(id=None)],
    "id is a list": [item(id=["1"])],
    "id is a fraction": [item(id=1.5)],
    "id is true": [item(id=True)],
    "id twice": [item(), item()],
    "id twice, far apart": [item(), item(id="2"), item()],
    "references is a number": [item(references=3)],
    "references is an object": [item(references={"a": "b"})],
    "a reference is a number": [item(references=[1])],
    "a reference is null": [item(references=[None])],
    "a reference without text": [item(references=[{"id": "x"}])],
    "a reference whose text is a list": [item(references=[{"id": "x", "text": ["a"]}])],
    "outputs is a list of two": [item(outputs=["a", "b"])],
    "an output is a number": [item(outputs={"A": 1})],
    "an output is null": [item(outputs={"A": None})],
    "an output is a list": [item(outputs={"A": ["a"]})],
    "an output is missing": [item(), item(id="2", outputs={"A": "a"})],
    "no outputs at all": [item(outputs=...)],
    "no outputs in any item": [item(outputs={})],
    "source is a number": [item(source=1)],
    "source is an object": [item(source={"text": "a"})],
    "sources is a text": [item(sources="a")],
    "source and sources": [item(source="a", sources=["b"])],
    "group is a list": [item(group=["x"])],
    "judgments is an object": [item(judgments={"system": "A"})],
    "a judgment is a number": [item(judgments=[3])],
    "a judgment without a score": [item(judgments=[{"system": "A", "rater": "r", "dimension": "d"}])],
    "a judgment without a system": [item(judgments=[{"rater": "r", "dimension": "d", "score": 1}])],
    "a judgment with a text as score": [
        item(judgments=[{"system": "A", "rater": "r", "dimension": "d", "score": "good"}])
    ],
    "a judgment with true as score": [item(judgments=[{"system": "A", "rater": "r", "dimension": "d", "score": True}])],
    "a judgment by a rater of an unknown kind": [
        item(judgments=[{"system": "A", "rater": "r", "dimension": "d", "score": 1, "kind": "robot"}])
    ],
    "a judgment by a rater of two kinds": [
        item(
            judgments=[
                {"system": "A", "rater": "r", "dimension": d, "score": 1, "kind": kind}
                for d, kind in (("d", "human"), ("e", "llm"))
            ]
        )
    ],
    "a judgment by no one but an LLM": [
        item(judgments=[{"system": "A", "rater": "r", "dimension": "d", "score": 1, "kind": "llm"}])
    ],
    "a judgment of an unknown system": [item(judgments=[{"system": "Z", "rater": "r", "dimension": "d", "score": 1}])],
    "alternatives past the end": [item(references=[{"text": "a b", "alternatives": [[0, 99, "x"]]}])],
    "alternatives that are no list": [item(references=[{"text": "a b", "alternatives": "x"}])],
}


def judged(score: str) -> str:
    """An item with a judgment whose score is spelled so."""
    return (
        '{"id": "1", "outputs": {"A": "a"}, "judgments": [{"system": "A", "rater": "r", "dimension": "d", "score": '
        f"{score}}}]}}"
    )


RAW_JSON = {
    "a lone surrogate": r'{"id": "1", "references": ["a \ud800"], "outputs": {"A": "a"}}',
    "an unknown escape": r'{"id": "1", "references": ["a \q"], "outputs": {"A": "a"}}',
    "a raw control character": '{"id": "1", "references": ["a \x01"], "outputs": {"A": "a"}}',
    "single quotes": "{'id': '1'}",
    "a comma too many": '{"id": "1", "references": ["a"],}',
    "two objects on a line": '{"id": "1"} {"id": "2"}',
    "a huge number as id": '{"id": ' + "9" * 5000 + "}",
    "NaN as a score": judged("NaN"),
    "1e999 as a score": judged("1e999"),
    "an array cut off": '[{"id": "1"}, {"id":',
    "an empty array": "[]",
    "an array of numbers": "[1, 2]",
}


def json_cases() -> Iterator[Case]:
    contents = {name: jsonl(*items) for name, items in JSON_ITEMS.items()} | RAW_JSON
    for name, text in contents.items():
        command = "agree" if "judgment" in name or "score" in name else "score"
        arguments = ("score", "bad.jsonl", "-m", "rouge1") if command == "score" else ("agree", "bad.jsonl")
        yield Case(name, "Wrong JSON", arguments, {"bad.jsonl": text})


TABLES: dict[str, Content] = {
    "no header": "1,A,the cat\n",
    "header alone": "item,system,text\n",
    "a column is missing": "item,text\n1,the cat\n",
    "a column twice": "item,system,text,text\n1,A,a,b\n",
    "a row too short": "item,system,text\n1,A\n",
    "a row too long": "item,system,text\n1,A,a,b\n",
    "an open quote": 'item,system,text\n1,A,"the cat\n',
    "text after a quote": 'item,system,text\n1,A,"the" cat\n',
    "the same output twice": "item,system,text\n1,A,a\n1,A,b\n",
    "an empty item": "item,system,text\n,A,a\n",
    "an empty system": "item,system,text\n1,,a\n",
    "an output is missing": "item,system,text\n1,A,a\n1,B,b\n2,A,a\n",
    "Latin-1": "item,system,text\n1,A,caf\xe9\n".encode("latin-1"),
    "a NUL byte": b"item,system,text\n1,A,a\x00b\n",
    "empty": "",
}
REFERENCES: dict[str, Content] = {
    "references of an unknown item": "item,text\n9,the cat\n",
    "references without text": "item,id\n1,x\n",
    "references empty": "",
}


def table_cases() -> Iterator[Case]:
    tail = ("-m", "rouge1")
    for name, text in TABLES.items():
        arguments = ("score", "bad.csv", "--refs", "references.csv", *tail)
        yield Case(f"CSV: {name}", "Wrong tables", arguments, {"bad.csv": text})
    for name, text in REFERENCES.items():
        arguments = ("score", "outputs.csv", "--refs", "bad.csv", *tail)
        yield Case(f"CSV: {name}", "Wrong tables", arguments, {"bad.csv": text})
    arguments = ("score", "outputs.csv", "--refs", "absent.csv", *tail)
    yield Case("CSV: references that are not there", "Wrong tables", arguments)
    for name, make in PARQUETS.items():
        yield Case(f"Parquet: {name}", "Wrong tables", ("score", "bad.parquet", *tail), {"bad.parquet": make})
    for name, text in UNITS.items():
        yield Case(f"units: {name}", "Wrong tables", ("pyramid", "score", "bad.csv"), {"bad.csv": text})


UNITS = {
    "a cell that is neither 0 nor 1": "unit,A\none,7\n",
    "no column of a text": "unit\none\n",
    "a row too long": "unit,A\none,1,1\n",
    "a column twice": "unit,A,A\none,1,0\n",
    "header alone": "unit,A\n",
    "empty": "",
}


def parquet(**columns: list[object]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), path)

    return make


def excel(*rows: list[object], cut: bool = False) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        import openpyxl

        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
        if cut:
            path.write_bytes(path.read_bytes()[:-400])

    return make


# Files as people have them, that could be read two ways or not at all.
FOUND: dict[str, tuple[str, Content]] = {
    "two columns could be the output": ("bad.csv", "id,output,prediction,ref\n1,a,b,c\n"),
    "two columns could be the id": ("bad.csv", "doc_id,segment_id,output,ref\n1,1,a,b\n"),
    "text or summary": ("bad.csv", "id,system,text,summary\n1,A,a,b\n"),
    "a column per system and no reference": ("bad.csv", "id,bart,t5\n1,a,b\n"),
    "a column twice": ("bad.csv", "id,output,Output,ref\n1,a,b,c\n"),
    "a rating that is no number": ("bad.csv", "id,output,ref,fluency\n1,a,b,3\n2,c,d,4\n3,e,f,good\n"),
    "another reference in the second row": ("bad.csv", "id,model,output,ref\n1,A,a,x\n1,B,b,y\n"),
    "the same output twice": ("bad.csv", "id,model,output,ref\n1,A,a,x\n1,A,b,x\n"),
    "a tab in a text": ("bad.tsv", "id\toutput\tref\n1\ta\tb\tc\n"),
    "lists of different length": ("bad.json", '{"predictions": ["a"], "references": ["b", "c"]}'),
    "a number for a text in JSON": ("bad.jsonl", '{"id": 1, "prediction": 3, "reference": "a"}\n{"id": 2}\n'),
    "several outputs for one item": ("bad.jsonl", '{"predictions": ["a", "b"], "reference": "c"}\n{}\n'),
    "an object without records": ("bad.json", '{"version": 1, "name": "x"}'),
    "records that are texts": ("bad.json", '["a", "b"]'),
    "a number for a text in Parquet": ("bad.parquet", parquet(id=[1], prediction=[3], reference=["a"])),
    "a date among the scores in Excel": (
        "bad.xlsx",
        excel(["id", "output", "ref", "fluency"], [1, "a", "b", 3], [2, "c", "d", date(2026, 5, 4)]),
    ),
    "a workbook cut off": ("bad.xlsx", excel(["id", "output"], [1, "a"], cut=True)),
    "a workbook that is a text": ("bad.xlsx", "id,output\n"),
}
JUDGED = {
    "ids that do not meet": "segment,model,rater,fluency\ns1,A,ann,3\ns2,A,ann,2\n",
    "a system without outputs": "item,model,rater,fluency\n1,Z,ann,3\n",
    "no system, of two": "item,rater,fluency\n1,ann,3\n",
    "no ids": "system,rater,fluency\nA,ann,3\n",
    "no ratings": "item,system,rater\n1,A,ann\n",
    "an unknown kind of rater": "item,model,rater,kind,fluency\n1,A,ann,robot,3\n",
}


def found_cases() -> Iterator[Case]:
    for name, (file, content) in FOUND.items():
        yield Case(name, "Files as people have them", ("score", file, "-m", "rouge1"), {file: content})
    for name, text in JUDGED.items():
        arguments = ("agree", "outputs.csv", "--judgments", "bad.csv")
        yield Case(f"judgments: {name}", "Files as people have them", arguments, {"bad.csv": text})
    for name, columns in {
        "an unknown role": "outptu=text",
        "an unknown column": "output=texts",
        "no role": "text",
        "one column, two roles": "output=text,reference=text",
    }.items():
        arguments = ("score", "outputs.csv", "--columns", columns)
        yield Case(f"--columns: {name}", "Files as people have them", arguments)
    for name, arguments in {
        "lines and references differ in number": ("score", "bad.txt", "--refs", "ref.txt"),
        "two files and no references": ("score", "bad.txt", "ref.txt"),
        "references twice": ("score", "ref.txt", "-i", "bad.txt", "--refs", "ref.txt"),
        "a file twice": ("score", "bad.txt", "bad.txt", "--refs", "ref.txt"),
    }.items():
        yield Case(name, "Files as people have them", arguments, {"bad.txt": "a\nb\n", "ref.txt": "a\n"})


PARQUETS: dict[str, Content] = {
    "no Parquet": b"PAR1 but no more",
    "cut off": b"PAR1\x15\x04\x15\x10",
    "empty file": b"",
    "no rows": parquet(item=[], system=[], text=[]),
    "a column is missing": parquet(item=["1"], text=["a"]),
    "numbers as texts": parquet(item=["1"], system=["A"], text=[1.5]),
    "lists as texts": parquet(item=["1"], system=["A"], text=[["a"]]),
    "null as text": parquet(item=["1", "1"], system=["A", "B"], text=["a", None]),
    "null as system": parquet(item=["1"], system=[None], text=["a"]),
    "bytes that are not UTF-8": parquet(item=["1"], system=["A"], text=[b"\xff"]),
    "dates as items": parquet(item=[__import__("datetime").date(2020, 1, 1)], system=["A"], text=["a"]),
}


def line_cases() -> Iterator[Case]:
    both = ("--outputs", "A=a.txt", "--refs", "r.txt", "-m", "rouge1")
    made: dict[str, tuple[tuple[str, ...], dict[str, Content]]] = {
        "a line too few in an output": (("--outputs", "A=bad.txt", *both[2:]), {"bad.txt": "one\n"}),
        "a line too many in an output": (("--outputs", "A=bad.txt", *both[2:]), {"bad.txt": "one\ntwo\nthree\n"}),
        "a line too few in a reference": ((*both[:3], "r.txt", "bad.txt", "-m", "rouge1"), {"bad.txt": "one\n"}),
        "a line too many in the source": ((*both, "--source", "bad.txt"), {"bad.txt": "one\ntwo\nthree\n"}),
        "an empty output file": (("--outputs", "A=bad.txt", *both[2:]), {"bad.txt": ""}),
        "an empty reference file": ((*both[:3], "bad.txt", "-m", "rouge1"), {"bad.txt": ""}),
        "an output that is not there": (("--outputs", "A=absent.txt", *both[2:]), {}),
        "a reference that is not there": ((*both[:3], "absent.txt", "-m", "rouge1"), {}),
        "a source that is not there": ((*both, "--source", "absent.txt"), {}),
        "an output that is no UTF-8": (("--outputs", "A=bad.txt", *both[2:]), {"bad.txt": b"caf\xe9\nx\n"}),
        "a folder as reference": ((*both[:3], "bad", "-m", "rouge1"), {"bad": make_folder}),
        "no name before =": (("--outputs", "=a.txt", *both[2:]), {}),
        "no file after =": (("--outputs", "A=", *both[2:]), {}),
        "no = at all": (("--system", "a.txt", *both[2:]), {}),
        "the same name twice": (("--outputs", "A=a.txt", *both), {}),
        "references without outputs": (("--refs", "r.txt", "-m", "rouge1"), {}),
        "a file and --system": (("set.jsonl", *both), {}),
        "outputs without references": (("--outputs", "A=a.txt", "-m", "rouge1"), {}),
    }
    for name, (arguments, files) in made.items():
        yield Case(f"lines: {name}", "Misaligned lines", ("score", *arguments), files)
    for name, text in {
        "one column": "The cat sat.\n",
        "links that are no numbers": "a b\ta b\tx-y\n",
        "links past the end": "a b\ta b\t0-99\n",
        "negative links": "a b\ta b\t-1-0\n",
    }.items():
        yield Case(f"pairs: {name}", "Misaligned lines", ("align", "bad.tsv", "--score"), {"bad.tsv": text})
