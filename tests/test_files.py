"""Whole files or none."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from assay.errors import FormatError
from assay.files import whole_file, whole_folder


def test_a_file_appears_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    with whole_file(target) as file:
        file.write(b"new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_a_failure(error: type[BaseException], tmp_path: Path) -> None:
    def fail_in_a_file() -> None:
        with whole_file(tmp_path / "out.txt.gz") as file:
            file.write(b"half")
            raise error

    def fail_in_a_folder() -> None:
        with whole_folder(tmp_path / "out") as folder:
            (folder / "a").write_text("half")
            raise error

    for fail in (fail_in_a_file, fail_in_a_folder):
        with pytest.raises(error):
            fail()
    assert os.listdir(tmp_path) == []


def test_rights_and_links(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with whole_file(tmp_path / "real"):
            pass
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with whole_file(tmp_path / "link") as file:
        file.write(b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"x"


def test_devices_are_written_straight() -> None:
    with whole_file("/dev/null") as file:
        file.write(b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    for path, message in (
        (tmp_path, "is a folder; give a file name"),
        (tmp_path / "none" / "x", "the folder to write into does not exist"),
        (tmp_path / "file" / "x", "a part of the path is a file"),
        (tmp_path / ("x" * 300), "cannot be written: File name too long"),
    ):
        with pytest.raises(FormatError, match=message), whole_file(path):
            pass
    with pytest.raises(FormatError, match="is a file; give the name of a new folder"), whole_folder(tmp_path / "file"):
        pass
    with pytest.raises(FormatError, match="the folder is not empty"), whole_folder(tmp_path / "full"):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FormatError, match="permission denied"), whole_file(tmp_path / "x"):
        pass
