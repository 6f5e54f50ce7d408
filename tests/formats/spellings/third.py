"""A third list: names in other words, raters in headers, lists in cells, shapes of JSON, columns beside a set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .canon import (
    DIMENSIONS,
    FIRST,
    IDS,
    OUTPUTS,
    RATERS,
    SECOND,
    SOURCES,
    SYSTEMS,
    Case,
    Expected,
    N,
    rating,
    split_names,
)
from .tables import (
    WAYS,
    Rows,
    csv_file,
    csv_text,
    expect,
    json_file,
    jsonl_file,
    long,
    rated,
    ratings,
    single,
    text_file,
    wide,
)

NAMES = tuple(WAYS)
OUTPUT = split_names(
    "hypo;sys_summ;summary_generated;model_generation;resp;assistant;Agent Answer;chatbot_reply;reply;"
    "system_answer;gen;generatedOutput;answer_text;beam_output;MT;mt_text;Machine Summary;auto_summary;"
    "candidate_1;extracted;Ausgabe;rewrite;hypothesis_translation;output_0;sys_translation;gpt4_output;gpt-4;"
    "my_model;bart-base;target_mt;translated;pred_str;hyp.txt;MODEL OUTPUT ;modelAnswer;Model's answer;"
    "Output (final);raw_output;clean_output"
)
REFERENCE = split_names(
    "ref_1;ref0;reference_0;gold_std;Gold Standard Summary;human_ref;expert_answer;annotated_summary;ref_sent;"
    "post_edited;pe;abstract;tgt_sent;correct_output;desired_output;expected_result;truth_text;solution;"
    "label_text;gold_label_text;Musterlösung;référence;refs_list;ref (human);answer_key;canonical_answer;"
    "ref_de;target_de;human;teacher_summary;REFERENCE_1;GoldAnswer;oracle_summary;correct;actual_summary"
)
SOURCE = split_names(
    "src_sent;source_doc;source_article;context_text;raw_text;content;news;post;review;utterance;Ausgangstext;"
    "source_en;full_article;claim;Original Text;long_text;article_body;problem;user;conversation;chat;"
    "prompt_text;source text (EN);Question text;original_text_en;text_to_summarize"
)
ID = split_names(
    "seg_no;sentId;SegmentNumber;doc-id;rowid;example index;_id;pk;test case;instance;utt_id;pmid;hash_id;"
    "Item No.;num;number;Nr.;Lfd. Nr.;EXAMPLE_ID;ID ;image_id;url;filename"
)
SYSTEM = split_names(
    "sysname;system_label;model_version;bot;agent;vendor;architecture;config;decoder;arm;candidate;"
    "output_system;MT engine;translator_name;who;name;group;run;version;strategy;llm_name;hypothesis_system;"
    "model/name;generated_by;produced by;author"
)
RATER = split_names(
    "scorer;marker;rater code;rated-by;ratedBy;labeller;judge#;judge_no;evaluator name;annotator initials;"
    "initials;mturk_worker;Bewerter;student;evaluated_by;scored_by;created_by;annotator_email;email;who;person;"
    "name;rater_index;ann_id;anno;assessor no"
)
RATING = split_names(
    "Fluency_rating_1to5;fluency [1-5];flu;Fluency?;Score: fluency;How fluent is the text?;fluency_label;"
    "rating.fluency;ratings/fluency;HumanFluency;Q1: Fluency;Q1;mos;expert_rating;Bewertung;Note;points;"
    "overall_quality_rating;SCORE;Sterne"
)
NAMED_RATERS = split_names(
    "{w}_{d};{W}: {d};{d}/{w};{d}[{w}];{D} {W};{d}@{w};{w}'s {d};{d} by {w};{w}.{d};{d}|{w};ratings.{w}.{d};"
    "rater={w} {d};{d}__{w}"
)
NUMBERED_RATERS = split_names(
    "rater_{n}_{d};{d} (rater {n});A{n}_{d};{d}.r{n};annotator{n}_{d};rater {n}: {d};{d}-annotator-{n};"
    "r{n}.{d};human_{n}_{d};{d}_h{n};expert{n}_{d};{d}_expert_{n};{d}_rater{L};{d}_{L}"
)
RATERS_ALONE = split_names(
    "R{n};Rater {n};rater{L};judge_{n};Evaluator {n};rating {L};score{n};a{n};h{n};label_{n};{W}"
)
LISTS: dict[str, Callable[[str, str], str]] = {
    "JSON": lambda a, b: json.dumps([a, b]),
    "Python": lambda a, b: repr([a, b]),
    "a tuple": lambda a, b: repr((a, b)),
    "a set": lambda a, b: f"{{{a!r}, {b!r}}}",
    "PostgreSQL": lambda a, b: f"{{{json.dumps(a)},{json.dumps(b)}}}",
    "bars": lambda a, b: f"{a} ||| {b}",
    "objects": lambda a, b: json.dumps([{"text": a}, {"text": b}]),
    "twice encoded": lambda a, b: json.dumps(json.dumps([a, b])),
    "lines": lambda a, b: json.dumps([a, b], indent=2),
}
BROKEN: dict[str, Callable[[str, str], str]] = {
    "nested": lambda a, b: json.dumps([[a], [b]]),
    "bare": lambda a, b: f"[{a}, {b}]",
    "NumPy": lambda a, b: f"[{a!r}\n {b!r}]",
}
NUMBERS: dict[str, Callable[[int], float]] = {
    "num_annotations": lambda n: 3,
    "char_ratio": lambda n: 0.3 + n % 4 * 0.2,
    "readability_index": lambda n: 41.5 + n % 9,
    "fk_grade": lambda n: 8.1,
    "helpful_votes": lambda n: n % 4,
    "upvotes": lambda n: n % 5,
    "likes": lambda n: n % 6,
    "shares": lambda n: n % 4,
    "reading_level": lambda n: 8 + n % 3,
    "ratings_count": lambda n: 3,
    "coverage_pct": lambda n: 10 * (n % 9),
    "fluency_threshold": lambda n: 3,
    "quality_threshold": lambda n: 0.5,
    "style_id": lambda n: n % 3,
    "expert_age": lambda n: 30 + n % 5,
    "judge_temperature": lambda n: 0.7,
}


def _prose(number: int) -> str:
    return f"A sentence of {number} words about something else, or so."


TEXTS: dict[str, Callable[[int], str]] = {
    **dict.fromkeys(
        split_names(
            "search_query;retrieved;evidence_text;critique;chain_of_thought;scratchpad;followup;why;prev_sentence;"
            "next_sentence;background;persona;docstring;alt_text;judge_reason;source_tokenized"
        ),
        _prose,
    ),
    "translation_direction": lambda n: "en-de",
    "response_format": lambda n: "json",
    "output_type": lambda n: "text",
    "reference_author": lambda n: "Mia Brandt",
    "source_file": lambda n: f"/x/y{n}.txt",
    "sentiment": lambda n: ("pos", "neg")[n % 2],
    "doi": lambda n: f"10.1000/xyz{n}",
    "reviewed": lambda n: ("yes", "no")[n % 2],
}
ONE, ALL = expect(ids=True), expect(SYSTEMS, ids=True)
JUDGED = expect(("bart", "t5"), source=False, ids=True, ratings=ratings())
BOTH = expect(("bart", "t5"), source=False, ids=True, ratings=ratings(dimensions=DIMENSIONS))
NOBODY: dict[str, str | None] = dict.fromkeys(RATERS)
UNNAMED = expect(
    ("bart", "t5"), source=False, ids=True, ratings=ratings(label={"fluency": ""}, names=NOBODY), raters=len(RATERS)
)


def _write(number: int, rows: Rows) -> Any:
    return WAYS[NAMES[number % len(NAMES)]](rows)


def name_cases() -> Iterator[Case]:
    """Names of what a table needs."""
    for k, name in enumerate(OUTPUT):
        yield Case(f"output {name!r}", _write(k, single(name, id="id")), ONE)
    for k, name in enumerate(REFERENCE):
        yield Case(f"reference {name!r}", _write(k + 3, single(reference=name, id="id")), ONE)
    for k, name in enumerate(SOURCE):
        yield Case(f"source {name!r}", _write(k + 6, single(source=name, id="id")), ONE)
    for k, name in enumerate(ID):
        yield Case(f"id {name!r}", _write(k + 9, long(id=name)), ALL)
    for k, name in enumerate(SYSTEM):
        yield Case(f"system {name!r}", _write(k + 1, long(system=name)), ALL)
    for k, name in enumerate(RATER):
        yield Case(f"rater {name!r}", _write(k + 4, rated(rater=name)), JUDGED)
    any_dimension = expect(("bart", "t5"), source=False, ids=True, ratings=ratings(label={"fluency": ""}))
    for k, name in enumerate(RATING):
        yield Case(f"rating {name!r}", _write(k + 5, rated(dimensions={"fluency": name})), any_dimension)


def _in_columns(template: str, dimensions: tuple[str, ...]) -> Rows:
    """Return a row for each output, with a column for each rater and dimension."""
    heads = {
        template.format(d=d, D=d.capitalize(), w=w, W=w.capitalize(), n=n, L="ABC"[n - 1]): (d, w)
        for d in dimensions
        for n, w in enumerate(RATERS, 1)
    }
    return [
        {"id": IDS[i], "system": s, "reference": FIRST[i], "output": OUTPUTS[s][i]}
        | {head: rating(i, s, w, d) for head, (d, w) in heads.items()}
        for i in range(N)
        for s in ("bart", "t5")
    ]


def header_cases() -> Iterator[Case]:
    """Raters in headers, and systems in headers of ratings."""
    numbered = expect(
        ("bart", "t5"), source=False, ids=True, ratings=ratings(dimensions=DIMENSIONS, names=NOBODY), raters=len(RATERS)
    )
    for k, template in enumerate(NAMED_RATERS):
        yield Case(f"headers {template!r}", _write(k, _in_columns(template, DIMENSIONS)), BOTH)
    for k, template in enumerate(NUMBERED_RATERS):
        yield Case(f"headers {template!r}", _write(k + 2, _in_columns(template, DIMENSIONS)), numbered)
    for k, template in enumerate(RATERS_ALONE):
        yield Case(f"headers {template!r}", _write(k + 4, _in_columns(template, ("fluency",))), UNNAMED)
    letters = {"bart": "A", "t5": "B"}
    judged = [
        r._replace(system=letters[r.system]) for r in ratings(raters=RATERS[:1], dimensions=DIMENSIONS, names=NOBODY)
    ]
    expected = expect(("bart", "t5"), names=letters, source=False, ids=True, ratings=judged, raters=1)
    for template in ("{s}_{d}", "{d}_{s}", "{d} ({s})", "{s}: {d}", "{s}{D}"):
        rows = wide(letters)
        for i, row in enumerate(rows):
            for d in DIMENSIONS:
                row |= {
                    template.format(s=letters[s], d=d, D=d.capitalize()): rating(i, s, "anna", d)
                    for s in ("bart", "t5")
                }
        yield Case(f"systems of one letter, headers {template!r}", csv_file(rows), expected)


def cell_cases() -> Iterator[Case]:
    """Lists of references in the cells of every kind of table, and cells that look like lists and are none."""

    def rows(write: Callable[[str, str], str]) -> Rows:
        return [
            {"id": IDS[i], "source": SOURCES[i], "references": write(FIRST[i], SECOND[i]), "output": OUTPUTS["bart"][i]}
            for i in range(N)
        ]

    two = expect(ids=True, references=2)
    for style in ("csv", "tsv", "jsonl", "xlsx", "parquet", "pandas", "polars", "arrow"):
        for name, write in LISTS.items():
            yield Case(f"{name} in {style}", WAYS[style](rows(write)), two)
        for name, write in BROKEN.items():
            yield Case(f"{name} in {style}", WAYS[style](rows(write)), two, remedy="JSON")
    for name, write in (("an object", lambda a, b: json.dumps({"a": a})), ("a note", lambda a, b: f"[sic] {a}")):
        one = Expected(
            {"": OUTPUTS["bart"]},
            references=tuple((write(a, b),) for a, b in zip(FIRST, SECOND, strict=True)),
            sources=tuple((text,) for text in SOURCES),
            ids=IDS,
        )
        for style in ("csv", "parquet", "pandas"):
            yield Case(f"{name} is a text in {style}", WAYS[style](rows(write)), one)
    table = [list(long()[0]), *(list(map(str, row.values())) for row in long())]
    cells = ([f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in table)
    yield Case("blanks after commas", text_file("".join(f"{', '.join(row)}\n" for row in cells), "table.csv"), ALL)
    bare = csv_text(long()).split("\n", 1)[1]
    yield Case("no header", text_file(bare, "table.csv"), ALL, remedy="is its first line the header")


def shape_cases() -> Iterator[Case]:
    """Shapes of JSON: texts by system, and ratings in objects and lists."""

    def items(**others: Callable[[int], Any]) -> Rows:
        return [
            {"id": IDS[i], "source": SOURCES[i], "reference": FIRST[i], **{k: make(i) for k, make in others.items()}}
            for i in range(N)
        ]

    def by_system(i: int) -> dict[str, str]:
        return {s: OUTPUTS[s][i] for s in SYSTEMS}

    for key in split_names("outputs;models;summaries;predictions;answers;translations"):
        yield Case(f"{key} by system", json_file(items(**{key: by_system})), ALL)
        yield Case(f"{key} by system, lines", jsonl_file(items(**{key: by_system})), ALL)
    data: Rows = [
        {"id": IDS[i], "data": {"src": SOURCES[i], "ref": FIRST[i], "mt": OUTPUTS["bart"][i]}} for i in range(N)
    ]
    yield Case("an item in an object", jsonl_file(data), ONE)

    def judged(key: str, make: Callable[[int, str], Any]) -> Rows:
        return [
            {"id": IDS[i], "reference": FIRST[i], "system": s, "output": OUTPUTS[s][i], key: make(i, s)}
            for i in range(N)
            for s in ("bart", "t5")
        ]

    def values(i: int, s: str, w: str) -> dict[str, int]:
        return {d: rating(i, s, w, d) for d in DIMENSIONS}

    nested: dict[str, tuple[str, Callable[[int, str], Any]]] = {
        "by rater": ("annotations", lambda i, s: {w: values(i, s, w) for w in RATERS}),
        "by dimension": ("ratings", lambda i, s: {d: {w: rating(i, s, w, d) for w in RATERS} for d in DIMENSIONS}),
        "user and values": ("ratings", lambda i, s: [{"user": w, "values": values(i, s, w)} for w in RATERS]),
        "evaluator and scores": (
            "evaluations",
            lambda i, s: [{"evaluator": w, "scores": values(i, s, w)} for w in RATERS],
        ),
        "labels": ("labels", lambda i, s: [{"annotator_id": w, **values(i, s, w), "comment": "ok"} for w in RATERS]),
        "with times": ("human_evaluation", lambda i, s: [{"judge": w, **values(i, s, w), "time": 31} for w in RATERS]),
    }
    for name, (key, make) in nested.items():
        yield Case(f"ratings {name}", jsonl_file(judged(key, make)), BOTH)

    def pair(i: int) -> dict[str, str]:
        return {s: OUTPUTS[s][i] for s in ("bart", "t5")}

    whole: dict[str, tuple[str, Callable[[int], Any]]] = {
        "system, rater": ("ratings", lambda i: {s: {w: values(i, s, w) for w in RATERS} for s in ("bart", "t5")}),
        "rater, system": ("ratings", lambda i: {w: {s: values(i, s, w) for s in ("bart", "t5")} for w in RATERS}),
        "list of raters, scores by system": (
            "annotations",
            lambda i: [{"annotator": w, "scores": {s: values(i, s, w) for s in ("bart", "t5")}} for w in RATERS],
        ),
    }
    expected = expect(("bart", "t5"), ids=True, ratings=ratings(dimensions=DIMENSIONS))
    for name, (key, make_all) in whole.items():
        yield Case(f"ratings by {name}", jsonl_file(items(outputs=pair, **{key: make_all})), expected)


def beside_cases() -> Iterator[Case]:
    """Numbers and texts beside a set, in each kind of table: none is a rating, none a system."""
    columns = {system: system for system in SYSTEMS}
    wide_set = expect(SYSTEMS, source=False, ids=True)
    for k, (header, value) in enumerate({**NUMBERS, **TEXTS}.items()):
        tables: dict[str, tuple[Rows, Expected]] = {
            "single": (single("output", id="id"), ONE),
            "rated": (rated(), JUDGED),
            "long": (long(), ALL),
            "wide": (wide(columns), wide_set),
        }
        for shape, (rows, expected) in tables.items():
            yield Case(
                f"{header} in {shape}", _write(k, [{**row, header: value(n)} for n, row in enumerate(rows)]), expected
            )
    summaries = [{**row, "summary": _prose(n)} for n, row in enumerate(wide(columns))]
    yield Case("a summary next to a column for each system", csv_file(summaries), wide_set)


def _folder(folder: Path, **tables: str) -> list[Path]:
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    return [folder / f"{name}.csv" for name in tables]


def run_cases() -> Iterator[Case]:
    """A file for each system, with rows in another order, and references in one of them."""
    names = {s: s for s in ("bart", "t5")}
    expected = expect(("bart", "t5"), names=names, ids=True)
    rows = {s: single("prediction", id="id", system=s) for s in names}
    turned = {**rows, "t5": rows["t5"][::-1]}
    bare = {**rows, "t5": [{"id": row["id"], "hyp": row["prediction"]} for row in rows["t5"]]}
    for title, tables in (("alike", rows), ("another order", turned), ("references in one", bare)):
        texts = {s: csv_text(own) for s, own in tables.items()}
        yield Case(f"two files, {title}", lambda folder, texts=texts: _folder(folder, **texts), expected)
