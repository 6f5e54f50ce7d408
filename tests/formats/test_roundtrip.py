"""Random evaluation sets through every format and back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import formats
from assay.data.evalset import EvalSet, Item, Judgment, Reference
from assay.errors import FormatError

slow = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

# Any Unicode but surrogates, which are no characters.
any_text = st.text(st.characters(codec="utf-8"), max_size=12)
# What CSV can hold: no NUL; and a name must not be empty there.
csv_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
csv_name = csv_text.filter(bool)
line_text = st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r"), max_size=12)
file_name = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
msr_text = st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r\t|"), max_size=12)

plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text
)
json_value = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=4,
)
KEYS = {"id", "group", "source", "sources", "references", "outputs", "judgments"}
extras = st.dictionaries(any_text.filter(lambda key: key not in KEYS), json_value, max_size=2)
scores = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def full_sets(draw: st.DrawFn, text: st.SearchStrategy[str], name: st.SearchStrategy[str]) -> EvalSet:
    """Sets with everything an item can have."""
    systems = draw(st.lists(name, min_size=1, max_size=3, unique=True))
    kinds = st.sampled_from([None, "human", "llm", "metric"])
    one = st.builds(Judgment, st.sampled_from(systems), name, name, scores, st.integers(1, 3), kinds)
    judgments = st.lists(one, max_size=3, unique_by=lambda j: (j.system, j.rater, j.dimension, j.occasion))
    item = st.builds(
        Item,
        name,
        st.lists(
            st.builds(Reference, text, st.none() | name, st.just(())), max_size=3, unique_by=lambda r: r.id or r.text
        ).map(tuple),
        st.fixed_dictionaries(dict.fromkeys(systems, text)),
        st.lists(text, max_size=2).map(tuple),
        st.none() | name,
        judgments.map(tuple),
        extras,
    )
    return EvalSet(draw(st.lists(item, min_size=1, max_size=4, unique_by=lambda i: i.id)))


@st.composite
def plain_sets(draw: st.DrawFn, text: st.SearchStrategy[str], name: st.SearchStrategy[str], equal: bool) -> EvalSet:
    """Sets that one table can hold; if `equal`, all items have as many references, as line-aligned files want."""
    systems = draw(st.lists(name, min_size=1, max_size=3, unique=True))
    least, most, sources = draw(st.sampled_from([(0, 0, 0), (1, 1, 1), (0, 3, 1), (2, 2, 0)]))
    references = st.lists(text.map(Reference), min_size=most if equal else least, max_size=most)
    outputs = st.fixed_dictionaries(dict.fromkeys(systems, text))
    item = st.builds(
        Item,
        text if equal else name,
        references.map(tuple),
        outputs,
        st.lists(text, min_size=sources, max_size=sources).map(tuple),
    )
    return EvalSet(draw(st.lists(item, min_size=1, max_size=4, unique_by=lambda i: i.id)))


def through(data: EvalSet, name: str, format: str | None = None) -> EvalSet:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        formats.write(data, path, format=format)
        whole = formats.read(path, format=format)
        assert list(formats.stream(path, format=format, batch=2).entries()) == list(whole)
        return whole


@slow
@given(full_sets(any_text, any_text))
@pytest.mark.parametrize(("name", "format"), [("x.jsonl", None), ("x.jsonl.gz", None), ("x", "parquet")])
def test_everything(name: str, format: str | None, data: EvalSet) -> None:
    assert through(data, name, format) == data


@slow
@given(full_sets(csv_text, csv_name))
def test_folders_of_csv(data: EvalSet) -> None:
    assert through(data, "x", "csv") == data


@slow
@given(plain_sets(csv_text, csv_name, equal=False))
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz", "x.parquet"])
def test_single_tables(name: str, data: EvalSet) -> None:
    assert through(data, name) == data


@slow
@given(plain_sets(line_text, file_name, equal=True))
def test_lines(data: EvalSet) -> None:
    try:
        assert through(data, "x", "lines") == data
    except FormatError as error:
        assert "File name too long" in str(error)  # noqa: PT017


@st.composite
def rated_sets(draw: st.DrawFn) -> EvalSet:
    """Compressions by numbered workers, each with ratings."""
    items = []
    for id in draw(st.lists(msr_text, min_size=1, max_size=3, unique=True)):
        texts = draw(st.dictionaries(st.integers(0, 400).map(str), msr_text, max_size=3))
        judgments = []
        for worker in texts:
            for k, (meaning, grammar) in enumerate(draw(st.lists(st.tuples(*[st.integers(1, 3)] * 2), max_size=3)), 1):
                judgments.append(Judgment(worker, f"rater{k}", "meaning", float(meaning)))
                judgments.append(Judgment(worker, f"rater{k}", "grammar", float(grammar)))
        references = tuple(Reference(text, worker) for worker, text in texts.items())
        group = draw(msr_text) or None
        items.append(Item(id, references, texts, (draw(msr_text),), group, tuple(judgments)))
    return EvalSet(items)


@slow
@given(rated_sets())
def test_msr(data: EvalSet) -> None:
    assert through(data, "x.tsv", "msr") == data
