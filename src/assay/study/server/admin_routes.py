"""What the admin's browser calls: progress, agreement, status, raters, backups and the export."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from ...errors import InputError
from ...formats import item_to_json
from ..backup import back_up, backups_with
from ..export import edit_history, export_study
from ..live import live_agreement
from ..service import StudyService
from ..status import item_times, study_progress
from .rater_routes import join_link, page_context, rater_link, service_of
from .security import (
    ADMIN_COOKIE,
    ADMIN_HOURS,
    cookie_name,
    is_token,
    make_session,
    refuse_link,
    require_admin,
    session_hash,
)

Code = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]
RaterNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class StatusChange(msgspec.Struct, forbid_unknown_fields=True):
    """What to do with the study; places are added by extend."""

    action: Literal["pause", "reopen", "close", "extend"]
    places: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0


class Invitation(msgspec.Struct, forbid_unknown_fields=True):
    """Names or codes of raters who get links of their own."""

    codes: Annotated[list[Code], msgspec.Meta(min_length=1, max_length=1000)]


class LinkRenewal(msgspec.Struct, forbid_unknown_fields=True):
    """Whose link is made anew: of the room, of the admin, or of one rater, by number."""

    link: Literal["room", "admin", "rater"]
    rater: RaterNumber | None = None


class RaterChoice(msgspec.Struct, forbid_unknown_fields=True):
    """One rater, by number."""

    rater: RaterNumber


def admin_link(service: StudyService) -> str:
    """Return the path of the admin's link."""
    return f"/admin/login/{service.folder.link_token('admin')}"


@get("/admin/login/{token:str}", include_in_schema=False)
async def open_admin_link(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Exchange the admin's link for a session."""
    service = service_of(request)
    if not is_token(token, service.folder.link_token("admin")):
        refuse_link(request)
    request.app.state.link_limit.check("admin")
    cookie, token_hash = make_session(
        cookie_name(service, ADMIN_COOKIE),
        is_secure=service_of(request).is_https or request.url.scheme == "https",
        hours=ADMIN_HOURS,
    )
    await asyncio.wrap_future(service.run(lambda: service.open_session(token_hash, None, hours=ADMIN_HOURS)))
    return Redirect("/admin", status_code=HTTP_303_SEE_OTHER, cookies=[cookie])


@get("/admin", include_in_schema=False, guards=[require_admin])
async def open_admin(request: Request[Any, Any, Any]) -> Template:
    """Return the shell of the admin page."""
    return Template("admin.html", context=page_context(service_of(request)))


@get("/progress")
async def get_progress(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return how far the study is, rater by rater; places of those who left are freed."""
    service = service_of(request)
    return await asyncio.wrap_future(service.run(lambda: _progress(service)))


def _progress(service: StudyService) -> dict[str, Any]:
    service.expire_abandoned()
    codes = {number: row["code"] for number, row in service.raters.items()}
    progress = study_progress(service.content, service.state, codes, version=service.version)
    first, *rows = progress.records()
    raters = [{**row, "link": None if row["stage"] == "erased" else rater_link(service, row["number"])} for row in rows]
    join = None if service.settings.crowd is not None else join_link(service)
    return {**first, "raters": raters, "join_link": join}


@get("/agreement")
async def get_agreement(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return how far the raters agree so far."""
    service = service_of(request)

    def measure() -> list[dict[str, Any]]:
        try:
            return live_agreement(export_study(service.content, service.database))
        except InputError:  # no one has answered, or there is nothing to compare yet
            return []

    return {"dimensions": await asyncio.to_thread(measure)}


@get("/items")
async def get_items(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return the time that answers took, item by item, slowest first."""
    service = service_of(request)
    return {"items": await asyncio.wrap_future(service.run(lambda: item_times(service.state)))}


@post("/status", status_code=HTTP_200_OK)
async def change_status(request: Request[Any, Any, Any], data: JSONBody[StatusChange]) -> dict[str, Any]:
    """Pause, reopen, close or extend the study."""
    service = service_of(request)
    kinds = {"pause": "paused", "reopen": "reopened", "close": "closed", "extend": "extended"}

    def job() -> dict[str, Any]:
        service.change_status(kinds[data.action], places=data.places)
        return {"status": service.state.status, "extra_places": service.state.extra_places}

    return await asyncio.wrap_future(service.run(job))


@post("/invite", status_code=HTTP_200_OK)
async def invite_raters(request: Request[Any, Any, Any], data: JSONBody[Invitation]) -> dict[str, Any]:
    """Make links for raters; somebody who has one keeps it."""
    service = service_of(request)

    def job() -> list[dict[str, Any]]:
        numbers = [service.register(code=code) for code in data.codes]
        return [{"number": n, "code": service.raters[n]["code"], "link": rater_link(service, n)} for n in numbers]

    return {"raters": await asyncio.wrap_future(service.run(job))}


def _known_rater(service: StudyService, number: int) -> int:
    if number not in service.raters:
        raise NotFoundException(f"there is no rater {number}")
    return number


@post("/withdraw", status_code=HTTP_200_OK)
async def withdraw_rater(request: Request[Any, Any, Any], data: JSONBody[RaterChoice]) -> dict[str, Any]:
    """Take a rater out of the export, and free the place."""
    service = service_of(request)
    number = _known_rater(service, data.rater)
    await asyncio.wrap_future(service.run(lambda: service.withdraw(number)))
    return {"rater": number}


@post("/erase", status_code=HTTP_200_OK)
async def erase_rater(request: Request[Any, Any, Any], data: JSONBody[RaterChoice]) -> dict[str, Any]:
    """Remove payload and identity of a rater, and name the backups that still hold them."""
    service = service_of(request)
    number = _known_rater(service, data.rater)
    await asyncio.wrap_future(service.run(lambda: service.erase(number)))
    seconds = await asyncio.wrap_future(service.run(service.forget_deleted))
    paths = await asyncio.to_thread(lambda: list(backups_with(service.folder, number)))
    return {"rater": number, "backups": [path.name for path in paths], "seconds": round(seconds, 3)}


@post("/logout", status_code=HTTP_200_OK)
async def sign_admin_out(request: Request[Any, Any, Any]) -> Response[Any]:
    """End this session of the admin."""
    service, token_hash = service_of(request), session_hash(request, ADMIN_COOKIE)
    await asyncio.wrap_future(service.run(lambda: service.end_session(token_hash)))
    response = Response({"signed_out": True}, status_code=HTTP_200_OK)
    response.delete_cookie(cookie_name(service, ADMIN_COOKIE))
    return response


@post("/end-sessions", status_code=HTTP_200_OK)
async def end_sessions(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """End the sessions of all raters and admins; links stay valid."""
    service = service_of(request)
    await asyncio.wrap_future(service.run(service.end_all_sessions))
    return {"sessions": 0}


@post("/renew", status_code=HTTP_200_OK)
async def renew_link(request: Request[Any, Any, Any], data: JSONBody[LinkRenewal]) -> dict[str, Any]:
    """Make a link anew: the old one is not valid any more, and the sessions it opened end."""
    service = service_of(request)
    if data.link == "rater":
        number = _known_rater(service, data.rater or 0)
        await asyncio.wrap_future(service.run(lambda: service.renew_links([f"rater:{number}"])))
        return {"link": rater_link(service, number)}
    purpose = "join" if data.link == "room" else "admin"
    await asyncio.wrap_future(service.run(lambda: service.renew_links([purpose])))
    return {"link": join_link(service) if data.link == "room" else admin_link(service)}


@post("/backup", status_code=HTTP_200_OK)
async def make_backup(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Write a backup into the study's folder."""
    service = service_of(request)
    path = await asyncio.to_thread(back_up, service.folder, service.database)
    return {"name": path.name, "bytes": path.stat().st_size}


@get("/export")
async def download_export(request: Request[Any, Any, Any], anonymize: FromQuery[bool] = False) -> Response[bytes]:
    """Return the judged set as JSON Lines."""
    service = service_of(request)

    def make() -> bytes:
        data = export_study(service.content, service.database, anonymize=anonymize)
        return b"".join(msgspec.json.encode(item_to_json(item)) + b"\n" for item in data)

    content = await asyncio.to_thread(make)
    disposition = 'attachment; filename="judged.jsonl"'
    return Response(content, media_type="application/x-ndjson", headers={"content-disposition": disposition})


@get("/edits/{rater:int}/{task:int}")
async def get_edits(request: Request[Any, Any, Any], rater: FromPath[int], task: FromPath[int]) -> dict[str, Any]:
    """Return every edit of one text, to be replayed."""
    service = service_of(request)
    if rater not in service.raters:
        raise NotFoundException(f"there is no rater {rater}")
    try:
        return await asyncio.to_thread(edit_history, service.content, service.database, rater, task)
    except InputError as error:
        raise NotFoundException(str(error)) from error


API = Router(
    "/api/admin",
    guards=[require_admin],
    route_handlers=[
        get_progress,
        get_agreement,
        get_items,
        change_status,
        invite_raters,
        withdraw_rater,
        erase_rater,
        sign_admin_out,
        end_sessions,
        renew_link,
        make_backup,
        download_export,
        get_edits,
    ],
)
ROUTES: list[Any] = [open_admin_link, open_admin, API]
