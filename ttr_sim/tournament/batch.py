"""Batches: runs of consecutive games as jobs of a worker, and how large to make them."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ttr_sim.bot.forfeit import Forfeit

TARGET_SECONDS = 0.5
MAX_GAMES = 16_384
_FIRST_GAMES = 1
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Batch:
    """The games first, first + 1, ... of a run.

    forfeit: where its one game is known to end. withdrawn: bots whose games are not played any more.
    """

    first: int
    games: int
    forfeit: Forfeit | None = None
    withdrawn: frozenset[int] = frozenset()

    @property
    def stop(self) -> int:
        """The game after the last."""
        return self.first + self.games

    def around(self, number: int) -> list["Batch"]:
        """Return one of its games, and batches of those before and behind it."""
        parts = (range(number, number + 1), range(self.first, number), range(number + 1, self.stop))
        return [replace(self, first=part.start, games=len(part)) for part in parts if len(part)]


class Sizer:
    """Chooses how many games a worker plays at once, from how long games took lately."""

    def __init__(self) -> None:
        self._games = _FIRST_GAMES
        self._seconds_per_game: float | None = None

    def learn(self, games: int, seconds: float) -> None:
        """Take note that a worker played this many games in this time."""
        per_game = max(seconds / games, 1e-9)
        before = self._seconds_per_game
        self._seconds_per_game = per_game if before is None else 0.7 * before + 0.3 * per_game
        fitting = int(TARGET_SECONDS / self._seconds_per_game)
        self._games = max(1, min(fitting, _GROWTH * self._games, MAX_GAMES))

    def size(self, left: int, workers: int) -> int:
        """Return the size of the next batch; towards the end batches get smaller, so that all end together."""
        return max(1, min(self._games, -(-left // (3 * workers))))


class Supply:
    """Hands out the missing games of a run as batches, in order; no batch crosses a multiple of `part_games` or a cut.

    cuts: ascending numbers of games. Batches begin before `first unfinished game + 2 * part_games`, so that what is out
    of order stays bounded.
    """

    def __init__(
        self, missing: Iterable[range], part_games: int, workers: int, cuts: Sequence[int] = ()
    ) -> None:
        self._left = deque(part for part in missing if len(part))
        self._again: deque[Batch] = deque()
        self._out: set[int] = set()
        self._part_games = part_games
        self._workers = workers
        self._cuts = cuts
        self.sizer = Sizer()

    def next(self) -> Batch | None:
        """Return the next batch, or None when there is none now."""
        batch = self._again.popleft() if self._again else self._cut()
        if batch:
            self._out.add(batch.first)
        return batch

    def finished(self, batch: Batch) -> None:
        """Take note that a batch was played."""
        self._out.discard(batch.first)

    def again(self, batches: Iterable[Batch]) -> None:
        """Take batches back, to be played before all others."""
        self._again.extendleft(reversed(list(batches)))

    def _cut(self) -> Batch | None:
        if not self._left:
            return None
        games = self._left[0]
        oldest = min(self._out, default=games.start)
        if games.start >= (oldest // self._part_games + 2) * self._part_games:
            return None
        size = self.sizer.size(sum(map(len, self._left)), self._workers)
        count = min(size, len(games), self._boundary(games.start) - games.start)
        self._left.popleft()
        if len(games) > count:
            self._left.appendleft(games[count:])
        return Batch(games.start, count)

    def _boundary(self, game: int) -> int:
        """Return the first end of a part or cut behind a game."""
        end = (game // self._part_games + 1) * self._part_games
        cut = bisect_right(self._cuts, game)
        return min(end, self._cuts[cut]) if cut < len(self._cuts) else end
