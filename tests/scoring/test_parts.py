"""Many files scored part by part: the bits of one machine, nothing lost or done twice, errors that name the part."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.evalset import EvalSet
from assay.data.item import Item, Reference
from assay.engines.manifest import read_manifest
from assay.engines.run import ThreadsEngine, run_tasks
from assay.errors import InputError
from assay.formats import read_scores, write
from assay.metrics import metric
from assay.scoring.collector import Collector
from assay.scoring.parts import combine_parts, plan_parts
from assay.scoring.stream import score_stream

METRICS = [metric(name) for name in ("rouge2", "rougeL(measure=f)", "bleu", "chrf", "ter")]
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "under",
    "mat",
    "hat",
    "and",
    "then",
    "it",
    "was",
    "very",
    "quick",
    "quickly",
]


def make_items(count: int, systems: int = 3) -> list[Item]:
    def text(seed: int) -> str:
        return " ".join(WORDS[(seed * 7 + k * k * 3 + k) % len(WORDS)] for k in range(4 + seed % 5))

    return [
        Item(
            str(i),
            (Reference(text(i)), Reference(text(i + 3))),
            {f"s{k}": text(i + 20 + 2 * k) for k in range(systems)},
        )
        for i in range(count)
    ]


def numbers(collector: Collector) -> dict[str, list[str]]:
    names = sorted(collector.systems)
    order = [collector.systems[name] for name in names]
    return {m.title: [float(collector.means(i)[k]).hex() for k in order] for i, m in enumerate(METRICS)}


def one_machine(items: list[Item]) -> dict[str, list[str]]:
    collector = Collector(METRICS)
    list(collector.follow(score_stream([EvalSet(items)], METRICS)))
    return numbers(collector)


def write_parts(folder: Path, items: list[Item], cuts: list[int], ending: str = "jsonl") -> list[str]:
    bounds = [0, *sorted(set(cuts)), len(items)]
    files = []
    for number, (start, stop) in enumerate(pairwise(bounds)):
        if start < stop:
            files.append(str(folder / f"p{number:03d}.{ending}"))
            write(EvalSet(items[start:stop]), files[-1])
    return files


@settings(max_examples=8)
@given(st.data())
def test_any_split_and_any_order_give_the_same_bits(tmp_path_factory, data):
    items = make_items(12)
    cuts = data.draw(st.lists(st.integers(1, 11), max_size=6))
    folder = tmp_path_factory.mktemp("parts")
    files = data.draw(st.permutations(write_parts(folder, items, cuts)))
    tasks = plan_parts(files, METRICS)
    entries = run_tasks(tasks, str(folder / "out"), ThreadsEngine(data.draw(st.integers(1, 2))))
    assert numbers(combine_parts(entries, METRICS)) == one_machine(items)


def test_large_parquet_files_are_cut_where_an_item_ends(tmp_path):
    items = make_items(40)
    [file] = write_parts(tmp_path, items, [], "parquet")
    pq.write_table(pq.read_table(file), file, row_group_size=7)  # three rows an item: groups end within items
    tasks = plan_parts([file], METRICS, per_item=True, rows=15)
    assert len(tasks) > 3
    assert [g for task in tasks for g in task.row_groups] == list(range(18))
    entries = run_tasks(tasks, str(tmp_path / "out"), ThreadsEngine())
    assert numbers(combine_parts(entries, METRICS)) == one_machine(items)
    assert sum(entry["collected"]["items"] for entry in entries) == 40
    assert read_manifest(str(tmp_path / "out"))["rows"] == 120


def test_scores_of_items_are_written_once(tmp_path):
    items = make_items(9)
    files = write_parts(tmp_path, items, [2, 5], "parquet")
    out = tmp_path / "out"
    run_tasks(plan_parts(files, METRICS, per_item=True), str(out), ThreadsEngine())
    manifest = read_manifest(str(out))
    places = [
        (item, system)
        for part in manifest["parts"]
        for scores in read_scores(out / part["part"])[:1]
        for system in scores.systems
        for item in scores.items
    ]
    assert sorted(places) == sorted((item.id, system) for item in items for system in item.outputs)


def test_what_is_done_is_not_done_again(tmp_path):
    files = write_parts(tmp_path, make_items(9), [3, 6], "parquet")
    tasks = plan_parts(files, METRICS, per_item=True)
    out = tmp_path / "out"
    before = run_tasks(tasks[:2], str(out), ThreadsEngine())
    times = {p.name: p.stat().st_mtime_ns for p in out.glob("*.parquet")}
    (out / f"{tasks[0].key()}.json").write_text("{ cut sho")  # an entry that is not whole does not count
    done: list[int] = []

    def follow(finished, left, kept):
        done.extend((left, kept))
        return finished

    entries = run_tasks(tasks, str(out), ThreadsEngine(), follow=follow)
    assert done == [2, 1]
    assert entries[:2] == before
    kept = out / f"{tasks[1].key()}.parquet"
    assert kept.stat().st_mtime_ns == times[kept.name]


def test_a_broken_part_is_named_and_the_others_are_kept(tmp_path):
    files = write_parts(tmp_path, make_items(12), [3, 6, 9], "parquet")
    whole = Path(files[1]).read_bytes()
    Path(files[1]).write_bytes(whole[: len(whole) // 2])
    pq.write_table(pa.table({"colour": ["red"]}), files[2])
    out = tmp_path / "out"
    with pytest.raises(InputError, match="2 of 4 parts failed, the first: ") as caught:
        run_tasks(_plan_unread(files), str(out), ThreadsEngine())
    assert files[1] in str(caught.value)
    assert not (out / "manifest.json").exists()
    assert len(list(out.glob("*.json"))) == 2
    with pytest.raises(InputError, match="not complete"):
        read_manifest(str(out))


def _plan_unread(files: list[str]):
    """Plan as for files that could not be looked into, as those of an object store."""
    from assay.engines.storage import input_stamp
    from assay.engines.task import PartTask, own_versions

    plan = {"metrics": [m.signature() for m in METRICS], "per_item": False, "options": {}}
    return [PartTask("score", file, input_stamp(file), plan, own_versions()) for file in files]


def test_an_entry_says_which_file_it_is_of(tmp_path):
    [file] = write_parts(tmp_path, make_items(3), [])
    [task] = plan_parts([file], METRICS)
    run_tasks([task], str(tmp_path / "out"), ThreadsEngine())
    entry = json.loads((tmp_path / "out" / f"{task.key()}.json").read_text())
    assert (entry["file"], entry["rows"], entry["collected"]["systems"]) == (file, 9, ["s0", "s1", "s2"])


def test_metrics_that_need_the_whole_set_are_refused(tmp_path):
    files = write_parts(tmp_path, make_items(3), [])
    with pytest.raises(InputError, match=r"nist.* reads the whole set"):
        plan_parts(files, [metric("nist")])
