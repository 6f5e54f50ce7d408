"""Judgments per second that the study server takes, and what is left of them after kill -9.

    python benchmarks/study.py                       # SQLite and PostgreSQL, 500/s for 60 s, 64 raters, 5 kills
    python benchmarks/study.py --seconds 10 --kills 1 --database sqlite

A judgment is one POST of one answer by a rater with a session, a token against forged requests and an idempotency key,
rate limits on; it is acknowledged after COMMIT. Arrivals are fixed (open loop): a request that had to wait for the one
before it counts from when it was due. After a kill the server is started again and clients send again with the same
key. The 95th percentile is over requests that did not overlap a restart, up to a second after it; then every
acknowledged key is looked up in the log.
`cpu ms` is the server's processor time per judgment, its starts included: it depends less on what else runs.
kill -9 ends the process, not the machine: it says nothing about power loss.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import assay
from assay.study.creation import create_study
from assay.study.folder import StudyFolder
from assay.study.protocols import PROTOCOLS
from assay.study.settings import RatingScale, StudyDesign

ASSAY = [sys.executable, "-c", "import sys; from assay.cli.main import main; sys.exit(main())"]


@dataclass
class Load:
    """What is offered: judgments per second, for how long, by how many raters, with how many kills."""

    rate: float = 500
    seconds: float = 60
    raters: int = 64
    kills: int = 5
    signal: signal.Signals = signal.SIGKILL


@dataclass
class Outcome:
    """What came of it. `late` are seconds from when a request was due to its acknowledgement, outside restarts."""

    offered: int = 0
    acknowledged: dict[str, tuple[int, int]] = field(default_factory=dict)  # key -> rater, task
    late: list[float] = field(default_factory=list)
    during_restarts: int = 0
    elapsed: float = 0.0
    lost: int = 0
    doubled: int = 0
    unacknowledged: int = 0
    server_seconds: float = 0.0  # of processor time, starts included

    def percentile(self, share: float) -> float:
        """Return a percentile of the times, in milliseconds."""
        ordered = sorted(self.late)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Server:
    """The server as a process of its own, which can be killed and started again on the same port."""

    def __init__(self, folder: StudyFolder) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.restarts: list[tuple[float, float]] = []
        self.process: subprocess.Popen[bytes] | None = None
        self.seconds = 0.0

    def add_seconds(self) -> None:
        """Add the processor time of the process that runs."""
        assert self.process is not None
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            self.seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def start(self) -> None:
        """Start it and wait until it answers."""
        command = [*ASSAY, "study", "serve", str(self.folder.path), "--port", str(self.port), "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            if self.process.poll() is not None:  # the port or the lock of the killed one is not free yet
                self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            await asyncio.sleep(0.02)

    async def kill_and_start(self, how: signal.Signals) -> None:
        """Kill it as a crash would, or end it in order, and start it again."""
        assert self.process is not None
        begin = time.monotonic()
        self.add_seconds()
        self.process.send_signal(how)
        await asyncio.to_thread(self.process.wait)
        await self.start()
        self.restarts.append((begin, time.monotonic()))

    def stop(self) -> None:
        """End it in order."""
        if self.process is not None:
            self.add_seconds()
            self.process.terminate()
            self.process.wait(20)


class Rater:
    """One session over one connection that is opened again when it breaks."""

    def __init__(self, server: Server, number: int) -> None:
        self.server, self.number, self.task = server, number, 0
        self.cookies: dict[str, str] = {}
        self.connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.lock = asyncio.Lock()

    async def open(self, link: str) -> None:
        """Open the link of a room, and start."""
        while (await self.request("GET", link))[0] == 429:
            await asyncio.sleep(0.5)
        await self.request("GET", "/api/session")
        status, body = await self.post({"key": f"start-{self.number:08d}", "kind": "started"})
        assert status == 200, body

    async def post(self, event: dict[str, object]) -> tuple[int, bytes]:
        """Post one event."""
        return await self.request("POST", "/api/events", json.dumps({"events": [event]}).encode())

    async def request(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send a request; where the server is gone, again and again until it is answered."""
        while True:
            try:
                return await self._request_once(method, path, body)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.connection = None
                await asyncio.sleep(0.02)

    async def _request_once(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self.connection is None:
            self.connection = await asyncio.open_connection("127.0.0.1", self.server.port)
        reader, writer = self.connection
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        token = next((value for name, value in self.cookies.items() if name.startswith("csrf-")), "")
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: {cookies}\r\n"
            f"x-csrf-token: {token}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = [line.partition(": ")[::2] for line in lines[1:] if line]
        for name, value in headers:
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        return int(lines[0].split(" ")[1]), await reader.readexactly(length)

    async def judge(self, due: float, outcome: Outcome) -> None:
        """Answer the next task; requests of one rater go one after the other, as a browser's do."""
        async with self.lock:
            self.task += 1
            key = f"judgment-{self.number:04d}-{self.task:06d}"
            payload = {"answer": {"ratings": {"quality": 1 + self.task % 5}}, "active": 1.0}
            event = {"key": key, "kind": "answered", "task": self.task, "payload": payload}
            status, body = await self.post(event)
            while status in (429, 503):
                await asyncio.sleep(0.1)
                status, body = await self.post(event)
            now = time.monotonic()
            assert status == 200, body
        outcome.acknowledged[key] = (self.number, self.task)
        if any(begin < now and due < end + 1 for begin, end in self.server.restarts):
            outcome.during_restarts += 1
        else:
            outcome.late.append(now - due)
        outcome.elapsed = now


async def offer(server: Server, load: Load) -> Outcome:
    """Offer the load, kill the server meanwhile, and wait until everything is acknowledged."""
    outcome = Outcome()
    raters = [Rater(server, number) for number in range(1, load.raters + 1)]
    link = f"/join/{server.folder.derive('join')}"
    for rater in raters:
        await rater.open(link)
    begin = time.monotonic()
    kills = asyncio.create_task(_kill_at_times(server, load, begin))
    tasks = []
    for n in range(int(load.rate * load.seconds)):
        due = begin + n / load.rate
        if (wait := due - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        outcome.offered += 1
        tasks.append(asyncio.create_task(raters[n % len(raters)].judge(due, outcome)))
    await asyncio.gather(*tasks)
    await kills
    outcome.elapsed -= begin
    return outcome


async def _kill_at_times(server: Server, load: Load, begin: float) -> None:
    for n in range(load.kills):
        await asyncio.sleep(max(0.0, begin + load.seconds * (n + 0.5) / load.kills - time.monotonic()))
        server.restarts.append((time.monotonic(), float("inf")))
        await server.kill_and_start(load.signal)
        server.restarts.pop(-2)


def look_up(folder: StudyFolder, outcome: Outcome) -> None:
    """Count acknowledged answers that the log does not have, and tasks that were answered twice."""
    database = folder.database()
    events = [event for event in database.events() if event.kind == "answered"]
    keys = [event.key for event in events]
    places = [(event.rater, event.task) for event in events]
    outcome.lost = len(outcome.acknowledged.keys() - set(keys))
    outcome.doubled = len(keys) - len(set(keys)) + len(places) - len(set(places))
    outcome.unacknowledged = len(set(keys) - outcome.acknowledged.keys())
    database.close()


def measure(load: Load, *, database: str | None = None) -> Outcome:
    """Make a study, offer the load, and look everything up."""
    with tempfile.TemporaryDirectory() as place:
        tasks = int(load.rate * load.seconds / load.raters) + 2
        items = [assay.Item(str(n), outputs={"A": f"output {n}"}, sources=(f"source {n}",)) for n in range(tasks)]
        folder = create_study(
            Path(place) / "study",
            assay.EvalSet(items),
            PROTOCOLS.build("rate"),
            design=StudyDesign(),
            dimensions=(RatingScale(name="quality"),),
            database=database,
        )

        server = Server(folder)

        async def run() -> Outcome:
            await server.start()
            try:
                return await offer(server, load)
            finally:
                server.stop()

        # In a thread of its own: whoever calls this may have an event loop already.
        with ThreadPoolExecutor(1) as pool:
            outcome = pool.submit(lambda: asyncio.run(run())).result()
        outcome.server_seconds = server.seconds
        look_up(folder, outcome)
        return outcome


@contextmanager
def _database(name: str) -> Iterator[str | None]:
    if name == "sqlite":
        yield None
        return
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))
    from postgres_cluster import run_postgres

    with run_postgres() as url:
        yield url


def main() -> int:
    """Print a line for each database; return 1 if something acknowledged was lost, or something counted twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--raters", type=int, default=64)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--quick", action="store_true", help="5 seconds and 1 kill")
    parser.add_argument("--full", action="store_true", help="60 seconds and 5 kills: the default")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    seconds = args.seconds or (5 if args.quick else 60)
    kills = args.kills if args.kills is not None else 1 if args.quick else 5
    names = ("sqlite", "postgresql") if args.database == "both" else (args.database,)
    load = Load(args.rate, seconds, args.raters, kills)
    cores, busy = os.cpu_count(), os.getloadavg()[0]
    print(f"{load.rate:g} judgments/s offered for {load.seconds:g} s by {load.raters} raters, {load.kills} kills")
    print(f"{cores} cores, load {busy:.1f} before; SQLite {sqlite3.sqlite_version}")
    heads = "".join(
        f"{head:>9}" for head in ("offered", "acked", "per s", "p50 ms", "p95 ms", "p99 ms", "cpu ms", "lost", "twice")
    )
    print(f"{'database':<12}{heads}")
    is_sound = True
    for name in names:
        with _database(name) as url:
            outcome = measure(load, database=url)
        is_sound = is_sound and not outcome.lost and not outcome.doubled
        figures = [outcome.percentile(share) for share in (0.5, 0.95, 0.99)]
        counts = [outcome.offered, len(outcome.acknowledged), round(len(outcome.acknowledged) / outcome.elapsed)]
        figures.append(1000 * outcome.server_seconds / max(1, len(outcome.acknowledged)))
        cells = [*counts, *(f"{figure:.1f}" for figure in figures), outcome.lost, outcome.doubled]
        print(f"{name:<12}" + "".join(f"{cell:>9}" for cell in cells), flush=True)
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
