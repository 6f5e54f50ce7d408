"""Folders of runs, on this machine and in object stores through fsspec."""

from __future__ import annotations

import pytest

from assay.engines.storage import find_inputs, input_file, input_stamp, open_folder
from assay.errors import FormatError, InputError


@pytest.fixture(params=["local", "file", "memory"])
def url(request, tmp_path) -> str:
    return {"local": f"{tmp_path}/run", "file": f"file://{tmp_path}/run", "memory": f"memory://{tmp_path.name}"}[
        request.param
    ]


def test_files_are_written_and_read(url):
    folder = open_folder(url)
    folder.make()
    assert folder.read("a.json") is None
    assert folder.size("a.json") is None
    folder.write("a.json", b"one")
    folder.write("a.json", b"three")
    assert (folder.read("a.json"), folder.size("a.json")) == (b"three", 5)


def test_a_file_appears_when_it_is_whole(url):
    folder = open_folder(url)
    folder.make()
    with pytest.raises(ZeroDivisionError), folder.new_file("part") as path:
        path.write_bytes(bytes([1 // 0]) if path.write_bytes(b"half") else b"")
    assert folder.size("part") is None
    with folder.new_file("part") as path:
        path.write_bytes(b"whole")
    assert folder.read("part") == b"whole"


def test_inputs_of_an_object_store_are_fetched(url):
    folder = open_folder(url)
    folder.make()
    folder.write("in.txt", b"text")
    file = f"{folder.url}/in.txt"
    with input_file(file, input_stamp(file)) as path, open(path, "rb") as opened:
        assert opened.read() == b"text"
    with pytest.raises(FormatError, match="has changed since"), input_file(file, "3 0"):
        pass


def test_patterns(tmp_path):
    for name in ("b.csv", "a.csv", "c.txt"):
        (tmp_path / name).write_text("x")
    assert find_inputs([f"{tmp_path}/*.csv"]) == [f"{tmp_path}/a.csv", f"{tmp_path}/b.csv"]
    assert find_inputs([f"file://{tmp_path}/a.csv"]) == [f"{tmp_path}/a.csv"]
    open_folder("memory://patterns").write("a.csv", b"x")
    assert find_inputs(["memory://patterns/*.csv"]) == ["memory:///patterns/a.csv"]
    with pytest.raises(FormatError, match="no file has such a name"):
        find_inputs([f"{tmp_path}/*.json"])
    with pytest.raises(InputError, match=r"a\.csv is given twice"):
        find_inputs([f"{tmp_path}/*.csv", f"{tmp_path}/a.csv"])
    with pytest.raises(FormatError, match="cannot be read here"):
        input_stamp(f"{tmp_path}/none")


def test_an_unknown_store_is_an_error():
    with pytest.raises(InputError, match="Protocol not known: nowhere"):
        find_inputs(["nowhere://x/*"])
