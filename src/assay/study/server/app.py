"""The application: routes, templates, and what protects them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig

from ... import __version__
from ...errors import AssayError, NotSaved
from ..service import StudyService
from . import admin_routes, rater_routes, unit_routes
from .security import CSRF_COOKIE, CSRF_HEADER, HostCheck, RateLimit, add_headers, cookie_name

HERE = Path(__file__).parent
MAX_BYTES = 5_000_000  # of one request
LINKS = (1.0, 60)  # per second and at once, of one rater's link
ROOM = (20.0, 500)  # new raters: all may come at once, from one address
FAILURES = (0.5, 60)  # wrong links from one address
EVENTS = (50.0, 200)  # per second and at once, of one rater


def make_app(
    service: StudyService,
    *,
    allowed_hosts: Sequence[str] = (),
    links: tuple[float, int] = LINKS,
    room: tuple[float, int] = ROOM,
    failures: tuple[float, int] = FAILURES,
    events: tuple[float, int] = EVENTS,
    is_https: bool = False,
) -> Litestar:
    """Make the application of a study. Without `allowed_hosts` it answers under any name."""
    service.is_https = is_https
    return Litestar(
        route_handlers=[
            *rater_routes.ROUTES,
            *admin_routes.ROUTES,
            *unit_routes.ROUTES,
            create_static_files_router("/static", directories=[HERE / "static"], include_in_schema=False),
        ],
        state=State(
            {
                "service": service,
                "link_limit": RateLimit(*links),
                "room_limit": RateLimit(*room),
                "failure_limit": RateLimit(*failures),
                "event_limit": RateLimit(*events),
            }
        ),
        csrf_config=CSRFConfig(
            secret=service.folder.derive("csrf"),
            cookie_name=cookie_name(service, CSRF_COOKIE),
            header_name=CSRF_HEADER,
            cookie_samesite="strict",
            cookie_secure=is_https,
        ),
        middleware=[DefineMiddleware(HostCheck, hosts=allowed_hosts)],
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        openapi_config=OpenAPIConfig(
            title="Assay study", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        exception_handlers={
            HTTPException: answer_http_error,
            AssayError: answer_refusal,
            RecursionError: answer_unreadable,
            UnicodeDecodeError: answer_unreadable,
            Exception: answer_failure,
        },
        before_send=[add_headers],
        request_max_body_size=MAX_BYTES,
        on_startup=[unit_routes.load_vectors],
        on_shutdown=[service.close],
        logging_config=None,  # uvicorn has set it up; see `run`
        debug=False,
    )


def answer_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Say what is wrong with a request, without what was in it; to a person who opened a link, on a page."""
    messages = {401: "no_session", 404: "not_valid", 429: "too_many"}
    if error.status_code in messages and "text/html" in request.headers.get("accept", ""):
        wait = (error.headers or {}).get("retry-after", "")
        context = rater_routes.message_context(request.app.state.service, messages[error.status_code], wait=wait)
        return Template("message.html", context=context, status_code=error.status_code, headers=error.headers)
    codes = {400: "bad_request", 401: "no_session", 403: "forbidden", 404: "not_found", 429: "too_fast"}
    body = {"code": codes.get(error.status_code, "refused"), "message": error.detail}
    return Response(body, status_code=error.status_code, headers=error.headers, media_type="application/json")


def answer_refusal(_: Request[Any, Any, Any], error: AssayError) -> Response[Any]:
    """Say that something was not saved, or not allowed."""
    if isinstance(error, NotSaved):
        return Response({"code": "not_saved", "message": str(error)}, status_code=503, media_type="application/json")
    return Response({"code": "refused", "message": str(error)}, status_code=409, media_type="application/json")


def answer_unreadable(_: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Refuse JSON that is nested more deeply than its reader goes, or is not UTF-8."""
    what = "is nested too deeply" if isinstance(error, RecursionError) else "is not UTF-8"
    body = {"code": "bad_request", "message": f"the request {what}"}
    return Response(body, status_code=400, media_type="application/json")


def answer_failure(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Say that the server failed, and nothing else; the reason goes to the log, without the request."""
    import logging
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-3:]
    place = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    logging.getLogger("assay.study").error("%s at %s", type(error).__name__, place)
    return Response({"code": "failure", "message": "the server failed"}, status_code=500, media_type="application/json")
