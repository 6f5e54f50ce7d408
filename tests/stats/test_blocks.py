"""Blocks of resamples: the same bits wherever, in whatever order and in whatever company blocks are computed."""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest

from assay import stats
from assay.stats.blocks import BlockJob, BlockKernel, compute_block, find_kernel, resample, spread_blocks


def build_means(values, *, scale=1.0):
    return BlockKernel(
        lambda streams, count: (streams[0].integers(0, len(values), (count, len(values))),),
        lambda index: scale * values[index].mean(axis=1),
    )


def compute_apart(jobs):
    """Compute the last block first, from what a file would hold of it."""
    results = []
    for job, parts in jobs:
        sent = json.loads(json.dumps([job.name, dict(job.options), parts]))
        kernel = find_kernel(sent[0], job.arrays, sent[1])
        results.append([compute_block(kernel, part) for part in sent[2][::-1]][::-1])
    return results


@pytest.fixture
def tables():
    rng = np.random.default_rng(3)
    human = np.round(2 * (rng.normal(size=(9, 1)) + rng.normal(size=(9, 40))))
    metrics = human + rng.normal(size=(3, 9, 40))
    metrics[:, 2, :3] = np.nan
    return human, metrics


def collect_numbers(human, metrics):
    sums = np.abs(metrics[:, :, None, :].repeat(2, axis=2)).transpose(1, 3, 0, 2)[:, :, :, 0]
    pooled = stats.pooled_differences(human, metrics, resamples=60)
    corpus = [
        stats.corpus_test(np.nan_to_num(sums), lambda s: s[:, 0] / s[:, 1], test=test, resamples=60)
        for test in stats.CORPUS_TESTS
    ]
    yield stats.bootstrap_means(metrics[0], resamples=60).samples
    yield from (pooled.samples, pooled.agreement_samples)
    yield from (array for each in corpus for array in (each.low, each.pvalue, each.error))
    for alternative in ("two-sided", "greater"):
        yield stats.paired_matrix(metrics[1], test="flip", alternative=alternative, resamples=90).pvalue
    yield stats.soft_pairwise_accuracy(human, metrics, resamples=60).values
    for level in ("system", "item", "pooled"):
        for method in ("pearson", "kendall"):
            options = {"level": level, "method": method, "resamples": 60}
            yield stats.bootstrap_stack(human, metrics, **options).samples
            yield stats.permutation_matrix(human, metrics, **options).pvalues
            yield np.array([stats.permutation(human, metrics[0], metrics[2], **options).pvalue])
            yield np.array(stats.metric_difference(human, metrics[0], metrics[1], **options))


def test_every_resampling_gives_the_same_bits_elsewhere(tables, monkeypatch):
    def cut(total, cost, budget=0):  # small blocks, so that each resampling has several
        return [7] * (total // 7) + [total % 7]

    for name in ("intervals", "permutation_null", "metric_tests", "system_tests", "corpus_tests", "pooled_differences"):
        monkeypatch.setattr(importlib.import_module(f"assay.stats.{name}"), "batches", cut)
    here = [array.tobytes() for array in collect_numbers(*tables)]
    rounds = []

    def spread(jobs):
        rounds.extend(jobs)
        return compute_apart(jobs)

    with spread_blocks(spread):
        elsewhere = [array.tobytes() for array in collect_numbers(*tables)]
    assert here == elsewhere
    assert len(rounds) > 30
    assert all(len(parts) > 5 for _, parts in rounds)
    assert len({job.name for job, _ in rounds}) == 8


def test_streams_move_on_as_if_the_blocks_had_been_computed_here():
    values, here, elsewhere = np.arange(9.0), np.random.default_rng(1), np.random.default_rng(1)
    resample(BlockJob(build_means, {"values": values}), [here], [3, 4])
    with spread_blocks(lambda jobs: [[np.empty(0)] * len(parts) for _, parts in jobs]):
        resample(BlockJob(build_means, {"values": values}), [elsewhere], [3, 4])
    assert here.integers(1 << 60) == elsewhere.integers(1 << 60)


def test_the_spread_ends_with_its_block():
    job = BlockJob(build_means, {"values": np.arange(4.0)}, {"scale": 2.0})
    with pytest.raises(RuntimeError), spread_blocks(lambda jobs: (_ for _ in ()).throw(RuntimeError)):
        resample(job, [np.random.default_rng(0)], [2])
    assert len(resample(job, [np.random.default_rng(0)], [2])[0]) == 2


@pytest.mark.parametrize("view", [np.s_[::2, :], np.s_[:, ::3]])
def test_arrays_lie_in_memory_as_a_file_keeps_them(view):
    values = np.arange(60.0).reshape(6, 10)
    for array in (values[view], values.T[view]):
        [settled] = BlockJob(build_means, {"values": array}).arrays.values()
        assert settled.flags.forc
        assert (settled == array).all()
