"""Members of a zip file that may be damaged or forged: read one by one, within limits, and never unpacked to disk."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import FormatError
from ...extras import import_extra
from .text_file import StrPath, read_errors

MAX_MEMBERS = 200_000
MEMBER_LIMIT = 64 << 20  # bytes of one member, unpacked
TOTAL_LIMIT = 1 << 30  # bytes of all members that are read, unpacked
ZSTANDARD = 93  # the number of this compression in zip files
_LOCAL = struct.Struct("<4sHHHHHIIIHH")


class ZipMembers:
    """The members of an open zip file; `names` in their order, a later one of the same name replacing the former."""

    def __init__(self, path: StrPath, archive: zipfile.ZipFile) -> None:
        self._path, self._archive, self._total = path, archive, 0
        infos = archive.infolist()
        if len(infos) > MAX_MEMBERS:
            raise FormatError(f"the zip file has {len(infos):,} members; at most {MAX_MEMBERS:,} are read", path=path)
        self._infos = {info.filename: info for info in infos}
        self.names = list(self._infos)

    def read(self, name: str) -> bytes:
        """Return the bytes of a member."""
        info = self._infos[name]
        self._total += info.file_size
        if info.file_size > MEMBER_LIMIT or self._total > TOTAL_LIMIT:
            limit = MEMBER_LIMIT if info.file_size > MEMBER_LIMIT else TOTAL_LIMIT
            message = f"{name[:60]!r} is larger than {limit >> 20:,} MiB when unpacked (with those before it)"
            raise FormatError(message, path=self._path)
        try:
            data = self._zstandard(info) if info.compress_type == ZSTANDARD else self._unpack(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, RuntimeError) as error:
            raise _zip_error(self._path, f"{name[:60]!r}: {error}") from error
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            raise _zip_error(self._path, f"{name[:60]!r} is not what its checksum says")
        return data

    def _unpack(self, info: zipfile.ZipInfo) -> bytes:
        with self._archive.open(info) as member:
            return member.read(info.file_size + 1)  # not more than it says, whatever it holds

    def _zstandard(self, info: zipfile.ZipInfo) -> bytes:
        zstandard = import_extra("zstandard", "logs", "this log of inspect_ai")
        file = self._archive.fp
        if file is None or info.flag_bits & 1:
            raise zipfile.BadZipFile("encrypted")
        file.seek(info.header_offset)
        signature, *_, name, more = _LOCAL.unpack(file.read(_LOCAL.size))
        if signature != b"PK\3\4":
            raise zipfile.BadZipFile("no local header")
        file.seek(name + more, 1)
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
            _Limited(file, info.compress_size), read_across_frames=True
        ) as reader:
            try:
                data: bytes = reader.read(info.file_size + 1)
            except zstandard.ZstdError as error:
                raise zipfile.BadZipFile(str(error)) from error
        return data


class _Limited:
    """The next bytes of a file, and no more."""

    def __init__(self, file: Any, size: int) -> None:
        self._file, self._left = file, size

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


@contextmanager
def open_zip(path: StrPath) -> Iterator[ZipMembers]:
    """Open a zip file; one that is cut off or broken is an error in one line."""
    with read_errors(path):
        try:
            archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError) as error:
            raise _zip_error(path, str(error)) from error
        with archive:
            yield ZipMembers(path, archive)


def _zip_error(path: StrPath, what: str) -> FormatError:
    return FormatError(f"the zip data is cut off or broken ({what}); make or fetch the file again", path=path)
