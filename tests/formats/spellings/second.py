"""A second list, written without a look at the first: names, files, shapes of JSON, and columns that are metadata."""

from __future__ import annotations

import bz2
import itertools
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .canon import FIRST, IDS, OUTPUTS, RATERS, SECOND, SOURCES, SYSTEMS, Case, Expected, N, rating, split_names
from .tables import (
    csv_file,
    csv_text,
    expect,
    json_file,
    jsonl_file,
    long,
    rated,
    ratings,
    raw_text,
    single,
    text_file,
    wide,
)

OUTPUT = split_names(
    "preds;hypothesis_text;Model Response;completion;compressed;simplification;paraphrase;y_pred;result;candidate_text;"
    "PredictedSummary;outputText;generated answer;final_answer;translated_text;hypotheses;text_generated;prediction_0"
)
REFERENCE = split_names(
    "labels;Ground Truth;goldSummary;y_true;gold_standard;gt;expected_response;tgt_text;trg;true_summary;"
    "gold_reference;human_translation;correct_answer;ref_anna;references.anna;refA;human1;reference[0]"
)
SOURCE = split_names("orig;original_sentence;doc_text;inputs;source_document;dialogue;user_input;complex;query")
ID = split_names("identifier;name;record_id;example;task_id;sent_id;query_id;segid;guid;#;example_number;line_no")
SYSTEM = split_names(
    "approach;algorithm;team;participant;checkpoint;condition;setup;translator;experiment;run_name;engine;modelId;llm"
)
TWO_REFERENCES = (
    ("Reference A", "Reference B"),
    ("ref-a", "ref-b"),
    ("references[0]", "references[1]"),
    ("references/0", "references/1"),
    ("references.0", "references.1"),
    ("reference.1", "reference.2"),
    ("human1", "human2"),
    ("human_reference_1", "human_reference_2"),
    ("gold", "gold_alt"),
    ("reference", "alternative_reference"),
    ("ref_anna", "ref_ben"),
    ("refA", "refB"),
    ("expected_1", "expected_2"),
)
# Neither judgments nor scores of metrics.
NUMBERS = split_names(
    "retries;attempt;position;rank;order;page;hour;weekday;fold;shard;gpu;depth;compression_ratio;perplexity;logprob;"
    "loss;entropy;prob;price;bytes;height;lat;zip;http_status;is_test;is_truncated;has_entity;grade_level;frequency;"
    "clicks;votes;likes;stars_count;num_raters;std;variance;offset;worker_no;edit_distance;overlap;similarity;density;"
    "energy_kwh;co2;memory_mb;throughput;n;k;x;value;weight;elapsed;Start Time;date_int;experience_years;turn;top_p"
)
TEXTS: dict[str, Callable[[int], str]] = {
    "ip": lambda i: f"10.0.0.{i}",
    "user_agent": lambda i: "Mozilla/5.0 (X11; Linux x86_64)",
    "pos": lambda i: "DT NN VBD DT JJ NN",
    "session": lambda i: f"{i:08x}-77aa",
    "keywords": lambda i: ("bridge;Lohne", "bread;harbour")[i % 2],
    "system_prompt": lambda i: "You are a helpful assistant that writes short summaries.",
    "language_pair": lambda i: "en-de",
    "split": lambda i: "test",
    "error": lambda i: "",
    "prompt_template": lambda i: "Summarize: {text}",
    "annotator_comment": lambda i: ("good", "bad")[i % 2],
}
TWO = expect(references=2)
ONE = expect(ids=True)
ALL = expect(SYSTEMS, ids=True)


def name_cases() -> Iterator[Case]:
    """Names of what a table needs."""
    for name in OUTPUT:
        yield Case(f"output {name!r}", csv_file(single(name, id="id")), ONE)
    for name in REFERENCE:
        yield Case(f"reference {name!r}", csv_file(single(reference=name, id="id")), ONE)
    for name in SOURCE:
        yield Case(f"source {name!r}", jsonl_file(single(source=name, id="id")), ONE)
    for name in ID:
        yield Case(f"id {name!r}", csv_file(single(id=name)), ONE)
        yield Case(f"id {name!r} in long", csv_file(long(id=name)), ALL)
    for name in SYSTEM:
        yield Case(f"system {name!r}", csv_file(long(system=name)), ALL)
    yield Case("no name for the system, nor an id", csv_file(long(system="team", id="")), expect(SYSTEMS))


def order_cases() -> Iterator[Case]:
    """Orders of columns and rows, and columns that are not there."""
    for order in itertools.permutations(["id", "source", "reference", "output"]):
        rows = [{name: row[name] for name in order} for row in single("output", id="id")]
        yield Case(f"order {','.join(order)}", csv_file(rows), ONE)
    by_system = sorted(long(), key=lambda row: SYSTEMS.index(row["system"]))
    yield Case("by system", csv_file(by_system), ALL)
    columns = {system: system for system in SYSTEMS}
    nothing = Expected({s: OUTPUTS[s] for s in SYSTEMS}, sources=tuple((text,) for text in SOURCES), ids=IDS)
    yield Case(
        "a column per system without references", csv_file(wide(columns, reference="", source="source")), nothing
    )


def file_cases() -> Iterator[Case]:
    """Separators, quotes, encodings and endings."""
    for quoting, (mark, ending) in itertools.product(
        range(3), ((",", "csv"), (";", "csv"), ("\t", "tsv"), ("|", "csv"), ("\t", "csv"), (",", "txt"), ("\t", "txt"))
    ):
        file = csv_file(long(), f"table.{ending}", delimiter=mark, quoting=quoting)
        yield Case(f"{mark!r} in .{ending}, quoting {quoting}", file, ALL)
    for name in ("table.tsv", "table.csv", "table.txt"):
        yield Case(f"raw {name}", text_file(raw_text(long()), name), ALL)
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        yield Case(f"{encoding}", csv_file(long(), encoding=encoding), ALL)
        yield Case(f"{encoding} with tabs", csv_file(long(), "table.tsv", encoding=encoding, delimiter="\t"), ALL)
        lines = "".join(json.dumps(row) + "\n" for row in long())
        yield Case(f"{encoding} lines of JSON", text_file(lines, "table.jsonl", encoding=encoding), ALL)
    for encoding in ("cp1252", "utf-16-le"):
        yield Case(encoding, csv_file(long(), encoding=encoding), ALL, remedy="text" if "16" in encoding else "UTF-8")
    yield Case(
        "a line for Excel", text_file("sep=;\n" + csv_text(single("output", id="id"), delimiter=";"), "table.csv"), ONE
    )
    yield Case("carriage returns alone", csv_file(long(), end="\r"), ALL, remedy="end each line with a newline")
    escaped = csv_file(long(), doublequote=False, escapechar="\\")
    yield Case("escaped quotation marks", escaped, ALL, remedy="double the quotation marks")
    for name in ("table.json", "table.ndjson", "table.txt"):
        yield Case(f"lines of JSON in {name}", jsonl_file(long(), name), ALL)
    yield Case("a list in .txt", json_file(long(), "table.txt"), ALL)

    def packed(folder: Path) -> Path:
        path = folder / "table.csv.bz2"
        path.write_bytes(bz2.compress(b"id,output\n1,a b\n"))
        return path

    yield Case("bzip2", packed, ONE, remedy="use one of")


def reference_cases() -> Iterator[Case]:
    """Two references: in columns, lists and objects."""
    for first, second in TWO_REFERENCES:
        rows = [{**row, first: FIRST[i], second: SECOND[i]} for i, row in enumerate(single(reference=""))]
        yield Case(f"{first} and {second}", csv_file(rows), TWO)
        yield Case(f"{first} and {second} in JSON", jsonl_file(rows), TWO)
    shapes: dict[str, Callable[[int], dict[str, Any]]] = {
        "by writer": lambda i: {"references": {"anna": FIRST[i], "ben": SECOND[i]}},
        "as in SQuAD": lambda i: {"answers": {"text": [FIRST[i], SECOND[i]], "answer_start": [0, 3]}},
        "answers": lambda i: {"answers": [FIRST[i], SECOND[i]]},
        "objects": lambda i: {"references": [{"text": FIRST[i]}, {"text": SECOND[i]}]},
        "target": lambda i: {"target": [FIRST[i], SECOND[i]]},
    }
    for name, make in shapes.items():
        rows = [{**row, **make(i)} for i, row in enumerate(single(reference=""))]
        yield Case(f"references {name}", jsonl_file(rows), TWO)
    for name in ("answers", "target", "references"):
        rows = [{**row, name: json.dumps([FIRST[i], SECOND[i]])} for i, row in enumerate(single(reference=""))]
        yield Case(f"{name} as lists in cells", csv_file(rows), TWO)


def shape_cases() -> Iterator[Case]:
    """Shapes of JSON documents, and of records with several outputs."""
    rows = single("output", id="id")
    by_system = {system: single("output", id="id", system=system) for system in SYSTEMS}
    table = {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}
    documents: dict[str, tuple[Any, Expected]] = {
        "rows with a header": ([table["columns"], *table["rows"]], ONE),
        "columns and rows": (table, ONE),
        "predictions and settings": ({"predictions": rows, "config": {"temperature": 0.3}}, ONE),
        "results and a model": ({"model": "bart", "date": "2026-01-02", "results": rows}, ONE),
        "lists by system in a key": ({"systems": by_system}, ALL),
        "by system and id": ({s: {row["id"]: _but(row, "id") for row in own} for s, own in by_system.items()}, ALL),
        "by id": ({row["id"]: _but(row, "id") for row in rows}, ONE),
    }
    for name, (value, expected) in documents.items():
        yield Case(name, json_file(value), expected)
    unnamed = json_file([list(row.values()) for row in rows])
    yield Case("rows without a header", unnamed, ONE, remedy="names no columns")
    for key, system, text in (
        ("outputs", "system", "text"),
        ("predictions", "model", "prediction"),
        ("responses", "model", "response"),
        ("summaries", "system", "summary"),
        ("translations", "system", "translation"),
        ("answers", "model", "answer"),
        ("systems", "name", "output"),
        ("generations", "model_name", "text"),
    ):
        several = [_with(i, {key: [{system: s, text: OUTPUTS[s][i]} for s in SYSTEMS]}) for i in range(N)]
        yield Case(f"{key} of {system} and {text}", jsonl_file(several), ALL)
    named = [
        {**_but(_with(i, {"outputs": {s: OUTPUTS[s][i] for s in SYSTEMS}}), "reference", "source")} for i in range(N)
    ]
    inputs = [{**row, "references": [FIRST[i]], "input": SOURCES[i]} for i, row in enumerate(named)]
    yield Case("items with an input", jsonl_file(inputs), ALL)
    yield from _chat_cases()


def _chat_cases() -> Iterator[Case]:
    user = [[{"role": "system", "content": "Be short."}, {"role": "user", "content": text}] for text in SOURCES]
    answers = [{"role": "assistant", "content": text} for text in OUTPUTS["bart"]]
    chats: dict[str, Callable[[int], dict[str, Any]]] = {
        "a chat and an output": lambda i: {"messages": user[i], "output": OUTPUTS["bart"][i]},
        "a chat with the answer": lambda i: {"messages": [*user[i], answers[i]]},
        "choices": lambda i: {"prompt": SOURCES[i], "choices": [{"index": 0, "message": answers[i]}]},
        "a response": lambda i: {"prompt": SOURCES[i], "response": {"choices": [{"message": answers[i]}]}},
    }
    for name, make in chats.items():
        yield Case(name, jsonl_file([{"id": IDS[i], **make(i), "reference": FIRST[i]} for i in range(N)]), ONE)


def _with(i: int, keys: dict[str, Any]) -> dict[str, Any]:
    return {"id": IDS[i], "source": SOURCES[i], "reference": FIRST[i], **keys}


def _but(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def metadata_cases() -> Iterator[Case]:
    """Numbers and texts that are neither judgments nor outputs."""
    draw = random.Random(3)
    kinds = (
        [draw.randrange(1, 6) for _ in range(30)],
        [draw.randrange(20, 4000) for _ in range(30)],
        [round(draw.uniform(0, 3), 3) for _ in range(30)],
    )
    for header, values in itertools.product(NUMBERS, kinds):
        if header in ("worker_no", "value") and values is kinds[0]:
            continue  # next to nothing else they may be anything
        rows = [{**row, header: values[n % 29]} for n, row in enumerate(long())]
        yield Case(f"number {header!r} like {values[0]}", csv_file(rows), ALL)
    for header, text in TEXTS.items():
        rows = [{**row, header: text(n // len(SYSTEMS))} for n, row in enumerate(long())]
        yield Case(f"text {header!r} in long", csv_file(rows), ALL)
        columns = {system: system for system in SYSTEMS}
        rows = [{**row, header: text(n)} for n, row in enumerate(wide(columns, source="source"))]
        yield Case(f"text {header!r} in wide", csv_file(rows), ALL)
    spans = [{**row, "error_spans": [{"start": 1, "end": 4, "confidence": 0.4}]} for row in long()]
    yield Case("error spans", jsonl_file(spans), ALL)
    scores = [{**row, "scores": [0.13 * n, 0.7]} for n, row in enumerate(long())]
    yield Case("lists of scores", jsonl_file(scores), ALL)


def judged_cases() -> Iterator[Case]:
    """Ratings, with raters in columns, headers and objects."""
    two = ("bart", "t5")
    judged = expect(two, source=False, ids=True, ratings=ratings())
    for header in ("rater_{}_fluency", "{}: fluency", "fluency[{}]", "ratings.{}.fluency", "human.fluency.{}"):
        rows = long(two, source="")
        for row in rows:
            row |= {header.format(r): rating(IDS.index(row["id"]), row["system"], r, "fluency") for r in RATERS}
        yield Case(f"ratings as {header}", csv_file(rows), judged)
    for criterion, score in (("variable", "value"), ("attribute", "rating"), ("topic of rating", "score")):
        melted = [
            {**_but(row, "fluency", "adequacy"), criterion: dimension, score: row[dimension]}
            for row in rated(dimensions={"fluency": "fluency", "adequacy": "adequacy"})
            for dimension in ("fluency", "adequacy")
        ]
        both = expect(two, source=False, ids=True, ratings=ratings(dimensions=("fluency", "adequacy")))
        yield Case(f"melted to {criterion} and {score}", csv_file(melted), both)
    for shape in ("by rater", "by dimension"):
        records = []
        for row in long(two, source=""):
            values = {r: rating(IDS.index(row["id"]), row["system"], r, "fluency") for r in RATERS}
            by_rater = {r: {"fluency": value} for r, value in values.items()}
            records.append({**row, "ratings": by_rater if shape == "by rater" else {"fluency": values}})
        yield Case(f"ratings {shape} in objects", jsonl_file(records), judged)
