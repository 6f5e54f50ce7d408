"""Resamples on an engine: the bits of one process, resumed where a run stopped, and damaged parts named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay import stats
from assay.engines.blocks import BlockSpread, pack_arrays
from assay.engines.run import ThreadsEngine
from assay.errors import FormatError, InputError
from assay.stats.blocks import BlockJob, spread_blocks
from assay.stats.intervals import mean_blocks


@pytest.fixture
def scores():
    return np.random.default_rng(7).normal(size=(4, 2000))


class Shuffled(ThreadsEngine):
    """Finishes tasks in another order than they were given; counts them."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.rng, self.tasks = np.random.default_rng(seed), 0

    def run(self, tasks, out):
        self.tasks += len(tasks)
        return super().run([tasks[i] for i in self.rng.permutation(len(tasks))], out)


@pytest.mark.parametrize("most", [1, 2, 7, 64])
def test_any_cut_and_any_order_give_the_same_bits(scores, tmp_path, most):
    here = stats.bootstrap_means(scores, resamples=500)
    with spread_blocks(BlockSpread(Shuffled(most), str(tmp_path), most_tasks=most)):
        there = stats.bootstrap_means(scores, resamples=500)
    assert here.samples.tobytes() == there.samples.tobytes()


def test_what_is_done_is_not_done_again(scores, tmp_path):
    engine = Shuffled()
    for _ in range(2):
        with spread_blocks(BlockSpread(engine, str(tmp_path), most_tasks=5)):
            stats.bootstrap_means(scores, resamples=500)
        assert engine.tasks == 5
    assert len(list(tmp_path.glob("arrays-*.npz"))) == 1
    [folder] = tmp_path.glob("round-*")
    assert (folder / "manifest.json").exists()


def test_tasks_of_several_jobs_share_their_arrays(tmp_path):
    rng, engine = np.random.default_rng(0), Shuffled()
    human, metrics = rng.normal(size=(8, 20)), rng.normal(size=(4, 8, 20))
    with spread_blocks(BlockSpread(engine, str(tmp_path))):
        there = stats.permutation_matrix(human, metrics, level="item", resamples=50)
    assert (
        there.pvalues.tobytes()
        == stats.permutation_matrix(human, metrics, level="item", resamples=50).pvalues.tobytes()
    )
    assert engine.tasks == 6
    assert len(list(tmp_path.glob("arrays-*.npz"))) == 1


def test_a_part_that_was_changed_is_named(scores, tmp_path):
    spread = BlockSpread(ThreadsEngine(), str(tmp_path), most_tasks=3)
    with spread_blocks(spread):
        stats.bootstrap_means(scores, resamples=500)
        part = next(tmp_path.glob("round-*/*.npz"))
        content = bytearray(part.read_bytes())
        content[-40] ^= 1
        part.write_bytes(content)
        with pytest.raises(FormatError, match=f"{part.name}: is not the part that its entry tells of"):
            stats.bootstrap_means(scores, resamples=500)


def test_a_kernel_of_another_package_is_refused(tmp_path):
    job = BlockJob(mean_blocks, {"values": np.ones((1, 3))})

    class Foreign:
        name, arrays, options = "os:system", job.arrays, {}

    with pytest.raises(InputError, match="the kernel 'os:system' is none of this package"):
        BlockSpread(ThreadsEngine(), str(tmp_path))([(Foreign(), [{"states": [], "count": 1}])])


def test_the_same_arrays_have_the_same_bytes():
    arrays = {"a": np.arange(3.0), "b": np.asfortranarray(np.eye(2))}
    assert pack_arrays(arrays) == pack_arrays({name: array.copy(order="K") for name, array in arrays.items()})


def test_arrays_are_read_where_they_were_written(tmp_path):
    path = BlockSpread(ThreadsEngine(), str(tmp_path))._store({"a": np.array([np.nan, 1.0])})[0]
    assert Path(path).parent == tmp_path
