"""Which tests stand next to a change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import near  # noqa: E402


@pytest.fixture
def checkout(tmp_path):
    """A repository with a metric, its test and the contract test, of which a branch changed some files."""
    files = {
        "src/assay/metrics/rate.py": 'class Rate:\n    name = "rate"\n',
        "src/assay/metrics/_base.py": "",
        "tests/metrics/test_rate.py": "",
        "tests/metrics/test_base.py": "",
        "tests/metrics/test_contract.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    git("checkout", "-q", "-b", "work")
    (tmp_path / "src/assay/metrics/rate.py").write_text('class Rate:\n    name = "rate"\n    x = 1\n')
    (tmp_path / "tests/metrics/test_new.py").write_text("")
    return tmp_path


def test_tests_next_to_what_changed(checkout):
    files = near.changed_files(checkout)
    assert [str(path) for path in files] == ["src/assay/metrics/rate.py", "tests/metrics/test_new.py"]
    tests = checkout / "tests" / "metrics"
    assert near.near_tests(checkout, files) == [tests / "test_rate.py", tests / "test_new.py"]
    assert near.contract_tests(checkout, files) == {tests / "test_contract.py": ["rate"]}


def test_a_helper_has_its_test_and_no_contract(checkout):
    files = [Path("src/assay/metrics/_base.py")]
    assert near.near_tests(checkout, files) == [checkout / "tests/metrics/test_base.py"]
    assert near.contract_tests(checkout, files) == {}


def test_names_of_components_are_read_with_and_without_their_type():
    files = [Path("src/assay/metrics/rouge.py"), Path("src/assay/systems/compress/ilp.py")]
    contracts = near.contract_tests(ROOT, files)
    assert any(name.startswith("rouge") for name in contracts[ROOT / "tests/metrics/test_contract.py"])
    assert contracts[ROOT / "tests/systems/compress/test_contract.py"] == ["ilp"]
