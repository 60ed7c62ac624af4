"""Bootstrap over blocks: pair results resampled within each line-up."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ttr_sim.stats.arrays import Floats, Ints
from ttr_sim.stats.pairs import PairTable

_CHUNK = 2_000_000  # matrix elements of one chunk of replicates: some ten such arrays live at once
_RESULT_COST, _CALL_COST = 20, 1000  # of one multinomial result and of a numpy call, in draws of one block


@dataclass(frozen=True, slots=True, eq=False)
class _Stratum:
    """The blocks of one line-up, equal results counted together.

    first, second: shape (pairs,). points, games: of a block's pairs, shape (results, pairs).
    counts: blocks with that result, shape (results,).
    """

    first: Ints
    second: Ints
    points: Floats
    games: Floats
    counts: Ints


def resampled_points(table: PairTable, chance: Floats, replicates: int, seed: int) -> Iterator[Floats]:
    """Point matrices of bootstrap replicates, in chunks of shape (n, bots, bots), `replicates` in all.

    chance: shape (bots, bots), what is thought of bot i winning against bot j where data show no spread.

    In every line-up with n blocks, n - 1 blocks are drawn with replacement and scaled by n / (n - 1), which
    makes the variance of stratified sums unbiased also for few blocks. Source: J. Rao and C. Wu, "Resampling
    Inference With Complex Survey Data", JASA 83 (1988).
    A pair whose result was the same in all n blocks (also: in its only block) would never vary. There one
    block not seen joins them, won altogether by the first bot with its `chance`, else by the second, with the
    weight the Bayesian bootstrap gives it: the observed blocks keep a share Beta(n, 1).
    Source: D. Rubin, "The Bayesian Bootstrap", Annals of Statistics 9 (1981).
    """
    strata = list(_strata(table))
    streams = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(len(strata))]
    chunk = max(1, _CHUNK // max(1, table.bots**2))
    for done in range(0, replicates, chunk):
        size = min(chunk, replicates - done)
        matrix = np.zeros((size, table.bots, table.bots))
        for stratum, rng in zip(strata, streams, strict=True):
            points, games = _draw(stratum, rng, size, chance[stratum.first, stratum.second])
            matrix[:, stratum.first, stratum.second] += points
            matrix[:, stratum.second, stratum.first] += games - points
        yield matrix


def _strata(table: PairTable) -> Iterator[_Stratum]:
    of_row = table.stratum[table.block]
    order = np.argsort(of_row, kind="stable")
    edges = np.flatnonzero(np.diff(of_row[order], prepend=-1, append=-1))
    for start, end in pairwise(edges):
        yield _collapsed(table, order[start:end])


def _collapsed(table: PairTable, rows: Ints) -> _Stratum:
    """Blocks of one line-up with equal results put together, sorted, whatever the order of blocks."""
    pairs, column = np.unique(table.first[rows] * table.bots + table.second[rows], return_inverse=True)
    _, line = np.unique(table.block[rows], return_inverse=True)
    cells = np.zeros((line.max() + 1, 2, len(pairs)), np.int64)
    cells[line, 0, column] = 2 * table.wins[rows] + table.ties[rows]
    cells[line, 1, column] = table.games[rows]
    distinct, counts = np.unique(cells.reshape(len(cells), -1), axis=0, return_counts=True)
    halves, games = np.hsplit(distinct.astype(float), 2)
    return _Stratum(pairs // table.bots, pairs % table.bots, halves / 2.0, games, counts)


def _draw(stratum: _Stratum, rng: np.random.Generator, size: int, chance: Floats) -> tuple[Floats, Floats]:
    """Points of the first bots and games of `size` replicates, each of shape (size, pairs)."""
    blocks = int(stratum.counts.sum())
    values = np.hstack([stratum.points, stratum.games]) * (blocks / max(blocks - 1, 1))
    piece = max(1, _CHUNK // len(values))
    sums = [_weights(stratum.counts, rng, min(piece, size - i)) @ values for i in range(0, size, piece)]
    points, games = np.hsplit(np.vstack(sums), 2)
    same = np.ptp(stratum.points, axis=0) + np.ptp(stratum.games, axis=0) == 0
    share = rng.random((size, 1)) ** (1.0 / blocks)
    unseen = stratum.games[0] * (rng.random((size, len(chance))) < chance)
    mixed = blocks * (share * stratum.points[0] + (1.0 - share) * unseen)
    return np.where(same, mixed, points), np.where(same, blocks * stratum.games[0], games)


def _weights(counts: Ints, rng: np.random.Generator, size: int) -> Floats:
    """How often each distinct result comes up when all blocks but one are drawn, shape (size, results)."""
    blocks = int(counts.sum())
    if len(counts) * _RESULT_COST < blocks + _CALL_COST:
        return rng.multinomial(blocks - 1, counts / blocks, size=size).astype(float)
    owner = np.repeat(np.arange(len(counts)), counts)
    weights = np.empty((size, len(counts)))
    for row in weights:
        row[:] = np.bincount(owner[rng.integers(0, blocks, blocks - 1)], minlength=len(counts))
    return weights
