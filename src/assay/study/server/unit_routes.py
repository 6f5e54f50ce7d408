"""What the workbench of content units asks for: proposals, suggestions, and the comparison of two annotators."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Litestar, Request, get
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromQuery
from litestar.response import Template

from ...data.item import Item
from ...errors import InputError, RefusedEvent, UnknownName
from ..annotations import pyramid_protocol
from ..export import list_unit_answers
from ..proposals import has_vectors, rank_units
from ..protocols.pyramid import PyramidProtocol
from ..service import StudyService
from ..state import RaterRecord
from ..task import Task
from ..unit_comparison import compare_annotators, list_annotators
from .rater_routes import page_context, service_of
from .security import rater_of, require_admin


@get("/api/proposals")
async def get_proposals(
    request: Request[Any, Any, Any], task: FromQuery[int], text: FromQuery[str], spans: FromQuery[str]
) -> dict[str, Any]:
    """Rank the units on the screen by their similarity to selected words; `spans` is a JSON list of [start, end]."""
    number, service = rater_of(request), service_of(request)
    request.app.state.event_limit.check(f"rater {number}")
    protocol = _protocol_of(service)
    rater, current, item = await asyncio.wrap_future(service.run(lambda: _current_task(service, number, task)))
    record = rater.records.get(task)
    try:
        words = protocol.words_at(item, current, text, msgspec.json.decode(spans, type=list[list[int]]))
    except (RefusedEvent, msgspec.DecodeError) as error:
        raise ClientException(str(error)) from error
    units = protocol.unit_texts(item, None if record is None else record.draft)
    return {"units": await asyncio.to_thread(rank_units, words, units)}


@get("/api/suggestions")
async def get_suggestions(request: Request[Any, Any, Any], task: FromQuery[int]) -> dict[str, Any]:
    """Return marks that other texts of the topic suggest for the current peer."""
    number, service = rater_of(request), service_of(request)
    request.app.state.event_limit.check(f"rater {number}")
    protocol = _protocol_of(service)
    rater, current, item = await asyncio.wrap_future(service.run(lambda: _current_task(service, number, task)))
    others = [
        (other, answer)
        for place, other in enumerate(rater.tasks, 1)
        if other.item == current.item and other.role == current.role and place != task
        if (record := rater.records.get(place)) is not None and (answer := record.answer) is not None
    ]
    suggestions = await asyncio.to_thread(protocol.suggestions, item, current, others)
    # The vectors of the units are made meanwhile, so that the first proposals need not wait for them.
    asyncio.get_running_loop().run_in_executor(None, rank_units, "", protocol.unit_texts(item, None))
    return {"suggestions": suggestions}


async def load_vectors(app: Litestar) -> None:
    """Load the encoder of a study of content units meanwhile, so that the first proposals need not wait for it."""
    if isinstance(app.state.service.protocol, PyramidProtocol):
        asyncio.get_running_loop().run_in_executor(None, has_vectors)


def _protocol_of(service: StudyService) -> Any:
    try:
        return pyramid_protocol(service.content)
    except InputError as error:
        raise NotFoundException("this study is not about content units") from error


def _current_task(service: StudyService, number: int, task: int) -> tuple[RaterRecord, Task, Item]:
    """Return the rater, their current task and its item; nothing is told about other tasks."""
    rater = service.state.rater(number)
    if service.stage(rater) != "task" or rater.current != task:
        raise ClientException("this task is not open")
    current = rater.tasks[task - 1]
    return rater, current, service.content.item_of(current)


@get("/admin/annotators", include_in_schema=False, guards=[require_admin])
async def open_comparison(request: Request[Any, Any, Any]) -> Template:
    """Return the shell of the page that compares two annotators."""
    return Template("annotators.html", context=page_context(service_of(request)))


@get("/api/admin/annotators", guards=[require_admin])
async def get_annotators(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """List the items of a study of content units, and who annotated each."""
    service = service_of(request)
    _protocol_of(service)

    def make() -> list[dict[str, Any]]:
        return list_annotators(service.content, list_unit_answers(service.content, service.database))

    return {"items": await asyncio.to_thread(make)}


@get("/api/admin/comparison", guards=[require_admin])
async def get_comparison(
    request: Request[Any, Any, Any], item: FromQuery[str], first: FromQuery[str], second: FromQuery[str]
) -> dict[str, Any]:
    """Return what two annotators did with an item, and how far they agree."""
    service = service_of(request)
    _protocol_of(service)

    def make() -> dict[str, Any]:
        answers = list_unit_answers(service.content, service.database)
        return compare_annotators(service.content, answers, item, first, second)

    try:
        return await asyncio.to_thread(make)
    except (InputError, UnknownName) as error:
        raise NotFoundException(str(error)) from error


ROUTES: list[Any] = [get_proposals, get_suggestions, open_comparison, get_annotators, get_comparison]
