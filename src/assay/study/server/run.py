"""Serve a study with uvicorn, in one process."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from urllib.parse import urlsplit

from ...errors import InputError
from ..backup import bring_to_present
from ..folder import StudyFolder
from ..service import StudyService
from ..status import RaterLink, ServedStudy, StudyLinks
from .admin_routes import admin_link
from .app import make_app
from .rater_routes import crowd_link, join_link, rater_link


def serve(
    folder: StudyFolder,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    allowed_hosts: Sequence[str] = (),
    public_address: str = "",
    trusted_proxies: Sequence[str] = ("127.0.0.1",),
    on_start: Callable[[ServedStudy], None] = lambda _: None,
) -> None:
    """Serve until interrupted. `on_start` is told the links once the port is open."""
    import uvicorn

    _ = folder.settings  # raises where there is no study
    with ExitStack() as stack:
        stack.enter_context(folder.lock("a second server"))
        opened = folder.database(database)
        stack.enter_context(opened.hold())
        bring_to_present(folder, opened)
        service = StudyService(folder, opened)
        _log_to_stderr()
        config = uvicorn.Config(
            make_app(service, allowed_hosts=allowed_hosts, is_https=public_address.startswith("https:")),
            host=host,
            port=port,
            access_log=False,  # it would hold query strings; the application writes its own
            log_config=None,  # uvicorn would close the handlers of every other library
            proxy_headers=True,
            forwarded_allow_ips=",".join(trusted_proxies),
            server_header=False,
            timeout_keep_alive=65,  # longer than proxies; uvicorn's 5 s would often end just as somebody clicks
            timeout_graceful_shutdown=10,
        )
        try:
            socket = config.bind_socket()
        except SystemExit:  # uvicorn ends the process where the port is taken
            service.close()
            raise InputError(f"port {port} of {host} cannot be opened; is it in use? give another: --port") from None
        socket.listen(config.backlog)  # whoever opens a link at once waits instead of being refused
        bound = socket.getsockname()[1]
        on_start(describe_links(service, public_address.rstrip("/") or f"http://{_bracket(host)}:{bound}"))
        uvicorn.Server(config).run(sockets=[socket])


def describe_links(service: StudyService, address: str) -> ServedStudy:
    """Return the links to a study that is served at an address."""
    crowd = service.settings.crowd
    invited = [row for row in service.raters.values() if row["external"] is None]
    return ServedStudy(
        title=service.settings.title,
        address=address,
        admin=address + admin_link(service),
        join=None if crowd is not None else address + join_link(service),
        id_parameter=None if crowd is None else crowd.id_parameter,
        raters=tuple(RaterLink(row["code"], address + rater_link(service, row["number"])) for row in invited),
    )


def describe_study_links(service: StudyService, address: str, ids: Sequence[str], renewed: int) -> StudyLinks:
    """Return the links to a study, and signed ones for people of a crowd platform."""
    served = describe_links(service, address)
    signed = tuple(RaterLink(name, address + crowd_link(service, name)) for name in ids)
    return StudyLinks(served.title, address, served.admin, served.join, renewed, (*served.raters, *signed))


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _log_to_stderr() -> None:
    """Log to standard error: requests without query, token or identity, and failures without what was in them."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name, level in (("uvicorn", logging.WARNING), ("assay.study", logging.INFO)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)


def default_hosts(host: str, address: str) -> list[str]:
    """Return the names under which a server answers: its own, and that of the public address; of all, if it is open.

    >>> default_hosts("127.0.0.1", "https://study.example.org")
    ['127.0.0.1', 'localhost', 'study.example.org']
    """
    public = urlsplit(address).hostname if address else None
    if host in ("0.0.0.0", "::") and public is None:
        return []
    return [*dict.fromkeys([host.strip("[]"), "localhost", *([public] if public else [])])]
