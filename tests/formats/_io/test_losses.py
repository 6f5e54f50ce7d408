"""Nothing is lost in silence: what a format cannot hold is named by it, refused by it, or comes back as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from assay import EvalSet, Item, Judgment, Reference
from assay.data.item import TextAlternative
from assay.errors import AssayError
from assay.formats import FORMATS, PARTS, Format, drop_parts, find_losses, read, write
from assay.formats._io.format import ReadOnlyFormat

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
SAMPLES = Path(__file__).parents[1] / "samples"
PLAIN = [Item(str(i), (Reference(f"one {i}"),), {"A": f"a {i}", "B": f"b {i}"}, (f"source {i}",)) for i in (1, 2, 3)]
RATED = [replace(item, judgments=(Judgment("A", "ann", "d", 1.0), Judgment("B", "ann", "d", 2.0))) for item in PLAIN]
COMPRESSED = [Item("1", (Reference("a b", "7"),), {"7": "a b"}, ("a b c",), "news")]


def change_judgments(item: Item, **changes: Any) -> Item:
    return replace(item, judgments=tuple(judgment._replace(**changes) for judgment in item.judgments))


# What a set may also have: the name, and the item with it.
ADDITIONS: dict[str, Callable[[Item], Item]] = {
    "nothing": lambda item: item,
    "judgments": lambda item: replace(item, judgments=(Judgment(next(iter(item.outputs)), "ann", "d", 1.0),)),
    "occasions": lambda item: replace(
        item, judgments=(*item.judgments, *(j._replace(occasion=j.occasion + 1, score=2.0) for j in item.judgments))
    ),
    "kinds": lambda item: change_judgments(item, kind="human"),
    "machines": lambda item: change_judgments(item, kind="llm"),
    "scales": lambda item: replace(item, extra={**item.extra, "scales": {"d": {"best": "low"}}}),
    "group": lambda item: replace(item, group="g"),
    "cluster": lambda item: replace(item, cluster="c"),
    "run": lambda item: replace(item, run="2"),
    "extra": lambda item: replace(item, extra={**item.extra, "key": [1, "two"]}),
    "second reference": lambda item: replace(item, references=(*item.references, Reference("another"))),
    "no reference": lambda item: replace(item, references=()),
    "reference of one item": lambda item: replace(item, references=item.references if item.id == PLAIN[0].id else ()),
    "author": lambda item: replace(item, references=tuple(r._replace(id="P") for r in item.references)),
    "alternatives": lambda item: replace(
        item, references=tuple(r._replace(alternatives=(TextAlternative(0, 1, "x"),)) for r in item.references)
    ),
    "second source": lambda item: replace(item, sources=(*item.sources, "another")),
    "no source": lambda item: replace(item, sources=()),
    "line break": lambda item: replace(item, outputs={name: f"{text}\nb" for name, text in item.outputs.items()}),
    "missing output": lambda item: replace(
        item,
        outputs=dict(list(item.outputs.items())[:1]),
        judgments=tuple(j for j in item.judgments if j.system == next(iter(item.outputs))),
    ),
    "other ids": lambda item: replace(item, id=f"id-{item.id}"),
}
NAMES = {"csv": "b.csv", "parquet": "b.parquet", "jsonl": "b.jsonl", "label-studio": "b.json", "mqm": "b.tsv"}
JUDGMENTS_ONLY = ("alt-test",)
WRITTEN = sorted(
    cls.name for cls in FORMATS.classes if not issubclass(cls, ReadOnlyFormat) or cls.name in JUDGMENTS_ONLY
)


def native_sets(name: str) -> Iterator[list[Item]]:
    """Yield sets that the format holds: plain ones, and one of its own."""
    yield PLAIN
    yield RATED
    if name == "msr":
        yield COMPRESSED
    sample = {"mqm": "mqm/google.tsv", "wmt-da": "wmt-da/da.csv", "mtme": "mtme"}.get(name)
    if sample:
        yield list(read(SAMPLES / sample, format=FORMATS.build(name).whole or name, allow_missing=True))


def settle(item: Item) -> Item:
    """Return an item with references and judgments in one order; a rater of no stated kind counts as a person."""
    judgments = (j if j.kind in ("llm", "metric") else j._replace(kind="human") for j in item.judgments)
    references = sorted(item.references, key=lambda reference: reference.text)
    return replace(item, references=tuple(references), judgments=tuple(sorted(judgments)))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_comes_back_or_was_named(name: str, tmp_path: Path) -> None:
    """Of each set, with each thing that it may also have."""
    form = FORMATS.build(name)
    written = 0
    for number, items in enumerate(native_sets(name)):
        for addition, add in ADDITIONS.items():
            target = tmp_path / f"{number}-{addition}" / NAMES.get(name, "b")
            target.parent.mkdir()
            whole = [add(item) for item in items]
            left = drop_parts(whole, find_losses(whole, form.lacks(target)))
            try:
                write(EvalSet(left, allow_missing=True), target, format=name)
            except AssayError:
                continue
            written += 1
            if name in JUDGMENTS_ONLY:
                rows = {(r.item, r.system, r.rater, r.dimension, r.score) for r in form.read_judgments(target)}
                assert rows == {(i.id, *j[:4]) for i in left for j in i.judgments}, addition
            else:
                again = read(target, format=form.whole or name, allow_missing=True)
                assert list(map(settle, again)) == list(map(settle, left)), addition
    assert written or name in ("ducview", "pyreval")  # which need content units, and read again what they wrote


class OutputsOnly(Format):
    """A format as the page on formats says, with nothing but what it needs."""

    name: ClassVar[str] = "outputs-only"

    def write_items(self, items: Iterable[Item], path: Any) -> None:
        """Write the outputs."""
        Path(path).write_text("".join(f"{text}\n" for item in items for text in item.outputs.values()))


def test_a_format_that_says_nothing_loses_everything_but_outputs() -> None:
    whole = EvalSet(
        [
            replace(item, group="g", cluster="c", run="1", extra={"key": 1, "scales": {"d": {"best": "low"}}})
            for item in RATED
        ]
    )
    losses = find_losses(whole.entries, OutputsOnly().lacks("x"))
    assert losses == dict.fromkeys(
        ("judgments", "scales", "references", "sources", "groups", "clusters", "runs", "extra"), len(RATED)
    )
    assert drop_parts(whole.entries, losses) == [Item(item.id, outputs=item.outputs) for item in RATED]
    assert set(OutputsOnly().lacks("x")) <= PARTS.keys()
