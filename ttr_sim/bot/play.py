"""Play games between bots at one table, compiled and interpreted ones alike."""

from __future__ import annotations

import os
import random
import re
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot import driver
from ttr_sim.bot.api import Bot
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.specs import BotSpec, LoadedBot, load_bot
from ttr_sim.bot.steps import begin_record, summarise_game
from ttr_sim.engine import actions, faces
from ttr_sim.engine.bits import stream
from ttr_sim.engine.layout import MAX_PLAYERS, OVER, STATE, TABLES, WORK, new_record
from ttr_sim.engine.scoring import SEAT_FIELDS
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, check_fit

_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_MOST_TURNS = 2000  # a longer game would not fit the log; games end after about 60 turns of each
_LOG_ROOM = 1 << 16  # actions; far more than a game has


@dataclass
class BatchResult:
    """Games played, as arrays. n games, `players` seats.

    Attributes:
        played: PLAYED records, shape (n,) (see `ttr_sim.bot.driver`).
        forfeits: reason by index of the game, for the games that were forfeited.
        actions: int16, the asked actions of all games one after another.
        offsets: int64 (n + 1,): game i has actions[offsets[i] : offsets[i + 1]].
    """

    players: int
    played: Any
    forfeits: dict[int, str]
    actions: Any
    offsets: Any

    def seats(self, name: str) -> Any:
        """A number of each game and seat, shape (n, players): a score field or one of `seat_decisions` ...

        `rank` and scores of a forfeited game are as the position stood; see `ranks`.
        """
        source = self.played["scores"] if name in SEAT_FIELDS else self.played
        return source[name][:, : self.players]

    @property
    def ranks(self) -> Any:
        """Ranks, shape (n, players): who forfeits is last, the others share the first place."""
        ranks = self.seats("rank").copy()
        for game, seat in enumerate(self.played["forfeit_seat"]):
            if seat >= 0:
                ranks[game] = 1
                ranks[game, seat] = self.players
        return ranks


@dataclass
class _Buffers:
    state: Any = field(default_factory=lambda: new_record(STATE))
    view: Any = field(default_factory=lambda: new_record(STATE))
    work: Any = field(default_factory=lambda: new_record(WORK))
    bot_work: Any = field(default_factory=lambda: new_record(WORK, MAX_PLAYERS))


class Table:
    """Bots at a table, ready to play. Open one with `open_table`."""

    def __init__(self, board: Board, rules: Rules, bots: Sequence[LoadedBot]) -> None:
        self.board, self.rules, self.bots = board, rules, list(bots)
        self.players = len(bots)
        self.tables = make_tables(board, rules, self.players)
        self.bot_tables = new_record(TABLES, MAX_PLAYERS)
        self.buffers = _Buffers()
        policies = [bot.made for bot in bots if isinstance(bot.made, Policy)]
        self.all_compiled = len(policies) == self.players
        width = max([len(bot.params) for bot in bots] + [1])
        memory = max([p.memory for p in policies] + [16])
        self.params = np.zeros((MAX_PLAYERS, width))
        self.memory = np.zeros((MAX_PLAYERS, memory), np.int64)
        for b, bot in enumerate(bots):
            values = dict(bot.spec.values)
            for i, (key, param) in enumerate(bot.params.items()):
                if isinstance(bot.made, Policy):
                    self.params[b, i] = param.number(values[key])
        functions = [bot.made.function if isinstance(bot.made, Policy) else None for bot in bots]
        # How far a batch has come (see `driver.PROGRESS`); a caller may put shared memory here to know who was thinking.
        self.progress = np.zeros(driver.PROGRESS, np.int64)
        self.functions = tuple(functions[i % self.players] for i in range(MAX_PLAYERS))

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any, *, timed: bool = True) -> BatchResult:
        """Play games.

        Args:
            seeds: uint64 (n,), the deal of each game.
            bot_seeds: uint64 (n,), from which the bots' own random streams come.
            rotation: int64 (n,): in game i seat s is played by bot (s + rotation[i]) % players.
            timed: take think times (a clock call before and after each decision).
        """
        seeds = np.ascontiguousarray(seeds, np.uint64)
        bot_seeds = np.ascontiguousarray(bot_seeds, np.uint64)
        rotation = np.ascontiguousarray(rotation, np.int64)
        played = np.zeros(len(seeds), driver.PLAYED)
        if not self.all_compiled:
            return self._play_mixed(seeds, bot_seeds, rotation, played, timed)
        return self._play_compiled(seeds, bot_seeds, rotation, played, timed)

    def _play_compiled(
        self, seeds: Any, bot_seeds: Any, rotation: Any, played: Any, timed: bool
    ) -> BatchResult:
        n, first = len(seeds), 0
        pieces: list[Any] = []
        offsets = np.zeros(n + 1, np.int64)
        local = np.zeros(n + 1, np.int64)
        log = np.zeros(min(1 << 24, _LOG_ROOM + n * 256), np.int16)
        progress = self.progress
        forfeits: dict[int, str] = {}
        b = self.buffers
        drive = driver.drive_kernel()
        while first < n:
            local[first] = 0
            base = offsets[first]
            try:
                done = drive(
                    self.tables,
                    self.bot_tables,
                    b.state,
                    b.view,
                    b.work,
                    b.bot_work,
                    self.functions,
                    self.params,
                    self.memory,
                    seeds,
                    bot_seeds,
                    rotation,
                    first,
                    timed,
                    played,
                    log,
                    local,
                    progress,
                )
            except Exception as error:  # a bot raised: its game is over, the others go on
                game = int(progress[0])
                done = game + 1
                local[done] = int(progress[1])
                played[game]["forfeit_seat"] = int(progress[2])
                summarise_game(self.tables, b.state, b.work, played[game : game + 1])
                forfeits[game] = _reason(error)
            if done == first:
                raise TtrError("a game has more decisions than can be logged; set turn_limit in the rules")
            pieces.append(log[: local[done]].copy())
            offsets[first + 1 : done + 1] = base + local[first + 1 : done + 1]
            first = done
        for game in np.flatnonzero(played["forfeit_seat"] >= 0).tolist():
            action = int(played["forfeit_action"][game])
            forfeits.setdefault(game, f"illegal action {self._text(action)}")
        return BatchResult(self.players, played, forfeits, np.concatenate(pieces or [log[:0]]), offsets)

    def _text(self, action: int) -> str:
        try:
            return f"{action} ({actions.describe(self.board, action)})"
        except (ValueError, IndexError):
            return f"{action} (no such action)"

    def _play_mixed(self, seeds: Any, bot_seeds: Any, rotation: Any, played: Any, timed: bool) -> BatchResult:
        forfeits: dict[int, str] = {}
        log: list[int] = []
        offsets = np.zeros(len(seeds) + 1, np.int64)
        for game in range(len(seeds)):
            record = played[game : game + 1]
            self.progress[:2] = game, len(log)
            reason = self._play_one(seeds[game], bot_seeds[game], int(rotation[game]), record, log, timed)
            if reason is not None:
                forfeits[game] = reason
            offsets[game + 1] = len(log)
        return BatchResult(self.players, played, forfeits, np.array(log, np.int16), offsets)

    def _play_one(
        self, seed: Any, bot_seed: Any, rotation: int, record: Any, log: list[int], timed: bool
    ) -> str | None:
        b = self.buffers
        started = time.perf_counter_ns()
        begin_record(record)
        drawn = record["cards_drawn"][0]
        n = faces.deal_game(self.tables, b.state, b.work, seed, drawn)
        think, slowest, asked = ([0] * self.players for _ in range(3))
        acts, trace_seats, trace_acts = (b.work[name][0] for name in ("acts", "trace_seat", "trace_act"))
        phase, mover, trace_n = b.state["phase"], b.state["seat"], b.work["trace_n"]
        reason = None
        seat = 0
        try:
            players = []
            for seat in range(self.players):
                players.append(self.player(seat, bot_seed, rotation))
            watchers = [(s, made.bot) for s, made in enumerate(players) if isinstance(made, _Interpreted)]
            listening = [(s, bot) for s, bot in watchers if type(bot).saw is not Bot.saw]
            for seat, bot in watchers:
                if type(bot).start is not Bot.start:
                    self.progress[2] = seat
                    bot.start(self._view(seat, acts[:n].tolist() if seat == mover[0] else []))
            view = new_record(STATE)  # a new one for each decision: what a bot does to it reaches nobody
            faces.observe_game(self.tables, b.state, view, int(mover[0]))
            while phase[0] != OVER:
                self.progress[2] = seat = int(mover[0])
                legal = acts[:n].tolist()
                begun = time.perf_counter_ns()
                action = players[seat].choose(view, legal)
                if timed:
                    spent = time.perf_counter_ns() - begun
                    think[seat] += spent
                    slowest[seat] = max(slowest[seat], spent)
                if type(action) is not int:
                    action = _whole(action)
                if action not in legal:
                    record["forfeit_seat"][0] = seat
                    reason = f"illegal action {self._text(action)}"
                    break
                log.append(action)
                asked[seat] += 1
                view = new_record(STATE)
                n = faces.step_and_look(self.tables, b.state, b.work, view, drawn, action)
                for i in range(int(trace_n[0]) if listening else 0):
                    shown = actions.public(int(trace_acts[i]))
                    for seat, bot in listening:  # `seat` is to blame, should it raise
                        self.progress[2] = seat
                        bot.saw(int(trace_seats[i]), shown)
            else:
                for seat, bot in watchers:
                    if type(bot).end is not Bot.end:
                        bot.end(self._view(seat, []))
        except (Exception, SystemExit) as error:
            record["forfeit_seat"][0] = seat
            reason = _reason(error)
        for name, values in (("seat_decisions", asked), ("think_ns", think), ("slowest_ns", slowest)):
            record[name][0, : self.players] = values
        record["decisions"][0] = sum(asked)
        summarise_game(self.tables, b.state, b.work, record)
        if timed:
            record["wall_ns"][0] = time.perf_counter_ns() - started
        return reason

    def _view(self, seat: int, legal: list[int]) -> View:
        views = new_record(STATE)
        faces.observe_game(self.tables, self.buffers.state, views, seat)
        views.setflags(write=False)
        return View(self.board, self.rules, self.players, views, legal)

    def player(self, seat: int, bot_seed: Any, rotation: int = 0) -> _Interpreted | _Compiled:
        """Who plays a seat of one game; its `choose(view, legal)` decides on a View array of its own.

        A compiled bot is asked for the legal actions in `buffers.work`.
        """
        index = (seat + rotation) % self.players
        bot = self.bots[index]
        state = stream(np.uint64(bot_seed), driver.BOT_STREAM + np.uint64(seat))
        if isinstance(bot.made, Policy):
            self.memory[index, 0] = 0
            return _Compiled(self, index, state)
        return _Interpreted(self, bot, int(state))


class _Interpreted:
    """A seat played by a Python class."""

    def __init__(self, table: Table, bot: LoadedBot, seed: int) -> None:
        self.table = table
        made: Any = bot.made
        self.bot: Bot = made(**dict(bot.spec.values))
        self.bot.rng = random.Random(seed)

    def choose(self, view: Any, legal: list[int]) -> Any:
        table = self.table
        view.setflags(write=False)
        return self.bot.choose(View(table.board, table.rules, table.players, view, legal.copy()))


class _Compiled:
    """A seat played by a policy in a game where another is played by a class."""

    def __init__(self, table: Table, index: int, state: Any) -> None:
        self.table, self.index, self.state = table, index, state

    def choose(self, view: Any, legal: list[int]) -> int:
        table, index = self.table, self.index
        b = table.buffers
        work = b.bot_work[index : index + 1]
        work["rng"][0] = self.state
        action = driver.ask_kernel()(
            table.tables,
            table.bot_tables,
            view,
            b.work,
            work,
            table.functions[index],
            table.params[index].copy(),
            table.memory[index],
        )
        self.state = work["rng"][0]
        return int(action)


def _whole(action: Any) -> int:
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise TypeError(f"the answer {str(action)[:80]!r} is no whole number")
    return int(action)


def _reason(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_PACKAGE)]
    where = f" (line {frames[-1].lineno} of {frames[-1].name})" if frames else ""
    try:
        text = " ".join(str(error).split())[:300]
    except Exception:
        text = "(its message cannot be shown)"
    # An address in memory would differ from run to run, and the tables with it.
    return re.sub(r" at 0x[0-9a-fA-F]+", "", f"{type(error).__name__}: {text}{where}")


@lru_cache(maxsize=16)
def _loaded(specs: tuple[BotSpec, ...]) -> tuple[LoadedBot, ...]:
    return tuple(load_bot(spec) for spec in specs)


def open_table(board: Board, rules: Rules, bots: Sequence[BotSpec]) -> Table:
    """Seat bots at a table; seat s of rotation r is bot (s + r) % players.

    Raises:
        TtrError: board, rules and number of bots do not fit.
    """
    check_fit(board, rules, len(bots))
    if not 1 <= rules.turn_limit <= _MOST_TURNS:
        raise TtrError(
            f"rules {rules.name}: turn_limit {rules.turn_limit}: must be 1 to {_MOST_TURNS} where bots play"
        )
    return Table(board, rules, _loaded(tuple(bots)))
