"""Speed inside one process: whole games, playouts, searches, and what asking an interpreted bot costs."""

from functools import cache
from typing import Any

import numpy as np

from ttr_sim import paths
from ttr_sim.bench.measure import ROUNDS, Absent, rate
from ttr_sim.board import load_board
from ttr_sim.bot.api import Bot
from ttr_sim.bot.driver import ask_kernel
from ttr_sim.bot.play import Table
from ttr_sim.bot.specs import BotSpec, LoadedBot, load_bot, parse_spec
from ttr_sim.engine import Game
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.playout import playout
from ttr_sim.engine.scoring import SCORES, quick_score
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.errors import TtrError
from ttr_sim.rules import load_rules

_STARTS = 64


@cache
def table(rules_name: str, *bots: str) -> Table:
    """Return a table of built-in bots under a shipped preset."""
    rules = load_rules(paths.shipped_root() / paths.RULES.folder / f"{rules_name}.toml")
    board = load_board(paths.shipped_root() / paths.BOARD.folder / rules.board)
    return Table(board, rules, [load_bot(built_in(bot)) for bot in bots])


def built_in(text: str) -> BotSpec:
    """Return the spec of a built-in bot. Raises Absent when there is none or it has not these parameters."""
    name, sign, rest = text.partition(":")
    file = paths.shipped_root() / paths.BOT.folder / f"{name}.py"
    if not file.is_file():
        raise Absent(f"there is no built-in bot {name}")
    try:
        return parse_spec(f"{file}{sign}{rest}")
    except TtrError as error:
        raise Absent(str(error)) from None


def play(at: Table, games: int, *, timed: bool = False) -> Any:
    """Play so many games."""
    seeds = np.arange(1, games + 1, dtype=np.uint64)
    return at.play(seeds, seeds, np.arange(games, dtype=np.int64) % at.players, timed=timed)


def game_rate(rules_name: str, players: int, bot: str) -> float:
    """Return games a second between equal bots, one process, scored."""
    at = table(rules_name, *[bot] * players)
    return rate(lambda n: play(at, n), 10)


@entry
def _playouts(tables, starts, states, work, scores, n):
    for i in range(n):
        states[0] = starts[i % len(starts)]
        playout(tables[0], states[0], work[0])
        quick_score(tables[0], states[0], work[0], scores[0])


def playout_rate(rules_name: str, players: int) -> float:
    """Return random playouts a second from the opening, with their exact scores."""
    at = table(rules_name, *["random"] * players)
    starts = np.concatenate([_opening(at, seed).state for seed in range(_STARTS)])
    tables, states = make_tables(at.board, at.rules, players), new_record(STATE)
    work, scores = new_record(WORK), new_record(SCORES)
    return rate(lambda n: _playouts(tables, starts, states, work, scores, n), 100)


def _opening(at: Table, seed: int) -> Game:
    """Return a game in which everybody has kept all tickets dealt and seat 0 has the first turn."""
    game = Game.new(at.board, at.rules, at.players, seed)
    while game.phase == "KEEP_SETUP":
        game.step(game.legal()[-1])
    return game


def search_rate(playout: str, iterations: int) -> float:
    """Return iterations a second of mcts on the first turn, Europe, 2 players."""
    at = table("europe", f"mcts:iterations={iterations}:playout={playout}", "random")
    game = _opening(at, 1)
    view = game.view(0).array.copy()
    at.buffers.bot_work["rng"][0] = 1

    def search(times: int) -> None:
        for _ in range(times):
            ask_kernel()(
                at.tables,
                at.bot_tables,
                view,
                game.work,
                at.buffers.bot_work,
                at.functions[0],
                at.params[0],
                at.memory[0],
            )

    return iterations * rate(search)


class _First(Bot):
    """Takes the first legal action, at once."""

    def choose(self, view: View) -> int:
        return view.legal[0]


class _Nothing:
    """Stands for the view of `_First`, to time it alone."""

    legal = (0,)


def interpreted_overhead() -> float:
    """Return the microseconds that a decision of an interpreted bot takes beyond the bot's own time."""
    random = table("europe", "random", "random")
    at = Table(random.board, random.rules, [LoadedBot(built_in("random"), _First, {})] * 2)
    decisions = [0]

    def some(games: int) -> None:
        decisions[0] = int(play(at, games).played["decisions"].sum()) // games

    games = rate(some)
    bot, nothing = _First(), _Nothing()
    own = 1 / rate(lambda n: [bot.choose(nothing) for _ in range(n)], 1000)  # type: ignore[arg-type]
    return (1 / games / decisions[0] - own) * 1e6


def calibration() -> float:
    """Return rounds a second of a fixed loop in plain Python, to compare figures from machines and moments."""
    return rate(_loop, 10)


def _loop(rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        for i in range(10_000):
            total = (total * 31 + i) & 0xFFFF
    return total


__all__ = [
    "ROUNDS",
    "calibration",
    "game_rate",
    "interpreted_overhead",
    "playout_rate",
    "search_rate",
    "table",
]
