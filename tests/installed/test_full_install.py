"""Everything that is typed with the package installed with all extras and models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import smoke
from installed_package import call_outcomes, names_install, open_package, read_commands, step_outcomes


@pytest.fixture(scope="module", autouse=True)
def what_was_typed():
    """Build, install and type before the tests: the time limit of a test is not meant for that."""
    step_outcomes("all")


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
    assert "<!doctype html>" in open_package("all").ask_study().lower()


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md"])
def test_what_a_page_shows_works(page):
    above, below = read_commands(page)
    open_package("all").run_page([*above, *below])


def test_only_systems_that_are_named_open_a_file_for_research():
    """Of all commands and names above; the package is installed, and the environment notes what is opened of it."""
    call_outcomes("all")
    package = open_package("all")
    assert package.list_opened() == []
    named = package.run("assay compress news.txt --ratio 0.7 --system t3")
    assert named.code == 0, named.err
    assert package.list_opened() != []
