"""Components of other packages: the example package installed as users do it, and packages with something wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SET = '{"id": "1", "references": ["the cat slept on"], "outputs": {"A": "the cat sat", "B": "a dog"}}\n'
BROKEN = {
    "shattered": ("assay.metrics", "shattered = shattered:Metric", "import there_is_no_such_module\n"),
    "copycat": ("assay.metrics", "rouge2 = copycat:Metric", ""),
    "stranger": ("assay.metrics", "stranger = stranger:Stranger", "class Stranger:\n    name = 'stranger'\n"),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip installed the example package."""
    folder = tmp_path_factory.mktemp("installed")
    source = tmp_path_factory.mktemp("source") / "plugin"
    subprocess.run(["cp", "-r", str(ROOT / "examples" / "plugin"), str(source)], check=True)  # pip builds in it
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(source)]
    subprocess.run(pip, check=True, capture_output=True)
    (folder / "set.jsonl").write_text(SET, "utf-8")
    return folder


@pytest.fixture
def broken(tmp_path):
    """A folder with three packages, each with something wrong."""
    for package, (group, entry, code) in BROKEN.items():
        (tmp_path / f"{package}.py").write_text(code, "utf-8")
        info = tmp_path / f"{package}-0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n", "utf-8")
    return tmp_path


def run(*arguments, folders, code=0):
    path = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folders[0],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    return done


def assay(*arguments, folders, code=0):
    return run("-m", "assay", *arguments, folders=folders, code=code)


def test_the_package_tests_itself(installed):
    test = ROOT / "examples" / "plugin" / "test_components.py"
    code = f"import runpy; t = runpy.run_path({str(test)!r}); [f() for n, f in t.items() if n.startswith('test_')]"
    run("-W", "error", "-c", code, folders=[installed])


def test_its_metric_is_listed_without_importing_it(installed):
    code = (
        "import sys; from assay.cli.main import main; main(['metrics', 'installed']); "
        "from assay.metrics import METRICS; print('same-start' in METRICS.names, 'assay_example' in sys.modules)"
    )
    lines = run("-c", code, folders=[installed]).stdout.splitlines()
    assert any(line.split() == ["same-start", "from", "assay-example", "0.1.0"] for line in lines)
    assert lines[-1] == "True False"
    assert "Share of a reference's words" in assay("metrics", "same-start", folders=[installed]).stdout


def test_its_metric_scores_and_its_signature_shows_the_package(installed):
    out = assay("score", "set.jsonl", "-m", "Same_Start(least=1)", "-m", "rouge1", "--json", folders=[installed]).stdout
    signature = "same-start(least=1, package=assay-example==0.1.0)"
    assert f'"metric": "{signature}", "score": 0.5' in out
    assay("score", "set.jsonl", "-m", signature, folders=[installed])
    other = assay("score", "set.jsonl", "-m", "same-start(package=assay-example==0.2.0)", folders=[installed], code=2)
    assert other.stderr == "assay: same-start is of assay-example==0.1.0 here; assay-example==0.2.0 was asked for\n"
    code = "from assay_example.same_start import SameStart as S; import assay; print(assay.metric(S()).signature())"
    assert run("-c", code, folders=[installed]).stdout.strip() == signature


def test_its_format_system_and_learner_are_found_by_name(installed):
    assay("convert", "set.jsonl", "set.pairs", folders=[installed])
    assert (installed / "set.pairs").read_text("utf-8").splitlines()[0] == "1\tA\tthe cat sat\tthe cat slept on"
    assert assay("score", "set.pairs", "-m", "rouge1", "--json", folders=[installed]).stdout.count('"system"') >= 2
    (installed / "news.txt").write_text("One two three four.\n", "utf-8")
    shorter = assay("compress", "news.txt", "--system", "every-second", folders=[installed])
    assert shorter.stdout == "One three.\n"
    assert "every-second" in assay("compress", "--list", folders=[installed]).stdout
    code = "from assay.learning.models import model; print(model('equal').signature())"
    assert run("-c", code, folders=[installed]).stdout == "equal(package=assay-example==0.1.0)\n"


def test_a_package_that_fails_is_one_line_and_the_others_work(installed, broken):
    folders = [installed, broken]
    assay("score", "set.jsonl", "-m", "same-start", "-m", "rouge2", folders=folders)
    assert "shattered" in assay("metrics", "installed", folders=folders).stdout
    failed = assay("score", "set.jsonl", "-m", "shattered", folders=folders, code=2)
    reason = "ModuleNotFoundError: No module named 'there_is_no_such_module'"
    assert failed.stderr == f"assay: the metric 'shattered' of shattered 0.1 cannot be used: {reason}\n"
    failed = assay("score", "set.jsonl", "-m", "stranger", folders=folders, code=2)
    assert "stranger:Stranger is not a subclass of assay.metrics._base.Metric" in failed.stderr


def test_all_of_a_kind_are_those_that_work(installed, broken):
    code = "from assay.metrics import METRICS; print(sorted(c.name for c in METRICS.classes if c.origin))"
    done = run("-c", code, folders=[installed, broken])
    assert done.stdout == "['same-start']\n"
    messages = [line.partition("PluginWarning: ")[2] for line in done.stderr.splitlines() if "PluginWarning" in line]
    assert "the metric 'rouge2' of copycat 0.1 cannot be used: Assay has a metric of that name" in messages
    assert len(messages) == 3


def test_two_packages_with_one_name(installed, tmp_path):
    info = tmp_path / "second-0.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: second\nVersion: 0.2\n", "utf-8")
    (info / "entry_points.txt").write_text("[assay.metrics]\nsame-start = second:Metric\n", "utf-8")
    failed = assay("score", "set.jsonl", "-m", "same-start", folders=[installed, tmp_path], code=2)
    assert failed.stderr == (
        "assay: assay-example 0.1.0 and second 0.2 both have a metric 'same-start': uninstall one of them\n"
    )
