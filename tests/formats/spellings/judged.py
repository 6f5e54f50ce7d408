"""Cases by how ratings are laid out in tables: a column per rater or dimension or both, long, next to systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .canon import DIMENSIONS, FIRST, IDS, OUTPUTS, RATERS, SYSTEMS, Case, N, Rated, rating, split_names
from .tables import WAYS, Row, Rows, csv_file, expect, ratings, way

TWO = ("bart", "t5")
RATER_HEADERS = split_names(
    "{d}_{r};{r}_{d};{d} ({r});{d}({r});{d}.{r};{r}.{d};{d}:{r};{d} {r};{d}-{r};{D}_{R};{d}[{r}];{r}: {d};"
    "{d}/{r};{d}_by_{r}"
)
NUMBERED_HEADERS = split_names(
    "{d}_{n};{d}{n};{d} {n};{d}_rater{n};{d}_annotator_{n};rater{n}_{d};annotator_{n}_{d};{d}_r{n};"
    "{d} - Rater {n};r{n}_{d};{d}_judge{n};A{n}_{d};{d}.{n};{d} (rater {n})"
)
PER_RATER = split_names(
    "rater1;rater_1;annotator1;Annotator 1;judge_1;rater 1;rating_1;score1;rating1;R1;expert_1;worker1;anno1;Rater A"
)


def _base(i: int, s: str) -> Row:
    return {"id": IDS[i], "system": s, "reference": FIRST[i], "output": OUTPUTS[s][i]}


def rater_column_cases() -> Iterator[Case]:
    """A column for each rater, who is named in the header."""
    for number, template in enumerate(RATER_HEADERS):
        for dimensions in (DIMENSIONS[:1], DIMENSIONS):
            style, write = way(number)
            rows = [
                {**_base(i, s), **{_header(template, d, r): rating(i, s, r, d) for d in dimensions for r in RATERS}}
                for i in range(N)
                for s in TWO
            ]
            expected = expect(TWO, source=False, ids=True, ratings=ratings(dimensions=dimensions))
            yield Case(f"{template!r}, {len(dimensions)} dimensions ({style})", write(rows), expected)


def _header(template: str, dimension: str, rater: str) -> str:
    return template.format(d=dimension, r=rater, D=dimension.title(), R=rater.title(), n=RATERS.index(rater) + 1)


def numbered_column_cases() -> Iterator[Case]:
    """A column for each rater, who has a number."""
    free = dict.fromkeys(RATERS)
    for number, template in enumerate(NUMBERED_HEADERS):
        for dimensions in (DIMENSIONS[:1], DIMENSIONS):
            style, write = way(number)
            rows = [
                {**_base(i, s), **{_header(template, d, r): rating(i, s, r, d) for d in dimensions for r in RATERS}}
                for i in range(N)
                for s in TWO
            ]
            judged = ratings(dimensions=dimensions, names=free)
            expected = expect(TWO, source=False, ids=True, ratings=judged, raters=3)
            yield Case(f"{template!r}, {len(dimensions)} dimensions ({style})", write(rows), expected)
    for number, first in enumerate(PER_RATER):
        style, write = way(number)
        headers = [first, first.replace("1", "2").replace(" A", " B"), first.replace("1", "3").replace(" A", " C")]
        rows = [
            {**_base(i, s), **{h: rating(i, s, r, "fluency") for h, r in zip(headers, RATERS, strict=True)}}
            for i in range(N)
            for s in TWO
        ]
        judged = ratings(names=free, label={"fluency": ""})
        expected = expect(TWO, source=False, ids=True, ratings=judged, raters=3)
        yield Case(f"columns {headers} ({style})", write(rows), expected)


def statistic_cases() -> Iterator[Case]:
    """A mean with its spread and number: the mean is a rating, the others are not."""
    for number, (mean, std, count, time) in enumerate(
        (
            ("fluency", "fluency_std", "fluency_n", "fluency_time"),
            ("fluency_mean", "fluency_std", "fluency_n", "fluency_time"),
            ("mean_fluency", "std_fluency", "n_fluency", "time_fluency"),
            ("Fluency (mean)", "Fluency (sd)", "Fluency (n)", "Fluency (time)"),
            ("avg_fluency", "var_fluency", "num_fluency", "seconds_fluency"),
            ("fluency", "fluency_stderr", "fluency_count", "fluency_duration"),
            ("fluency", "fluency_ci_low", "fluency_num_ratings", "fluency_ms"),
            ("fluency", "fluency_se", "n_raters", "fluency_seconds"),
        )
    ):
        style, write = way(number)
        rows: Rows = []
        judged = []
        for i in range(N):
            for s in TWO:
                own = sum(rating(i, s, r, "fluency") for r in RATERS) / 3
                rows.append({**_base(i, s), mean: own, std: 0.4 + i * 3 % 5 / 10, count: 3 + i % 2, time: 31 + 7 * i})
                judged.append(Rated(i, s, None, "fluency", own))
        expected = expect(TWO, source=False, ids=True, ratings=judged, raters=1)
        yield Case(f"{mean}, {std}, {count}, {time} ({style})", write(rows), expected)


def long_rating_cases() -> Iterator[Case]:
    """A row for each rating, with the dimension in a column."""
    for number, (dimension, score) in enumerate(
        (
            ("dimension", "score"),
            ("criterion", "rating"),
            ("aspect", "value"),
            ("Dimension", "Score"),
            ("criteria", "rating"),
            ("question", "answer_score"),
            ("metric", "score"),
            ("category", "rating"),
            ("quality_dimension", "likert"),
            ("attribute", "rating"),
        )
    ):
        for style in ("csv", "jsonl", "pandas"):
            rows = [
                {**_base(i, s), "rater": r, dimension: d, score: rating(i, s, r, d)}
                for i in range(N)
                for s in TWO
                for r in RATERS
                for d in DIMENSIONS
            ]
            expected = expect(TWO, source=False, ids=True, ratings=ratings(dimensions=DIMENSIONS))
            yield Case(f"long ratings {dimension!r} {score!r} ({style}, {number})", WAYS[style](rows), expected)


def wide_rating_cases() -> Iterator[Case]:
    """Columns per system with ratings next to them."""
    for number, template in enumerate(
        split_names(
            "{s}_{d};{d}_{s};{d} ({s});{s} {d};{d}.{s};{s}.{d};rating_{s};{s}_rating;{s}_score;{s}_{d}_{r};{d}_{s}_{r}"
        )
    ):
        style, write = way(number)
        raters = RATERS if "{r}" in template else RATERS[:1]
        rows = []
        for i in range(N):
            row: dict[str, Any] = {"id": IDS[i], "reference": FIRST[i], **{s: OUTPUTS[s][i] for s in SYSTEMS}}
            row |= {template.format(s=s, d="fluency", r=r): rating(i, s, r, "fluency") for s in SYSTEMS for r in raters}
            rows.append(row)
        names = {} if "{r}" in template else {"anna": None}
        label = {} if "{d}" in template else {"fluency": ""}
        judged = ratings(SYSTEMS, raters, names=names, label=label)
        expected = expect(SYSTEMS, source=False, ids=True, ratings=judged, raters=len(raters))
        yield Case(f"wide ratings {template!r} ({style})", write(rows), expected)


def scale_cases() -> Iterator[Case]:
    """Ratings on other scales than one to five."""
    scales: dict[str, list[float]] = {
        "0 and 1": [0, 1, 1, 0, 1],
        "halves": [1.5, 3, 4.5, 2, 3.5],
        "0 to 100": [12, 77, 45, 90, 63, 31, 58],
        "-2 to 2": [-2, 0, 1, 2, -1],
        "1 to 7": [7, 3, 5, 1, 6],
        "0 to 10": [10, 4, 7, 0, 9],
        "DA, z": [-0.731, 0.42, 1.205, -1.4, 0.033],
        "quarters": [0.25, 0.5, 1, 0.75, 0],
        "as texts": [4, 5, 2, 3, 1],
        "floats": [4.0, 5.0, 2.0, 3.0, 1.0],
        "decimal commas": [4.5, 5.0, 2.5, 3.0, 1.5],
    }
    for name, values in scales.items():
        rows: Rows = []
        judged = []
        for i in range(N):
            for s in TWO:
                for r in RATERS:
                    score = values[(len(rows) * 3 + len(rows) // 5) % len(values)]
                    cell: Any = str(int(score)) if name == "as texts" else score
                    cell = f"{score:.1f}".replace(".", ",") if name == "decimal commas" else cell
                    rows.append({**_base(i, s), "rater": r, "adequacy": cell})
                    judged.append(Rated(i, s, r, "adequacy", score))
        expected = expect(TWO, source=False, ids=True, ratings=judged)
        for style in ("semicolon",) if name == "decimal commas" else ("csv", "jsonl", "pandas"):
            yield Case(f"scale {name} ({style})", WAYS[style](rows), expected)


def rater_value_cases() -> Iterator[Case]:
    """Raters under names of many kinds."""
    kinds: dict[str, list[Any]] = {
        "numbers": [1, 2, 3],
        "from 0": [0, 1, 2],
        "codes": ["A1B2C3D4E5F6", "A9Z8Y7X6W5V4", "AQ1W2E3R4T5Y"],
        "addresses": ["anna@example.org", "ben@example.org", "carla@example.org"],
        "full names": ["Anna Meyer", "Ben Özil", "Carla Rossi"],
        "letters": ["A", "B", "C"],
        "hashes": ["5f2b9c1e", "a07d44e2", "c9914b0d"],
    }
    for name, people in kinds.items():
        for style in ("csv", "jsonl", "pandas", "semicolon"):
            rows = [
                {**_base(i, s), "annotator": who, "fluency": rating(i, s, r, "fluency")}
                for i in range(N)
                for s in TWO
                for r, who in zip(RATERS, people, strict=True)
            ]
            own = {r: str(who) for r, who in zip(RATERS, people, strict=True)}
            expected = expect(TWO, source=False, ids=True, ratings=ratings(names=own))
            yield Case(f"raters as {name} ({style})", WAYS[style](rows), expected)


def off_cases() -> Iterator[Case]:
    """What the user says about ratings wins."""
    rows = [
        {**_base(i, s), "fluency": rating(i, s, "anna", "fluency"), "latency": 3 + i % 3} for i in range(N) for s in TWO
    ]
    nobody = expect(TWO, source=False, ids=True)
    yield Case("score=none (csv)", csv_file(rows), nobody, {"columns": {"score": "none"}})
    judged = [Rated(i, s, None, "latency", 3 + i % 3) for i in range(N) for s in TWO]
    chosen = expect(TWO, source=False, ids=True, ratings=judged, raters=1)
    yield Case("score=latency (csv)", csv_file(rows), chosen, {"columns": {"score": "latency"}})
