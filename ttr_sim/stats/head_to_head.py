"""Every bot against every other."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ttr_sim.stats.arrays import Ints
from ttr_sim.stats.estimate import Estimate, ratio_over_blocks
from ttr_sim.stats.pairs import PairTable


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Results of one bot against another, in games; score: share of the points, interval over blocks."""

    bot: int
    opponent: int
    games: int
    wins: int
    ties: int
    losses: int
    score: Estimate

    def reversed(self) -> "HeadToHead":
        """The same games seen from the other side."""
        s = self.score
        turned = Estimate(1.0 - s.mean, 1.0 - s.high, 1.0 - s.low, s.error, s.blocks)
        return HeadToHead(self.opponent, self.bot, self.games, self.losses, self.ties, self.wins, turned)


def head_to_head(table: PairTable) -> tuple[HeadToHead, ...]:
    """One row for every ordered pair of bots that met, by bot, then opponent.

    A game of more than two counts for each of its pairs, the better rank wins. The score's interval is
    that of `estimate.ratio_over_blocks` over the blocks in which the two met, all line-ups together.
    """
    code = table.first * table.bots + table.second
    order = np.argsort(code, kind="stable")
    edges = np.flatnonzero(np.diff(code[order], prepend=-1, append=-1))
    results = [_result(table, order[start:end]) for start, end in pairwise(edges)]
    both = results + [result.reversed() for result in results]
    return tuple(sorted(both, key=lambda result: (result.bot, result.opponent)))


def _result(table: PairTable, rows: Ints) -> HeadToHead:
    wins, ties, losses = table.wins[rows], table.ties[rows], table.losses[rows]
    score = ratio_over_blocks(wins + 0.5 * ties, wins + ties + losses, (0.0, 1.0))
    totals = int(wins.sum()), int(ties.sum()), int(losses.sum())
    return HeadToHead(int(table.first[rows[0]]), int(table.second[rows[0]]), sum(totals), *totals, score)
