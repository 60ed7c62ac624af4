"""Keeps the workers busy and passes on what they report."""

import logging
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from ttr_sim.bot.forfeit import NOBODY
from ttr_sim.tournament.batch import Batch, Supply
from ttr_sim.tournament.blame import Blame, Lost, how
from ttr_sim.tournament.executor import Executor
from ttr_sim.tournament.games import Games, lost
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import Died, Done, Event, Said
from ttr_sim.tournament.rows import table_rows
from ttr_sim.tournament.stopping import Sink
from ttr_sim.tournament.withdrawal import Withdrawals

_PATIENCE = 0.7  # seconds to wait for games being played when asked to stop
_TICK = 0.2

log = logging.getLogger("ttr_sim.tournament")

Progress = Callable[[int, Games], None]


class Director:
    """Gives batches to the workers of a crew and their games to a sink; withdrawals, where some forfeits are too many."""

    def __init__(
        self,
        plan: Plan,
        sink: Sink,
        crew: Executor,
        supply: Supply,
        progress: Progress | None = None,
        withdrawals: Withdrawals | None = None,
    ) -> None:
        self._plan, self._sink, self._crew, self._supply = plan, sink, crew, supply
        self._progress, self._withdrawals = progress, withdrawals
        self._blame = Blame(plan)

    def step(self, stopped: list[int]) -> bool:
        """Give out batches, then handle what is reported; returns False when all is done or to be stopped."""
        while self._crew.room and not stopped and (batch := self._supply.next()):
            off = self._withdrawals.withdrawn if self._withdrawals else frozenset()
            self._crew.give(replace(batch, withdrawn=off))
        if stopped or not self._crew.busy:
            return False
        self._handle(_TICK)
        return True

    def wind_up(self) -> None:
        """Take what is finished soon."""
        until = monotonic() + _PATIENCE
        while self._crew.busy and (left := until - monotonic()) > 0:
            self._handle(left)

    def _handle(self, timeout: float) -> None:
        for event in self._crew.events(timeout):
            self._take(event)
        self._sink.tick()

    def _take(self, event: Event) -> None:
        if isinstance(event, Done):
            self._keep(event.job, event.result, event.worker)
        elif isinstance(event, Died):
            self._again(event)
        elif isinstance(event, Said):
            logging.getLogger(event.record.name).handle(event.record)

    def _keep(self, batch: Batch, games: Games, worker: int) -> None:
        if games.seconds:
            self._supply.sizer.learn(len(games), games.seconds)
        self._supply.finished(batch)
        if not self._withdrawals:
            self._publish(batch.first, games, worker)
            return
        for finished in self._withdrawals.pass_on(batch.first, games, worker):
            self._publish(*finished)

    def _publish(self, first: int, games: Games, worker: int) -> None:
        for index, fault in games.faults.items():
            seat = int(games.game["forfeit_seat"][index])
            log.warning("%s", self._line(first + index, seat, fault, games.tracebacks.get(index, "")))
        self._sink.add(table_rows(self._plan, first, games, worker))
        if self._progress:
            self._progress(first, games)

    def _again(self, death: Died) -> None:
        """Play the batches of a dead worker again, or what is left of the one it worked on."""
        batches: list[Batch] = list(death.jobs)
        if not batches or not death.began:
            self._supply.again(batches)
            return
        hit = batches.pop(0)
        log.log(
            logging.INFO if death.late else logging.WARNING,
            "a worker %s while playing %s",
            how(death),
            _which(hit),
        )
        verdict = self._blame.judge(hit, death)
        if isinstance(verdict, Lost):
            players = len(self._plan.schedule.game(verdict.number).seats)
            self._keep(hit, lost(players, verdict.seat, verdict.reason), death.worker)
            verdict = []
        self._supply.again([*verdict, *batches])

    def _line(self, number: int, seat: int, fault: str, traceback: str) -> str:
        """Return what the log says of a game that was not played to its end."""
        if seat == NOBODY:
            return f"game {number} has no result: {fault}"
        bot = self._plan.labels[self._plan.schedule.game(number).seats[seat]]
        more = f"\n{traceback.rstrip()}" if traceback else ""
        return f"game {number}: {bot} in seat {seat} forfeits: {fault}{more}"


def _which(batch: Batch) -> str:
    return f"game {batch.first}" if batch.games == 1 else f"games {batch.first} to {batch.stop - 1}"
