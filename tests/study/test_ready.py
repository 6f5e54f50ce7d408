"""The studies of the papers: their designs, and each run end to end by simulated raters."""

from __future__ import annotations

from random import Random

import pytest

import assay
from assay.cli.main import main
from assay.errors import InputError, UnknownName
from assay.study.folder import StudyFolder
from assay.study.protocols import PROTOCOLS
from assay.study.ready import READY, find_ready
from assay.study.status import describe_design


def make_set(path, items, systems, *, words=20, references=True, groups=1, units=False):
    data = [
        assay.Item(
            str(n),
            (assay.Reference(f"reference of {n}"),) if references else (),
            {f"s{k}": f"output {k} of {n}" for k in range(systems)},
            (" ".join(f"word{n}x{w}" for w in range(words)) + ".",),
            group=f"g{n % groups}",
            extra={"units": ["one", "two"]} if units else {},
        )
        for n in range(items)
    ]
    _write(data, path)
    return path


def _write(data, path):
    from assay.formats import write

    write(assay.EvalSet(data), path)


def new(tmp_path, name, *more, **sizes):
    source = make_set(tmp_path / "set.jsonl", **sizes)
    assert main(["study", "new", str(source), "--like", name, "--out", str(tmp_path / "study"), *more]) == 0
    return StudyFolder(tmp_path / "study")


@pytest.mark.parametrize("ready", READY, ids=lambda ready: ready.name)
def test_every_ready_study_can_be_built(ready):
    assert PROTOCOLS.build(ready.protocol).takes_dimensions or not ready.dimensions
    assert ready.instructions.startswith("# ")


def test_a_part_must_be_named_where_there_are_several():
    with pytest.raises(InputError, match="has 2 studies; give one of them: --like toutanova-2016:shorten or"):
        find_ready("toutanova-2016")
    with pytest.raises(UnknownName, match="did you mean 'peyrard-2017'"):
        find_ready("peyrard-2016")


def test_clarke_and_lapata(tmp_path, capsys):
    """60 raters on 3 lists see 40 of 120 compressions each; every compression gets 20 ratings."""
    folder = new(tmp_path, "clarke-lapata-2006", items=40, systems=3, groups=2)
    table = describe_design(folder)
    assert (table.places, table.tasks_most, table.ratings_fewest, table.ratings_most) == (60, 40, 20, 20)
    assert "made automatically" in folder.document("instructions.md")
    assert folder.protocol.hides(1)
    assert folder.settings.like == "clarke-lapata-2006"


def test_sources_that_are_too_short_are_left_out(tmp_path, capsys):
    items = [
        assay.Item("short", sources=("one two three.",)),
        assay.Item("sentence", sources=(" ".join(["word"] * 15) + ".",)),
        assay.Item("short paragraph", sources=("This one has just nine words in it now. " * 2,)),
        assay.Item(
            "paragraph", sources=("This sentence has exactly thirteen words in it if you count them well. " * 2,)
        ),
    ]
    _write(items, tmp_path / "set.jsonl")
    words = ["study", "new", str(tmp_path / "set.jsonl"), "--like", "toutanova-2016:shorten"]
    assert main([*words, "--out", str(tmp_path / "study")]) == 0
    folder = StudyFolder(tmp_path / "study")
    assert folder.texts().items == ("sentence", "paragraph")
    assert folder.settings.design.per_output == 5


def test_options_change_a_ready_study(tmp_path, capsys):
    folder = new(tmp_path, "clarke-lapata-2006", "--places", "6", items=6, systems=3)
    assert folder.settings.design.raters == 6
    assert folder.settings.design.assignment == "latin-square"


def test_another_number_of_systems_is_refused(tmp_path, capsys):
    source = make_set(tmp_path / "set.jsonl", items=3, systems=2)
    assert main(["study", "new", str(source), "--like", "clarke-lapata-2006", "--out", str(tmp_path / "x")]) == 2
    assert "had 3 outputs for each item" in capsys.readouterr().err


def answer_screen(protocol, screen, draw):
    letters = [text["key"] for text in screen.get("texts", [])] or ["a"]
    if protocol.startswith("shorten"):
        words = screen["source"][0].split()
        return {"text": " ".join(words[: len(words) // 2])}
    return {
        "rate": lambda: {"ratings": None},
        "absolute": lambda: {"ratings": {"score": draw.randint(1, 5)}},
        "rank": lambda: {"groups": {letter: draw.randint(1, 12) for letter in letters}},
        "cut": lambda: {"units": ["one", "two"]},
        "factoids": lambda: {"units": {letter: [draw.random() < 0.5] * len(screen["units"]) for letter in letters}},
    }[protocol.partition("(")[0]]()


CASES = [
    ("toutanova-2016:shorten", {"items": 4, "systems": 0, "references": False}, 5),
    ("toutanova-2016:rate", {"items": 4, "systems": 5}, 3),
    ("clarke-lapata-2006", {"items": 40, "systems": 3, "groups": 2}, 60),
    ("daume-marcu-2004:fuse", {"items": 5, "systems": 0, "references": False}, 8),
    ("daume-marcu-2004:rank", {"items": 5, "systems": 11}, 3),
    ("daume-marcu-2004:absolute", {"items": 9, "systems": 3}, 3),
    ("daume-marcu-2004:cut", {"items": 5, "systems": 0}, 1),
    ("daume-marcu-2004:factoids", {"items": 5, "systems": 6, "units": True}, 1),
    ("peyrard-2017", {"items": 15, "systems": 10}, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sizes", "raters"), CASES, ids=[name for name, _, _ in CASES])
def test_a_ready_study_runs_end_to_end(tmp_path, capsys, serve, name, sizes, raters):
    folder = new(tmp_path, name, **sizes)
    protocol = folder.settings.protocol
    with serve(folder, links=(1000.0, 1000), events=(10000.0, 10000)) as served:
        for number in range(raters):
            rater, draw = served.rater(), Random(number)
            rater.start()
            while rater.stage == "task":
                answer = answer_screen(protocol, rater.screen, draw)
                if answer.get("ratings", ...) is None:
                    scales = folder.settings.dimensions
                    answer = {"ratings": {d.name: draw.randint(int(d.low), int(d.high)) for d in scales}}
                rater.answer(answer)
            rater.do("submitted")
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    data = assay.read(out, allow_missing=True)
    if protocol.startswith("shorten"):
        assert {len(item.outputs) for item in data} == {raters}
    elif not protocol.startswith("cut"):
        table = describe_design(folder)
        counts = {len(item.judgments) for item in data}
        assert len(counts) == 1
        assert table.short == 0
        assert main(["agree", str(out), "--json", "--resamples", "0"]) == 0
    capsys.readouterr()
