"""Everything that is typed with the package installed alone, without extras and models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import smoke
from installed_package import call_outcomes, names_install, open_package, read_commands, step_outcomes

from assay.cli.main import commands, load, make_parser


@pytest.fixture(scope="module", autouse=True)
def what_was_typed():
    """Build, install and type before the tests: the time limit of a test is not meant for that."""
    step_outcomes("base")


def list_subcommands() -> set[str]:
    """List every command, with its subcommands and with what its first argument may be."""
    names = set(commands())
    for name in commands():
        names |= {f"{name} {sub}" for sub in getattr(load(name), "SUBCOMMANDS", {})}
        positional = [action for action in make_parser(name, load(name))._actions if not action.option_strings]
        if name != "completion" and positional and positional[0].choices:
            names |= {f"{name} {choice}" for choice in positional[0].choices}
    return names - {"judge", "study"}  # these have subcommands only


def test_the_list_has_every_command():
    typed = {" ".join(step.command.split()[:n]) for step in smoke.STEPS for n in (1, 2)} | smoke.SERVERS
    assert list_subcommands() - typed == set()


def test_the_list_has_every_public_name():
    import assay

    assert set(smoke.CALLS) == set(assay.__all__)


def test_the_install_page_shows_the_list():
    assert smoke.describe_base() in smoke.PAGE.read_text("utf-8"), "run python tests/installed/smoke.py --write"


@pytest.mark.parametrize("step", smoke.STEPS, ids=lambda step: step.command)
def test_a_command_works_or_names_its_extra(step):
    done = step_outcomes("base")[step.command]
    if step.needs:
        assert (done.code, done.out) == (2, "")
        assert names_install(done.err, step.needs), done.err
    else:
        assert done.code == 0, done.err


@pytest.mark.parametrize("name", smoke.CALLS)
def test_a_public_name_works_or_names_its_extra(name):
    error, value = call_outcomes("base")[name]
    needs = smoke.CALLS[name][1]
    if not needs:
        assert not error, value
    else:
        assert error == "MissingExtra"
        assert names_install(value, needs), value


def test_serving_a_study_names_its_extra():
    done = open_package("base").run("assay study serve study")
    assert (done.code, done.out) == (2, "")
    assert names_install(done.err, "study"), done.err


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md"])
def test_what_a_page_shows_before_the_models_works_without_them(page):
    open_package("base").run_page(read_commands(page)[0])
