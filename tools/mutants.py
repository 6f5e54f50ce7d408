"""Plant small faults in the package, one at a time, and print those that no test notices.

    python tools/mutants.py --seed 1 --room views            # 20 mutants of one room
    python tools/mutants.py --seed 1 --room llm/budget.py    # of one file
    python tools/mutants.py --seed 1 --room scoring raters --count 100 --jobs 2

Functions are drawn in proportion to their lines of code. A mutant is tried by the test file that mirrors its module,
then by the other tests of its room, until one fails or its CPU seconds are used up. A test that fails without the
mutant too does not count. Everything happens in copies of the checkout in a temporary folder; it is only read.

A mutant that changes nothing anyone can see is listed in tools/equivalent-mutants.txt, with the reason.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mutations import Mutation, draw_mutations
from near import SOURCE, mirrored_tests, room_tests

ROOT = Path(__file__).parent.parent
EQUIVALENT = Path(__file__).parent / "equivalent-mutants.txt"
EQUIVALENT_SHARE = 0.05
COPIED = ("src", "tests", "tools")  # what tests may write to or read from their own place; the rest is linked
LEFT_OUT = (".git", ".venv", ".bench", "build", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache", "node_modules")
# Takes out the finders of editable installs, which would import the package from the checkout.
SITE = "import sys\nsys.meta_path[:] = [f for f in sys.meta_path if 'Build' not in type(f).__name__]\n"
TEST_SECONDS = 20  # of CPU, of one test: what then still runs hangs
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one mutant: the test that failed, or "" if none did; and if the time was up before all had run."""

    mutation: Mutation
    test: str
    out_of_time: bool = False


class Checkout:
    """A copy of the checkout in which one mutant at a time is tried."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        for entry in root.iterdir():
            if entry.name in COPIED:
                shutil.copytree(entry, folder / entry.name)
            elif entry.name not in LEFT_OUT:
                (folder / entry.name).symlink_to(entry)
        core = importlib.util.find_spec("assay._core")
        if core is not None and core.origin is not None:
            shutil.copy2(core.origin, folder / SOURCE / Path(core.origin).name)
        (folder / "site").mkdir()
        (folder / "site" / "sitecustomize.py").write_text(SITE)

    @contextmanager
    def plant(self, mutation: Mutation) -> Iterator[None]:
        """Put a mutated file into the copy for as long as the block runs."""
        file = self.folder / mutation.path
        for stale in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
            stale.unlink()
        source = file.read_bytes()  # of the copy: the checkout may be edited meanwhile
        file.write_bytes(mutation.apply(source))
        try:
            yield
        finally:
            file.write_bytes(source)

    def run(self, tests: Sequence[str], seconds: float, *options: str) -> tuple[int, str, float]:
        """Run tests in the copy; return the exit code of pytest, its output and the CPU seconds that it took."""
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-rfE", "-m", "not slow"]
        command += ["-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib --doctest-modules"]
        start = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [*command, *options, *tests],
                cwd=self.folder,
                env=self._environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2)),
            )
            status, usage = _wait(process.pid, start + 4 * seconds + 30)
            process.returncode = status
            output.seek(0)
            return status, output.read().decode("utf-8", "replace"), usage

    def _environment(self) -> dict[str, str]:
        paths = [
            str(self.folder / "site"),
            str(self.folder / "src"),
            *os.environ.get("PYTHONPATH", "").split(os.pathsep),
        ]
        data = os.environ.get("ASSAY_DATA", str(self.root.parent / "shared" / "data"))
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # no test of a room needs one, and some are slow to import
            "ASSAY_DATA": data,
            "ASSAY_TEST_SECONDS": str(TEST_SECONDS),
        }


def _wait(pid: int, deadline: float) -> tuple[int, float]:
    """Wait for a process, and end what is left of its group; return its exit code and CPU seconds with children."""
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if not done:
        _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def find_failure(status: int, output: str) -> tuple[str, bool]:
    """Read the failed test and if the time was up from the exit code and output of pytest."""
    failed = FAILED.search(output)
    if failed:
        return failed[1], False
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return "", True
    return ("" if status in (0, 5) else f"exit code {status}"), False


def try_mutant(checkout: Checkout, mutation: Mutation, seconds: float, broken: Sequence[str]) -> Verdict:
    """Run the nearest tests, then those of the room, until one fails or the time is up."""
    nearest = mirrored_tests(checkout.folder, mutation.path)
    others = [path for path in room_tests(checkout.folder, mutation.path) if path not in nearest]
    module = checkout.folder / mutation.path
    options = ["-x", *(f"--deselect={test}" for test in broken)]
    with checkout.plant(mutation):
        for files in ([*nearest, module], others):
            tests = [str(path.relative_to(checkout.folder)) for path in files]
            if not tests:
                continue
            status, output, used = checkout.run(tests, seconds, *options)
            test, out_of_time = find_failure(status, output)
            seconds -= used
            if test or out_of_time or seconds < 1:
                return Verdict(mutation, test, out_of_time or not test)
    return Verdict(mutation, "")


def list_broken(checkout: Checkout, tests: Sequence[str]) -> list[str]:
    """List tests that fail in the copy without a mutant."""
    named = sorted({test for test in tests if test and not test.startswith("exit code")})
    output = checkout.run(named, 3600)[1] if named else ""
    return FAILED.findall(output)


def try_mutants(mutations: Sequence[Mutation], root: Path, seconds: float, jobs: int) -> list[Verdict]:
    """Try each mutant; those that only broken tests noticed are tried again without these."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        checkouts: queue.SimpleQueue[Checkout] = queue.SimpleQueue()
        for job in range(jobs):
            (Path(folder) / str(job)).mkdir()
            checkouts.put(Checkout(root, Path(folder) / str(job)))
        broken: list[str] = []

        def attempt(mutation: Mutation) -> Verdict:
            checkout = checkouts.get()
            try:
                verdict = try_mutant(checkout, mutation, seconds, broken)
            finally:
                checkouts.put(checkout)
            # Survivors are named at once, so that a run that is stopped has them.
            place = f"{mutation.path}:{mutation.line}"
            mark = "." if verdict.test else f"?{place} " if verdict.out_of_time else f"S{place} "
            print(mark, end="", file=sys.stderr, flush=True)
            return verdict

        verdicts: dict[Mutation, Verdict] = {}
        waiting = list(mutations)
        with ThreadPoolExecutor(jobs) as pool:
            while waiting:
                verdicts |= {verdict.mutation: verdict for verdict in pool.map(attempt, waiting)}
                checkout = checkouts.get()
                more = list_broken(checkout, [verdicts[mutation].test for mutation in waiting])
                checkouts.put(checkout)
                broken += more
                waiting = [mutation for mutation in waiting if verdicts[mutation].test in more]
        print(file=sys.stderr)
    return [verdicts[mutation] for mutation in mutations]


def read_equivalent(file: Path) -> dict[tuple[str, str, str], str]:
    """Read the list of equivalent mutants: file, line before, line after; the reason is in the fourth column."""
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 4 or not row[3].strip():
            raise SystemExit(f"{file}: expected file, before, after and reason with tabs between them, not {row}")
    return {(path, before, after): reason for path, before, after, reason in rows}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


def report(verdicts: Sequence[Verdict], equivalent: Sequence[Mutation], sources: dict[Path, bytes], seed: int) -> str:
    """Describe survivors, and count killed and tried mutants by room."""
    lines = []
    for verdict in verdicts:
        if not verdict.test:
            m = verdict.mutation
            note = ", time was up" if verdict.out_of_time else ""
            lines.append(f"{m.path}:{m.line} {m.function or 'module'} ({m.kind}{note})")
            lines += [f"  {sign} {text}" for sign, text in zip("-+", m.describe(sources[m.path]), strict=True)]
    rooms = Counter(room_of(v.mutation.path) for v in verdicts)
    killed = Counter(room_of(v.mutation.path) for v in verdicts if v.test)
    if len(rooms) > 1:
        lines += [f"{room}: {killed[room]} of {n} killed" for room, n in sorted(rooms.items())]
    total, share = len(verdicts), killed.total() / max(1, len(verdicts))
    lines.append(f"seed {seed}: {killed.total()} of {total} mutants killed ({share:.0%}); {len(equivalent)} equivalent")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True, help="random seed of the draw")
    parser.add_argument("--room", nargs="+", required=True, help="folders or files below src/assay")
    parser.add_argument("--count", type=int, default=20, help="number of mutants (default: 20)")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds for each mutant (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at the same time (default: 1)")
    parser.add_argument("--list", action="store_true", help="print the mutants without trying them")
    parser.add_argument("--killed", action="store_true", help="also print which test noticed each mutant")
    args = parser.parse_args(arguments)
    places = [ROOT / SOURCE / room for room in args.room]
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))]
    if not files:
        parser.error(f"no Python files in {', '.join(map(str, places))}")
    sources = {file.relative_to(ROOT): file.read_bytes() for file in files}
    drawn = draw_mutations(sources, args.count, args.seed)
    known = read_equivalent(EQUIVALENT)
    equivalent = [m for m in drawn if (str(m.path), *m.describe(sources[m.path])) in known]
    mutations = [m for m in drawn if m not in equivalent]
    if args.list:
        print(report([Verdict(mutation, "") for mutation in mutations], equivalent, sources, args.seed))
        return 0
    verdicts = try_mutants(mutations, ROOT, args.seconds, args.jobs)
    if args.killed:
        for verdict in verdicts:
            print(
                f"{verdict.mutation.path}:{verdict.mutation.line} {verdict.mutation.kind}: {verdict.test or 'survived'}"
            )
    print(report(verdicts, equivalent, sources, args.seed))
    if len(equivalent) > EQUIVALENT_SHARE * len(drawn):
        print(f"{len(equivalent)} of {len(drawn)} are called equivalent: at most {EQUIVALENT_SHARE:.0%} may be")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
