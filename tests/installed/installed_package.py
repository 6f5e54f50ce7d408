"""Runs what a stranger would run, with the package installed in an environment outside the checkout."""

from __future__ import annotations

import json
import re
import shlex
import socket
import subprocess
import time
import urllib.request
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import packages
import smoke

ROOT = Path(__file__).parents[2]
CALLS = """
import json, sys, warnings
import assay
data = assay.read("example.jsonl")
scores = assay.score(data, ["rouge2"])["rouge2"]
for name, code in json.loads(sys.argv[1]).items():
    try:
        print(json.dumps([name, "", repr(eval(code))[:200]]))
    except Exception as error:
        print(json.dumps([name, type(error).__name__, str(error)]))
"""


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


class InstalledPackage:
    """One environment, and an empty folder to work in."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.programs = packages.make_environment(kind) / "bin"
        self.folder = Path(mkdtemp(prefix=f"assay-{kind}-"))
        self.home = Path(mkdtemp(prefix="home-"))
        self.list_opened()  # an earlier run of the tests may have been stopped
        for name, text in smoke.FILES.items():
            (self.folder / name).write_text(text, "utf-8")

    def run(self, command: str, folder: Path | None = None) -> Outcome:
        """Run a command line; `assay` and `python` are those of the environment."""
        variables = packages.environment_variables(self.home)
        variables["PATH"] = f"{self.programs}:{variables['PATH']}"
        shell = ["bash", "-c", command]
        done = subprocess.run(
            shell, cwd=folder or self.folder, env=variables, capture_output=True, text=True, timeout=600
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run_page(self, commands: list[str]) -> None:
        """Run the commands of a page in order, in an empty folder; each must work."""
        folder = Path(mkdtemp(prefix="page-"))
        for command in commands:
            done = self.run(command, folder)
            assert done.code == 0 or ("--fail-if" in command and done.code == 1), f"{command}: {done.err}"

    def run_steps(self) -> dict[str, Outcome]:
        """Run the list of commands in order."""
        return {step.command: self.run(f"assay {step.command}") for step in smoke.STEPS}

    def call_names(self) -> dict[str, tuple[str, str]]:
        """Call every public name; return the kind of error and the message or value of each."""
        calls = json.dumps({name: code for name, (code, _) in smoke.CALLS.items()})
        done = self.run(f"python -P -c {shlex.quote(CALLS)} {shlex.quote(calls)}")
        assert done.code == 0, done.err
        return {name: (error, value) for name, error, value in map(json.loads, done.out.splitlines())}

    def list_opened(self) -> list[str]:
        """List the files of the package of models for research that were opened, and forget them."""
        log = self.programs.parent / packages.OPENED
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def ask_study(self) -> str:
        """Serve the study of the folder, ask for its first page, and stop the server."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(self.programs / "assay"), "study", "serve", "study", "--port", str(port)]
        variables = packages.environment_variables(self.home)
        server = subprocess.Popen(command, cwd=self.folder, env=variables, stdout=subprocess.PIPE, text=True)
        try:
            for _ in range(300):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
                        return str(page.read().decode())
                except OSError as error:
                    if isinstance(error, urllib.error.HTTPError):
                        return str(error.read().decode())
                    assert server.poll() is None, "the server ended"
                    time.sleep(0.1)
            raise AssertionError("the server did not answer in 30 s")
        finally:
            server.terminate()
            server.wait(30)


@cache  # one worker of the tests runs a whole file
def open_package(kind: str) -> InstalledPackage:
    return InstalledPackage(kind)


@cache
def step_outcomes(kind: str) -> dict[str, Outcome]:
    return open_package(kind).run_steps()


@cache
def call_outcomes(kind: str) -> dict[str, tuple[str, str]]:
    return open_package(kind).call_names()


def names_install(message: str, needs: str) -> bool:
    """Check if an error is one line that ends in the command that installs what is needed."""
    line = f"pip install {needs}" if needs == smoke.MODELS else f"pip install 'assay-eval[{needs}]'"
    return len(message.splitlines()) == 1 and line in message


def read_commands(page: str) -> tuple[list[str], list[str]]:
    """Return the commands of a page: those above the line that installs the models, and those below it."""
    parts = (ROOT / page).read_text("utf-8").split("pip install ./models/base '.[text]'")
    assert len(parts) == 2, page
    return list_commands(parts[0]), list_commands(parts[1])


def list_commands(text: str) -> list[str]:
    """Return the command lines of a text: in console blocks after `$`, or indented; and its Python blocks.

    What only shortens the output on the page is left out, as the exit code would be that of `head`.
    """
    lines = [
        re.sub(r" \| head -\d+$", "", line) for line in re.findall(r"^(?:\$ |    )((?:assay|echo) .*)$", text, re.M)
    ]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    code = ["\n".join(x[4:] for x in block.splitlines() if x.startswith((">>> ", "... "))) or block for block in blocks]
    script = "\n".join(["import assay", *code])  # later blocks use what earlier ones named
    return [*lines, f"python -P -c {shlex.quote(script)}"]
