"""The study that a command is about."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..study.content import StudyContent
    from ..study.store import StudyDatabase


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the folder of a study and its database."""
    parser.add_argument("folder", help="folder of the study")
    parser.add_argument("--database", metavar="URL", help="database or backup (default: the one it was made with)")


def open_study(args: argparse.Namespace) -> tuple[StudyContent, StudyDatabase]:
    """Read a study and open its database."""
    from ..study.content import StudyContent
    from ..study.folder import StudyFolder

    content = StudyContent(StudyFolder(Path(args.folder)))
    database = content.folder.database(args.database)
    database.check(content.settings.id)
    return content, database
