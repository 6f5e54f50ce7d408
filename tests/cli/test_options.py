"""Options: one name has one meaning in every command, is defined once, and says its default."""

from __future__ import annotations

import argparse
from collections import defaultdict

import pytest

from assay.cli import _options
from assay.cli.main import commands, load, main, make_parser

COMMANDS = commands()


def options_of(command: str) -> list[argparse.Action]:
    return [a for a in make_parser(command, load(command))._actions if a.option_strings and a.dest != "help"]


USES: dict[str, list[tuple[str, argparse.Action]]] = defaultdict(list)
for _command in COMMANDS:
    for _action in options_of(_command):
        for _name in _action.option_strings:
            USES[_name].append((_command, _action))

SHARED = {flag: name for name, (flags, _) in _options.OPTIONS.items() for flag in flags if flag.startswith("-")}
EVERY = [(command, action) for command in COMMANDS for action in options_of(command)]
NAMES = [f"{command} {action.option_strings[-1]}" for command, action in EVERY]


@pytest.mark.parametrize("option", sorted(name for name, uses in USES.items() if len(uses) > 1))
def test_an_option_of_several_commands_is_defined_once(option):
    """Who knows an option from one command knows it in all."""
    assert option in SHARED, [command for command, _ in USES[option]]
    stem = _options.OPTIONS[SHARED[option]][1]["help"]
    for command, action in USES[option]:
        assert str(action.help).startswith(stem), command
    assert len({(str(a.metavar), getattr(a.type, "__qualname__", ""), a.nargs, type(a)) for _, a in USES[option]}) == 1


@pytest.mark.parametrize(("command", "action"), EVERY, ids=NAMES)
def test_help_is_a_noun_phrase_that_ends_with_the_default(command, action):
    text = str(action.help)
    assert text[0].islower() or text.split()[0].isupper(), text
    assert not text.endswith("."), text
    if action.default in (None, [], "") or action.nargs == 0:
        return
    assert text.endswith(")"), text
    assert "(default: " in text, text


@pytest.mark.parametrize("name", sorted(_options.REPLACED))
def test_replaced_names_are_gone_and_named_in_the_error(name, capsys):
    assert name not in USES
    assert main(["score", "set.jsonl", name, "x"]) == 2
    assert f"{name} is now {_options.REPLACED[name]}" in capsys.readouterr().err
