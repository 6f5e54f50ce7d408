"""Draw resamples, swaps and subsets so that the same seed gives the same draws whatever the batch size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .checks import Array, Ints, at_least

Seed: TypeAlias = "int | np.random.Generator"  # as text, because naming numpy.random loads it
OVER = ("systems", "inputs", "both")


def generator(seed: Seed) -> np.random.Generator:
    """Return a Generator from a seed, or the Generator itself.

    >>> generator(1).integers(10) == generator(1).integers(10)
    np.True_
    """
    return seed if isinstance(seed, np.random.Generator) else np.random.default_rng(at_least(seed, "seed", 0))


def seed_number(seed: Seed) -> int | None:
    """Return what a Result keeps of the seed: the number, or None where a Generator was handed in."""
    return None if isinstance(seed, np.random.Generator) else int(seed)


def batches(total: int, cost: int, *, budget: int = 400_000) -> Iterator[int]:
    """Yield batch sizes that sum to total, each batch of at most about `budget` numbers at `cost` numbers per draw.

    >>> list(batches(10, 100_000))
    [4, 4, 2]
    """
    size = max(1, budget // max(cost, 1))
    for start in range(0, total, size):
        yield min(size, total - start)


def indices(rng: np.random.Generator, n: int, count: int) -> Ints:
    """Draw `count` resamples of n out of n with replacement, as rows of indices."""
    return rng.integers(0, n, size=(count, n))


def weights(index: Ints, n: int) -> Array:
    """Turn rows of drawn indices into how often each of the n was drawn.

    >>> weights(np.array([[0, 0, 2]]), 3)
    array([[2., 0., 1.]])
    """
    count = len(index)
    flat = (index + n * np.arange(count)[:, None]).ravel()
    return np.bincount(flat, minlength=count * n).reshape(count, n).astype(np.float64)


def bits(rng: np.random.Generator, n: int, count: int) -> NDArray[np.uint8]:
    """Draw `count` rows of n fair coins (0 or 1), 64 to a random word."""
    words = rng.integers(0, 2**64, size=(count, -(-n // 64)), dtype=np.uint64)
    return np.unpackbits(words.view(np.uint8), axis=1, count=n)


class Resamples:
    """Bootstrap draws over systems, inputs or both, as weights: rows and columns come from streams of their own.

    >>> [w.shape for w in Resamples(0, shape=(5, 7), over="inputs").weights(3)]
    [(3, 5), (3, 7)]
    """

    def __init__(self, seed: Seed, *, shape: tuple[int, int], over: str) -> None:
        self.streams = generator(seed).spawn(2)
        self._shape, self._over = shape, over

    @classmethod
    def of_streams(cls, streams: Sequence[np.random.Generator], shape: tuple[int, int], over: str) -> Resamples:
        """Return the draws that come next from streams of rows and of columns."""
        draws = cls.__new__(cls)
        draws.streams, draws._shape, draws._over = list(streams), shape, over
        return draws

    def indices(self, count: int) -> tuple[Ints, Ints]:
        """Draw the next `count` resamples as indices of systems and of inputs; what is not resampled stays in order."""
        (n, m), (of_rows, of_columns) = self._shape, self.streams
        rows = np.tile(np.arange(n), (count, 1)) if self._over == "inputs" else indices(of_rows, n, count)
        columns = np.tile(np.arange(m), (count, 1)) if self._over == "systems" else indices(of_columns, m, count)
        return rows, columns

    def weights(self, count: int) -> tuple[Array, Array]:
        """Draw the next `count` resamples as weights of systems and of inputs."""
        rows, columns = self.indices(count)
        return weights(rows, self._shape[0]), weights(columns, self._shape[1])


def subset(rng: np.random.Generator, n: int, size: int) -> Ints:
    """Draw `size` of n without replacement, in increasing order (Owczarzak and Dang 2009, section 4).

    >>> subset(np.random.default_rng(0), 6, 3)
    array([1, 2, 3])
    """
    return np.asarray(subsets(rng, n, size, 1)[0])


def subsets(rng: np.random.Generator, n: int, size: int, count: int) -> Ints:
    """Draw `count` subsets at once, one per row, each in increasing order.

    >>> subsets(np.random.default_rng(0), 6, 6, 2)
    array([[0, 1, 2, 3, 4, 5],
           [0, 1, 2, 3, 4, 5]])
    """
    if not 1 <= size <= n:
        raise InputError(f"size must lie between 1 and n = {n}, got {size}")
    order = np.argsort(rng.random((count, n)), axis=1, kind="stable")
    return np.sort(order[:, :size], axis=1)


def halves(rng: np.random.Generator, n: int, size: int, count: int) -> tuple[Ints, Ints]:
    """Draw `count` pairs of disjoint subsets of `size` each: two studies that share nothing.

    >>> first, second = halves(np.random.default_rng(0), 8, 4, 1)
    >>> sorted([*first[0], *second[0]]) == list(range(8))
    True
    """
    if not 1 <= size <= n // 2:
        raise InputError(f"two disjoint subsets of {size} need n >= {2 * size}, got n = {n}")
    order = np.argsort(rng.random((count, n)), axis=1, kind="stable")
    return np.sort(order[:, :size], axis=1), np.sort(order[:, size : 2 * size], axis=1)
