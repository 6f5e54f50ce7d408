"""A rater's browser without a screen: keeps cookies, sends events, and knows where it stands."""

from __future__ import annotations

import secrets
from typing import Any

import httpx


class RaterClient:
    """One session. `traffic` holds every response, to be searched for what should not be there."""

    def __init__(self, address: str, link: str) -> None:
        self.http = httpx.Client(base_url=address, follow_redirects=True, timeout=20)
        self.traffic: list[str] = []
        self.keep(self.http.get(link))
        self.body: dict[str, Any] = {}
        self.refresh()

    def keep(self, response: httpx.Response) -> httpx.Response:
        for one in (*response.history, response):
            self.traffic.append(f"{one.url} {one.headers} {one.text}")
        return response

    def refresh(self) -> dict[str, Any]:
        self.body = self.keep(self.http.get("/api/session")).json()
        return self.body

    @property
    def stage(self) -> str:
        return self.body["session"]["stage"]

    @property
    def screen(self) -> dict[str, Any]:
        return self.body["screen"]

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        headers = {"x-csrf-token": csrf_token(self.http)}
        return self.keep(self.http.post(path, json=body, headers=headers))

    def send(self, *events: dict[str, Any]) -> httpx.Response:
        response = self.post("/api/events", {"events": list(events)})
        if response.status_code in (200, 409):
            self.body = response.json()
        return response

    def do(self, kind: str, payload: dict[str, Any] | None = None, *, task: int | None = None) -> dict[str, Any]:
        """Send one event that must be saved."""
        response = self.send(make_event(kind, payload, task=task))
        assert response.status_code == 200, response.text
        return self.body

    def start(self) -> None:
        if self.stage == "consent":
            self.do("consented")
        self.do("started")

    def answer(self, answer: dict[str, Any], **more: Any) -> None:
        """Look at the current task as a person would, then answer it."""
        task = self.screen["task"]
        self.do("shown", task=task)
        while self.screen["page"] < self.screen["pages"]:
            self.do("paged", {"page": self.screen["page"] + 1}, task=task)
        if self.screen["hidden"]:
            self.do("revealed", task=task)
        self.do("answered", {"answer": answer, "active": 1.5, **more}, task=task)


def csrf_token(http: httpx.Client) -> str:
    """Return the token against forged requests, which each study keeps in a cookie of its own."""
    return next((cookie.value or "" for cookie in http.cookies.jar if cookie.name.startswith("csrf-")), "")


def make_event(kind: str, payload: dict[str, Any] | None = None, *, task: int | None = None) -> dict[str, Any]:
    event: dict[str, Any] = {"key": secrets.token_hex(8), "kind": kind, "payload": payload or {}}
    if task is not None:
        event["task"] = task
    return {**event, "at": "2026-01-02T03:04:05.678Z"}
