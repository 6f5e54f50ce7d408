"""The other side of the workers: messages, and a process that answers them."""

from __future__ import annotations

import os
import socket

import pytest

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
    engine("en").parse(["Cats sleep."])
    if why == "the caller is silent":
        monkeypatch.setattr(helper, "_IDLE", 0.01)
    here, there = socket.socketpair()
    with there:
        process = fork_helper(there, "en")
    if why == "the caller is gone":
        send(here, encode_lines(["Dogs bark.", "Cats sleep."]))
        assert decode_blocks(receive(here)) == engine("en").parse(["Dogs bark.", "Cats sleep."])
        here.close()
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
