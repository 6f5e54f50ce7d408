"""Clusters and runs: kept from the file to the scores, and back."""

from pathlib import Path

import pytest

from assay import EvalSet, read, score
from assay.cli.main import main
from assay.data.facets import name_clusters
from assay.data.item import Item, Judgment, Reference
from assay.errors import AlignmentError, FormatError, InputError
from assay.formats import ScoreWriter, read_scores, score_records, stream, write

ITEMS = [
    Item("1", (Reference("a b"),), {"A": "a", "B": "b"}, ("x",), cluster="news"),
    Item("2", (Reference("a c"),), {"A": "a", "B": "c"}, ("y",), group="g", cluster="news", run="1"),
    Item("2@2", (Reference("a c"),), {"A": "a", "B": "d"}, ("y",), cluster="news", run="2"),
    Item("3", (Reference("e"),), {"A": "e", "B": "f"}, ("z",)),
]


@pytest.mark.parametrize("name", ["set.jsonl", "set.csv", "set.parquet", "set"])
def test_files_keep_facets(tmp_path: Path, name: str) -> None:
    """What is written is read again, one by one and in chunks."""
    extra = Item("3", (Reference("e"),), {"A": "e", "B": "f"}, extra={"k": "1"}, cluster="4")
    items = [*ITEMS[:3], extra] if name == "set" else ITEMS
    write(EvalSet(items), tmp_path / name, format="tables" if name == "set" else None)
    data = read(tmp_path / name)
    assert list(data) == items
    assert [item for chunk in stream(tmp_path / name, batch=2) for item in chunk] == items


@pytest.mark.parametrize("name", ["set.jsonl", "set.parquet"])
def test_columns_keep_clusters(tmp_path: Path, name: str) -> None:
    """The fast readers give the clusters that items one by one have."""
    items = [Item(str(n), (Reference("a"),), {"A": "b"}, cluster=f"c{n // 3}\n") for n in range(10)]
    write(EvalSet(items), tmp_path / name)
    chunks = list(stream(tmp_path / name, batch=4))
    assert all(chunk.columns is not None for chunk in chunks)
    assert [c for chunk in chunks for c in chunk.clusters or ()] == [item.cluster for item in items]
    assert [item for chunk in chunks for item in chunk] == items


def test_some_clusters_are_read_one_by_one(tmp_path: Path) -> None:
    """Where only some lines have a cluster, none is moved to another item."""
    lines = ['{"id": "1", "outputs": {"A": "a"}}', '{"id": "2", "outputs": {"A": "a"}, "cluster": "c"}']
    for order in (lines, lines[::-1]):
        (tmp_path / "set.jsonl").write_text("\n".join(order))
        (chunk,) = stream(tmp_path / "set.jsonl")
        assert {item.id: item.cluster for item in chunk} == {"1": None, "2": "c"}
        assert dict(zip(chunk.items, chunk.clusters or (), strict=True)) == {"1": "item 1", "2": "c"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", "id,model,epoch,output\n1,A,1,a\n1,A,2,b\n2,A,1,c\n2,A,2,d\n".replace("epoch", "run")),
        ("by-run.csv", "item,system,run,text\n1,A,1,a\n2,A,1,c\n1,A,2,b\n2,A,2,d\n"),
        (
            "r.jsonl",
            '{"id": 1, "run": 1, "outputs": {"A": "a"}}\n{"id": 2, "run": 1, "outputs": {"A": "c"}}\n'
            '{"id": 1, "run": 2, "outputs": {"A": "b"}}\n{"id": 2, "run": 2, "outputs": {"A": "d"}}\n',
        ),
    ],
)
def test_repeats_are_items_of_one_cluster(tmp_path: Path, name: str, text: str) -> None:
    """An item that comes again with another run is not a duplicate."""
    (tmp_path / name).write_text(text)
    data = read(tmp_path / name)
    assert {item.id: item.outputs["A"] for item in data} == {"1": "a", "1@2": "b", "2": "c", "2@2": "d"}
    clusters = dict(zip(data.items, data.clusters or (), strict=True))
    assert clusters == {"1": "1", "1@2": "1", "2": "2", "2@2": "2"}
    assert dict(zip(data.items, data.runs or (), strict=True)) == {"1": "1", "1@2": "2", "2": "1", "2@2": "2"}
    assert [i for chunk in stream(tmp_path / name, batch=1) for i in chunk.items] == list(data.items)


def test_the_same_run_twice_is_a_duplicate(tmp_path: Path) -> None:
    """Repeats need different runs."""
    (tmp_path / "set.jsonl").write_text('{"id": 1, "run": 1, "outputs": {"A": "a"}}\n' * 2)
    with pytest.raises(AlignmentError, match="ids must be unique"):
        read(tmp_path / "set.jsonl")


def test_an_item_in_two_clusters_is_refused(tmp_path: Path) -> None:
    """The rows of one item must agree."""
    (tmp_path / "set.csv").write_text("item,system,text,cluster\n1,A,a,x\n1,B,b,y\n")
    with pytest.raises(AlignmentError, match="another 'cluster' here"):
        read(tmp_path / "set.csv")
    (tmp_path / "scores.csv").write_text("system,item,metric,score,cluster\nA,1,m,1,x\nB,1,m,1,y\n")
    with pytest.raises(FormatError, match="item '1' has another cluster for system 'B'"):
        read_scores(tmp_path / "scores.csv")
    with pytest.raises(InputError, match="its cluster"):
        Item("1", cluster=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["s.jsonl", "s.csv", "s.parquet"])
def test_score_files_keep_facets(tmp_path: Path, name: str) -> None:
    """Scores of a set, their files and a selection have its clusters and runs."""
    scores = score(EvalSet(ITEMS), "rouge1")
    assert scores.clusters == ("news", "news", "news", "item 3")
    assert scores.runs == (None, "1", "2", None)
    with ScoreWriter(tmp_path / name, per_item=True) as out:
        out.add(score_records(scores, per_item=True))
    (again,) = read_scores(tmp_path / name)
    assert (again.clusters, again.runs) == (scores.clusters, scores.runs)
    part = again.select(items=["3", "2"])
    assert (part.clusters, part.runs) == (("item 3", "news"), (None, "1"))


def test_late_clusters_are_not_lost(tmp_path: Path) -> None:
    """A table of scores has its columns from the start."""
    first, late = (score(EvalSet([item]), "rouge1") for item in (ITEMS[3], ITEMS[0]))
    with ScoreWriter(tmp_path / "s.csv", per_item=True) as out:
        out.add(score_records(first, per_item=True))
        with pytest.raises(FormatError, match="item '1' has a cluster, and the first items have none"):
            out.add(score_records(late, per_item=True))
    with ScoreWriter(tmp_path / "empty.csv", per_item=True):
        pass
    assert (tmp_path / "empty.csv").read_text() == "system,item,metric,score,n\n"


def test_ratings_and_human_scores_have_clusters() -> None:
    """What people judged keeps what was drawn together."""
    judged = [
        Item(str(n), (), {"A": "a"}, judgments=(Judgment("A", "ann", "fluency", float(n)),), cluster=c)
        for n, c in enumerate("xxy")
    ]
    data = EvalSet(judged)
    assert data.human("fluency").clusters == ("x", "x", "y")
    ratings = data.ratings("fluency")
    assert ratings.units == ("x", "x", "y")
    assert ratings.select(["A"], ["1", "2"]).units == ("x", "y")
    assert EvalSet(judged).with_kinds({"ann": "llm"}).clusters == ("x", "x", "y")
    assert EvalSet([Item("1", outputs={"A": "a"})]).clusters is None


def check_line(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the line that says what `assay check` read, or the error."""
    main(["check", *words])
    out, err = capsys.readouterr()
    return err or " ".join(out.split()).partition(" items; ")[2].partition(".")[0]


@pytest.mark.parametrize("name", ["set.jsonl", "set.csv"])
def test_options_name_the_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """--cluster and --run are short for --columns; none takes a column away; what differs is an error."""
    file = str(tmp_path / name)
    if name == "set.csv":
        Path(file).write_text("id,model,doc,cluster,output\n1,A,x,u,a\n2,A,x,v,b\n3,A,y,w,c\n")
    else:
        items = [
            Item(str(n), outputs={"A": "a"}, cluster=c, extra={"doc": d})
            for n, c, d in zip("123", "uvw", "xxy", strict=True)
        ]
        write(EvalSet(items), file)
    assert "3 clusters" in check_line(capsys, file)
    assert "2 clusters" in check_line(capsys, file, "--cluster", "doc")
    assert "cluster" not in check_line(capsys, file, "--cluster", "none")
    assert "2 clusters" in check_line(capsys, file, "--columns", "cluster=doc", "--cluster", "doc")
    assert "differ; give one of them" in check_line(capsys, file, "--columns", "cluster=doc", "--cluster", "none")
    assert "nope" in check_line(capsys, file, "--cluster", "nope")


def test_formats_with_their_own_columns_take_a_label_as_cluster(tmp_path: Path) -> None:
    """The group of a format can be stated to be the cluster, and a cluster taken away."""
    file = tmp_path / "valid.tsv"
    file.write_text(
        "".join(
            f"{n}\t{g}\tThe source . ||| Text .\tw1\t0\n" for n, g in zip("123", ("News", "News", "Law"), strict=True)
        )
    )
    assert read(file, format="msr").clusters is None
    assert read(file, format="msr", columns={"cluster": "group"}).clusters == ("News", "News", "Law")
    assert read(file, format="msr", columns={"cluster": ()}).clusters is None
    with pytest.raises(InputError, match="no item has 'topic', so it is not the cluster"):
        read(file, format="msr", columns={"cluster": "topic"})


def test_repeats_of_an_item_in_two_clusters_are_refused():
    with pytest.raises(InputError, match="item 'q1' is in two clusters, 'a' and 'b'"):
        name_clusters(["q1", "q1@2"], ["a", "b"], ["1", "2"])
    assert name_clusters(["q1", "q1@2"], ["a", "a"], ["1", "2"]) == ("a", "a")
