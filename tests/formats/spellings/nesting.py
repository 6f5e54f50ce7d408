"""Cases by shape: nested JSON, records by system and by id, lists in cells, several references, objects in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from .canon import FIRST, IDS, OUTPUTS, RATERS, SECOND, SOURCES, SYSTEMS, Case, Expected, N, rating, split_names
from .tables import (
    WAYS,
    Rows,
    arrow_table,
    csv_file,
    expect,
    json_file,
    jsonl_file,
    pandas_frame,
    parquet_file,
    polars_frame,
    ratings,
    single,
    text_file,
    value,
)

BOTH = expect(references=2)
THREE = expect(SYSTEMS, ids=True)
TWO_LISTS = [[a, b] for a, b in zip(FIRST, SECOND, strict=True)]


def _records(make: Callable[[int], dict[str, Any]]) -> list[dict[str, Any]]:
    return [make(i) for i in range(N)]


def nested_cases() -> Iterator[Case]:
    """Outputs by system inside the records of items, and the like."""
    shapes: dict[str, Callable[[int], dict[str, Any]]] = {
        "outputs by system": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "reference": FIRST[i],
            "outputs": {s: OUTPUTS[s][i] for s in SYSTEMS},
        },
        "predictions by system": lambda i: {
            "id": IDS[i],
            "input": SOURCES[i],
            "target": FIRST[i],
            "predictions": {s: OUTPUTS[s][i] for s in SYSTEMS},
        },
        "systems by name": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "reference": FIRST[i],
            "systems": {s: OUTPUTS[s][i] for s in SYSTEMS},
        },
        "responses as records": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "reference": FIRST[i],
            "responses": [{"model": s, "text": OUTPUTS[s][i]} for s in SYSTEMS],
        },
        "outputs as records": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "references": [FIRST[i]],
            "outputs": [{"system": s, "output": OUTPUTS[s][i]} for s in SYSTEMS],
        },
        "outputs as records with more": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "references": [FIRST[i]],
            "outputs": [
                {"system": s, "output": OUTPUTS[s][i], "latency_ms": 41.5 + i, "tokens": 9 + i} for s in SYSTEMS
            ],
        },
        "text in objects": lambda i: {
            "id": IDS[i],
            "source": {"text": SOURCES[i], "lang": "en"},
            "reference": {"text": FIRST[i], "author": "x"},
            "outputs": {s: {"text": OUTPUTS[s][i], "tokens": 9} for s in SYSTEMS},
        },
    }
    for name, make in shapes.items():
        records = _records(make)
        yield Case(f"{name} (jsonl)", jsonl_file(records), THREE)
        yield Case(f"{name} (json)", json_file(records), THREE)
        yield Case(f"{name} (list)", value(records), THREE)
        for key in ("data", "items", "examples", "results", "instances"):
            yield Case(f"{name} under {key!r}", json_file({"version": "1.0", key: records}), THREE)
    flat: dict[str, Callable[[int], dict[str, Any]]] = {
        "meta and texts": lambda i: {
            "meta": {"id": IDS[i], "split": "test", "length": 70 + i},
            "texts": {"source": SOURCES[i], "reference": FIRST[i], "prediction": OUTPUTS["bart"][i]},
        },
        "inputs and outputs": lambda i: {
            "id": IDS[i],
            "inputs": {"question": SOURCES[i]},
            "outputs": {"answer": OUTPUTS["bart"][i]},
            "reference_outputs": {"answer": FIRST[i]},
        },
        "translation pairs": lambda i: {
            "id": IDS[i],
            "translation": {"de": SOURCES[i], "en": FIRST[i]},
            "prediction": OUTPUTS["bart"][i],
        },
        "usage and cost": lambda i: {
            "id": IDS[i],
            "source": SOURCES[i],
            "reference": FIRST[i],
            "response": OUTPUTS["bart"][i],
            "usage": {"prompt_tokens": 40 + i * 3 % 5, "completion_tokens": 11},
            "metrics": {"latency": 1.5 + i, "cost": 0.002},
        },
        "spans with confidence": lambda i: {
            "id": IDS[i],
            "src": SOURCES[i],
            "mt": OUTPUTS["bart"][i],
            "ref": FIRST[i],
            "COMET": 0.71 + i * 5 % 7 / 100,
            "error_spans": [{"text": "x", "confidence": 0.4 + i / 20, "severity": "minor", "start": 1, "end": 2}],
        },
    }
    for name, make in flat.items():
        records = _records(make)
        yield Case(f"{name} (jsonl)", jsonl_file(records), expect(ids=True))
        yield Case(f"{name} (list)", value(records), expect(ids=True))


def by_system_cases() -> Iterator[Case]:
    """Lists and records under the name of their system or item."""
    columns: dict[str, Any] = {"references": list(FIRST), "sources": list(SOURCES)}
    outputs = {s: list(OUTPUTS[s]) for s in SYSTEMS}
    three = expect(SYSTEMS)
    without = expect(SYSTEMS, source=False)
    for number, (name, content, expected) in enumerate(
        (
            ("lists by system", {**columns, **outputs}, three),
            ("lists by system, references only", {"references": list(FIRST), **outputs}, without),
            ("lists of outputs", {**columns, "outputs": outputs}, three),
            ("lists of predictions", {"references": list(FIRST), "predictions": outputs}, without),
            ("lists of systems", {**columns, "systems": outputs}, three),
        )
    ):
        yield Case(f"{name} (json)", json_file(content), expected)
        yield Case(f"{name} (dict, {number})", value(content), expected)
    by_name = {
        s: [{"id": IDS[i], "prediction": OUTPUTS[s][i], "reference": FIRST[i]} for i in range(N)] for s in SYSTEMS
    }
    yield Case("records by system (json)", json_file(by_name), expect(SYSTEMS, source=False, ids=True))
    yield Case("records by system (dict)", value(by_name), expect(SYSTEMS, source=False, ids=True))
    by_id = {IDS[i]: {"prediction": OUTPUTS["bart"][i], "reference": FIRST[i], "source": SOURCES[i]} for i in range(N)}
    yield Case("records by id (json)", json_file(by_id), expect(ids=True))
    yield Case("records by id (dict)", value(by_id), expect(ids=True))
    by_both = {IDS[i]: {"reference": FIRST[i], "outputs": {s: OUTPUTS[s][i] for s in SYSTEMS}} for i in range(N)}
    yield Case("systems by id (json)", json_file(by_both), expect(SYSTEMS, source=False, ids=True))
    lists = {"predictions": list(OUTPUTS["bart"]), "references": TWO_LISTS}
    both = replace(BOTH, sources=((),) * N)
    yield Case("predictions and lists of references (json)", json_file(lists), both)
    yield Case("predictions and lists of references (dict)", value(lists), both)
    streams = {"predictions": list(OUTPUTS["bart"]), "references": [list(FIRST), list(SECOND)]}
    yield Case("references as two streams (dict)", value(streams), both)
    yield Case("references as two streams (json)", json_file(streams), both)


def _list_repr(texts: list[str]) -> str:
    return repr(texts)


def _numpy_repr(texts: list[str]) -> str:
    return "[" + " ".join(map(repr, texts)) + "]"


def _numpy_lines(texts: list[str]) -> str:
    return "[" + "\n ".join(map(repr, texts)) + "]"


def _as_json(texts: list[str]) -> str:
    return json.dumps(texts, ensure_ascii=False)


def _bars(texts: list[str]) -> str:
    return " ||| ".join(texts)


CELLS: dict[str, Callable[[list[str]], str]] = {
    "JSON": _as_json,
    "ASCII JSON": json.dumps,
    "Python": _list_repr,
    "tuple": lambda texts: repr(tuple(texts)),
    "NumPy": _numpy_repr,
    "NumPy lines": _numpy_lines,
    "NumPy array": lambda texts: "array([" + ", ".join(map(repr, texts)) + "], dtype=object)",
    "bars": _bars,
    "tight bars": "|||".join,
}


def cell_cases() -> Iterator[Case]:
    """Several references in a cell: as a list that a program wrote, or between bars."""
    for name, spell in CELLS.items():
        for header in ("references", "reference", "refs", "ground_truths", "targets"):
            rows = [{**row, header: spell(both)} for row, both in zip(single("hyp", "", "src"), TWO_LISTS, strict=True)]
            styles = ("csv", "tsv", "quoted", "pandas") if header == "references" else ("csv",)
            for style in styles:
                yield Case(f"{name} in {header} ({style})", WAYS[style](rows), BOTH, remedy=_remedy(name))
        mixed = [spell(both) if n % 2 else both[0] for n, both in enumerate(TWO_LISTS)]
        rows = [{**row, "references": cell} for row, cell in zip(single("hyp", "", "src"), mixed, strict=True)]
        some = tuple(texts if n % 2 else texts[:1] for n, texts in enumerate(BOTH.references))
        yield Case(
            f"{name} and plain cells mixed", csv_file(rows), replace(BOTH, references=some), remedy=_remedy(name)
        )
        alone = [
            {**row, "references": spell([first])} for row, first in zip(single("hyp", "", "src"), FIRST, strict=True)
        ]
        if "bars" not in name:
            yield Case(f"{name} of one", csv_file(alone), expect(), remedy=_remedy(name))
        rows = [
            {**row, "contexts": spell(both)}
            for row, both in zip(single("answer", "ground_truth", "question"), TWO_LISTS, strict=True)
        ]
        yield Case(f"{name} in contexts", csv_file(rows), expect())


def _remedy(name: str) -> str:
    """Return what a refusal must say: lists without commas are no list, whatever the column is called."""
    return "comma" if name.startswith("NumPy") else "|||" if "bars" in name else "--columns"


def reference_list_cases() -> Iterator[Case]:
    """Several references in columns of their own, or in real lists."""
    for pair in split_names(
        "ref1 ref2;ref_1 ref_2;ref0 ref1;reference_1 reference_2;reference1 reference2;"
        "Reference 1 Reference 2;refA refB;ref_a ref_b;target_1 target_2;gold1 gold2;reference-1 reference-2;"
        "references.0 references.1;ref.1 ref.2;reference[0] reference[1];ref 1 ref 2;REF1 REF2"
    ):
        words = pair.split()
        first, second = words if len(words) == 2 else (" ".join(words[:2]), " ".join(words[2:]))
        rows = [{"src": SOURCES[i], first: FIRST[i], second: SECOND[i], "hyp": OUTPUTS["bart"][i]} for i in range(N)]
        yield Case(f"references {first!r} and {second!r} (csv)", csv_file(rows), BOTH)
        yield Case(f"references {first!r} and {second!r} (pandas)", pandas_frame(rows), BOTH)
    real = [
        {**row, "references": both} for row, both in zip(single("prediction", "", "source"), TWO_LISTS, strict=True)
    ]
    for name, make in (
        ("jsonl", jsonl_file(real)),
        ("json", json_file(real)),
        ("pandas", pandas_frame(real)),
        ("polars", polars_frame(real)),
        ("arrow", arrow_table(real)),
        ("parquet", parquet_file(real)),
        ("list", value(real)),
    ):
        yield Case(f"lists of references ({name})", make, BOTH)
    objects = [
        {**row, "references": [{"text": a}, {"text": b}]}
        for row, (a, b) in zip(single("prediction", ""), TWO_LISTS, strict=True)
    ]
    yield Case("references as objects (jsonl)", jsonl_file(objects), BOTH)
    mixed = [
        {**row, "references": both if n % 2 else both[0]}
        for n, (row, both) in enumerate(zip(single("prediction", ""), TWO_LISTS, strict=True))
    ]
    some = tuple(texts if n % 2 else texts[:1] for n, texts in enumerate(BOTH.references))
    yield Case("lists and texts mixed (jsonl)", jsonl_file(mixed), replace(BOTH, references=some))
    yield Case("lists and texts mixed (list)", value(mixed), replace(BOTH, references=some))
    numpy = [{**row, "references": both} for row, both in zip(single("prediction", ""), TWO_LISTS, strict=True)]
    yield Case("arrays of references (pandas)", lambda folder: _array_frame(numpy), BOTH)
    yield Case("arrays of references (to_csv)", lambda folder: _array_csv(numpy, folder), BOTH, remedy="comma")
    braces = [{**row, "prediction": f"[{row['prediction']}]"} for row in single()]
    bracketed = replace(expect(), outputs={"": tuple(f"[{text}]" for text in OUTPUTS["bart"])})
    yield Case("outputs in brackets (csv)", csv_file(braces), bracketed)
    listed = [{**row, "prediction": json.dumps([row["prediction"]], ensure_ascii=False)} for row in single()]
    outputs = {"": tuple(json.dumps([text], ensure_ascii=False) for text in OUTPUTS["bart"])}
    yield Case("outputs that look like lists (csv)", csv_file(listed), replace(expect(), outputs=outputs))
    barred = [{**row, "source": row["source"].replace(", ", " ||| ")} for row in single()]
    sources = tuple((text.replace(", ", " ||| "),) for text in SOURCES)
    yield Case("bars in sources (csv)", csv_file(barred), replace(expect(), sources=sources))


def _array_frame(rows: Rows) -> Any:
    import numpy as np
    import pandas as pd

    frame = pd.DataFrame(rows)
    frame["references"] = [np.array(texts, dtype=object) for texts in frame["references"]]
    return frame


def _array_csv(rows: Rows, folder: Any) -> Any:
    _array_frame(rows).to_csv(folder / "table.csv", index=False)
    return folder / "table.csv"


def lines_cases() -> Iterator[Case]:
    """Ratings inside records: lists of numbers, objects by rater, lists of objects."""
    two = ("bart", "t5")
    free = {"anna": None, "ben": None, "carla": None}

    def record(i: int, s: str) -> dict[str, Any]:
        return {"id": IDS[i], "system": s, "reference": FIRST[i], "output": OUTPUTS[s][i]}

    def make(rate: Callable[[int, str], dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**record(i, s), **rate(i, s)} for i in range(N) for s in two]

    def given(i: int, s: str, dimension: str = "fluency") -> list[int]:
        return [rating(i, s, r, dimension) for r in RATERS]

    unnamed = expect(two, source=False, ids=True, ratings=ratings(names=free), raters=3)
    named = expect(two, source=False, ids=True, ratings=ratings())
    anything = expect(two, source=False, ids=True, ratings=ratings(label={"fluency": ""}))
    nobody = expect(two, source=False, ids=True)
    shapes: tuple[tuple[str, Callable[[int, str], dict[str, Any]], Expected], ...] = (
        ("a list of ratings", lambda i, s: {"fluency": given(i, s)}, unnamed),
        ("ratings by dimension", lambda i, s: {"ratings": {"fluency": given(i, s)}}, unnamed),
        (
            "ratings by rater",
            lambda i, s: {"ratings": {r: {"fluency": rating(i, s, r, "fluency")} for r in RATERS}},
            named,
        ),
        (
            "ratings as records",
            lambda i, s: {"ratings": [{"rater": r, "fluency": rating(i, s, r, "fluency")} for r in RATERS]},
            named,
        ),
        (
            "annotations as records",
            lambda i, s: {"annotations": [{"annotator": r, "fluency": rating(i, s, r, "fluency")} for r in RATERS]},
            named,
        ),
        (
            "judgments in full",
            lambda i, s: {
                "judgments": [{"rater": r, "dimension": "fluency", "score": rating(i, s, r, "fluency")} for r in RATERS]
            },
            named,
        ),
        (
            "annotations with times",
            lambda i, s: {
                "annotations": [
                    {"worker_id": r, "fluency": rating(i, s, r, "fluency"), "lead_time": 12.5 + i, "attempt": 1 + i % 3}
                    for r in RATERS
                ]
            },
            named,
        ),
        (
            "expert annotations",
            lambda i, s: {"expert_annotations": [{"fluency": rating(i, s, r, "fluency")} for r in RATERS]},
            unnamed,
        ),
        (
            "one rating each",
            lambda i, s: {"annotations": [{"rater": r, "rating": rating(i, s, r, "fluency")} for r in RATERS]},
            anything,
        ),
        ("embeddings", lambda i, s: {"embedding": [0.1 * (i + k) for k in range(4)]}, nobody),
        ("token ids", lambda i, s: {"token_ids": [5 + i, 17, 3, 2]}, nobody),
        ("logprobs", lambda i, s: {"logprobs": [-0.1 * k - i / 10 for k in range(5)]}, nobody),
        ("bounding boxes", lambda i, s: {"spans": [{"start": i, "end": i + 4, "label": "PER"}]}, nobody),
        ("n-best scores", lambda i, s: {"beam_scores": [-0.3, -0.5 - i / 9, -0.8]}, nobody),
        ("steps with times", lambda i, s: {"steps": [{"name": "call", "seconds": 1.5 + i, "retries": i % 2}]}, nobody),
        ("retrieved passages", lambda i, s: {"retrieved": [{"doc": "a b c", "similarity": 0.5 + i / 20}]}, nobody),
        ("timings", lambda i, s: {"timings": {"total": 2.5 + i, "queue": 0.1}}, nobody),
        ("metrics by name", lambda i, s: {"metrics": {"rouge1": 0.31 + i / 50, "bleu": 12.5 + i}}, nobody),
    )
    for name, rate, expected in shapes:
        rows = make(rate)
        yield Case(f"{name} (jsonl)", jsonl_file(rows), expected)
        yield Case(f"{name} (list)", value(rows), expected)
        if name in ("a list of ratings", "embeddings", "token ids"):
            yield Case(f"{name} (parquet)", parquet_file(rows), expected)
            yield Case(f"{name} (polars)", polars_frame(rows), expected)
            yield Case(f"{name} (csv)", csv_file(rows), expected)
    yield Case(
        "lines of outputs as text",
        text_file("\n".join(OUTPUTS["bart"]) + "\n", "bart.txt"),
        expect(source=False, references=0),
        remedy="--refs",
    )
