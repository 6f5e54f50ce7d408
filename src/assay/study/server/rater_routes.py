"""What raters' browsers call: pages, links and events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import NotAuthorizedException
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_403_FORBIDDEN, HTTP_409_CONFLICT

from ...errors import InputError
from ..events import ClientEvent
from ..markdown import render_markdown
from ..service import MAX_EVENTS, EventAck, StudyService
from .security import (
    CSRF_COOKIE,
    RATER_COOKIE,
    RATER_HOURS,
    cookie_name,
    is_token,
    make_session,
    rater_of,
    refuse_link,
    session_hash,
)

MAX_EXTERNAL = 200
SIGNATURE = "signature"  # the parameter of a signed link of a crowd platform
TEMPLATES = Path(__file__).parent / "templates"


class EventBatch(msgspec.Struct, forbid_unknown_fields=True):
    """Events of one rater, in order."""

    events: Annotated[list[ClientEvent], msgspec.Meta(min_length=1, max_length=MAX_EVENTS)]


class SessionAnswer(msgspec.Struct):
    """Where a rater stands, what is to be seen, and what comes next."""

    session: dict[str, Any]
    screen: dict[str, Any] | None
    next: dict[str, Any] | None


class EventAnswer(SessionAnswer, kw_only=True):
    """What became of events, and where the rater stands after them."""

    acks: list[EventAck]


def service_of(request: Request[Any, Any, Any]) -> StudyService:
    """Return the study that a request is about."""
    service: StudyService = request.app.state.service
    return service


def page_context(service: StudyService) -> dict[str, str]:
    """Return what every page is filled with."""
    settings = service.settings
    return {
        "title": settings.title,
        "language": settings.language,
        "csrf_cookie": cookie_name(service, CSRF_COOKIE),
    }


def message_context(service: StudyService, message: str, *, wait: str = "") -> dict[str, str]:
    """Return what a page that only says something is filled with; after `wait` seconds it tries again."""
    return {**page_context(service), "message": message, "wait": wait}


def rater_link(service: StudyService, number: int) -> str:
    """Return the path of a rater's link."""
    return f"/r/{number}-{service.folder.link_token(f'rater:{number}')}"


def join_link(service: StudyService) -> str:
    """Return the path of the link for everybody in a room."""
    return f"/join/{service.folder.link_token('join')}"


def crowd_link(service: StudyService, external: str) -> str:
    """Return the path of a link by the id of a crowd platform, signed where the study asks for it."""
    crowd = service.settings.crowd
    assert crowd is not None
    values = {crowd.id_parameter: external}
    if crowd.signed:
        values[SIGNATURE] = service.folder.link_token(f"id:{external}")
    return f"/?{urlencode(values)}"


@get("/", include_in_schema=False)
async def open_start(request: Request[Any, Any, Any]) -> Response[Any]:
    """Take people whom a crowd platform sends, by its id for them; others who have a session go on."""
    service = service_of(request)
    crowd = service.settings.crowd
    external = request.query_params.get(crowd.id_parameter) if crowd is not None else None
    if crowd is not None and external and len(external) <= MAX_EXTERNAL and external.isprintable():
        return await _open_by_id(request, external, is_signed=crowd.signed)
    try:
        rater_of(request)
    except NotAuthorizedException:
        return Template("message.html", context=message_context(service, "no_session"))
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER)


async def _open_by_id(request: Request[Any, Any, Any], external: str, *, is_signed: bool) -> Response[Any]:
    """Let somebody in by a platform's id: an id that others may know leads in once, a signed one always."""
    service = service_of(request)
    signature = request.query_params.get(SIGNATURE, "")
    if is_signed and not is_token(signature, service.folder.link_token(f"id:{external}")):
        refuse_link(request)
    request.app.state.link_limit.check(f"id {external}")
    known = service.rater_by_id(external)
    if known is None:
        request.app.state.room_limit.check("room")
    else:
        session = service.session_rater(session_hash(request, RATER_COOKIE))
        if session is not None and session[0] == known:
            return Redirect("/study", status_code=HTTP_303_SEE_OTHER)
    cookie, token_hash = _new_session(request)

    def job() -> bool:
        number = service.register(external=external)
        if not is_signed and service.is_open_elsewhere(number):
            return False
        service.open_session(token_hash, number, hours=RATER_HOURS)
        return True

    if await asyncio.wrap_future(service.run(job)):
        return Redirect("/study", status_code=HTTP_303_SEE_OTHER, cookies=[cookie])
    context = message_context(service, "open_elsewhere")
    return Template("message.html", context=context, status_code=HTTP_403_FORBIDDEN)


@get("/r/{token:str}", include_in_schema=False)
async def open_link(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Exchange an invited rater's link for a session."""
    service = service_of(request)
    first, _, rest = token.partition("-")
    number = int(first) if first.isascii() and first.isdigit() and len(first) < 9 else 0
    is_right = is_token(rest, service.folder.link_token(f"rater:{number}"))
    if not is_right or number not in service.raters or service.state.rater(number).erased:
        refuse_link(request)
    request.app.state.link_limit.check(f"rater {number}")
    return await _enter(request, number)


@get("/join/{token:str}", include_in_schema=False)
async def open_room(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Make a new rater of every browser that opens the link for a room."""
    service = service_of(request)
    if not is_token(token, service.folder.link_token("join")):
        refuse_link(request)
    try:
        rater_of(request)
    except NotAuthorizedException:
        request.app.state.room_limit.check("room")
        number = await asyncio.wrap_future(service.run(service.register))
        return await _enter(request, number)
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER)


async def _enter(request: Request[Any, Any, Any], number: int) -> Response[Any]:
    """Give a session, and lead away from the address that holds a token or an id."""
    service = service_of(request)
    cookie, token_hash = _new_session(request)
    await asyncio.wrap_future(service.run(lambda: service.open_session(token_hash, number, hours=RATER_HOURS)))
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER, cookies=[cookie])


def _new_session(request: Request[Any, Any, Any]) -> tuple[Cookie, str]:
    name = cookie_name(service_of(request), RATER_COOKIE)
    return make_session(
        name, is_secure=service_of(request).is_https or request.url.scheme == "https", hours=RATER_HOURS
    )


@get("/study", include_in_schema=False)
async def open_study(request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the shell that the browser's modules fill."""
    try:
        rater_of(request)
    except NotAuthorizedException:
        return Redirect("/", status_code=HTTP_303_SEE_OTHER)
    return Template("study.html", context=page_context(service_of(request)))


@get("/health", include_in_schema=False)
async def check_health() -> dict[str, str]:
    """Tell that the server runs."""
    return {"status": "ok"}


@get("/api/study")
async def get_study(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return what raters read and how they are asked; it stays the same within a version."""
    rater_of(request)
    service = service_of(request)
    settings, protocol = service.settings, service.protocol
    return {
        "title": settings.title,
        "language": settings.language,
        "text_language": settings.text_language,
        "protocol": protocol.name,
        "settings": {name: getattr(protocol, name) for name in protocol.__dataclass_fields__},
        "dimensions": [_view_scale(scale) for scale in settings.dimensions],
        "allow_skip": settings.allow_skip,
        "loud_checks": settings.loud_checks and bool(settings.design.checks),
        "auto_advance": settings.auto_advance,
        "idle_seconds": settings.idle_seconds,
        "instructions": render_markdown(service.content.instructions),
        "consent": render_markdown(service.consent),
        "version": service.version,
    }


def _view_scale(scale: Any) -> dict[str, Any]:
    names = ("name", "low", "high", "step", "best", "slider", "labels", "points")
    return {name: getattr(scale, name) for name in names}


@get("/api/session")
async def get_session(request: Request[Any, Any, Any]) -> SessionAnswer:
    """Return where the rater stands and what is to be seen."""
    number, service = rater_of(request), service_of(request)
    request.app.state.event_limit.check(f"rater {number}")
    return await asyncio.wrap_future(service.run(lambda: _answer_session(service, number)))


def _forget(service: StudyService) -> None:
    """Overwrite what was deleted; where somebody reads the tables, it is done when the server ends."""
    with suppress(InputError):
        service.forget_deleted()


def _answer_session(service: StudyService, number: int) -> SessionAnswer:
    return SessionAnswer(service.view_session(number), service.view_screen(number), service.view_next_screen(number))


@get("/api/link")
async def get_link(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return the rater's own link, to go on in another browser, and in how many browsers they are signed in."""
    number, service = rater_of(request), service_of(request)
    request.app.state.event_limit.check(f"rater {number}")
    return {"link": rater_link(service, number), "browsers": service.count_sessions(number)}


class SignOut(msgspec.Struct, forbid_unknown_fields=True):
    """Which sessions to end: this browser's, or all of the rater."""

    everywhere: bool = False


@post("/api/logout", status_code=HTTP_200_OK)
async def sign_out(request: Request[Any, Any, Any], data: JSONBody[SignOut]) -> Response[Any]:
    """End this session, or all of this rater."""
    number, service = rater_of(request), service_of(request)
    token_hash = session_hash(request, RATER_COOKIE)

    def job() -> None:
        if data.everywhere:
            service.end_sessions(number)
        else:
            service.end_session(token_hash)

    await asyncio.wrap_future(service.run(job))
    response = Response({"signed_out": True}, status_code=HTTP_200_OK)
    response.delete_cookie(cookie_name(service, RATER_COOKIE))
    return response


@post("/api/events", status_code=HTTP_200_OK)
async def post_events(request: Request[Any, Any, Any], data: JSONBody[EventBatch]) -> Response[EventAnswer]:
    """Write events of the rater; answered after they are on disk."""
    number, service = rater_of(request), service_of(request)
    request.app.state.event_limit.check(f"rater {number}")

    def job() -> EventAnswer:
        acks = service.take_events(number, data.events)
        now = _answer_session(service, number)
        return EventAnswer(now.session, now.screen, now.next, acks=acks)

    answer = await asyncio.wrap_future(service.run(job))
    if any(event.kind == "withdrawn" for event in data.events):
        await asyncio.wrap_future(service.run(lambda: _forget(service)))
    is_saved = all(ack.saved for ack in answer.acks)
    return Response(answer, status_code=HTTP_200_OK if is_saved else HTTP_409_CONFLICT)


ROUTES = [open_start, open_link, open_room, open_study, check_health, get_study, get_session, post_events]
ROUTES += [get_link, sign_out]
