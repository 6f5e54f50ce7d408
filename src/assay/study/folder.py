"""The folder of a study: settings, texts, instructions, consent, the secret and the database.

| file | what it holds |
|---|---|
| study.json | the settings |
| set.jsonl | the texts, which never change; qualification.jsonl and checks.jsonl have known answers |
| instructions.md, consent.md | what raters read first; a change makes a new version |
| secret | what links and anonymous names are made from; readable by the owner only |
| links.json | which links were renewed; readable by the owner only |
| database | the URL of the database, where it is not study.db; readable by the owner only |
| study.db | the log and who the raters are |
| backups/ | what `assay study backup` wrote |
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from .. import formats
from ..data.evalset import EvalSet
from ..errors import FormatError, InputError, MarkupWarning
from ..files import lock_file, whole_folder, write_whole
from .protocols import PROTOCOLS, Protocol
from .settings import FORMAT, StudySettings
from .store import StudyDatabase, sqlite_url

SETTINGS, TEXTS, SECRET, DATABASE, SQLITE = "study.json", "set.jsonl", "secret", "database", "study.db"
QUALIFICATION, CHECKS = "qualification.jsonl", "checks.jsonl"
INSTRUCTIONS, CONSENT, BACKUPS, LOCK, LINKS = "instructions.md", "consent.md", "backups", "lock", "links.json"
_SETS = (TEXTS, QUALIFICATION, CHECKS)


@dataclass(frozen=True)
class StudyFolder:
    """A study on disk."""

    path: Path

    @cached_property
    def settings(self) -> StudySettings:
        """The settings; a file that is not a study's is refused."""
        path = self.path / SETTINGS
        try:
            settings = msgspec.json.decode(path.read_bytes(), type=StudySettings)
        except FileNotFoundError:
            raise FormatError(
                f"holds no study ({SETTINGS} is missing); make one: assay study new", path=self.path
            ) from None
        except (msgspec.MsgspecError, InputError, UnicodeDecodeError) as error:
            raise FormatError(f"cannot be read: {error}", path=path) from error
        if settings.format != FORMAT:
            raise FormatError(f"has format {settings.format}; this release of Assay reads {FORMAT}", path=path)
        return settings

    @cached_property
    def protocol(self) -> Protocol:
        """What raters are asked."""
        return PROTOCOLS.build(self.settings.protocol)

    def texts(self, name: str = TEXTS) -> EvalSet | None:
        """Read a set of the study; None where there is none."""
        path = self.path / name
        if not path.exists():
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MarkupWarning)  # raters see texts as they are
            return formats.read(path, allow_missing=True)

    def document(self, name: str) -> str:
        """Read the instructions or the consent form; empty where there is none."""
        path = self.path / name
        try:
            return path.read_text("utf-8") if path.exists() else ""
        except UnicodeDecodeError:
            raise FormatError("is not UTF-8", path=path) from None

    def check_texts(self) -> None:
        """Refuse texts that changed since the study was opened."""
        if hash_texts(self.path) != self.settings.texts_sha256:
            raise FormatError(
                "the texts changed since the study was made; judgments of other texts cannot be told apart: restore "
                "the file, or make a new study",
                path=self.path / TEXTS,
            )

    @cached_property
    def secret(self) -> bytes:
        """What links are made from."""
        try:
            return bytes.fromhex((self.path / SECRET).read_text("ascii").strip())
        except (OSError, ValueError) as error:
            raise FormatError(
                "the secret of the study cannot be read; restore it from a backup", path=self.path / SECRET
            ) from error

    def derive(self, purpose: str) -> str:
        """Return a token for a purpose: 40 hexadecimal digits that no one can guess without the secret."""
        return hmac.new(self.secret, purpose.encode(), hashlib.sha256).hexdigest()[:40]

    def link_token(self, purpose: str) -> str:
        """Return the token of a link; another one after it was renewed."""
        renewed = self._renewed_links.get(purpose)
        return self.derive(purpose if renewed is None else f"{purpose}:{renewed}")

    @cached_property
    def _renewed_links(self) -> dict[str, str]:
        """What is mixed into the tokens of links that were renewed, by purpose."""
        path = self.path / LINKS
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}
        except msgspec.MsgspecError as error:
            raise FormatError(f"cannot be read: {error}", path=path) from error

    def renew_links(self, purposes: Iterable[str]) -> None:
        """Make links for these purposes invalid; those that `link_token` gives from now on are others."""
        self._renewed_links.update({purpose: secrets.token_hex(8) for purpose in purposes})
        _write_private(self.path / LINKS, msgspec.json.encode(self._renewed_links).decode())

    def database(self, url: str | None = None) -> StudyDatabase:
        """Open the database: that of a URL, else the one the study was made with."""
        url_file = self.path / DATABASE
        if url is None:
            url = url_file.read_text("utf-8").strip() if url_file.exists() else sqlite_url(self.path / SQLITE)
        return StudyDatabase(url, schema="" if url.startswith("sqlite") else f"assay_{self.settings.id}")

    @contextmanager
    def lock(self, purpose: str) -> Iterator[None]:
        """Hold the study for one process that writes; a second one is refused."""
        with open(self.path / LOCK, "a") as file:
            if not lock_file(file.fileno()):
                raise InputError(
                    f"{self.path}: the study is being served by another process; {purpose} needs it stopped, "
                    "or use the admin page"
                )
            yield

    def backups(self) -> list[Path]:
        """List the backups in the folder."""
        return sorted((self.path / BACKUPS).glob("*.db"))


def hash_texts(folder: Path) -> str:
    """Return one SHA-256 of all texts of a study."""
    total = hashlib.sha256()
    for name in _SETS:
        path = folder / name
        total.update(hashlib.sha256(path.read_bytes() if path.exists() else b"").digest())
    return total.hexdigest()


def create_folder(
    path: Path,
    settings: StudySettings,
    sets: Mapping[str, EvalSet],
    *,
    instructions: str = "",
    consent: str = "",
    database: str | None = None,
) -> StudyFolder:
    """Write a new study; the folder appears whole or not at all, and its database is opened."""
    with whole_folder(path) as part:
        for name, data in sets.items():
            formats.write(data, part / name)
        settings = msgspec.structs.replace(settings, texts_sha256=hash_texts(part))
        write_whole(part / SETTINGS, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
        for name, text in ((INSTRUCTIONS, instructions), (CONSENT, consent)):
            if text:
                write_whole(part / name, text)
        _write_private(part / SECRET, secrets.token_hex(32))
        if database is not None:
            _write_private(part / DATABASE, database)
        write_whole(part / LOCK, "")
        (part / BACKUPS).mkdir(mode=0o700)
        os.chmod(part, 0o700)  # it will hold who the raters are
        opened = StudyFolder(part).database()
        opened.create(settings.id)
        opened.close()
    return StudyFolder(path)


def _write_private(path: Path, text: str) -> None:
    """Write what only its owner may read; the folder around it is private before it gets its name."""
    write_whole(path, text + "\n")
    os.chmod(path, 0o600)
