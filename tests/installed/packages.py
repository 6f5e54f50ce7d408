"""Builds the three packages as they are released, and environments outside the checkout with them installed.

Built once for a state of the sources, in build/installed: a second run takes what is there.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import site
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "installed"
MODELS = {"assay_eval_models": ROOT / "models" / "base", "assay_eval_research": ROOT / "models" / "research"}
BUILT_FROM = ("src", "models", "pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "NOTICE")

OPENED = "opened-for-research"  # in an environment: which files of that package its Python has opened
WATCH = """import sys

def note(event, arguments):
    if event == "open" and "/assay_research/" in str(arguments[0]) and str(arguments[0]).endswith((".npz", ".json")):
        with open({log!r}, "a") as log:
            log.write(f"{{arguments[0]}}\\n")

sys.addaudithook(note)
"""


def list_sources(*folders: str) -> list[Path]:
    """List the files of the project below some folders: what git tracks, or would with `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(path for path in (ROOT / name for name in names if name) if path.is_file())


def hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def find_wheel(name: str) -> Path:
    """Return the wheel of a package: assay_eval, assay_eval_models or assay_eval_research."""
    build_packages()
    [wheel] = FOLDER.glob(f"{name}-*.whl")
    return wheel


def find_sdist() -> Path:
    build_packages()
    [sdist] = FOLDER.glob("assay_eval-*.tar.gz")
    return sdist


def build_packages() -> None:
    """Build the source package, from it the wheel, and the wheels of models, if their sources have changed."""
    sources = [f"{path.relative_to(ROOT)} {hash_file(path)}" for path in list_sources(*BUILT_FROM)]
    state = hashlib.sha256("\n".join(sources).encode()).hexdigest()
    with lock("packages"):
        # One run of the tests uses one state, even if a source is edited meanwhile: another worker may be using it.
        stamp, run_id = FOLDER / "sources", os.environ.get("PYTEST_XDIST_TESTRUNUID", state)
        if stamp.is_file() and {state, run_id} & set(stamp.read_text().split()):
            return
        core = hashlib.sha256(
            "\n".join(s for s in sources if s.startswith(("src/core/", "CMake"))).encode()
        ).hexdigest()
        compiled = FOLDER / f"core-{core[:16]}"  # kept while the core stays the same: compiling takes most of the time
        for path in FOLDER.iterdir():
            if path.is_dir() and path != compiled:
                shutil.rmtree(path)
            elif path.suffix in (".whl", ".gz"):
                path.unlink()
        sdist = "from scikit_build_core.build import build_sdist as build; import sys; build(sys.argv[1])"
        run([sys.executable, "-c", sdist, str(FOLDER)], cwd=ROOT)
        [archive] = FOLDER.glob("assay_eval-*.tar.gz")
        scratch = FOLDER / "scratch"
        with tarfile.open(archive) as members:
            members.extractall(scratch, filter="data")
        build_wheel(scratch / archive.name.removesuffix(".tar.gz"), "-C", f"build-dir={compiled}")
        for name, folder in MODELS.items():
            # a copy: setuptools would put what an earlier version held into the wheel too
            for path in list_sources(str(folder.relative_to(ROOT))):
                target = scratch / name / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
            build_wheel(scratch / name)
        shutil.rmtree(scratch)
        stamp.write_text(f"{state} {run_id}")


def build_wheel(folder: Path, *options: str) -> None:
    """Build the wheel of a folder with the tools of this environment."""
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--no-build-isolation", *options, "-w", str(FOLDER), str(folder)])


def make_environment(kind: str) -> Path:
    """Return the folder of an environment: `base` with the wheel alone, `all` with every extra and all models.

    The base is installed as users do, from the index. `all` takes the packages of the development environment, which
    has every extra: what pip would fetch for them is left to a fresh machine.
    """
    build_packages()
    folder = FOLDER / f"{kind}-environment"
    with lock(kind):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
            pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "-q"]
            pip += ["--disable-pip-version-check"]
            if kind == "base":
                run([*pip, str(find_wheel("assay_eval"))])
            else:
                run([*pip, "--no-deps", *(str(find_wheel(name)) for name in ("assay_eval", *MODELS))])
                [own] = (folder / "lib").glob("python*/site-packages")
                # a path alone: the .pth files there, which lead to the checkout, are not read
                (own / "development.pth").write_text(f"{site.getsitepackages()[0]}\n")
                (own / "watch.pth").write_text("import watch_research\n")
                (own / "watch_research.py").write_text(WATCH.format(log=str(folder / OPENED)))
            (folder / "ready").touch()
    return folder


def environment_variables(home: Path) -> dict[str, str]:
    """Return the variables of a stranger: no settings of ours, an empty home."""
    ours = ("ASSAY", "PYTHON", "VIRTUAL_ENV", "XDG_", "COVERAGE", "PYTEST")
    return {k: v for k, v in os.environ.items() if not k.startswith(ours)} | {"HOME": str(home), "NO_COLOR": "1"}


def run(command: list[str], *, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@contextmanager
def lock(name: str) -> Iterator[None]:
    """Let one process of the tests at a time build something."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
