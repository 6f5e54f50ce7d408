"""Make a new study from an evaluation set."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from ..data.evalset import EvalSet
from ..data.item import Item
from ..errors import InputError
from .design import make_plan
from .events import utc_now, write_time
from .folder import CHECKS, QUALIFICATION, TEXTS, StudyFolder, create_folder
from .protocols import Protocol
from .settings import Crowd, RatingScale, StudyDesign, StudySettings, check_dimensions
from .store import RATERS, StudyDatabase

REFERENCE = "reference"
MAX_ITEMS = 1_000_000


def create_study(
    path: Path,
    data: EvalSet,
    protocol: Protocol,
    *,
    design: StudyDesign,
    dimensions: Sequence[RatingScale] = (),
    qualification: EvalSet | None = None,
    checks: EvalSet | None = None,
    include_references: bool = False,
    instructions: str = "",
    consent: str = "",
    title: str = "",
    language: str = "en",
    text_language: str = "",
    crowd: Crowd | None = None,
    invitations: Sequence[str] = (),
    allow_skip: bool = False,
    loud_checks: bool = False,
    auto_advance: bool = True,
    pass_mark: float = 0.8,
    database: str | None = None,
    like: str = "",
) -> StudyFolder:
    """Make the folder of a study and its database; raters in `invitations` get links of their own.

    Judgments that the set has already are left out; of qualification and checks they are the known answers.
    """
    protocol = protocol.fit_to(data)
    scales = tuple(dimensions) or protocol.dimensions
    if dimensions and not protocol.takes_dimensions:
        raise InputError(f"{protocol.title} has no scales of its own choice; leave out --dimensions")
    check_dimensions(scales)
    check_codes(invitations, set())
    data = EvalSet([_bare_item(item, include_references) for item in data], allow_missing=True)
    for part, what in ((qualification, "qualification"), (checks, "attention checks")):
        if part is not None and not part.dimensions:
            raise InputError(f"the {what} have no judgments: they are the known answers")
    if design.checks and checks is None:
        raise InputError("attention checks need a set with known answers: --checks FILE")
    make_plan(data, protocol, design, qualification=qualification, checks=checks)  # raises what cannot be shown
    settings = StudySettings(
        id=secrets.token_hex(6),
        protocol=protocol.signature(),
        items=len(data),
        texts_sha256="",
        title=title or "Study",
        language=language,
        text_language=text_language,
        dimensions=scales,
        design=design,
        crowd=crowd,
        pass_mark=pass_mark,
        allow_skip=allow_skip,
        loud_checks=loud_checks,
        auto_advance=auto_advance,
        created=write_time(utc_now()),
        like=like,
    )
    sets = {TEXTS: data, QUALIFICATION: qualification, CHECKS: checks}
    present = {name: part for name, part in sets.items() if part is not None}
    folder = create_folder(path, settings, present, instructions=instructions, consent=consent, database=database)
    opened = folder.database()
    invite(opened, invitations)
    opened.close()
    return folder


def check_codes(codes: Sequence[str], known: Collection[str]) -> None:
    """Refuse names of raters that are empty, long, or not their own."""
    for number, code in enumerate(codes):
        if code in known or code in codes[:number] or not code.strip() or len(code) > 100:
            raise InputError(f"a rater needs a name of their own, of up to 100 characters; got {code[:100]!r}")


def invite(database: StudyDatabase, codes: Sequence[str]) -> None:
    """Enter raters who get links of their own; only while the study is not served."""
    import sqlalchemy as sa

    check_codes(codes, {row["code"] for row in database.rows(RATERS)})
    first = max((row["number"] for row in database.rows(RATERS)), default=0) + 1
    now = write_time(utc_now())
    rows = [{"number": first + n, "code": code, "external": None, "created": now} for n, code in enumerate(codes)]
    if rows:
        with database.engine.begin() as connection:
            connection.execute(sa.insert(RATERS), rows)


def _bare_item(item: Item, include_references: bool) -> Item:
    """Return an item without judgments, and with its reference among the outputs if that is judged too."""
    extra = {key: value for key, value in item.extra.items() if key not in ("judgments", "scales", "skipped")}
    outputs = dict(item.outputs)
    if include_references:
        if not item.references or REFERENCE in outputs:
            raise InputError(f"{item.place}: --with-references needs a reference, and no system called {REFERENCE!r}")
        outputs[REFERENCE] = item.references[0].text
    return replace(item, judgments=(), extra=extra, outputs=outputs)
