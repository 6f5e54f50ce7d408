"""assay completion: scripts for shells."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay.cli.main import commands, main

CODE = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
ITEM = {"id": "1", "references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": ""}}


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in commands())


def test_bash_completes(tmp_path):
    script = subprocess.run([sys.executable, "-c", CODE, "completion", "bash"], capture_output=True, text=True).stdout
    (tmp_path / "assay.bash").write_text(script)
    # what Tab does: the words so far, then the function that bash was told of
    ask = """source assay.bash; COMP_WORDS=(assay comp); COMP_CWORD=1; COMP_LINE="assay comp"; COMP_POINT=10
    $(complete -p assay | sed -E 's/.*-F ([^ ]+).*/\\1/') assay comp assay; echo "${COMPREPLY[@]}" """
    done = subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True)
    assert {"compare", "completion"} <= set(done.stdout.split()), done.stderr
