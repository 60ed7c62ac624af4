"""What a worker notes in shared memory, so that it can be told what it was doing when it died."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bot.forfeit import NOBODY

Note = NDArray[np.int64]

# Places in a note. A table writes the first three: its progress (see `ttr_sim.bot.play.Table`).
PROGRESS, SEAT, MATCH, BATCHES, SPOILED, EXACT = slice(0, 3), 2, 3, 4, 5, 6
SIZE = 7
# Numbers of a note's memory: notes are written at every decision, and where two shared a line of the processor's
# cache, each worker would wait for the other. The note itself is in the middle.
ROOM = 48
PLACE = slice(ROOM // 2, ROOM // 2 + SIZE)


@dataclass(frozen=True, slots=True)
class Noted:
    """A note: game `game` of those of `match` in the batch, after `decisions` decisions, while `seat` was called.

    batches: how many the worker had finished before. seat: NOBODY while the program itself was at work.
    exact: whether the decisions are those of the game, not of all games of the match in the batch.
    spoiled: why the worker ended itself (see `ttr_sim.bot.forfeit.Spoiled`), 0 when it did not.
    """

    game: int
    decisions: int
    seat: int = NOBODY
    match: int = -1
    batches: int = 0
    spoiled: int = 0
    exact: int = 0


def noted(note: tuple[int, ...]) -> Noted:
    """Read a note; where an executor has none, nothing is known."""
    return Noted(*note) if len(note) == SIZE else Noted(-1, -1)
