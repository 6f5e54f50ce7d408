"""Whole files or none."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from assay import files
from assay.errors import FormatError
from assay.files import lock_file, remove_stale, whole_file, whole_folder


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


def fail(number: int) -> Callable[..., NoReturn]:
    def call(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return call


def without_unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")


def without_support(monkeypatch: pytest.MonkeyPatch, number: int = errno.EOPNOTSUPP) -> None:
    real = os.open

    def refuse(path: str, flags: int, *more: int) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(number, os.strerror(number))
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", refuse)


def without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", fail(errno.ENOENT))  # /proc is not mounted


def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    without_unnamed(monkeypatch)
    monkeypatch.setattr(files, "lock_file", fail(errno.ENOLCK))


def without_fcntl(monkeypatch: pytest.MonkeyPatch) -> None:
    without_unnamed(monkeypatch)
    monkeypatch.setitem(sys.modules, "fcntl", None)


LESS = [without_unnamed, without_support, without_links, without_locks, without_fcntl]
linux = pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="there are no files without a name")


@linux
@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("less", LESS)
def test_files_are_whole_on_lesser_systems(
    less: Callable[[pytest.MonkeyPatch], None], old: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    less(monkeypatch)
    target, content = tmp_path / "out.txt", bytes(range(256)) * 20_000
    if old is not None:
        target.write_bytes(old)
    with pytest.raises(TypeError), whole_file(target) as file:
        file.writelines([content, "not bytes"])  # type: ignore[list-item]
    assert (target.read_bytes() if target.exists() else None) == old
    with whole_file(target) as file:
        file.write(content)
    assert target.read_bytes() == content
    with whole_folder(tmp_path / "folder") as folder:
        (folder / "a").write_text("a")
    assert sorted(os.listdir(tmp_path)) == ["folder", "out.txt"]


@linux
def test_a_file_has_no_name_until_it_is_whole(tmp_path: Path) -> None:
    with whole_file(tmp_path / "out.txt") as file:
        file.write(b"new")
        assert os.listdir(tmp_path) == []
    assert os.listdir(tmp_path) == ["out.txt"]


@linux
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failure_is_not_taken_for_a_lesser_system(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_support(monkeypatch, number)
    with pytest.raises(FormatError, match=os.strerror(number)), whole_file(tmp_path / "out.txt"):
        pass
    assert os.listdir(tmp_path) == []


@linux
def test_a_file_that_appears_meanwhile_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, real = tmp_path / "out.txt", os.link

    def link(source: str, name: Path, **options: Any) -> None:
        if name == target:
            target.write_text("of another process")
        real(source, name, **options)

    monkeypatch.setattr(os, "link", link)
    with whole_file(target) as file:
        file.write(b"new")
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_two_writers_of_the_same_name_do_not_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with whole_file(tmp_path / "out.txt") as first, whole_file(tmp_path / "out.txt") as second:
        first.write(b"first")
        second.write(b"second")
        assert len(os.listdir(tmp_path)) == 2
    assert (tmp_path / "out.txt").read_text() == "first"
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is removed there")
@pytest.mark.parametrize("kind", ["link", "pipe", "of another user"])
def test_only_what_a_process_left_is_removed(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever guesses the name of a part cannot have something else removed, or let us wait."""
    part, other = tmp_path / ".out.1234.part", tmp_path / "other"
    other.mkdir()
    (other / "precious").write_text("")
    if kind == "link":
        part.symlink_to(other)
    elif kind == "pipe":
        os.mkfifo(part)
        monkeypatch.setattr(files, "lock_file", lambda _: False)
    else:
        part.mkdir()
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not remove_stale(part)
    assert os.path.lexists(part)
    assert os.listdir(other) == ["precious"]


def test_a_link_in_a_folder_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").write_text("")

    def fail_with_a_link() -> None:
        with whole_folder(tmp_path / "out") as folder:
            (folder / "link").symlink_to(tmp_path / "other")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_with_a_link()
    assert os.listdir(tmp_path) == ["other"]
    assert os.listdir(tmp_path / "other") == ["precious"]


def test_a_lock_holds_until_the_file_is_closed(tmp_path: Path) -> None:
    with open(tmp_path / "file", "a") as second:
        with open(tmp_path / "file", "a") as first:
            assert lock_file(first.fileno())
            assert not lock_file(second.fileno())
        assert lock_file(second.fileno())
