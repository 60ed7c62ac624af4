"""Taking bots out of a run that forfeit too often, decided in the order of the games, so that workers never matter."""

import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator

import numpy as np

from ttr_sim.tournament.games import Games, without
from ttr_sim.tournament.plan import Plan

log = logging.getLogger("ttr_sim.tournament")

Finished = tuple[int, Games, int]  # number of the first, the games, worker


class Withdrawals:
    """Passes finished games on in order. Games of a bot behind the one with its last forfeit allowed are not played.

    most: forfeits of a bot that are allowed. missing: the games that will come. kept: (game, bot) of the forfeits in
    the other games of the run, ascending.
    """

    def __init__(
        self, plan: Plan, most: int, missing: Iterable[range], kept: Iterable[tuple[int, int]] = ()
    ) -> None:
        self._plan, self._most = plan, most
        self._missing = deque(part for part in missing if len(part))
        self._kept = deque(kept)
        self._waiting: dict[int, Finished] = {}
        self._forfeits: Counter[int] = Counter()
        self._since: dict[int, int] = {}  # bot -> the game after which it does not play

    @property
    def withdrawn(self) -> frozenset[int]:
        """The bots that play no game that is still missing."""
        return frozenset(self._since)

    def pass_on(self, first: int, games: Games, worker: int) -> Iterator[Finished]:
        """Take finished games, and yield those whose turn it is."""
        self._waiting[first] = first, games, worker
        while self._missing and (number := self._missing[0].start) in self._waiting:
            first, games, worker = self._waiting.pop(number)
            rest = self._missing.popleft()[len(games) :]
            if rest:
                self._missing.appendleft(rest)
            yield first, self._decided(first, games), worker

    def _decided(self, first: int, games: Games) -> Games:
        while self._kept and self._kept[0][0] < first:
            self._count(*self._kept.popleft())
        rows = self._plan.schedule.rows(np.arange(first, first + len(games)))
        for i in np.flatnonzero(games.game["forfeit_seat"] >= 0).tolist():
            bots = self._plan.schedule.matches[int(rows.match[i])].bots
            if self._since.keys().isdisjoint(bots):
                place = (int(games.game["forfeit_seat"][i]) + int(rows.rotation[i])) % len(bots)
                self._count(first + i, bots[place])
        off = np.zeros(len(games), bool)
        for bot, since in self._since.items():
            with_bot = [bot in match.bots for match in self._plan.schedule.matches]
            off |= np.array(with_bot)[rows.match] & (rows.number > since)
        return without(games, off) if off.any() else games

    def _count(self, number: int, bot: int) -> None:
        self._forfeits[bot] += 1
        if self._forfeits[bot] > self._most and bot not in self._since:
            self._since[bot] = number
            log.warning(
                "%s is withdrawn after game %d: %d forfeits, --max-forfeits allows %d",
                self._plan.labels[bot],
                number,
                self._forfeits[bot],
                self._most,
            )
