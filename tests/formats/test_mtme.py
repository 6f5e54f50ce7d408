"""Folders of mt-metrics-eval: read, written, and read again as their documentation says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, Reference, read, write
from assay.errors import AlignmentError, AssayError, FormatError, NoOutputs, SkippedWarning, UnknownName
from assay.formats import format_of, read_judged, read_scores
from assay.formats.mtme import Mtme

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "mtme"


def read_as_documented(folder: Path, pair: str) -> dict[str, object]:
    """Read a folder by the rules in the README of mt-metrics-eval, with nothing of ours."""
    lines = lambda file: file.read_text("utf-8").splitlines()  # noqa: E731
    texts = {
        "src": lines(folder / "sources" / f"{pair}.txt"),
        "docs": [tuple(line.split()) for line in lines(folder / "documents" / f"{pair}.docs")],
        "refs": {f.name.split(".")[-2]: lines(f) for f in (folder / "references").glob(f"{pair}.*.txt")},
        "outputs": {f.name[:-4]: lines(f) for f in (folder / "system-outputs" / pair).glob("*.txt")},
    }
    scores: dict[str, dict[str, dict[str, list[float | None]]]] = {"human": {}, "metric": {}}
    for kind, files in (
        ("human", (folder / "human-scores").glob(f"{pair}.*.score")),
        ("metric", (folder / "metric-scores" / pair).glob("*.score")),
    ):
        for file in files:
            name, level, ending = file.name.removeprefix(f"{pair}.").rsplit(".", 2)
            assert ending == "score"
            by_system = scores[kind].setdefault(f"{name}.{level}", {})
            for line in lines(file):
                system, score = line.split()
                by_system.setdefault(system, []).append(None if score == "None" else float(score))
    return {**texts, **scores}


def check_as_documented(folder: Path, pair: str) -> dict[str, object]:
    """Read a folder and check what their reader checks: names, numbers of lines, whole metric scores."""
    data: dict = read_as_documented(folder, pair)
    n = len(data["src"])
    assert len(data["docs"]) == n
    assert all(len(words) == 2 for words in data["docs"])
    assert all(len(text) == n for part in ("refs", "outputs") for text in data[part].values())
    assert not any("-" in name or "." in name or name in ("all", "src") for name in data["refs"])
    for kind in ("human", "metric"):
        for name, table in data[kind].items():
            expected = n if name.endswith(".seg") else 1
            assert set(table) <= set(data["outputs"]), name
            assert all(len(scores) == expected for scores in table.values()), name
            if kind == "metric":
                used = name.rsplit(".", 1)[0].rsplit("-", 1)[1]
                assert used == "src" or set(used.split(".")) <= set(data["refs"])
                assert set(table) | set(used.split(".")) >= set(data["outputs"])
                assert not any(score is None for scores in table.values() for score in scores)
    return data


def test_a_folder_is_read():
    assert format_of(SAMPLE) == "mtme"
    with pytest.warns(
        SkippedWarning, match=r"files of metric scores \(format \"mtme\(metrics=\*\)\" reads them\) \(1\)"
    ):
        data = read(SAMPLE)
    assert data.items == ("1", "2", "3")
    assert data.systems == ("online-A", "online-B", "refB")
    assert data.people == ("refB",)
    assert data["1"].group == "news"
    assert (data["1"].cluster, data["1"].group, data["1"].extra) == ("weather-1", "news", {})
    assert [r.id for r in data["1"].references] == ["refA", "refB"]
    assert data.human("mqm").values[:2].tolist()[0] == [-1.0, -5.0, -1.1]
    assert [j.system for j in data["2"].judgments] == ["online-A", "refB"]  # None is not a score


def test_metric_scores_are_read_when_asked_for():
    data = read(SAMPLE, format="mtme(metrics=BLEU*)")
    assert data.assessors == (("mean", "human"), ("BLEU-refA", "metric"))
    assert data.dimensions == ("mqm",)
    assert data.human("BLEU-refA", rater="BLEU-refA").values[0].tolist() == [40.5, 30.0, 55.25]


def test_round_trip(tmp_path):
    data = read(SAMPLE, format="mtme(metrics=*)")
    write(data, tmp_path / "a", format="mtme(pair=en-de)")
    assert read(tmp_path / "a", format="mtme(metrics=*)") == data
    for file in ("human-scores/en-de.mqm.seg.score", "documents/en-de.docs", "references/en-de.refA.txt"):
        assert (tmp_path / "a" / file).read_bytes() == (SAMPLE / file).read_bytes()


def judged(*, gap: bool = False) -> EvalSet:
    """Three summaries by two systems with odd names, rated by two people and an LLM."""
    items = []
    for n, name in enumerate(["doc a", "doc/b", "50%"], 1):
        judgments = [
            Judgment(system, rater, "overall quality", float(n + k + len(system)), kind=kind)
            for system in ("lead 3", "bart/x")
            for k, (rater, kind) in enumerate((("ann", None), ("bob", "human"), ("gpt-4o", "llm")))
            if not (gap and n == 2 and rater == "gpt-4o")
        ]
        references = (Reference(f"reference {n}"), Reference(f"other {n}"))
        items.append(
            Item(name, references, {"lead 3": "one", "bart/x": "two"}, (f"source {n}",), "news a", tuple(judgments))
        )
    return EvalSet(items)


@pytest.mark.parametrize("gap", [False, True])
def test_their_documented_layout_is_written(tmp_path, gap):
    """The folder is read by the rules of their README: names, lines, and whole metric scores."""
    write(judged(gap=gap), tmp_path / "a", format="mtme(pair=en-en)")
    data: dict = check_as_documented(tmp_path / "a", "en-en")
    assert data["src"] == ["source 1", "source 2", "source 3"]
    assert data["human"]["overall%20quality.seg"]["lead%203"] == [7.5, 8.5, 9.5]  # the mean of two people
    assert data["human"]["overall%20quality.sys"]["lead%203"] == [8.5]
    assert data["human"]["overall%20quality.rater=ann.seg"]["lead%203"] == [7.0, 8.0, 9.0]
    judge = "overall%20quality.llm=gpt-4o"
    assert (f"{judge}-src.seg" in data["metric"]) is not gap  # None has no place in metric scores
    assert (f"{judge}.seg" in data["human"]) is gap


@pytest.mark.parametrize("gap", [False, True])
def test_raters_ids_and_kinds_come_back(tmp_path, gap):
    write(judged(gap=gap), tmp_path / "a", format="mtme")
    data = read(tmp_path / "a")
    assert data.items == ("doc a", "doc/b", "50%")
    assert set(data.assessors) == {("ann", "human"), ("bob", "human"), ("gpt-4o", "llm")}
    for item, other in zip(judged(gap=gap), data, strict=True):
        for field in ("references", "outputs", "sources", "group"):
            assert getattr(item, field) == getattr(other, field)
        assert {j[:4] for j in item.judgments} == {j[:4] for j in other.judgments}


def test_items_without_sources_and_eleven_references(tmp_path):
    items = [Item(str(n), tuple(Reference(f"{n} {k}") for k in range(11)), {"A": f"a{n}"}) for n in (1, 2)]
    write(EvalSet(items), tmp_path / "a", format="mtme")
    assert read(tmp_path / "a") == EvalSet(items)


def missing_outputs(folder: Path) -> None:
    shutil.rmtree(folder / "system-outputs" / "en-de")


def second_pair(folder: Path) -> None:
    shutil.copytree(folder / "system-outputs" / "en-de", folder / "system-outputs" / "de-en")
    shutil.copy(folder / "sources" / "en-de.txt", folder / "sources" / "de-en.txt")


def change(file: str, old: str, new: str):
    def make(folder: Path) -> None:
        path = folder / file
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")

    return make


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (missing_outputs, "there are sources of en-de and no folder system-outputs/en-de"),
        (lambda f: (f / "sources" / "en-de.txt").unlink(), r"outputs of en-de and no sources/en-de\.txt"),
        (second_pair, r"holds 2 language pairs; choose one as --input-format \"mtme\(pair=de-en\)\": de-en, en-de"),
        (change("human-scores/en-de.mqm.seg.score", "-5.0", "5-May"), "seg.score:2: the score is '5-May', a date"),
        (change("human-scores/en-de.mqm.seg.score", "online-A\t-1.0\n", ""), "2 scores of system 'online-A' for 3"),
        (change("human-scores/en-de.mqm.seg.score", "online-A", "nobody"), "system 'nobody', which has no outputs"),
        (change("human-scores/en-de.mqm.seg.score", "\t-1.0", ""), "a line is SYSTEM SCORE; got 1 fields"),
        (change("documents/en-de.docs", "news weather-1", "news"), "a line is DOMAIN DOCUMENT"),
        (change("documents/en-de.docs", "news weather-1\n", ""), "has 2 lines, and there are 3 segments"),
        (change("system-outputs/en-de/online-A.txt", "Sie", "\nSie"), "differ in their number of lines"),
    ],
)
def test_bad_folders(tmp_path, make, match):
    shutil.copytree(SAMPLE, tmp_path / "a")
    make(tmp_path / "a")
    with pytest.raises(AssayError, match=match):
        read(tmp_path / "a", format="mtme(metrics=*)")


def test_an_unknown_pair_and_a_chosen_one(tmp_path):
    with pytest.raises(UnknownName, match="unknown language pair 'en-fr'"):
        read(SAMPLE, format="mtme(pair=en-fr)")
    shutil.copytree(SAMPLE, tmp_path / "a")
    second_pair(tmp_path / "a")
    assert len(read(tmp_path / "a", format=Mtme(pair="de-en").signature()).systems) == 3


@pytest.mark.parametrize(
    ("item", "match"),
    [
        (Item("1", outputs={"A": "a\nb"}), "line break"),
        (Item("1", (Reference("r", "a-b"),), {"A": "a"}), "cannot be called 'a-b'"),
        (Item("1", outputs={"A": "a"}, extra={"x": 1}), "extra keys"),
        (Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "r", "d", 1.0, 2),)), "repeated judgments"),
    ],
)
def test_what_has_no_place_is_refused(tmp_path, item, match):
    with pytest.raises(FormatError, match=match):
        write(EvalSet([item]), tmp_path / "a", format="mtme")
    assert not (tmp_path / "a").exists()


def test_uneven_items_are_refused(tmp_path):
    uneven = EvalSet([Item("1", outputs={"A": "a"}), Item("2", outputs={"B": "a"})], allow_missing=True)
    with pytest.raises(FormatError, match="has other systems than the first item"):
        write(uneven, tmp_path / "a", format="mtme")
    with pytest.raises(AlignmentError):
        EvalSet([Item("1", outputs={"A": "a"}), Item("2", outputs={"B": "a"})])


def test_all_language_pairs(tmp_path):
    folder = tmp_path / "wmt"
    shutil.copytree(SAMPLE, folder)
    for file in [*folder.rglob("en-de*")]:
        target = file.with_name(file.name.replace("en-de", "en-cs"))
        (shutil.copytree if file.is_dir() else shutil.copy)(file, target)
    with pytest.raises(FormatError, match="holds 2 language pairs"):
        read(folder)
    one, both = read(SAMPLE), read(folder, format="mtme(pair=*)")
    assert both.items == tuple(f"{pair}:{item}" for pair in ("en-cs", "en-de") for item in one.items)
    assert {item.group for item in both} == {"en-cs", "en-de"}
    assert both["en-de:1"].judgments == one["1"].judgments
    assert (both["en-de:1"].cluster, both["en-de:1"].extra) == ("en-de:weather-1", {"domain": "news"})


def test_a_release_of_judgments_alone(tmp_path):
    folder = tmp_path / "wmt"
    shutil.copytree(SAMPLE / "human-scores", folder / "human-scores")
    (folder / "human-scores" / "en-de.da.sys.score").write_text("online-A\t0.5\n")
    assert format_of(folder) == "mtme"
    with pytest.raises(NoOutputs, match="OUTPUTS --judgments"):
        read(folder)
    with pytest.warns(SkippedWarning, match=r"scores of systems, as there are none of segments \(en-de.da.sys.score\)"):
        judged = read_judged(folder)
    whole = read(SAMPLE)
    assert [item.judgments for item in judged] == [item.judgments for item in whole if item.judgments]


def test_metric_scores_are_read_as_scores():
    whole = read(SAMPLE, format="mtme(metrics=*)").use_assessors("metric").human("BLEU-refA")
    for path in (SAMPLE, SAMPLE / "metric-scores" / "en-de"):
        (scores,) = read_scores(path)
        assert (scores.name, set(scores.systems)) == (
            "BLEU-refA",
            {s for s in whole.systems if whole.counts()[whole.systems.index(s)]},
        )
        for system in scores.systems:
            assert scores.row(system).tolist() == whole.row(system).tolist()
