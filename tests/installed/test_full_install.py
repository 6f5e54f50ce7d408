"""Everything that is typed with the package installed with all extras and models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import smoke
from installed_package import call_outcomes, names_install, open_package, read_commands, step_outcomes


@pytest.mark.parametrize("step", smoke.STEPS, ids=lambda step: step.command)
def test_a_command_works(step):
    done = step_outcomes("all")[step.command]
    if step.needs in smoke.ABSENT:
        assert names_install(done.err.partition(", or")[0], step.needs), done.err
    elif step.refused:
        assert done.code == 2
        assert step.refused in done.err
        assert len(done.err.splitlines()) == 1
    else:
        assert done.code == 0, done.err


@pytest.mark.parametrize("name", smoke.CALLS)
def test_a_public_name_works(name):
    error, value = call_outcomes("all")[name]
    assert not error, value


def test_compress_shortens():
    package = open_package("all")
    for ratio in ("0.5", "0.8"):
        short = package.run(f"assay compress news.txt --ratio {ratio}").out
        assert 0 < len(short.split()) < len(smoke.FILES["news.txt"].split())


def test_a_study_is_served():
    step_outcomes("all")
    assert "<!doctype html>" in open_package("all").ask_study().lower()


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md"])
def test_what_a_page_shows_after_the_models_works(page):
    package = open_package("all")
    step_outcomes("all")
    for command in read_commands(page)[1]:
        done = package.run(command)
        assert done.code == 0, f"{command}: {done.err}"
