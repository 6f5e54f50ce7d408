"""The cache on disk: two processes, a killed one, a damaged file, a limit."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import warnings

import pytest

from assay.errors import AssayWarning, InputError
from assay.text.cache import FILE, Cache, default_cache

WRITER = """
import sys
from assay.text.cache import Cache
cache = Cache(sys.argv[1])
print("ready", flush=True)
for i in range(int(sys.argv[3])):
    cache.put("m", "1", [(f"{sys.argv[2]} {i} {j}", b"x" * 500) for j in range(20)])
print("done", flush=True)
"""


def writer(folder, name, rounds):
    command = [sys.executable, "-W", "error", "-c", WRITER, str(folder), name, str(rounds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def sound(path) -> bool:
    with sqlite3.connect(path) as connection:
        return connection.execute("pragma integrity_check").fetchone() == ("ok",)


def test_what_is_put_is_got(tmp_path):
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.models() == []
    assert not cache.path.exists()
    cache.put("en", "1", [("a", b"A"), ("b", b"B"), ("", b"")])
    assert cache.get("en", "1", ["a", "b", "", "c"]) == {"a": b"A", "b": b"B", "": b""}
    assert cache.get("en", "2", ["a"]) == {}
    assert cache.get("other", "1", ["a"]) == {}
    cache.put("en", "1", [("a", b"again")])
    assert Cache(tmp_path / "new" / "folder").get("en", "1", ["a"]) == {"a": b"again"}
    assert [(h.model, h.version, h.entries) for h in cache.models()] == [("en", "1", 3)]
    assert cache.clear() == 3
    assert cache.get("en", "1", ["a"]) == {}


def test_more_keys_than_a_question_takes(tmp_path):
    cache = Cache(tmp_path)
    values = {f"text {i}": b"%d" % i for i in range(1234)}
    cache.put("en", "1", values.items())
    assert cache.get("en", "1", list(values)) == values


def test_two_processes_write_at_once(tmp_path):
    both = [writer(tmp_path, name, 40) for name in ("one", "two")]
    assert [process.communicate()[0] for process in both] == ["ready\ndone\n"] * 2
    assert [h.entries for h in Cache(tmp_path).models()] == [1600]
    assert sound(tmp_path / FILE)


def test_a_process_is_killed_while_it_writes(tmp_path):
    process = writer(tmp_path, "victim", 10**6)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    cache = Cache(tmp_path)
    cache.put("m", "1", [("after", b"!")])
    assert cache.get("m", "1", ["after", "victim 0 0"]) == {"after": b"!", "victim 0 0": b"x" * 500}
    assert (cache.models()[0].entries - 1) % 20 == 0  # whole transactions only
    assert sound(cache.path)


@pytest.mark.parametrize("damage", ["other file", "middle", "short"])
def test_a_damaged_file_is_moved_aside(tmp_path, damage):
    cache = Cache(tmp_path)
    cache.put("m", "1", [(f"{i}", b"x" * 300) for i in range(500)])
    cache.close()
    whole = cache.path.read_bytes()
    broken = {
        "other file": b"this is no database " * 1000,
        "middle": whole[:100] + b"\xff" * (len(whole) - 100),
        "short": whole[: len(whole) // 3],
    }
    cache.path.write_bytes(broken[damage])
    again = Cache(tmp_path)
    with pytest.warns(AssayWarning, match="damaged"):
        again.get("m", "1", [f"{i}" for i in range(500)])
    again.put("m", "1", [("a", b"A")])
    assert again.get("m", "1", ["a"]) == {"a": b"A"}
    assert [p.read_bytes()[:50] for p in tmp_path.glob(f"{FILE}.broken-*") if p.suffix[-4:] not in ("-wal", "-shm")]
    again.clear()
    assert list(tmp_path.glob("*.broken-*")) == []


def test_a_folder_that_cannot_be_made_is_a_warning(tmp_path):
    (tmp_path / "file").write_text("x")
    cache = Cache(tmp_path / "file" / "cache")
    with pytest.warns(AssayWarning, match="is not used"):
        cache.put("m", "1", [("a", b"A")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # said once
        assert cache.get("m", "1", ["a"]) == {}


def test_another_process_holds_the_lock(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.text.cache.WAIT", 0.1)
    cache = Cache(tmp_path)
    cache.put("m", "1", [("a", b"A")])
    cache.close()
    with sqlite3.connect(cache.path, isolation_level=None) as other:
        other.execute("begin immediate")
        with pytest.warns(AssayWarning, match="locked"):
            cache.put("m", "1", [("b", b"B")])
    assert Cache(tmp_path).get("m", "1", ["a", "b"]) == {"a": b"A"}


def test_the_oldest_are_dropped(tmp_path):
    cache = Cache(tmp_path, limit=200_000)
    for i in range(100):
        cache.put("m", "1", [(f"{i} {j}", os.urandom(1000)) for j in range(10)])
    assert cache.get("m", "1", ["99 9"])
    assert not cache.get("m", "1", ["0 0"])
    assert sum(h.bytes for h in cache.models()) < 200_000
    cache.close()
    assert cache.size() < 400_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_its_own(tmp_path):
    cache = Cache(tmp_path)
    cache.put("m", "1", [("a", b"A")])
    child = os.fork()
    if not child:
        cache.put("m", "1", [("child", b"C")])
        os._exit(0 if cache.get("m", "1", ["a"]) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert cache.get("m", "1", ["a", "child"]) == {"a": b"A", "child": b"C"}


def test_where_the_users_cache_is(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", "off")
    assert default_cache() is None
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "mine"))
    assert default_cache().path == tmp_path / "mine" / FILE
    assert default_cache() is default_cache()
    monkeypatch.delenv("ASSAY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache().path == tmp_path / "assay" / FILE
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache().path == tmp_path / ".cache" / "assay" / FILE
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="must be a folder"):
        default_cache()
