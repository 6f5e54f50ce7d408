"""Parts in an S3 store, from a server of the moto package: read, written, resumed; half-written ones do not count."""

from __future__ import annotations

import json

import pytest

from assay.engines.manifest import read_manifest
from assay.engines.run import ThreadsEngine, run_tasks
from assay.engines.storage import find_inputs, open_folder
from assay.errors import FormatError, InputError
from assay.metrics import metric
from assay.scoring.parts import combine_parts, plan_parts

s3fs = pytest.importorskip("s3fs")
moto = pytest.importorskip("moto.server", reason="moto's server is not installed")

METRICS = [metric("rouge2"), metric("bleu")]


def item(number: int) -> bytes:
    outputs = {"A": f"the cat sat {number}", "B": f"a dog on mat {number}"}
    return json.dumps({"id": str(number), "references": [f"the cat sat on mat {number}"], "outputs": outputs}).encode()


@pytest.fixture(scope="module")
def server():
    running = moto.ThreadedMotoServer(port=0)
    running.start()
    yield "http://{}:{}".format(*running.get_host_and_port())
    running.stop()


@pytest.fixture
def bucket(server, monkeypatch, request):
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL": server,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    store, name = s3fs.S3FileSystem(), request.node.name.replace("_", "-").lower()[:60]
    store.mkdir(name)
    for part in range(3):
        store.pipe_file(f"{name}/parts/p{part}.jsonl", b"\n".join(item(10 * part + i) for i in range(4)))
    return store, f"s3://{name}"


def numbers(entries) -> list[str]:
    collector = combine_parts(entries, METRICS)
    return [float(value).hex() for i in range(len(METRICS)) for value in collector.means(i)]


def test_parts_are_read_and_written_there(bucket, tmp_path):
    store, url = bucket
    files = find_inputs([f"{url}/parts/*.jsonl"])
    assert files == [f"{url}/parts/p{part}.jsonl" for part in range(3)]
    there = run_tasks(plan_parts(files, METRICS, per_item=True), f"{url}/scores", ThreadsEngine())
    for file in files:
        store.get_file(file, str(tmp_path / file.rpartition("/")[2]))
    local = find_inputs([str(tmp_path / "*.jsonl")])
    here = run_tasks(plan_parts(local, METRICS, per_item=True), str(tmp_path / "out"), ThreadsEngine())
    assert numbers(there) == numbers(here)
    manifest = read_manifest(f"{url}/scores")
    assert manifest["rows"] == 24
    for part, entry in zip(manifest["parts"], here, strict=True):
        assert part["sha256"] == entry["sha256"]
        assert open_folder(f"{url}/scores").size(part["part"]) == part["bytes"]


def test_a_part_without_an_entry_does_not_count(bucket):
    """A store has no rename: a worker that was killed may leave a part, which the entry alone would make count."""
    store, url = bucket
    tasks = plan_parts(find_inputs([f"{url}/parts/*.jsonl"]), METRICS, per_item=True)
    whole = run_tasks(tasks, f"{url}/scores", ThreadsEngine())
    keys = [task.key() for task in tasks]
    store.rm(f"{url}/scores/{keys[0]}.json")
    store.pipe_file(f"{url}/scores/{keys[0]}.parquet", b"half")  # a part, and no entry
    store.pipe_file(f"{url}/scores/{keys[1]}.parquet", b"cut short")  # a part that is not as its entry says
    done: list[int] = []

    def follow(finished, left, before):
        done.extend((left, before))
        return finished

    assert run_tasks(tasks, f"{url}/scores", ThreadsEngine(), follow=follow) == whole
    assert done == [2, 1]
    assert store.size(f"{url}/scores/{keys[0]}.parquet") == whole[0]["bytes"]


def test_a_changed_object_is_another_task(bucket):
    store, url = bucket
    [before, *_] = plan_parts([f"{url}/parts/p0.jsonl"], METRICS)
    store.pipe_file(f"{url}/parts/p0.jsonl", item(77))
    [after] = plan_parts([f"{url}/parts/p0.jsonl"], METRICS)
    assert before.key() != after.key()
    with pytest.raises(InputError, match=r"p0\.jsonl: is not the file that the run was started with"):
        run_tasks([before], f"{url}/scores", ThreadsEngine())


def test_what_is_not_there_is_named(bucket):
    _, url = bucket
    with pytest.raises(FormatError, match="no file has such a name"):
        find_inputs([f"{url}/parts/*.parquet"])
    with pytest.raises(FormatError, match="no such file"):
        plan_parts([f"{url}/parts/p9.jsonl"], METRICS)
    with pytest.raises(
        InputError, match=r"s3://no-such-bucket/scores.*the object store says: The specified bucket does"
    ):
        run_tasks(plan_parts([f"{url}/parts/p0.jsonl"], METRICS), "s3://no-such-bucket/scores", ThreadsEngine())
