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
LOGINS = (1.0, 60)  # per second and at once, from one address: a room of raters may share it
EVENTS = (50.0, 200)  # per second and at once, of one rater


def make_app(
    service: StudyService,
    *,
    allowed_hosts: Sequence[str] = (),
    logins: tuple[float, int] = LOGINS,
    events: tuple[float, int] = EVENTS,
    is_https: bool = False,
) -> Litestar:
    """Make the application of a study. Without `allowed_hosts` it answers under any name."""
    return Litestar(
        route_handlers=[
            *rater_routes.ROUTES,
            *admin_routes.ROUTES,
            *unit_routes.ROUTES,
            create_static_files_router("/static", directories=[HERE / "static"], include_in_schema=False),
        ],
        state=State({"service": service, "login_limit": RateLimit(*logins), "event_limit": RateLimit(*events)}),
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
        exception_handlers={HTTPException: answer_http_error, AssayError: answer_refusal, Exception: answer_failure},
        before_send=[add_headers],
        request_max_body_size=MAX_BYTES,
        on_startup=[unit_routes.load_vectors],
        on_shutdown=[service.close],
        logging_config=None,  # uvicorn has set it up; see `run`
        debug=False,
    )


def answer_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Say what is wrong with a request, without what was in it; to a person who opened a link, on a page."""
    if error.status_code in (401, 404) and "text/html" in request.headers.get("accept", ""):
        message = "no_session" if error.status_code == 401 else "not_valid"
        context = rater_routes.message_context(request.app.state.service, message)
        return Template("message.html", context=context, status_code=error.status_code)
    codes = {400: "bad_request", 401: "no_session", 403: "forbidden", 404: "not_found", 429: "too_fast"}
    body = {"code": codes.get(error.status_code, "refused"), "message": error.detail}
    return Response(body, status_code=error.status_code, headers=error.headers, media_type="application/json")


def answer_refusal(_: Request[Any, Any, Any], error: AssayError) -> Response[Any]:
    """Say that something was not saved, or not allowed."""
    if isinstance(error, NotSaved):
        return Response({"code": "not_saved", "message": str(error)}, status_code=503, media_type="application/json")
    return Response({"code": "refused", "message": str(error)}, status_code=409, media_type="application/json")


def answer_failure(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Say that the server failed, and nothing else; the reason goes to the log, without the request."""
    import logging
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-3:]
    place = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    logging.getLogger("assay.study").error("%s at %s", type(error).__name__, place)
    return Response({"code": "failure", "message": "the server failed"}, status_code=500, media_type="application/json")
