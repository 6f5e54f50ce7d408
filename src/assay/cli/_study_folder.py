"""The study that a command is about."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from ..study.content import StudyContent
    from ..study.store import StudyDatabase


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the folder of a study and its database."""
    parser.add_argument("folder", help="folder of the study")
    parser.add_argument("--database", metavar="URL", help="database or backup (default: the one it was made with)")


@contextmanager
def open_study(args: argparse.Namespace, *, writes: bool = False) -> Iterator[tuple[StudyContent, StudyDatabase]]:
    """Read a study and open its database, which is closed in the end: SQLite then removes its journal.

    A database of an earlier version is read in a copy. Whoever writes brings it to the present one before.
    """
    from ..study.content import StudyContent
    from ..study.folder import StudyFolder
    from ..study.store import read_at_present

    content = StudyContent(StudyFolder(Path(args.folder)))
    database = content.folder.database(args.database)
    try:
        version = database.check(content.settings.id)
        if writes:
            yield content, database
            return
        with read_at_present(database, version) as present:
            yield content, present
    finally:
        database.close()


def refuse_study_file(folder: Path, out: str) -> None:
    """Raise if a file to be written is one of the study's own: its texts or its log would be lost."""
    target = Path(out)
    if target.exists() and any(path.samefile(target) for path in folder.glob("*")):
        raise InputError(f"{out} is a file of the study itself: give another name")
