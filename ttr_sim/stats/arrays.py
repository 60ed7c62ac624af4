"""Array types of the statistics and grouping of seat rows into games."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def as_ints(values: ArrayLike, name: str) -> Ints:
    """`values` as a one-dimensional int64 array; ValueError names the argument that is not one."""
    return small_ints(values, name).astype(np.int64, copy=False)


def small_ints(values: ArrayLike, name: str) -> NDArray[Any]:
    """As `as_ints`, but signed integers keep their type: long columns of small numbers then take little memory."""
    array: NDArray[Any] = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(f"{name}: expected a one-dimensional array of integers")
    return array if array.dtype.kind == "i" else array.astype(np.int64)


def same_length(**columns: NDArray[Any]) -> None:
    """Raise ValueError when the named columns differ in length."""
    if len({len(column) for column in columns.values()}) > 1:
        raise ValueError(f"columns of different length: {', '.join(columns)}")


def by_size(game: Ints) -> Iterator[Ints]:
    """Row indices of the games, one array of shape (games, players) per number of players.

    `game` holds the game number of every seat row, in any order; rows of a game keep their order.
    """
    if not len(game):
        return
    order = np.argsort(game, kind="stable")
    starts = np.flatnonzero(np.diff(game[order], prepend=game[order[0]] - 1))
    sizes = np.diff(starts, append=len(game))
    for size in np.unique(sizes):
        yield order[starts[sizes == size][:, None] + np.arange(size)]
