"""Time the statistics against sacrerouge, nlpstats and plain SciPy loops, in the same run, as ratios.

    python benchmarks/stats.py

CPU seconds of one thread (time.process_time), median of repeats. The peers run in an environment of their own, made
once under .bench/stats-peers at the versions below. They are slow, so they do a few resamples (or metrics, or pairs)
and the time is scaled up; the last column says from how many. sacrerouge's `stats.py` runs unchanged, but the rest of
its package wants old pins: a stub stands in for `sacrerouge.data.Metrics`, which it names in annotations only.
"""

# ruff: noqa: E402  (threads are set before NumPy is imported)
from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import importlib.util
import itertools
import json
import statistics
import subprocess
import sys
import time
import types
import venv
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

PEERS = {"deps": ["numpy==2.4.6", "scipy==1.17.1"], "alone": ["sacrerouge==0.2.5", "nlpstats==0.0.1"]}
HOME = Path(__file__).resolve().parent.parent / ".bench" / "stats-peers"
METRICS, SYSTEMS, TOPICS, RESAMPLES = 20, 50, 48, 1000
METHODS = ("pearson", "spearman", "kendall")
TARGETS = {  # ratio to sacrerouge
    ("item", "pearson"): 2000,
    ("item", "spearman"): 2000,
    ("item", "kendall"): 200,
    ("system", "pearson"): 300,
    ("system", "spearman"): 300,
    ("system", "kendall"): 200,
}


def data() -> dict[str, Any]:
    """Return the workloads: a TAC-sized set, a Toutanova-sized set, and a WMT-sized set."""
    rng = np.random.default_rng(0)
    h = rng.normal(size=(SYSTEMS, 1)) + rng.normal(size=(SYSTEMS, TOPICS))
    out = {"h": h, "ms": h + rng.normal(size=(METRICS, SYSTEMS, TOPICS))}
    out["people"] = rng.normal(size=(4, 785))
    out["eighty"] = out["people"] + rng.normal(size=(80, 4, 785))
    out["ratings"] = rng.integers(0, 6, size=(20, 500)).astype(float)
    out["thirty"] = out["ratings"] + rng.normal(size=(30, 20, 500))
    out["compared"] = rng.normal(size=(50, 2000)) + rng.normal(size=2000)
    out["holes"] = rng.random(size=(50, 2000)) < 0.1
    out["many"] = rng.normal(size=(66, 48))
    return out


def cpu(call: Callable[[], Any], repeats: int) -> float:
    """Return the median CPU time of a call."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def ours(d: dict[str, Any]) -> dict[str, float]:
    """Time Assay, after one warm-up call each."""
    from assay import stats

    calls: dict[str, Callable[[], Any]] = {}
    for level, method in itertools.product(("item", "system"), METHODS):
        kind = {"level": level, "method": method, "resamples": RESAMPLES}
        calls[f"bootstrap-both {level} {method}"] = partial(stats.bootstrap_stack, d["h"], d["ms"], **kind)
        calls[f"permutation-both {level} {method}"] = partial(stats.permutation, d["h"], d["ms"][0], d["ms"][1], **kind)
    dh, dm = stats.pair_differences(d["people"]), stats.pair_differences(d["eighty"])
    calls["williams 3160"] = partial(stats.williams_matrix, dh[0], dm[:, 0])
    calls["dominance 80 x 6"] = lambda: [stats.williams_matrix(dh[p], dm[:, p]) for p in range(6)]
    calls["wilcoxon 2145"] = partial(stats.paired_matrix, d["many"])
    calls["acc_eq 30 x 1000"] = partial(
        stats.acc_eq_matrix, d["ratings"], d["thirty"], over="pairs", resamples=RESAMPLES
    )
    for systems, items in ((15, 2000), (50, 1000)):
        values = d["compared"][:systems, :items]
        calls[f"compare {systems} x {items}"] = partial(stats.compare_all, values, resamples=RESAMPLES)
        calls[f"compare {systems} x {items} as before"] = partial(_compare_as_before, values)
        holes = np.where(d["holes"][:systems, :items], np.nan, values)
        calls[f"compare {systems} x {items}, 10 % missing"] = partial(stats.compare_all, holes, resamples=RESAMPLES)
    times = {}
    for name, call in calls.items():
        call()
        times[name] = cpu(call, 5)
    return times


def _compare_as_before(values: Any) -> None:
    """Compare as `assay compare` did before 0.2.0: bootstrap intervals of means, and Wilcoxon's test of all pairs."""
    from assay import stats

    stats.bootstrap_means(values, resamples=RESAMPLES)
    stats.paired_matrix(values, test="wilcoxon")


def sacrerouge() -> types.ModuleType:
    """Load sacrerouge's stats.py as it is."""
    root = Path(importlib.util.find_spec("nlpstats").submodule_search_locations[0]).parent  # type: ignore[union-attr,index]
    for name in ("sacrerouge", "sacrerouge.data"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["sacrerouge.data"].Metrics = object  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("sacrerouge.stats", root / "sacrerouge" / "stats.py")
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def peers(d: dict[str, Any]) -> dict[str, list[Any]]:
    """Time the peers on a little and scale: name -> [seconds scaled up, what was measured]."""
    import nlpstats.correlations as nlp
    import scipy.stats

    rouge, found = sacrerouge(), {}
    h, (x, y) = d["h"], d["ms"][:2]
    of_scipy = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}
    levels = {"item": (rouge.summary_level_corr, "input", 5), "system": (rouge.system_level_corr, "system", 100)}
    for level, method in itertools.product(levels, METHODS):
        function, theirs, few = levels[level]
        corr, note = partial(function, of_scipy[method]), f"1 metric, {few} resamples"
        grow = RESAMPLES / few
        sample, swap = rouge.bootstrap_both_sample, rouge.permute_both
        boot = cpu(lambda c=corr, f=few, s=sample: rouge.bootstrap_ci(c, x, h, s, num_samples=f), 3)
        found[f"sacrerouge bootstrap-both {level} {method}"] = [boot * grow * METRICS, note]
        perm = cpu(lambda c=corr, f=few, s=swap: rouge.permutation_diff_test(c, x, y, h, s, True, f), 3)
        found[f"sacrerouge permutation-both {level} {method}"] = [perm * grow, f"{few} resamples"]
        boot = cpu(lambda t=theirs, m=method, f=few: nlp.bootstrap(x, h, t, m, "both", n_resamples=f), 3)
        found[f"nlpstats bootstrap-both {level} {method}"] = [boot * grow * METRICS, note]
        perm = cpu(lambda t=theirs, m=method, f=few: nlp.permutation_test(x, y, h, t, m, "both", n_resamples=f), 3)
        found[f"nlpstats permutation-both {level} {method}"] = [perm * grow, f"{few} resamples"]
    z, eighty = d["people"][:1] - d["people"][1:2], d["eighty"][:, :1] - d["eighty"][:, 1:2]
    corr = partial(rouge.global_corr, scipy.stats.pearsonr)
    some = list(itertools.combinations(range(80), 2))[:100]
    one = cpu(lambda: [rouge.williams_diff_test(corr, eighty[a], eighty[b], z, False) for a, b in some], 3) / 100
    found["sacrerouge williams 3160"] = [one * 3160, "100 tests"]
    found["sacrerouge dominance 80 x 6"] = [one * 3160 * 6, "100 tests"]
    rows = list(itertools.combinations(d["many"], 2))[:100]
    found["scipy wilcoxon 2145"] = [cpu(lambda: [scipy.stats.wilcoxon(a, b) for a, b in rows], 3) * 21.45, "100 tests"]
    return found


def environment() -> Path:
    """Return the peers' Python, making its environment if it is not there."""
    python = HOME / "bin" / "python"
    if not (HOME / "ready").exists():
        print(f"making {HOME}", file=sys.stderr)
        venv.create(HOME, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS["deps"]], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *PEERS["alone"]], check=True)
        (HOME / "ready").touch()
    return python


def goal(name: str, peer: str) -> float | None:
    if name == "williams 3160":
        return 100
    _, level, method = name.split()
    return TARGETS[level, method] if peer == "sacrerouge" else None


def main() -> None:
    """Print one row per workload and peer."""
    mine = ours(data())
    answer = subprocess.run([environment(), __file__, "--peers"], check=True, capture_output=True, text=True).stdout
    print(f"{'workload':34}{'assay s':>10}{'peer':>12}{'peer s':>10}{'ratio':>9}{'target':>8}   measured from")
    for key, (seconds, note) in sorted(json.loads(answer).items(), key=lambda kv: kv[0].split(" ", 1)[::-1]):
        peer, name = key.split(" ", 1)
        target = goal(name, peer) if peer == "sacrerouge" and "dominance" not in name else None
        wanted = "" if target is None else f"{target:.0f}x"
        ratio = f"{seconds / mine[name]:.0f}x"
        print(f"{name:34}{mine[name]:10.4f}{peer:>12}{seconds:10.2f}{ratio:>9}{wanted:>8}   {note}")
    for name, limit in (("dominance 80 x 6", 1), ("acc_eq 30 x 1000", 120)):
        print(f"{name:34}{mine[name]:10.4f}{'':>12}{'':>10}{'':>9}{f'<{limit} s':>8}")
    show_comparisons(mine)


def show_comparisons(mine: dict[str, float]) -> None:
    """Print the comparison of systems next to the one before: at most twice its time, 50 x 1,000 below 10 s."""
    for size in ("15 x 2000", "50 x 1000"):
        now, before = mine[f"compare {size}"], mine[f"compare {size} as before"]
        print(f"{f'compare {size}':34}{now:10.4f}{'before':>12}{before:10.4f}{before / now:8.1f}x{'0.5x':>8}")
        missing = f"compare {size}, 10 % missing"
        print(f"{missing:34}{mine[missing]:10.4f}{'':>12}{'':>10}{'':>9}{'<10 s':>8}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--peers"]:
        warnings.simplefilter("ignore")
        print(json.dumps(peers(data())))
    else:
        main()
