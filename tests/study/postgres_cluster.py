"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it and on no port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl: Debian's newest, or that on the path."""
    on_path = shutil.which("initdb")
    return PROGRAMS[-1] if PROGRAMS else Path(on_path).parent if on_path else None


def as_user() -> list[str]:
    """What to put before a command: PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


@contextmanager
def run_postgres():
    """Start a cluster, yield the URL of a database in it, and stop it."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed: make postgres")
    folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
    try:
        if as_user():
            shutil.chown(folder, "postgres", "postgres")
        data, log = folder / "data", folder / "log"
        _call([programs / "initdb", "-D", data, "-U", "assay", "-A", "trust", "-E", "UTF8", "--no-sync"])
        options = f"-k {folder} -c listen_addresses='' -c max_connections=40"
        _call([programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start"])
        try:
            yield f"postgresql://assay@/postgres?host={folder}"
        finally:
            _call([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _call(command) -> None:
    # No pipe for the output: the server that pg_ctl starts would hold it open for ever.
    with tempfile.TemporaryFile() as output:
        words = [*as_user(), *map(str, command)]
        code = subprocess.run(
            words, stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=False, cwd="/"
        ).returncode
        if code:
            output.seek(0)
            raise RuntimeError(output.read().decode(errors="replace")[-500:])
