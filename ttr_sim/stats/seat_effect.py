"""Does the seat matter? Win share by seat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ttr_sim.stats.arrays import Floats, Ints, as_ints, by_size, same_length
from ttr_sim.stats.distributions import chi_square_sf
from ttr_sim.stats.estimate import Estimate, ratio_over_blocks


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Win share of every seat (a shared victory counts 1 / winners) and whether they differ.

    shares: one estimate per seat, intervals over blocks. chi_square, p: the test of `seat_effect`.
    """

    games: int
    shares: tuple[Estimate, ...]
    chi_square: float
    p: float


def seat_effect(block: ArrayLike, game: ArrayLike, seat: ArrayLike, rank: ArrayLike) -> SeatEffect:
    """Win share by seat over games of one number of players, and a test that the seats are equal.

    block, game, seat, rank: integers, one per seat row; seats 0 to players - 1, the best rank wins.
    chi-square = games * players * sum (share - 1 / players)^2 with players - 1 degrees of freedom, divided by
    the mean design effect of the blocks, players * games * sum Var(share) / (players - 1), because games of a
    block are not independent. Blocks that show no spread at all leave the plain chi-square.
    Source: J. Rao and A. Scott, "The Analysis of Categorical Data From Complex Sample Surveys", JASA (1981).
    """
    blocks, games = as_ints(block, "block"), as_ints(game, "game")
    seats, ranks = as_ints(seat, "seat"), as_ints(rank, "rank")
    same_length(block=blocks, game=games, seat=seats, rank=ranks)
    sizes = list(by_size(games))
    if len(sizes) != 1:
        raise ValueError("seat effect needs games, all with the same number of players")
    rows = sizes[0]
    wins = _wins(np.take_along_axis(ranks[rows], _by_seat(seats[rows]), axis=1))
    _, inverse = np.unique(blocks[rows[:, 0]], return_inverse=True)
    weights = np.bincount(inverse)
    shares = tuple(
        ratio_over_blocks(np.bincount(inverse, weights=column), weights, (0.0, 1.0)) for column in wins.T
    )
    return SeatEffect(len(rows), shares, *equal_seats(shares, len(rows)))


def equal_seats(shares: Sequence[Estimate], games: int) -> tuple[float, float]:
    """The test of `seat_effect` that all seats are equal, from their win shares: (chi-square, p)."""
    chi_square = _chi_square(shares, games)
    return chi_square, chi_square_sf(chi_square, len(shares) - 1) if len(shares) > 1 else 1.0


def _by_seat(seats: Ints) -> Ints:
    """For every game the columns in the order of the seats."""
    order = np.argsort(seats, axis=1)
    if not np.array_equal(
        np.take_along_axis(seats, order, axis=1), np.broadcast_to(np.arange(seats.shape[1]), seats.shape)
    ):
        raise ValueError("seat: every game needs each of the seats 0 to players - 1 once")
    return order


def _wins(ranks: Ints) -> Floats:
    best = ranks == ranks.min(axis=1, keepdims=True)
    wins: Floats = best / best.sum(axis=1, keepdims=True)
    return wins


def _chi_square(shares: Sequence[Estimate], games: int) -> float:
    players = len(shares)
    plain = games * players * sum((share.mean - 1.0 / players) ** 2 for share in shares)
    spread = games * players * sum(share.error**2 for share in shares) / max(players - 1, 1)
    return plain / spread if spread > 1e-12 else plain
