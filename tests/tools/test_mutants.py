"""Mutants are drawn by lines of code, tried in a copy, and noticed only by tests that pass without them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import mutants  # noqa: E402
import near  # noqa: E402
from mutations import draw_mutations, list_mutations  # noqa: E402

FILE = Path("src/assay/room/rank.py")
CODE = '''"""Rank things."""

from typing import Literal

Kind = Literal["a long kind"]


def rank(scores: list[float], most: int = 2) -> str:
    """Return a sentence about the highest score."""
    if not scores:
        return ""
    best = sorted(scores)[-1] / most
    name = "the highest score" if best >= 1.5 else f"a score {best} of less worth"
    return name.replace("e", "E")


def check(x: int) -> None:
    if x < 0 and x != -7:
        raise ValueError("the number must be positive")
'''


def listed(kind: str, code: str = CODE) -> set[str]:
    source = code.encode()
    return {m.describe(source)[1] for m in list_mutations(FILE, source) if m.kind == kind}


def test_every_kind_of_fault():
    assert listed("comparison") >= {"if bool(scores):", "if x <= 0 and x != -7:", "if x >= 0 and x != -7:"}
    assert listed("comparison") >= {"if x < 0 and x == -7:"}
    assert listed("constant") >= {"def rank(scores: list[float], most: int = 3) -> str:"}
    assert any("best >= 1.875" in line for line in listed("constant"))
    assert listed("order") == {"best = sorted(scores, reverse=True)[-1] / most"}
    assert listed("order", "x = max(key(a), -b)\n") == {"x = min(key(a), -b)", "x = max(key(a), (b))"}
    assert listed("guard") >= {"if False:", "if (x < 0):", "if (x != -7):"}
    assert listed("arguments") == {'return name.replace("E", "e")'}
    assert listed("arithmetic") >= {"best = sorted(scores)[-1] * most", "best = (sorted(scores)[-1])"}
    words = listed("words")
    assert any('"the lowest score"' in line for line in words)
    assert any("} of worth" in line for line in words)
    assert not any("sentence about" in line or "long" in line for line in words)  # neither docstrings nor types


def test_operators_are_found_behind_parentheses_and_comments():
    code = "y = (a) < (b)\nz = (\n    a  # is it less?\n    is  not b\n)\n"
    assert listed("comparison", code) == {"y = (a) <= (b)", "y = (a) >= (b)", "is b"}


def test_bytes_and_characters_are_not_mixed_up():
    assert listed("constant", 'x = {"ü": 1}\n') == {'x = {"ü": 2}'}


def test_functions_are_drawn_by_their_lines_and_at_most_twice():
    long = "def long(x):\n" + "    x = x + 1\n" * 40
    sources = {Path(f"{k}.py"): (long if k == 0 else "def short(x):\n    return x + 1\n").encode() for k in range(6)}
    counts = Counter(m.path for m in draw_mutations(sources, 7, seed=3))
    assert counts[Path("0.py")] == 2
    assert max(counts.values()) == 2
    firsts = Counter(draw_mutations(sources, 1, seed=seed)[0].path for seed in range(40))
    assert firsts[Path("0.py")] > 25  # of 40, as it has 41 of 51 lines


def test_error_texts_are_at_most_a_tenth():
    code = "def check(x):\n    raise ValueError('this is wrong of you')\n"
    sources = {Path(f"{k}.py"): code.encode() for k in range(20)}
    assert len(draw_mutations(sources, 10, seed=1)) == 1


def test_the_same_seed_draws_the_same():
    sources = {FILE: CODE.encode()}
    assert draw_mutations(sources, 3, 5) == draw_mutations(sources, 3, 5) != draw_mutations(sources, 3, 6)


def write_checkout(root: Path, tests: dict[str, str]) -> None:
    for name, text in {"src/assay/__init__.py": "", "src/assay/room/__init__.py": "", str(FILE): CODE, **tests}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def choose(kind: str, text: str) -> mutants.Mutation:
    source = CODE.encode()
    return next(m for m in list_mutations(FILE, source) if m.kind == kind and text in m.describe(source)[1])


def test_survivors_are_told_from_what_tests_notice(tmp_path):
    tests = {
        "tests/room/test_rank.py": "from assay.room.rank import rank\n"
        "def test_rank():\n    assert rank([1, 4], 2) == 'thE highEst scorE'\n"
        "def test_always_fails():\n    assert False\n",
        "tests/room/test_other.py": "import pytest\nfrom assay.room.rank import rank\n"
        "@pytest.mark.parametrize('n', [0], ids=['no scores'])\ndef test_none(n):\n"
        "    assert not rank([1] * n)\n",
    }
    write_checkout(tmp_path, tests)
    before = (tmp_path / FILE).stat().st_mtime_ns
    drawn = [choose("words", "lowest"), choose("guard", "if False"), choose("comparison", "x <= 0")]
    verdicts = mutants.try_mutants(drawn, tmp_path, 60, jobs=1)
    assert [v.test for v in verdicts] == [
        "tests/room/test_rank.py::test_rank",
        "tests/room/test_other.py::test_none[no scores]",
        "",
    ]
    assert not any(v.out_of_time for v in verdicts)
    assert (tmp_path / FILE).read_text() == CODE
    assert (tmp_path / FILE).stat().st_mtime_ns == before
    text = mutants.report(verdicts, [], {FILE: CODE.encode()}, 4)
    assert "rank.py:18 check (comparison)\n  - if x < 0 and x != -7:\n  + if x <= 0 and x != -7:\n" in text
    assert text.endswith("seed 4: 2 of 3 mutants killed (67%); 0 equivalent")
    assert "lowest" not in text


def test_what_hangs_runs_out_of_time(tmp_path):
    slow = "from assay.room.rank import rank\ndef test_rank():\n    while not rank([]):\n        pass\n"
    write_checkout(tmp_path, {"tests/room/test_rank.py": slow})
    verdicts = mutants.try_mutants([choose("words", "lowest")], tmp_path, 1, jobs=1)
    assert [(v.test, v.out_of_time) for v in verdicts] == [("", True)]


@pytest.mark.parametrize(
    ("status", "output", "expected"),
    [
        (0, "2 passed", ("", False)),
        (5, "no tests ran", ("", False)),
        (1, "FAILED tests/a.py::test_b[c d] - assert 1 == 2\n1 failed", ("tests/a.py::test_b[c d]", False)),
        (2, "ERROR tests/a.py\n", ("tests/a.py", False)),
        (-24, "...", ("", True)),
        (-11, "...", ("exit code -11", False)),
    ],
)
def test_the_outcome_is_read_from_pytest(status, output, expected):
    assert mutants.find_failure(status, output) == expected


def test_equivalent_mutants_have_a_reason_and_are_few(tmp_path, monkeypatch, capsys):
    file = tmp_path / "equivalent.txt"
    file.write_text("# why\nsrc/assay/a.py\tx < 1\tx <= 1\t \n")
    with pytest.raises(SystemExit, match="expected file, before, after and reason"):
        mutants.read_equivalent(file)
    write_checkout(tmp_path, {})
    mutation = choose("comparison", "x <= 0")
    before, after = mutation.describe(CODE.encode())
    file.write_text(f"{FILE}\t{before}\t{after}\tno caller has 0\n")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "EQUIVALENT", file)
    monkeypatch.setattr(mutants, "draw_mutations", lambda *_: [mutation])
    assert mutants.main(["--seed", "1", "--room", "room"]) == 1
    assert "1 of 1 are called equivalent: at most 5% may be" in capsys.readouterr().out


def test_the_list_of_equivalent_mutants_is_up_to_date():
    for (path, before, _), reason in mutants.read_equivalent(mutants.EQUIVALENT).items():
        lines = " ".join((ROOT / path).read_text("utf-8").split())
        assert before in lines, f"{path} has no {before!r} any more ({reason})"


def test_mirrored_tests_are_found(tmp_path):
    names = ["a/test_b.py", "a/test_c.py", "a/_d/test_e.py", "a/test_d.py", "test_top.py"]
    for name in names:
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).write_text("rank" if name == "a/test_d.py" else "ranking, so long")
    mirrors = {
        "a/b.py": ["a/test_b.py"],
        "a/_c.py": ["a/test_c.py"],
        "a/_d/e.py": ["a/_d/test_e.py", "a/test_d.py"],
        "a/_d/f.py": ["a/test_d.py"],
        "top.py": ["test_top.py"],
        "a/none.py": [],
    }
    for module, tests in mirrors.items():
        found = near.mirrored_tests(tmp_path, Path("src/assay") / module)
        assert [str(path.relative_to(tmp_path / "tests")) for path in found] == tests
    room = near.room_tests(tmp_path, Path("src/assay/a/rank.py"))
    assert room[0].name == "test_d.py"
    assert len(room) == 4


def test_hanging_tests_fail(tmp_path):
    """The limits of tests/conftest.py: CPU seconds for a loop, and seconds of the clock for what waits."""

    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_hang.py").write_text(
        "import threading\ndef test_loop():\n    while True: pass\ndef test_wait():\n    threading.Event().wait()\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rf", "--tb=line"]
    environment = {**os.environ, "ASSAY_TEST_SECONDS": "0.4"}
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    loop, wait = (line for line in result.stdout.splitlines() if line.startswith("FAILED"))
    # A loop on a machine with much else to do has its 2 seconds of the clock before its 0.4 of the processor.
    assert loop.endswith(("test_loop - Failed: still running after 0.4 CPU seconds", "after 2 seconds"))
    assert wait.endswith("test_wait - Failed: still running after 2 seconds")
    assert "2 failed" in result.stdout
