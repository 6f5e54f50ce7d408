"""A small endpoint that answers as it is told, and fails in every way that endpoints fail.

As a program it writes every request to a file: python fault_server.py PORT LOG SECONDS_PER_ANSWER
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

MODEL = "test-model"


def completion(text: str | None, *, model: str = MODEL, finish: str = "stop", **more: Any) -> dict[str, Any]:
    """A response as OpenAI gives it."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": finish, **more}
    return {"model": model, "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 2}}


class Fault:
    """What to do instead of answering well."""

    def __init__(
        self, status: int = 200, body: Any = None, *, headers: dict[str, str] | None = None, **how: Any
    ) -> None:
        self.status, self.body, self.headers, self.how = status, body, headers or {}, how


Script = Callable[[int, dict[str, Any]], Any]  # number of the request, its body -> a text, a response or a Fault


class FaultServer:
    """`script` decides what each request gets; `requests` and `headers` keep what came."""

    def __init__(self, script: Script | None = None, port: int = 0) -> None:
        self.script: Script = script or (lambda number, body: "4")
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = self._at_once = 0
        self._lock = Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._lock:
                    number = len(outer.requests)
                    outer.requests.append(body)
                    outer.headers.append(dict(self.headers))
                    outer._at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer._at_once)
                try:
                    outer.reply(self, outer.script(number, body))
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    with outer._lock:
                        outer._at_once -= 1

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass

        self._server = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, result: Any) -> None:
        fault = result if isinstance(result, Fault) else Fault(body=result)
        if fault.how.get("hang"):
            time.sleep(fault.how["hang"])
        if fault.how.get("drop"):
            handler.close_connection = True
            return
        body = completion(fault.body) if isinstance(fault.body, str) else fault.body
        raw = fault.how["raw"] if "raw" in fault.how else json.dumps(body).encode()
        handler.send_response(fault.status)
        for name, value in fault.headers.items():
            handler.send_header(name, value)
        length = len(raw) + fault.how.get("missing", 0)
        handler.send_header("Content-Length", str(length))
        handler.end_headers()
        if fault.how.get("drip"):
            for byte in raw:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(fault.how["drip"])
            return
        handler.wfile.write(raw)
        if fault.how.get("missing"):
            handler.close_connection = True

    def __enter__(self) -> FaultServer:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def error(status: int, message: str, **more: Any) -> Fault:
    """An error as OpenAI words it."""
    headers = more.pop("headers", None)
    return Fault(status, {"error": {"message": message, "type": "error", **more}}, headers=headers)


def main() -> None:
    port, log, pause = int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    lock = Lock()

    def script(number: int, body: dict[str, Any]) -> str:
        with lock, log.open("a") as file:
            file.write(json.dumps(["asked", body["messages"][-1]["content"]]) + "\n")
        time.sleep(pause)
        with lock, log.open("a") as file:
            file.write(json.dumps(["answered", body["messages"][-1]["content"]]) + "\n")
        return "4"

    with FaultServer(script, port) as server:
        print(server.url, flush=True)
        time.sleep(60)


if __name__ == "__main__":
    main()
