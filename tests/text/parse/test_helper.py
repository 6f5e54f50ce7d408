"""The other side of the workers: messages, and a process that answers them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest
from pipelines import NAME

from assay.text.parse import helper
from assay.text.parse.encoding import decode_blocks, encode_lines
from assay.text.parse.engines import engine
from assay.text.parse.helper import fork_helper, receive, send


def test_messages_come_as_they_were_sent():
    here, there = socket.socketpair()
    with here, there:
        for body in (b"", b"some", bytes(10_000)):
            send(here, body)
            assert receive(there) == body


def test_half_a_message_is_none():
    here, there = socket.socketpair()
    with there:
        here.sendall(b"\x05\0\0\0\0\0\0\0abc")
        here.close()
        with pytest.raises(ConnectionError, match="is gone"):
            receive(there)


@pytest.mark.parametrize("why", ["the caller is gone", "the caller is silent"])
def test_a_helper_answers_until(why, monkeypatch):
    engine(NAME).parse(["Cats sleep."])
    if why == "the caller is silent":
        monkeypatch.setattr(helper, "_IDLE", 0.01)
    here, there = socket.socketpair()
    with there:
        process = fork_helper(there, NAME)
    if why == "the caller is gone":
        send(here, encode_lines(["Dogs bark.", "Cats sleep."]))
        assert decode_blocks(receive(here)) == engine(NAME).parse(["Dogs bark.", "Cats sleep."])
        here.close()
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_does_not_meet_a_helper_with_the_handlers_of_its_caller(number):
    """It would clean up after the caller: remove what the caller is writing."""
    code = f"""
import os, signal, socket
from assay.text.parse import helper
from assay.cli._signals import raise_on_termination
raise_on_termination()
helper.serve = lambda *_: None
real = os.fork
def fork():
    process = real()
    if not process:
        os.kill(os.getpid(), signal.{number})  # the very first moment
    return process
os.fork = fork
here, there = socket.socketpair()
try:
    process = helper.fork_helper(there, "en")
finally:
    os.write(1, b"cleaned up ")
print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expected = {"SIGINT": 0, "SIGTERM": -15}[number]
    assert (done.stdout, done.stderr) == (f"cleaned up {expected}\n", "")
