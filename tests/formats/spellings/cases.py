"""All cases, in groups."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from . import dialects, judged, names, nesting, noise, second, third, tools
from .canon import Case, Verdict, judge

GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "names of outputs": names.output_cases,
    "names of references": names.reference_cases,
    "names of sources": names.source_cases,
    "names of ids": names.id_cases,
    "names of systems": names.system_cases,
    "names of raters": names.rater_cases,
    "names of ratings": names.dimension_cases,
    "columns of systems": names.wide_cases,
    "numbers that are not ratings": noise.number_cases,
    "texts that are not outputs": noise.text_cases,
    "dialects of CSV": dialects.dialect_cases,
    "kinds of files and objects": dialects.way_cases,
    "quotes and tabs": dialects.tsv_cases,
    "pandas and polars": dialects.pandas_cases,
    "orders": dialects.order_cases,
    "missing cells": dialects.missing_cases,
    "values of ids": dialects.id_value_cases,
    "records that change": dialects.changing_cases,
    "nested JSON": nesting.nested_cases,
    "lists by system": nesting.by_system_cases,
    "lists in cells": nesting.cell_cases,
    "several references": nesting.reference_list_cases,
    "ratings in records": nesting.lines_cases,
    "raters in headers": judged.rater_column_cases,
    "numbered raters": judged.numbered_column_cases,
    "statistics of ratings": judged.statistic_cases,
    "long ratings": judged.long_rating_cases,
    "ratings by system": judged.wide_rating_cases,
    "scales": judged.scale_cases,
    "values of raters": judged.rater_value_cases,
    "what the user says": judged.off_cases,
    "headers of programs": tools.tool_cases,
    "second list: names": second.name_cases,
    "second list: orders": second.order_cases,
    "second list: files": second.file_cases,
    "second list: references": second.reference_cases,
    "second list: shapes": second.shape_cases,
    "second list: metadata": second.metadata_cases,
    "second list: judgments": second.judged_cases,
    "third list: names": third.name_cases,
    "third list: headers": third.header_cases,
    "third list: cells": third.cell_cases,
    "third list: shapes": third.shape_cases,
    "third list: beside": third.beside_cases,
    "third list: runs": third.run_cases,
}


def judge_group(group: str) -> dict[str, Verdict]:
    """Return the verdict on each case of a group, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        return {case.name: judge(case, Path(folder, str(number))) for number, case in enumerate(GROUPS[group]())}


KNOWN = Path(__file__).with_name("known.txt")  # cases that fail, one a line; `python tests/formats/spellings --write`


def judge_all() -> dict[str, Verdict]:
    """Return the verdict on every case, by group and name."""
    return {f"{group}: {name}": verdict for group in GROUPS for name, verdict in judge_group(group).items()}


def list_failures(verdicts: dict[str, Verdict]) -> list[str]:
    """Return the cases that are misread, or refused without a line that works."""
    return [name for name, verdict in verdicts.items() if verdict.word in ("misread", "stuck")]
