"""Play games between bots at one table, compiled and interpreted ones alike."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot import driver
from ttr_sim.bot.asking import Asking, running_threads
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.forfeit import NOBODY, Forfeit, Spoiled, reason_of, traceback_of
from ttr_sim.bot.players import Compiled, Interpreted
from ttr_sim.bot.printed import count_prints_anew
from ttr_sim.bot.specs import BotSpec, LoadedBot, load_bot
from ttr_sim.bot.steps import summarise_game
from ttr_sim.bot.threads import Threaded
from ttr_sim.engine import actions
from ttr_sim.engine.bits import stream
from ttr_sim.engine.layout import MAX_PLAYERS, STATE, TABLES, WORK, new_record
from ttr_sim.engine.scoring import SEAT_FIELDS
from ttr_sim.engine.tables import make_tables
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, check_fit

_MOST_TURNS = 2000  # a longer game would not fit the log; games end after about 60 turns of each
_LOG_ROOM = 1 << 16  # actions; far more than a game has
_TRACEBACKS = 3  # kept of each reason of forfeit


@dataclass
class BatchResult:
    """Games played, as arrays. n games, `players` seats.

    Attributes:
        played: PLAYED records, shape (n,) (see `ttr_sim.bot.driver`).
        forfeits: reason by index of the game, for the games that were forfeited.
        actions: int16, the asked actions of all games one after another.
        offsets: int64 (n + 1,): game i has actions[offsets[i] : offsets[i + 1]].
        tracebacks: of the first forfeits of each reason, by index of the game.
    """

    players: int
    played: Any
    forfeits: dict[int, str]
    actions: Any
    offsets: Any
    tracebacks: dict[int, str] = field(default_factory=dict)

    def seats(self, name: str) -> Any:
        """A number of each game and seat, shape (n, players): a score field or one of `seat_decisions` ...

        `rank` and scores of a forfeited game are as the position stood (see `forfeit.ranks_after`).
        """
        source = self.played["scores"] if name in SEAT_FIELDS else self.played
        return source[name][:, : self.players]


@dataclass
class _Buffers:
    state: Any = field(default_factory=lambda: new_record(STATE))
    view: Any = field(default_factory=lambda: new_record(STATE))
    work: Any = field(default_factory=lambda: new_record(WORK))
    bot_work: Any = field(default_factory=lambda: new_record(WORK, MAX_PLAYERS))


class Table:
    """Bots at a table, ready to play. Open one with `open_table`.

    Attributes:
        limit: seconds a bot may take for a decision, None for any time.
        disposable: this process can be replaced by another. Where a bot uses up its memory or leaves a thread behind, `play`
            then ends with Spoiled, for a caller who finds out whose it is and goes on in a new process.
        progress: how far a batch has come, [game, decisions, seat called or NOBODY]; a caller may put shared memory here.
            The decisions are those of the game where Python asks, else those of the batch.
    """

    def __init__(self, board: Board, rules: Rules, bots: Sequence[LoadedBot]) -> None:
        self.board, self.rules, self.bots = board, rules, list(bots)
        self.players = len(bots)
        self.tables = make_tables(board, rules, self.players)
        self.bot_tables = new_record(TABLES, MAX_PLAYERS)
        self.buffers = _Buffers()
        policies = [bot.made for bot in bots if isinstance(bot.made, Policy)]
        self.all_compiled = all(bot.looped for bot in bots)
        width = max([len(bot.params) for bot in bots] + [1])
        memory = max([p.memory for p in policies] + [16])
        self.params = np.zeros((MAX_PLAYERS, width))
        self.memory = np.zeros((MAX_PLAYERS * max(bot.threads for bot in bots), memory), np.int64)
        for b, bot in enumerate(bots):
            values = dict(bot.spec.values)
            for i, (key, param) in enumerate(bot.params.items()):
                if isinstance(bot.made, Policy):
                    self.params[b, i] = param.number(values[key])
        functions = [bot.made.function if isinstance(bot.made, Policy) else None for bot in bots]
        self.progress = np.array([0, 0, NOBODY])
        self.limit: float | None = None
        self.disposable = False
        self.threads = running_threads()  # more are a bot's
        self._reasons: Counter[str] = Counter()
        self.functions = tuple(functions[i % self.players] for i in range(MAX_PLAYERS))

    def play(
        self,
        seeds: Any,
        bot_seeds: Any,
        rotation: Any,
        *,
        timed: bool = True,
        forfeit: Forfeit | None = None,
    ) -> BatchResult:
        """Play games.

        Args:
            seeds: uint64 (n,), the deal of each game.
            bot_seeds: uint64 (n,), from which the bots' own random streams come.
            rotation: int64 (n,): in game i seat s is played by bot (s + rotation[i]) % players.
            timed: take think times (a clock call before and after each decision).
            forfeit: where all of the games end.
        """
        seeds = np.ascontiguousarray(seeds, np.uint64)
        bot_seeds = np.ascontiguousarray(bot_seeds, np.uint64)
        rotation = np.ascontiguousarray(rotation, np.int64)
        played = np.zeros(len(seeds), driver.PLAYED)
        if not self.all_compiled or forfeit is not None:
            return self._play_asking(seeds, bot_seeds, rotation, played, timed, forfeit)
        result = self._play_compiled(seeds, bot_seeds, rotation, played, timed or self.limit is not None)
        if self.limit is not None:
            for game in np.flatnonzero(result.seats("slowest_ns").max(axis=1) > self.limit * 1e9).tolist():
                one = slice(game, game + 1)
                again = self._play_asking(seeds[one], bot_seeds[one], rotation[one], played[one], timed, None)
                _replace(result, game, again)
        return result

    def _play_compiled(
        self, seeds: Any, bot_seeds: Any, rotation: Any, played: Any, timed: bool
    ) -> BatchResult:
        n, first = len(seeds), 0
        pieces: list[Any] = []
        offsets = np.zeros(n + 1, np.int64)
        local = np.zeros(n + 1, np.int64)
        log = np.zeros(min(1 << 24, _LOG_ROOM + n * 256), np.int16)
        progress = self.progress
        result = BatchResult(self.players, played, {}, log[:0], offsets)
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
                if self.disposable and isinstance(error, MemoryError):
                    raise Spoiled(Spoiled.MEMORY) from None
                game = int(progress[0])
                done = game + 1
                local[done] = int(progress[1])
                played[game]["forfeit_seat"] = int(progress[2])
                summarise_game(self.tables, b.state, b.work, played[game : game + 1])
                self._blame(result, game, error)
            if done == first:
                raise TtrError("a game has more decisions than can be logged; set turn_limit in the rules")
            pieces.append(log[: local[done]].copy())
            offsets[first + 1 : done + 1] = base + local[first + 1 : done + 1]
            first = done
        for game in np.flatnonzero(played["forfeit_seat"] >= 0).tolist():
            action = int(played["forfeit_action"][game])
            result.forfeits.setdefault(game, f"illegal action {self.text(action)}")
        progress[2] = NOBODY
        result.actions = np.concatenate([log[:0], *pieces])
        return result

    def _blame(self, result: BatchResult, game: int, error: BaseException) -> None:
        reason = result.forfeits[game] = reason_of(error)
        self._reasons[reason] += 1
        if self._reasons[reason] <= _TRACEBACKS and (text := traceback_of(error)):
            result.tracebacks[game] = text

    def text(self, action: int) -> str:
        """Return a readable text of any whole number taken for an action."""
        try:
            return f"{action} ({actions.describe(self.board, action)})"
        except (ValueError, IndexError):
            return f"{action} (no such action)"

    def _play_asking(
        self, seeds: Any, bot_seeds: Any, rotation: Any, played: Any, timed: bool, forfeit: Forfeit | None
    ) -> BatchResult:
        log: list[int] = []
        result = BatchResult(self.players, played, {}, None, np.zeros(len(seeds) + 1, np.int64))
        if any(self.functions):
            driver.ask_kernel()  # loaded now, so that no bot is charged for it
        with _global_random_as_it_is():
            for game in range(len(seeds)):
                _seed_global_random(int(bot_seeds[game]))
                count_prints_anew()
                self.threads = running_threads()
                self.progress[0] = game
                asking = Asking(self, played[game : game + 1], log, forfeit)
                asking.play(seeds[game], bot_seeds[game], int(rotation[game]), timed)
                if asking.fault:
                    self._blame(result, game, asking.fault)
                result.offsets[game + 1] = len(log)
        result.actions = np.array(log, np.int16)
        return result

    def player(self, seat: int, bot_seed: Any, rotation: int = 0) -> Interpreted | Compiled | Threaded:
        """Who plays a seat of one game; its `choose(view, legal)` decides on a View array of its own.

        A compiled bot is asked for the legal actions in `buffers.work`.
        """
        index = (seat + rotation) % self.players
        bot = self.bots[index]
        state = stream(np.uint64(bot_seed), driver.BOT_STREAM + np.uint64(seat))
        if bot.threads > 1:
            return Threaded(self, index, state)
        if isinstance(bot.made, Policy):
            self.memory[index, 0] = 0
            return Compiled(self, index, state)
        return Interpreted(self, bot, int(state))


def _replace(result: BatchResult, game: int, by: BatchResult) -> None:
    """Put the one game of another result, whose record stands there already, in the place of a game."""
    start, stop = result.offsets[game : game + 2]
    result.actions = np.concatenate([result.actions[:start], by.actions, result.actions[stop:]])
    result.offsets[game + 1 :] += len(by.actions) - (stop - start)
    for of, new in ((result.forfeits, by.forfeits), (result.tracebacks, by.tracebacks)):
        of.pop(game, None)
        if 0 in new:
            of[game] = new[0]


def _seed_global_random(seed: int) -> None:
    """Seed the generators everybody shares, so that a bot that draws from them, or changes them, repeats its games."""
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)


@contextmanager
def _global_random_as_it_is() -> Iterator[None]:
    """Leave the shared generators of the process as they were."""
    before, before_numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(before_numpy)


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
