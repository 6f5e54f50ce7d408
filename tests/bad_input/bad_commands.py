"""Bad command lines, names, places to write and streams; `all_cases` lists them after the bad files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from bad_bridges import bridge_cases
from bad_files import (
    ITEMS,
    OTHERS,
    READERS,
    Case,
    Content,
    file_cases,
    found_cases,
    item,
    json_cases,
    jsonl,
    judged,
    line_cases,
    make_folder,
    table_cases,
    typed,
)
from bad_judges import judge_cases
from bad_units import unit_cases

from assay.cli.main import commands, load

# Values that are out of range, or no values, for whole numbers and for others.
VALUES = ("-1", "1e12", "99999999999999999999", "nan", "many", "")
UNBOUNDED = ("--notice", "--tolerance", "--difference")
NEEDED = {"learn": ("--dimension", "meaning"), "probe": ("-m", "rouge1"), "lm": ("long.txt",)}


def option_cases() -> Iterator[Case]:
    """Every option with a number, in every command, with values out of its range."""
    for command in commands():
        parser = argparse.ArgumentParser()
        load(command).arguments(parser)
        numeric = [a for a in parser._actions if a.type is not None and a.option_strings]
        for place, action in enumerate(numeric):
            option = action.option_strings[-1]
            first = {"lm": ("train",), "align": (), "metrics": ()}.get(command, ("set.jsonl",))
            for value in (VALUES[place % 3], VALUES[3 + place % 3]):
                if value[:1].isdigit() and option in UNBOUNDED:
                    value = "inf"
                arguments = (command, *first, *NEEDED.get(command, ()), f"{option}={value}")
                yield Case(f"{command} {option} {value or 'empty'}", "Options out of range", arguments)


def choice_cases() -> Iterator[Case]:
    """Every option that takes one of a few words, with another."""
    for command in commands():
        parser = argparse.ArgumentParser()
        load(command).arguments(parser)
        for action in parser._actions:
            if action.choices and action.type is None and action.option_strings:
                option = action.option_strings[-1]
                arguments = (command, "set.jsonl", *NEEDED.get(command, ()), f"{option}=nonsense")
                yield Case(f"{command} {option} nonsense", "Unknown names", arguments)


def name_cases() -> Iterator[Case]:
    made: dict[str, tuple[str, ...]] = {
        "a command": ("scroe",),
        "a command that is a path": ("../score",),
        "an option": ("score", "set.jsonl", "--nonsense"),
        "a metric": ("score", "set.jsonl", "-m", "rogue1"),
        "an empty metric": ("score", "set.jsonl", "-m", ""),
        "a metric without its end": ("score", "set.jsonl", "-m", "rouge1("),
        "a parameter": ("score", "set.jsonl", "-m", "rouge1(nonsense=1)"),
        "a parameter without a value": ("score", "set.jsonl", "-m", "rouge1(stem)"),
        "a parameter's value": ("score", "set.jsonl", "-m", "rouge1(measure=best)"),
        "true where a name is wanted": ("score", "set.jsonl", "-m", "rouge1(tokenizer=true)"),
        "a text where a number is wanted": ("score", "set.jsonl", "-m", "rouge1(beta=x)"),
        "NaN where a number is wanted": ("score", "set.jsonl", "-m", "rouge1(beta=nan)"),
        "a number in a name, too large": ("score", "set.jsonl", "-m", "rougeS99999999999999999999"),
        "an n-gram of nothing": ("score", "set.jsonl", "-m", "rouge0"),
        "a metric's tokenizer": ("score", "set.jsonl", "-m", "bleu(tokenizer=klingon)"),
        "a folder that is no scorer": ("score", "set.jsonl", "-m", "./folder"),
        "a metric to explain": ("metrics", "nonsense"),
        "a metric that runs elsewhere": ("score", "set.jsonl", "-m", "comet"),
        "a group where one metric is wanted": ("metrics", "rouge(stem=true)"),
        "an example set": ("example", "nonsense"),
        "an example set that is a path": ("example", "../compressions"),
        "a condition to fail by": ("compare", "set.jsonl", "--baseline", "A", "--fail-if", "worst"),
        "a format": ("score", "set.jsonl", "--input-format", "docx"),
        "a file's ending": ("score", "set.docx"),
        "a parser": ("score", "set.jsonl", "-m", "depeval", "--parser", "no_such_pipeline"),
        "a baseline": ("compare", "set.jsonl", "-m", "rouge1", "--baseline", "Z"),
        "a system to compare": ("compare", "set.jsonl", "-m", "rouge1", "--only", "Z"),
        "a dimension to compare by": ("compare", "set.jsonl", "--dimension", "beauty"),
        "a dimension of meta": ("meta", "set.jsonl", "--dimension", "beauty"),
        "a baseline metric": ("meta", "set.jsonl", "-m", "rouge1", "--baseline", "bleu"),
        "a dimension of agree": ("agree", "set.jsonl", "-d", "beauty"),
        "a rater": ("agree", "set.jsonl", "--experts", "zoe"),
        "a judge": ("agree", "set.jsonl", "--judge", "zoe"),
        "an LLM among the raters": ("agree", "set.jsonl", "--llm", "gpt*"),
        "a dimension of edits": ("edits", "set.jsonl", "-d", "beauty"),
        "a dimension to learn": ("learn", "set.jsonl", "--dimension", "beauty"),
        "raters to learn from": ("learn", "set.jsonl", "--dimension", "meaning", "--raters", "zoe"),
        "a feature": ("learn", "set.jsonl", "--dimension", "meaning", "--features", "rogue1"),
        "a learner": ("learn", "set.jsonl", "--dimension", "meaning", "--features", "rouge1", "--learner", "gpt"),
        "a learner's parameter": (
            "learn",
            "set.jsonl",
            "--dimension",
            "meaning",
            "--features",
            "rouge1",
            "--learner",
            "svr(x=1)",
        ),
        "a compressor": ("compress", "long.txt", "--system", "nonsense"),
        "a compressor's parameter": ("compress", "long.txt", "--system", "lead(x=1)"),
        "a compressor's model": ("compress", "long.txt", "--model", "absent.npz"),
        "a fuser": ("fuse", "pairs.tsv", "--system", "nonsense"),
        "a column of units": ("pyramid", "score", "units.csv", "--gold", "Z"),
        "a column of a pyramid": ("pyramid", "score", "units.csv", "--pyramid", "Y,Z"),
        "a language model": ("lm", "score", "long.txt", "--model", "absent.npz"),
        "a shell": ("completion", "cmd.exe"),
        "a system to paraphrase for": ("paraphrase", "set.jsonl", "--how", "best", "--for", "Z", "--out", "x.jsonl"),
        "a section of questions": ("meta", "set.jsonl", "--question", "why"),
    }
    for name, arguments in made.items():
        yield Case(name, "Unknown names", arguments, {"folder": make_folder} if "./folder" in arguments else {})


def facet_cases() -> Iterator[Case]:
    """Yield sets with clusters and runs that contradict each other."""

    def lines(*labels: dict[str, str]) -> Content:
        rows = [{"references": ["a b"], "outputs": {"A": "a", "B": "b c"}, **own} for own in labels]
        return ("\n".join(json.dumps(row) for row in rows) + "\n").encode()

    two = lines({"id": "1", "run": "1", "cluster": "x"}, {"id": "1", "run": "2", "cluster": "y"})
    yield Case("an item in two clusters", "Clusters and runs", ("compare", "in.jsonl"), {"in.jsonl": two})
    same = lines({"id": "1", "run": "1"}, {"id": "1", "run": "1"})
    yield Case("the same run twice", "Clusters and runs", ("compare", "in.jsonl"), {"in.jsonl": same})
    none = lines({"id": "1"}, {"id": "2"})
    for option in ("--cluster", "--run"):
        arguments = ("compare", "in.jsonl", option, "topic")
        yield Case(f"{option} that no item has", "Clusters and runs", arguments, {"in.jsonl": none})


def use_cases() -> Iterator[Case]:
    yield from facet_cases()
    made: dict[str, tuple[str, ...]] = {
        "no command": ("",),
        "score without a file": ("score",),
        "compare without a file": ("compare",),
        "--fail-if without a baseline": ("compare", "set.jsonl", "--fail-if", "worse"),
        "--fail-if for each group": ("compare", "set.jsonl", "--baseline", "A", "--fail-if", "worse", "--by", "group"),
        "--margin without --fail-if": ("compare", "set.jsonl", "--margin", "0.5"),
        "--margin less than nothing": (
            "compare",
            "set.jsonl",
            "--baseline",
            "A",
            "--fail-if",
            "worse",
            "--margin",
            "-1",
        ),
        "a file to write without an example": ("example", "--out", "x.jsonl"),
        "an example set over a file of one's own": ("example", "sentences", "--out", "set.jsonl"),
        "meta without judgments": ("meta", "plain.jsonl"),
        "agree without judgments": ("agree", "plain.jsonl"),
        "agree without a file": ("agree",),
        "a metric that needs sources": ("score", "plain.jsonl", "-m", "rate"),
        "learn without a dimension": ("learn", "set.jsonl"),
        "learn --test-dimension without --test-set": (
            "learn",
            "set.jsonl",
            "--dimension",
            "meaning",
            "--test-dimension",
            "fluency",
        ),
        "learn from a feature without a direction": (
            "learn",
            "set.jsonl",
            "--dimension",
            "meaning",
            "--features",
            "rouge1",
            "length",
        ),
        "learn into a folder that is there": ("learn", "set.jsonl", "--dimension", "meaning", "--out", "full"),
        "probe without a metric": ("probe", "set.jsonl"),
        "probe against itself": ("probe", "set.jsonl", "-m", "rouge1", "--against", "rouge1"),
        "paraphrase --explain without a metric": ("paraphrase", "set.jsonl", "--explain"),
        "compress without a file": ("compress",),
        "compress with two lengths": ("compress", "long.txt", "--words", "3", "--ratio", "0.5"),
        "compress by a pattern that repeats repeats": ("compress", "long.txt", "--keep", "(a+)+$"),
        "compress by a pattern with choices repeated": ("compress", "long.txt", "--drop", "(a|aa)+$"),
        "compress by a pattern that is none": ("compress", "long.txt", "--keep", "("),
        "compress by a pattern with a huge count": ("compress", "long.txt", "--keep", "a{99999999999999999999}"),
        "a pattern that the system does not obey": ("compress", "long.txt", "--system", "lead", "--keep", "a"),
        "fuse without a file": ("fuse",),
        "fuse by a pattern that repeats repeats": ("fuse", "pairs.tsv", "--keep", "(a*)*b"),
        "align three texts": ("align", "a", "b", "c"),
        "lm train without --out": ("lm", "train", "long.txt"),
        "lm train to an unknown ending": ("lm", "train", "long.txt", "--out", "model.bin"),
        "lm convert without a second file": ("lm", "convert", "model.npz"),
        "lm convert of no model": ("lm", "convert", "long.txt", "model.arpa"),
        "an unknown verb of lm": ("lm", "sing", "long.txt"),
        "scores that are not there": ("compare", "--scores", "absent.jsonl"),
        "scores that are a folder": ("compare", "--scores", "full"),
        "scores that are prose": ("compare", "--scores", "long.txt"),
        "scores that are an evaluation set": ("compare", "--scores", "set.jsonl"),
        "the same scores twice": ("compare", "--scores", "scores.jsonl", "--scores", "scores.jsonl"),
        "a metric without a set": ("compare", "--scores", "scores.jsonl", "-m", "rouge1"),
        "people without a set": ("compare", "--scores", "scores.jsonl", "--dimension", "meaning"),
        "judge table without an LLM": ("judge", "table", "set.jsonl"),
        "judge table: a family without a name": ("judge", "table", "set.jsonl", "--llm", "bob", "--family", "gpt"),
        "judge draw without a dimension": ("judge", "draw", "set.jsonl", "--draw", "2"),
        "judge draw with one judge": ("judge", "draw", "set.jsonl", "-d", "meaning", "--draw", "2", "--llm", "bob"),
        "judge draw: items that could never come": (
            *("judge", "draw", "set.jsonl", "-d", "meaning", "--draw", "2", "--floor", "0"),
        ),
        "a person who is to assist people": ("compare", "set.jsonl", "-d", "meaning", "--assist", "bob"),
        "an unknown judge that is to assist": ("compare", "set.jsonl", "-d", "meaning", "--assist", "gpt"),
        "--assist without a dimension": ("compare", "set.jsonl", "--assist", "bob"),
        "--assist with another test": ("compare", "set.jsonl", "-d", "meaning", "--assist", "bob", "--test", "t"),
        "agree: a metric without --leave-out": ("agree", "set.jsonl", "-m", "rouge1"),
        "agree: leave out a number and a share": ("agree", "set.jsonl", "--leave-out", "1", "--leave-out-share", "0.5"),
        "agree: leave out more raters than there are": ("agree", "set.jsonl", "--leave-out", "99"),
        "an argument that is too much": ("score", "set.jsonl", "more.jsonl"),
        "an option without its value": ("score", "set.jsonl", "-m"),
    }
    full: dict[str, Content] = {"full": make_full}
    for name, arguments in made.items():
        yield Case(name, "Wrong use", arguments, full if "full" in arguments else {})


def make_full(path: Path) -> None:
    path.mkdir()
    (path / "x").write_text("x")


def out_cases() -> Iterator[Case]:
    """Files that cannot be written, for every command that writes one."""
    writers = {command: args for command, args in {**READERS, **OTHERS}.items() if "--out" in args}
    writers["score"] = ("{}", "-m", "rouge1", "--out", "scores.csv")
    files = {"fuse pairs": "set.jsonl", "compress": "long.txt", "fuse": "pairs.tsv", "lm train": "long.txt"}
    for command, arguments in writers.items():
        if command in ("learn", "probe"):  # slow before they write, or a folder
            continue
        ending = arguments[-1].partition(".")[2]
        places = {
            "no such folder": f"absent/out.{ending}",
            "a folder": f"there.{ending}",
            "a file as a folder": f"long.txt/out.{ending}",
            "a name that is too long": f"{'x' * 300}.{ending}",
        }
        if command not in (
            "score",
            "paraphrase",
            "lm train",
            "fuse pairs",
        ):  # the name tells the format; nothing to write
            places["a full disk"] = "/dev/full"
        for name, place in places.items():
            line = typed(command, (*arguments[:-1], place), files.get(command, "set.jsonl"))
            made: dict[str, Content] = {place: make_folder} if name == "a folder" else {}
            yield Case(f"{command}: {name}", "Nowhere to write", line, made)


EVIL = "\x1b[2J\x1b]0;x\x07\u202e\u2066\u200b"


DEEP = "[" * 100_000 + "]" * 100_000


def huge_cases() -> Iterator[Case]:
    made = {
        "an id of a million letters, twice": jsonl(item(id="x" * 1_000_000), item(id="x" * 1_000_000)),
        "lists in lists, 100,000 deep": f'{{"id": "1", "outputs": {DEEP}}}\n',
        "lists in lists under another key": f'{{"id": "1", "extra": {DEEP}}}\n',
        "an array 100,000 deep": DEEP,
        "a system's name of a million letters without a text": jsonl(item(outputs={"x" * 1_000_000: None})),
        "a thousand systems, one without an output": jsonl(
            item(outputs={str(k): "a" for k in range(1000)}), item(id="2", outputs={str(k): "a" for k in range(999)})
        ),
        "a number of 5,000 digits as score": judged("9" * 5000),
    }
    for name, text in made.items():
        yield Case(name, "Huge", ("score", "bad.jsonl", "-m", "rouge1"), {"bad.jsonl": text})
    for name, option, value in (
        ("digits", "--threads", "9" * 10_000),
        ("letters", "--threads", "x" * 100_000),
        ("letters in a float", "--alpha", "x" * 100_000),
        ("digits in a float", "--alpha", "9" * 10_000),
    ):
        command = "compare" if option == "--alpha" else "score"
        yield Case(f"{len(value):,} {name} for {option}", "Huge", (command, "set.jsonl", option, value))
    pattern = "(" * 3000 + ")" * 3000
    yield Case("a pattern 3,000 deep", "Huge", ("compress", "long.txt", "--keep", pattern))
    yield Case("a pattern of 100,000 letters", "Huge", ("compress", "long.txt", "--keep", "x" * 100_000))


def hostile_cases() -> Iterator[Case]:
    made: dict[str, tuple[str, ...]] = {
        "a command": (EVIL,),
        "a file": ("score", f"{EVIL}.jsonl"),
        "a file whose name is no UTF-8": ("score", "\udcff.jsonl"),
        "a file with a NUL in its name": ("score", "a\x00b.jsonl"),
        "a file with a newline in its name": ("score", "a\nassay: all is well\n.jsonl"),
        "a metric": ("score", "set.jsonl", "-m", EVIL),
        "a metric of markup": ("score", "set.jsonl", "-m", "<script>alert(1)</script>"),
        "a metric of 100,000 letters": ("score", "set.jsonl", "-m", "x" * 100_000),
        "an option": ("score", f"--{EVIL}"),
        "a number": ("score", "set.jsonl", "--threads", EVIL),
        "a baseline": ("compare", "set.jsonl", "-m", "rouge1", "--baseline", EVIL),
        "a baseline called __proto__": ("compare", "set.jsonl", "-m", "rouge1", "--baseline", "__proto__"),
        "a pattern": ("compress", "long.txt", "--keep", f"({EVIL}"),
        "a place to write": ("report", "set.jsonl", "-m", "rouge1", "--resamples", "5", "--out", f"{EVIL}/x.html"),
    }
    for name, arguments in made.items():
        yield Case(name, "Hostile names", arguments)
    key = json.dumps(EVIL)
    for name, text in {
        "an id, twice": jsonl(item(id=EVIL), item(id=EVIL)),
        "a system without an output": jsonl(item(outputs={EVIL: "a"}), item(id="2")),
        "a system whose output is a number": jsonl(item(outputs={EVIL: 1})),
        "a judgment of an unknown system": jsonl(
            item(judgments=[{"system": EVIL, "rater": "r", "dimension": "d", "score": 1}])
        ),
        "a key that breaks off": f'{{"id": "1", {key}: ',
        "a file name of a program": jsonl(item(id=[EVIL])),
    }.items():
        yield Case(f"in a file: {name}", "Hostile names", ("score", "bad.jsonl", "-m", "rouge1"), {"bad.jsonl": text})


def stream_cases() -> Iterator[Case]:
    good = jsonl(*ITEMS).encode()
    for name, data, arguments in (
        ("nothing", b"", ("score", "-", "-m", "rouge1")),
        ("prose", b"It rained.\n", ("score", "-", "-m", "rouge1")),
        ("half a line", good[:40], ("score", "-", "-m", "rouge1")),
        ("invalid UTF-8", b'{"id": "\xff"}\n', ("score", "-", "-m", "rouge1")),
        ("random bytes", bytes(range(256)), ("score", "-", "-m", "rouge1")),
        ("nothing, to compare", b"", ("compare", "-")),
        ("nothing, to agree on", b"", ("agree", "-")),
        ("invalid UTF-8, to compress", b"caf\xe9\n", ("compress", "-", "--system", "lead", "--words", "3")),
        ("nothing, to train on", b"", ("lm", "train", "-", "--out", "model.npz")),
    ):
        yield Case(f"from a pipe: {name}", "Pipes and full disks", arguments, stdin=data)
    for name, arguments in {
        "a table": ("score", "set.jsonl", "-m", "rouge1"),
        "JSON Lines": ("score", "set.jsonl", "-m", "rouge1", "--json"),
        "an answer": ("agree", "set.jsonl", "--resamples", "0"),
        "texts": ("compress", "long.txt", "--system", "lead", "--words", "3"),
        "a list": ("metrics",),
        "the overview": ("--help",),
        "the version": ("--version",),
        "a script": ("completion", "bash"),
    }.items():
        yield Case(f"to a full disk: {name}", "Pipes and full disks", arguments, stdout="/dev/full")


def make_study(change: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return the maker of a study that was changed after it was made."""

    def make(path: Path) -> None:
        from assay import EvalSet
        from assay.study.creation import create_study
        from assay.study.protocols import PROTOCOLS
        from assay.study.settings import StudyDesign

        texts = EvalSet.from_texts({"A": ["a"], "B": ["b"]}, ["r"], ["s"])
        create_study(path, texts, PROTOCOLS.build("rate"), design=StudyDesign())
        change(path)

    return make


def change_texts(path: Path) -> None:
    (path / "set.jsonl").write_text((path / "set.jsonl").read_text("utf-8").replace('"a"', '"c"'), "utf-8")


def change_version(path: Path) -> None:
    import sqlite3

    with sqlite3.connect(path / "study.db") as connection:
        connection.execute("UPDATE facts SET value = '99' WHERE name = 'schema_version'")
    connection.close()


UNIT = {"id": "1", "label": "rain", "contributors": [{"text": "A", "spans": [[0, 9]]}]}
TOPIC = {"id": "1", "references": [{"id": "A", "text": "It rained."}], "outputs": {"s": "Rain."}, "units": [UNIT]}


def study_cases() -> Iterator[Case]:
    new = ("study", "new", "set.jsonl", "--out", "new")
    without = jsonl({"id": "1", "source": "s"})
    for name, arguments, files in (
        ("a set without outputs", ("study", "new", "bad.jsonl", "--out", "new"), {"bad.jsonl": without}),
        (
            "to shorten, without sources",
            ("study", "new", "bad.jsonl", "--protocol", "shorten", "--out", "new"),
            {"bad.jsonl": jsonl(item())},
        ),
        ("an unknown protocol", (*new, "--protocol", "rates"), {}),
        ("an unknown parameter", (*new, "--protocol", "rate(hidden=true)"), {}),
        ("a scale that is none", (*new, "--scale", "bad to good"), {}),
        ("a scale of 101 keys", (*new, "--scale", "0-100"), {}),
        ("one dimension twice", (*new, "--dimensions", "a,a"), {}),
        ("units that are not there", (*new, "--protocol", "factoids"), {}),
        ("content units to mark that are not there", (*new, "--protocol", "pyramid(peers)"), {}),
        (
            "a topic without models",
            ("study", "new", "bad.jsonl", "--protocol", "pyramid", "--out", "new"),
            {"bad.jsonl": without},
        ),
        (
            "one topic of two has content units",
            ("study", "new", "bad.jsonl", "--protocol", "pyramid", "--out", "new"),
            {"bad.jsonl": jsonl(TOPIC, {**TOPIC, "id": "2", "units": []})},
        ),
        (
            "a content unit outside of its model",
            ("study", "new", "bad.jsonl", "--protocol", "pyramid", "--out", "new"),
            {"bad.jsonl": jsonl({**TOPIC, "units": [{**UNIT, "contributors": [{"text": "A", "spans": [[0, 99]]}]}]})},
        ),
        (
            "no known answers",
            (*new, "--qualification", "bad.jsonl"),
            {"bad.jsonl": jsonl({"id": "1", "outputs": {"A": "a"}})},
        ),
        ("instructions that are not there", (*new, "--instructions", "none.md"), {}),
        ("one name twice", (*new, "--invite", "ann,ann"), {}),
        ("another database", (*new, "--database", "mysql://host/name"), {}),
        ("a paper with several studies", (*new, "--like", "daume-marcu-2004"), {}),
        ("a folder that holds no study", ("study", "serve", "."), {}),
        ("texts that changed", ("study", "export", "study", "--out", "x.jsonl"), {"study": make_study(change_texts)}),
        ("a database of another version", ("study", "status", "study"), {"study": make_study(change_version)}),
        (
            "a study that no one answered",
            ("study", "export", "study", "--out", "x.jsonl"),
            {"study": make_study(lambda _: None)},
        ),
        ("a rater who is not there", ("study", "erase", "study", "eve"), {"study": make_study(lambda _: None)}),
    ):
        yield Case(name, "Studies", arguments, files)


def all_cases() -> list[Case]:
    """Every case, by category."""
    makers = (
        file_cases,
        json_cases,
        table_cases,
        found_cases,
        line_cases,
        name_cases,
        choice_cases,
        option_cases,
        use_cases,
        out_cases,
        huge_cases,
        hostile_cases,
        stream_cases,
        study_cases,
        judge_cases,
        bridge_cases,
        unit_cases,
    )
    return [case for make in makers for case in make()]
