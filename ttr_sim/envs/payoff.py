"""What a game is worth to its seats: the kinds of reward, and who gets what when."""

from __future__ import annotations

import numpy as np

from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import MAX_PLAYERS, OVER
from ttr_sim.engine.scoring import SCORES, score
from ttr_sim.errors import unknown

REWARDS = ("win", "rank", "score", "shaped")
WIN, RANK, SCORE, SHAPED = range(4)
FORFEIT_POINTS = 200.0  # by score, an illegal action counts as losing by so much

# One game of an environment, beside its State.
GAME = np.dtype(
    [
        ("rng", "u8"),  # gives the deals of this and later games
        ("agent", "i4"),  # seat of the learner; -1: every seat is one
        ("over", "i4"),
        ("forfeit", "i4"),  # seat that acted illegally, -1 none
        ("rewards", "f8", (MAX_PLAYERS,)),  # of the last step
        ("worth", "f8", (MAX_PLAYERS,)),  # sum of the rewards of this game
        ("bots", "u8"),  # seed from which the bots' random streams come
        ("streams", "u8", (MAX_PLAYERS,)),  # random streams of the bots, by seat
        ("scores", SCORES),  # once it is over
    ],
    align=True,
)


def reward_kind(name: str) -> int:
    """The number of a kind of reward.

    All are zero-sum and paid to every seat at the end of the game:

    - win: 1 for winning alone, what is left of -1 .. 1 shared for winning together, the others share the loss
      (two seats: 1, 0, -1),
    - rank: from 1 for the first place to -1 for the last in equal steps, tied seats share theirs,
    - score: own points less the mean of the other seats' points,
    - shaped: sums up to the same as score, but the part of it that everybody sees, the route points, is paid as it arises.

    Raises:
        TtrError: no such kind.
    """
    if name not in REWARDS:
        raise unknown("reward", name, REWARDS)
    return REWARDS.index(name)


@kernel
def _against_others(T, values, worth):
    """Own value less the mean of the others'."""
    total = 0.0
    for p in range(T.players):
        total += values[p]
    for p in range(T.players):
        own = float(values[p])
        worth[p] = own - (total - own) / (T.players - 1)


@kernel
def _by_place(T, ranks, only_first, worth):
    n = T.players
    for p in range(n):
        tied = 0
        for q in range(n):
            if ranks[q] == ranks[p]:
                tied += 1
        if not only_first:
            worth[p] = 1.0 - 2.0 * (ranks[p] - 1 + 0.5 * (tied - 1)) / (n - 1)
        elif ranks[p] == 1:
            worth[p] = (n / tied - 1.0) / (n - 1)
        else:
            worth[p] = -1.0 / (n - 1)


@kernel
def _final(T, S, W, G, kind):
    """Score the game; who forfeits is last, the others share the first place."""
    score(T, S, W, G.scores)
    if G.forfeit >= 0:
        for p in range(T.players):
            G.scores.rank[p] = T.players if p == G.forfeit else 1
    if kind in (WIN, RANK):
        _by_place(T, G.scores.rank, kind == WIN, G.worth)
    elif G.forfeit < 0:
        _against_others(T, G.scores.score, G.worth)
    else:
        for p in range(T.players):
            G.worth[p] = -FORFEIT_POINTS if p == G.forfeit else FORFEIT_POINTS / (T.players - 1)


@kernel
def pay_out(T, S, W, G, kind):
    """Write to G.rewards what the seats have earned since the last call, and whether the game is over to G.over."""
    for p in range(T.players):
        G.rewards[p] = -G.worth[p]
    G.over = 1 if S.phase == OVER or G.forfeit >= 0 else 0
    if G.over == 1:
        _final(T, S, W, G, kind)
    elif kind == SHAPED:
        _against_others(T, S.points, G.worth)
    for p in range(T.players):
        G.rewards[p] += G.worth[p]


@kernel
def clear_game(T, G):
    """A game about to begin: nothing earned."""
    G.over = 0
    G.forfeit = -1
    for p in range(MAX_PLAYERS):
        G.rewards[p] = 0.0
        G.worth[p] = 0.0
