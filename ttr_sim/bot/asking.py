"""One game in which Python asks the bots, interpreted and compiled ones alike."""

from __future__ import annotations

import _thread
import logging
from collections.abc import Callable
from functools import partial
from time import monotonic, perf_counter_ns, sleep
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.bot.api import Bot
from ttr_sim.bot.external import External
from ttr_sim.bot.forfeit import LEFT_A_THREAD, NOBODY, Fault, Forfeit, Spoiled, reason_of, took_longer
from ttr_sim.bot.players import Compiled, Interpreted
from ttr_sim.bot.specs import LoadedBot
from ttr_sim.bot.steps import begin_record, summarise_game
from ttr_sim.bot.threads import Threaded
from ttr_sim.engine import actions, faces
from ttr_sim.engine.layout import OVER, STATE, new_record
from ttr_sim.engine.view import View

if TYPE_CHECKING:
    from ttr_sim.bot.play import Table

_NO_LIMIT = 1 << 62
_THREADS_SECONDS = 0.1  # in which threads may end

log = logging.getLogger("ttr_sim.bot")
running_threads = _thread._count  # quicker than threading.active_count, and asked after each decision


class Asking:
    """A game at a table. After `play`, `fault` is what it was forfeited for (None: it was played to its end).

    record: PLAYED array (1,) to be filled. actions: a list that gets the answers. The table's progress tells
    meanwhile how many decisions were taken and which seat is called. forfeit: where the game is to end.
    """

    def __init__(self, table: Table, record: Any, actions: list[int], forfeit: Forfeit | None = None) -> None:
        self.table, self.record, self.actions, self.forfeit = table, record, actions, forfeit
        self.fault: BaseException | None = None
        self._limit = _NO_LIMIT if table.limit is None else int(table.limit * 1e9)
        self._seat = NOBODY  # the one to blame for what goes wrong now
        self._players: list[Interpreted | Compiled | Threaded] = []
        self._watchers: list[tuple[int, Bot]] = []
        self._asked, self._think, self._slowest = ([0] * table.players for _ in range(3))
        self._rotation = 0

    def play(self, seed: Any, bot_seed: Any, rotation: int, timed: bool) -> None:
        """Play it."""
        begun = perf_counter_ns()
        table, b = self.table, self.table.buffers
        self._rotation = rotation
        begin_record(self.record)
        n = faces.deal_game(table.tables, b.state, b.work, seed, self.record["cards_drawn"][0])
        table.progress[1] = 0
        try:
            if self.forfeit is None or self.forfeit.decisions > 0:
                self._begin(bot_seed, n)
                self._ask_all(n)
            if self.forfeit is None:
                self._end()
            elif not self._over:
                self._seat = self.forfeit.seat
                raise Fault(self.forfeit.reason)
        except BaseException as error:
            if isinstance(error, MemoryError) and table.disposable:
                raise Spoiled(Spoiled.MEMORY) from None
            if not self._is_forfeit(error):
                raise
            self.record["forfeit_seat"][0], self.fault = self._seat, error
        finally:
            for player in self._players:
                if isinstance(player, Interpreted):
                    player.release()
        table.progress[2] = NOBODY
        self._note(timed)
        if timed:
            self.record["wall_ns"][0] = perf_counter_ns() - begun

    @property
    def _over(self) -> bool:
        return bool(self.table.buffers.state["phase"][0] == OVER)

    def _is_forfeit(self, error: BaseException) -> bool:
        """Tell whether an error is the bot's; else it goes on to whoever called."""
        if isinstance(error, Spoiled) or (isinstance(error, MemoryError) and self.table.disposable):
            return False
        if not isinstance(error, (Exception, SystemExit)):  # as Ctrl-C, which does not reach a worker
            return self.table.disposable
        return self._seat != NOBODY

    def _begin(self, bot_seed: Any, n: int) -> None:
        """Make the bots and let them see their tickets."""
        table, b = self.table, self.table.buffers
        for seat in range(table.players):
            # To start a program takes as long as it takes.
            free = isinstance(self._bot(seat).made, External)
            make = partial(table.player, seat, bot_seed, self._rotation)
            self._players.append(self._call(seat, make, limit=_NO_LIMIT if free else self._limit))
        self._watchers = [(s, p.bot) for s, p in enumerate(self._players) if isinstance(p, Interpreted)]
        mover = int(b.state["seat"][0])
        for seat, bot in self._watchers:
            if type(bot).start is not Bot.start:
                legal = b.work["acts"][0][:n].tolist() if seat == mover else []
                self._call(seat, bot.start, self._view(seat, legal))

    def _ask_all(self, n: int) -> None:
        """Ask for decisions until the game is over, or is to end."""
        # All names are local: this loop is what a decision costs beside the bot.
        table, b, progress = self.table, self.table.buffers, self.table.progress
        tables, state, work, answers = table.tables, b.state, b.work, self.actions
        drawn = self.record["cards_drawn"][0]
        acts, phase, mover = work["acts"][0], state["phase"], state["seat"]
        players, asked, think, slowest = self._players, self._asked, self._think, self._slowest
        listening = [(s, bot) for s, bot in self._watchers if type(bot).saw is not Bot.saw]
        limit, threads = self._limit, table.threads
        decisions, stop = 0, self.forfeit.decisions if self.forfeit else -1
        step = faces.stepper(tables, state, work, drawn)
        view = new_record(STATE)  # a new one for each decision: what a bot does to it reaches nobody
        faces.observe_game(tables, state, view, int(mover[0]))
        while phase[0] != OVER:
            self._seat = progress[2] = seat = int(mover[0])
            legal = acts[:n].tolist()
            begun = perf_counter_ns()
            action = players[seat].choose(view, legal)
            spent = perf_counter_ns() - begun
            if running_threads() > threads:
                self._end_threads()
            progress[2] = NOBODY
            think[seat] += spent
            if spent > slowest[seat]:
                slowest[seat] = spent
                if spent > limit:
                    raise Fault(took_longer(limit / 1e9))
            if type(action) is not int:
                action = _whole(action)
            if action not in legal:
                raise Fault(f"illegal action {table.text(action)}")
            answers.append(action)
            asked[seat] += 1
            self._seat = NOBODY
            view = new_record(STATE)
            n = step(view, action)
            decisions += 1
            progress[1] = decisions
            if decisions == stop:
                return
            if listening:
                self._tell(listening)

    def _tell(self, listening: list[tuple[int, Bot]]) -> None:
        """Tell of the last action and the forced ones after it."""
        work = self.table.buffers.work[0]
        for i in range(int(work["trace_n"])):
            seat, shown = int(work["trace_seat"][i]), actions.public(int(work["trace_act"][i]))
            for listener, bot in listening:
                self._call(listener, bot.saw, seat, shown)

    def _end(self) -> None:
        for seat, bot in self._watchers:
            if type(bot).end is not Bot.end:
                self._call(seat, bot.end, self._view(seat, []))

    def _bot(self, seat: int) -> LoadedBot:
        return self.table.bots[(seat + self._rotation) % self.table.players]

    def _call(self, seat: int, function: Callable[..., Any], *args: Any, limit: int | None = None) -> Any:
        """Call a bot for something other than a decision; once the game is over, nothing it does can lose it."""
        limit = self._limit if limit is None else limit
        self._seat = seat
        self.table.progress[2] = NOBODY if limit == _NO_LIMIT else seat
        begun = perf_counter_ns()
        try:
            result = function(*args)
            if running_threads() > self.table.threads:
                self._end_threads()
            if perf_counter_ns() - begun > limit:
                raise Fault(took_longer(limit / 1e9))
        except BaseException as error:
            if not self._over or not self._is_forfeit(error):
                raise
            log.warning(
                "%s in seat %d failed after its game, which counts: %s",
                self._bot(seat).spec.label,
                seat,
                reason_of(error),
                exc_info=not isinstance(error, Fault),
            )
            result = None
        self._seat = self.table.progress[2] = NOBODY
        return result

    def _end_threads(self) -> None:
        """Let threads that are about to end do so; one that goes on is a fault of the bot that was just called."""
        until = monotonic() + _THREADS_SECONDS
        while running_threads() > self.table.threads:
            if monotonic() > until:
                if self.table.disposable:
                    raise Spoiled(Spoiled.THREAD)
                raise Fault(LEFT_A_THREAD)
            sleep(0.001)

    def _view(self, seat: int, legal: list[int]) -> View:
        table, views = self.table, new_record(STATE)
        faces.observe_game(table.tables, table.buffers.state, views, seat)
        views.setflags(write=False)
        return View(table.board, table.rules, table.players, views, legal)

    def _note(self, timed: bool) -> None:
        record, b = self.record, self.table.buffers
        counts = {"seat_decisions": self._asked}
        if timed:
            counts |= {"think_ns": self._think, "slowest_ns": self._slowest}
        for name, values in counts.items():
            record[name][0, : self.table.players] = values
        record["decisions"][0] = sum(self._asked)
        summarise_game(self.table.tables, b.state, b.work, record)


def _whole(action: Any) -> int:
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise Fault(f"the answer {str(action)[:80]!r} is no whole number")
    return int(action)
