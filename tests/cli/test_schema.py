"""What every command prints with `--json` is as `assay schema` says.

`python tests/cli/test_schema.py` runs the commands and writes src/assay/cli/schema.json and the list in docs/json.md.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
from jsonschema import Draft202012Validator

from assay.cli.main import commands, load, main, make_parser
from assay.cli.schema import read_schema

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "src" / "assay" / "cli" / "schema.json"
PAGE = ROOT / "docs" / "json.md"
EXAMPLES = ROOT / "src" / "assay" / "examples"

# One row or more for every command and subcommand that has --json, so that every kind of record is printed.
ROWS: tuple[str, ...] = (
    "score compressions.jsonl -m rouge1 -m bleu",
    "score compressions.jsonl -m rouge1 -m bleu --per-item",
    "score lines -m rouge1",
    "compare compressions.jsonl -m rouge1 --resamples 20 --by group",
    "compare compressions.jsonl -m rouge1 --resamples 20 --baseline elm --fail-if worse",
    "compare ranked.jsonl --ranking rank --resamples 20",
    "compare few-labels.jsonl -d meaning --llm gpt* --assist gpt-x --calibrate isotonic --resamples 20",
    "report compressions.jsonl -m rouge1 -m rouge2 --resamples 20 --out report.html",
    "report content-units.jsonl --resamples 20 --out units.html",
    "check foreign.csv",
    "metrics",
    "metrics rouge",
    "metrics rouge2",
    "meta leaked.jsonl -m rouge1 -m rouge2 --question all --resamples 20",
    "meta outlier.jsonl -m rouge1 -m rouge2 -d meaning --question outliers --resamples 20",
    "meta groups.jsonl -m rouge1 -m rouge2 -d meaning --resamples 20 --by group",
    "probe compressions.jsonl -m rouge1 --against ter --items 2 --words 60 --population 10 --generations 3",
    "learn compressions.jsonl -d meaning --features rouge1 rouge2 --learner ridge --resamples 5"
    " --test-set compressions.jsonl",
    "learn compressions.jsonl -d meaning --features rouge1 rouge2 --learner ridge --resamples 5"
    " --validation compressions.jsonl --test-set compressions.jsonl",
    "agree compressions.jsonl --leave-out 1 -m rouge1 --experts r1 --resamples 20",
    "agree compressions.jsonl --by group --resamples 20",
    "agree ranked.jsonl --ranking rank --resamples 20",
    "agree judged.jsonl --llm gpt* --judge gpt-x --resamples 20",
    "agree compressions.jsonl --leave-out-editors 0.25 --resamples 20",
    "judge table judged.jsonl -d meaning --llm gpt* --resamples 20",
    "judge table pairs.jsonl -d better --resamples 20",
    "judge draw judged.jsonl -d meaning --llm gpt* --labelled random --draw 5 --out drawn.jsonl",
    "judge run compressions.jsonl --config judge.toml --dry-run",
    "judge run compressions.jsonl --config judge.toml --sample 2 --out answered.jsonl",
    "study new compressions.jsonl --dimensions meaning --scale 1-3 --out new-study",
    "study design study",
    "study status study",
    "study replay study",
    "study export study --out exported.jsonl",
    "study serve study --port 0",
    "study backup study",
    "study links study",
    "study erase study 1",
    "plan compressions.jsonl -d meaning --difference 0.5 --system-count 2",
    "plan compressions.jsonl -d meaning --budget 500",
    "plan compressions.jsonl -d meaning --components",
    "plan compressions.jsonl -d meaning --validate 0.6",
    "plan compressions.jsonl -d meaning -m rouge1",
    "plan --like summeval-expert -d coherence --difference 0.5 --simulate --item-count 20 --rater-count 3"
    " --simulations 5",
    "plan check compressions.jsonl --plan plan.json",
    "describe compressions.jsonl --by-group --systems",
    "edits compressions.jsonl -d meaning --per-output",
    "edits joint.jsonl -d meaning",
    "align sentence.txt",
    "align aligned.tsv --score",
    "pyramid score content-units.jsonl --models --resamples 20",
    "pyramid score factoids.csv --gold Ref --pyramid Ref,Ann",
    "pyramid score factoids-two.csv --gold Ref --resamples 20",
    "pyramid analyze content-units.jsonl",
    "pyramid analyze content-units.jsonl --aspects-of 1",
    "pyramid auto content-units.jsonl -m rouge1",
    "pyramid auto marks.jsonl",
    "pyramid compare content-units.jsonl content-units.jsonl",
    "pyramid convert content-units.jsonl ducview",
    "paraphrase translations.jsonl --explain -m bleu",
    "compress sentences.txt --ratio 0.6",
    "compress compressions.jsonl --ratio 0.6 --system lead",
    "compress sentences.txt --ratio 0.6 --abstractive",
    "compress --list",
    "fuse pairs.tsv --words 15 --system longer",
    "fuse --list",
    "fuse pairs documents",
    "split words.txt --language de --n 2",
    "split gold.jsonl --language de --evaluate --resamples 20",
    "split gold.jsonl --language de --evaluate --guesser --resamples 20",
    "split build --language ko --words words.txt --out ko.lex",
    "lm train sentences.txt --out new.npz",
    "lm score sentences.txt --model model.npz",
    "lm score sentences.txt --model model.npz --per-line",
    "lm convert model.npz model.arpa",
    "convert compressions.jsonl table.csv --lossy",
    "schema pair",
    "schema --list",
    "example",
    "example lines --out other-lines",
    "demo",
    "cache",
    "completion bash",
)


def name_of(row: str) -> str:
    """Return the command of a row, with its subcommand."""
    name, *rest = row.split()
    return f"{name} {rest[0]}" if rest and rest[0] in subcommands(name) else name


def subcommands(name: str) -> list[str]:
    """List the subcommands of a command, and what its first argument may be if that says what to do."""
    actions = make_parser(name, load(name))._actions
    choices = [choice for action in actions if action.dest == "action" for choice in action.choices or ()]
    return [*getattr(load(name), "SUBCOMMANDS", {}), *choices]


@contextmanager
def prepared_folder() -> Iterator[None]:
    """Work in a folder with the example sets and what else the rows need; endpoints answer, servers stop at once."""
    sys.path.insert(0, str(ROOT / "tests" / "llm"))
    from fault_server import FaultServer

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-")))
        stack.enter_context(chdir(folder))
        stack.enter_context(mock.patch.dict(os.environ, {"ASSAY_CACHE": str(folder / "cache")}))
        stack.enter_context(mock.patch("uvicorn.Server.run"))
        write_files(folder, stack.enter_context(FaultServer()).url)
        yield


def write_files(folder: Path, url: str) -> None:
    for name in ("compressions", "content-units", "factoids", "pairs", "sentences", "lines"):
        run_json(f"example {name}")
    shutil.copy(ROOT / "tests" / "text" / "data" / "aligned.tsv", folder)
    shutil.copy(ROOT / "docs" / "factoids-two.csv", folder)
    write_sets()
    Path("sentence.txt").write_text("The mayor resigned.\tThe mayor stepped down.\n")
    Path("words.txt").write_text("Prüfungsprogramm\nvielleicht\n", "utf-8")
    compound = {"word": "Prüfungsprogramm", "analysis": "Prüfung|s+programm"}
    write_lines("gold.jsonl", [compound, {"word": "Freitag", "split": "Freitag"}])
    Path("documents").mkdir()
    Path("documents/one.doc").write_text(
        "The storm reached the coast on Sunday. It destroyed forty boats in the harbour."
    )
    Path("documents/one.abstract").write_text("The storm reached the coast and destroyed forty boats.")
    Path("judge.toml").write_text(f'[[judge]]\nmodel = "m"\nurl = "{url}"\n[dimensions.coherence]\n')
    run_json("lm train sentences.txt --out model.npz")
    run_json("plan compressions.jsonl -d meaning --difference 0.5 --out plan.json")
    run_json("study new compressions.jsonl --dimensions meaning --scale 1-3 --invite ann,bob --out study")
    answer_study(folder / "study")


def write_sets() -> None:
    """Write sets with what the examples lack: LLM judges, rankings, pairs in both orders, translations and the like."""
    raters = ("ann", "bob", "cy", "gpt-x", "gpt-y")
    write_lines("judged.jsonl", [judged_item(i, raters) for i in range(36)])
    write_lines("few-labels.jsonl", [judged_item(i, raters if i % 3 else raters[3:]) for i in range(36)])
    write_lines("ranked.jsonl", [judged_item(i, raters[:2], "rank", 2) for i in range(9)])
    items = [json.loads(line) for line in Path("compressions.jsonl").read_text("utf-8").splitlines()]
    for item in items:
        item["outputs"] |= {"elm": item["references"][0]["text"], "fir": item["outputs"]["birch"]}
    write_lines("leaked.jsonl", items)
    Path("foreign.csv").write_text("id,reference,prediction,fluency,cost\n1,a b,a,4,7.5\n2,c d,d,2,8.5\n")
    lonely = {**items[0], "id": "lonely", "group": "lonely", "judgments": []}  # a group without an answer
    write_lines("groups.jsonl", [*items, lonely])
    write_lines("outlier.jsonl", [outlier_item(i) for i in range(9)])
    write_lines("pairs.jsonl", [{"scales": {"better": {"best": "low", "kind": "pairs"}}}, *map(pair_item, range(9))])
    words = [("antwort", "answer"), ("antwort", "reply"), ("haus", "house"), ("baum", "tree")] * 7
    write_lines("translations.jsonl", [translated_item(k, *words[k], *words[k + 1]) for k in range(24)])
    one, two = "The old mayor resigned.", "He was tired."
    score = [{"system": "A", "rater": "r", "dimension": "meaning", "score": 2}]
    texts = {"one": one, "two": two, "both": f"{one} {two}"}
    joint = [{"id": k, "source": text, "outputs": {"A": "He left."}, "judgments": score} for k, text in texts.items()]
    write_lines("joint.jsonl", joint)
    write_lines("marks.jsonl", [{"id": "1", "outputs": {"A": one}, "units": [one, two], "present": {"A": [1, 0]}}])


def write_lines(path: str, lines: Sequence[dict[str, Any]]) -> None:
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def judged_item(number: int, raters: Sequence[str], dimension: str = "meaning", best: int = 5) -> dict[str, Any]:
    """Two systems with scores from 1 to `best` by some raters."""
    judgments = [
        {"system": system, "rater": rater, "dimension": dimension, "score": 1 + (number * r + s) % best}
        for s, system in enumerate("AB")
        for r, rater in enumerate(raters, 1)
    ]
    outputs = {system: f"{system} sat on the mat {number}" for system in "AB"}
    return {"id": str(number), "references": ["It sat."], "outputs": outputs, "judgments": judgments}


def outlier_item(number: int) -> dict[str, Any]:
    """Ten systems, of which one is much worse than the others."""
    outputs = {system: f"The cat sat on {system}" for system in "ABCDEFGHIJ"} | {"J": "No"}
    judgments = [
        {"system": s, "rater": "ann", "dimension": "meaning", "score": 1 if s == "J" else 80 + (number + k) % 9 + k}
        for k, s in enumerate(outputs)
    ]
    return {"id": str(number), "references": ["The cat sat on it"], "outputs": outputs, "judgments": judgments}


def pair_item(number: int) -> dict[str, Any]:
    """A pair that a person and an LLM saw in both orders."""
    judgments = [
        {"system": s, "rater": rater, "kind": kind, "dimension": "better", "score": rank, "occasion": o, "order": order}
        for rater, kind in (("ann", "human"), ("gpt-x", "llm"))
        for o, order in enumerate((["A", "B"], ["B", "A"]), 1)
        for s, rank in (("A", 1), ("B", 2))
    ]
    return {"id": str(number), "outputs": {"A": "a", "B": "b"}, "judgments": judgments}


def translated_item(number: int, f: str, e: str, g: str, d: str) -> dict[str, Any]:
    output = f"{e} {d}".replace("reply", "answer")
    return {"id": str(number), "source": f"{f} {g}", "references": [f"{e} {d}"], "outputs": {"A": output, "B": "x"}}


def answer_study(folder: Path) -> None:
    """Let a rater answer the first task."""
    from assay.study.events import ClientEvent
    from assay.study.folder import StudyFolder
    from assay.study.service import StudyService

    study = StudyFolder(folder)
    service = StudyService(study, study.database())
    answer = {"answer": {"ratings": {"meaning": 2}}, "active": 3.0}
    for event in (
        ClientEvent(key="key-00001", kind="started", task=None, payload={}),
        ClientEvent(key="key-00002", kind="answered", task=1, payload=answer),
    ):
        (ack,) = service.run(lambda event=event: service.take_events(1, [event])).result(10)
        assert ack.saved, ack
    service.close()


def run_json(row: str) -> list[dict[str, Any]]:
    """Run a row with --json, and return the records."""
    out = io.StringIO()
    with redirect_stdout(out):
        code = main([*row.split(), "--json", "--quiet"])
    assert code == 0, row
    return [json.loads(line) for line in out.getvalue().splitlines()]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("schema_tool", ROOT / "tools" / "schema.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Printed = dict[str, list[dict[str, Any]]]


def run_rows() -> Printed:
    """Run every row, and return its records."""
    with prepared_folder():
        return {row: run_json(row) for row in ROWS}


def make_schema(printed: Printed) -> dict[str, Any]:
    """Make the schema from the types, and from what the commands printed; demo only runs others."""
    names: dict[str, list[str]] = {}
    for row in sorted(set(printed) - {"demo"}):
        for kind in sorted({record["kind"] for record in printed[row]}):
            names.setdefault(kind, []).append(name_of(row))
    by_kind = {kind: list(dict.fromkeys(rows)) for kind, rows in names.items()}
    document: dict[str, Any] = load_tool().make_schema(
        by_kind, [name for name in commands() if has_option(name, "--by")]
    )
    return document


def has_option(name: str, option: str) -> bool:
    """Whether a command (`study new`) has an option."""
    command, _, sub = name.partition(" ")
    module = load(getattr(load(command), "SUBCOMMANDS", {}).get(sub, command))
    return any(option in action.option_strings for action in make_parser(name, module)._actions)


@pytest.fixture(scope="module")
def printed() -> Printed:
    return run_rows()


def forbid_more(schema: Any) -> Any:
    """Return a schema that allows only the fields that it names, in nested objects too."""
    if isinstance(schema, list):
        return [forbid_more(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: forbid_more(part) for key, part in schema.items()}
    return {**strict, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else strict


STRICT = forbid_more(read_schema() if SCHEMA.exists() else {"$defs": {}})
VALIDATORS: dict[str, Any] = {kind: Draft202012Validator(entry) for kind, entry in STRICT["$defs"].items()}
# Results that only Python returns; commands print others that are made from them.
PYTHON_ONLY = {"rater_rank", "rater_ranking"}


def test_the_schema_is_a_schema():
    schema = read_schema()
    Draft202012Validator.check_schema(schema)
    assert (schema["version"], schema["$id"]) == (2, "urn:assay:records:2")
    assert [entry["$ref"] for entry in schema["oneOf"]] == [f"#/$defs/{kind}" for kind in schema["$defs"]]


def test_every_command_with_json_has_a_row():
    """A command that is new needs a row, so that its records are in the schema."""
    names = [(name, *subcommands(name)) for name in commands()]
    every = {f"{name} {sub}" if sub else name for name, *subs in names for sub in ["", *subs]}
    every -= {"judge", "study", "pyramid", "lm"}  # nothing without a subcommand
    assert {name for name in every if has_option(name, "--json")} == every == {name_of(row) for row in ROWS}


@pytest.mark.parametrize("row", ROWS)
def test_records_are_as_the_schema_says(row, printed):
    """Strictly: a field that the schema does not name fails too."""
    assert printed[row]
    for record in printed[row]:
        assert record["kind"] in VALIDATORS, f"python {Path(__file__).relative_to(ROOT)} writes the schema anew"
        errors = [error.message for error in VALIDATORS[record["kind"]].iter_errors(record)]
        assert errors == [], record["kind"]


def test_the_schema_and_its_page_are_up_to_date(printed):
    document = make_schema(printed)
    assert document == read_schema(), "python tests/cli/test_schema.py writes it anew"
    assert PAGE.read_text("utf-8") == write_kinds(PAGE.read_text("utf-8"), document)


def test_every_kind_is_printed_by_some_row(printed):
    kinds = {record["kind"] for records in printed.values() for record in records}
    assert set(read_schema()["$defs"]) - kinds == PYTHON_ONLY


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("system_score", {"n": "40"}),
        ("system_score", {"extra": 1}),
        ("system_score", {"score": "high"}),
        ("pair", {"better": None}),
        ("compression", {"deletions": [{"text": "late"}]}),
        ("compression", {"kept": [[0, 4, 8]]}),
        ("alignment", {"links": [{"a": 0, "b": 0, "kind": "exact", "score": 1.0, "sure": True}]}),
    ],
)
def test_the_schema_refuses_what_is_wrong(kind, change, printed):
    """The other tests can fail: a wrong type, a field too many, a field too few."""
    record = next(record for records in printed.values() for record in records if record["kind"] == kind)
    assert VALIDATORS[kind].is_valid(record)
    assert not VALIDATORS[kind].is_valid({**record, **change})
    last = read_schema()["$defs"][kind]["required"][-1]
    assert not VALIDATORS[kind].is_valid({key: value for key, value in record.items() if key != last})


def test_other_fields_are_allowed_by_what_is_printed(printed):
    """A reader that validates with an older schema of the same version accepts newer records."""
    record = next(iter(printed.values()))[0]
    assert Draft202012Validator(read_schema()).is_valid({**record, "new": 1})


def test_some_kinds_alone(capsys):
    assert main(["schema", "pair", "system", "pair"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["$defs"]) == ["pair", "system"]
    assert Draft202012Validator(document).is_valid({"kind": "pair"}) is False
    assert main(["schema", "pairr"]) == 2
    assert "unknown kind of record 'pairr'; did you mean 'pair'?" in capsys.readouterr().err


def test_the_list(capsys):
    assert main(["schema", "--list"]) == 0
    out = capsys.readouterr().out
    assert "version 2 of the schema" in out
    assert re.search(r"^system_score +score +The score of one system ", out, re.M)


KINDS = re.compile(r"(?<=<!-- kinds -->\n).*?(?=<!-- /kinds -->)", re.S)


def write_kinds(page: str, schema: dict[str, Any]) -> str:
    """Put the kinds that each command prints into the page."""
    kinds: dict[str, list[str]] = {}
    for kind, entry in schema["$defs"].items():
        for command in entry["x-commands"] or ["only in Python"]:
            kinds.setdefault(command, []).append(f"`{kind}`")
    rows = [f"| {command} | {', '.join(names)} |\n" for command, names in sorted(kinds.items())]
    return KINDS.sub(lambda _: "| printed by | kinds |\n|---|---|\n" + "".join(rows), page)


if __name__ == "__main__":
    made = make_schema(run_rows())
    SCHEMA.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(write_kinds(PAGE.read_text("utf-8"), made), "utf-8")
