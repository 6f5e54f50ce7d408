"""What raters' browsers call: pages, links and events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.exceptions import NotAuthorizedException, NotFoundException
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_409_CONFLICT

from ...errors import InputError
from ..events import ClientEvent
from ..markdown import render_markdown
from ..service import MAX_EVENTS, EventAck, StudyService
from .security import (
    CSRF_COOKIE,
    RATER_COOKIE,
    RATER_HOURS,
    caller_address,
    cookie_name,
    is_token,
    make_session,
    rater_of,
)

MAX_EXTERNAL = 200
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


def message_context(service: StudyService, message: str) -> dict[str, str]:
    """Return what a page that only says something is filled with."""
    return {**page_context(service), "message": message}


def rater_link(service: StudyService, number: int) -> str:
    """Return the path of a rater's link."""
    return f"/r/{number}-{service.folder.derive(f'rater:{number}')}"


def join_link(service: StudyService) -> str:
    """Return the path of the link for everybody in a room."""
    return f"/join/{service.folder.derive('join')}"


@get("/", include_in_schema=False)
async def open_start(request: Request[Any, Any, Any]) -> Response[Any]:
    """Take people whom a crowd platform sends, by its id for them; others who have a session go on."""
    service = service_of(request)
    crowd = service.settings.crowd
    external = request.query_params.get(crowd.id_parameter) if crowd is not None else None
    if external and len(external) <= MAX_EXTERNAL and external.isprintable():
        request.app.state.login_limit.check(caller_address(request))
        number = await asyncio.wrap_future(service.run(lambda: service.register(external=external)))
        return await _enter(request, number)
    try:
        rater_of(request)
    except NotAuthorizedException:
        return Template("message.html", context=message_context(service, "no_session"))
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER)


@get("/r/{token:str}", include_in_schema=False)
async def open_link(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Exchange an invited rater's link for a session."""
    service = service_of(request)
    request.app.state.login_limit.check(caller_address(request))
    first, _, rest = token.partition("-")
    number = int(first) if first.isascii() and first.isdigit() and len(first) < 9 else 0
    is_right = is_token(rest, service.folder.derive(f"rater:{number}"))
    if not is_right or number not in service.raters or service.state.rater(number).erased:
        raise NotFoundException("this link is not valid")
    return await _enter(request, number)


@get("/join/{token:str}", include_in_schema=False)
async def open_room(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Make a new rater of every browser that opens the link for a room."""
    service = service_of(request)
    request.app.state.login_limit.check(caller_address(request))
    if not is_token(token, service.folder.derive("join")):
        raise NotFoundException("this link is not valid")
    try:
        rater_of(request)
    except NotAuthorizedException:
        number = await asyncio.wrap_future(service.run(service.register))
        return await _enter(request, number)
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER)


async def _enter(request: Request[Any, Any, Any], number: int) -> Response[Any]:
    """Give a session, and lead away from the address that holds a token or an id."""
    service = service_of(request)
    cookie, token_hash = make_session(
        cookie_name(service, RATER_COOKIE), is_secure=request.url.scheme == "https", hours=RATER_HOURS
    )
    await asyncio.wrap_future(service.run(lambda: service.open_session(token_hash, number, hours=RATER_HOURS)))
    return Redirect("/study", status_code=HTTP_303_SEE_OTHER, cookies=[cookie])


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
