"""Where the time of a random game goes: recorded games are taken again, each time with one part of the work more."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from ttr_sim.bench.games import play, table
from ttr_sim.bench.measure import rate
from ttr_sim.bot.compiled import POLICY_T, STATE_T, TABLES_T, WORK_T
from ttr_sim.engine import Game
from ttr_sim.engine.apply import apply
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import signed
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import observe
from ttr_sim.engine.scoring import SCORES, score

_GAMES = 64
_DEAL, _APPLY, _LEGAL, _OBSERVE, _ASK, _SCORE = range(6)
_NAMES = ("deal", "apply", "legal", "observe", "bot (random) and its call", "scoring")

_SIGNATURE = types.int64(
    types.int64,
    types.int64,
    types.Array(TABLES_T, 1, "C"),
    types.int16[::1],
    types.boolean[::1],
    types.int64[::1],
    types.Array(STATE_T, 1, "C"),
    types.Array(STATE_T, 1, "C"),
    types.Array(WORK_T, 1, "C"),
    types.Array(numba.from_dtype(SCORES), 1, "C"),
    POLICY_T,
    types.float64[::1],
    types.int64[::1],
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a game: how often a game has it, and the microseconds it takes in a whole game."""

    name: str
    times: float
    microseconds: float


@dataclass(frozen=True)
class _Recorded:
    """The actions of games 1, 2, ... one after another, which of them a bot was asked for, and where a game begins."""

    actions: Any
    asked: Any
    offsets: Any


def _replay(upto, games, tables, actions, asked, offsets, states, views, work, scores, bot, params, memory):
    T, S, V, W = tables[0], states[0], views[0], work[0]
    total = 0
    for i in range(games):
        g = i % (len(offsets) - 1)
        deal(T, S, np.uint64(g + 1))
        if upto >= _APPLY:
            for at in range(offsets[g], offsets[g + 1]):
                if upto >= _LEGAL:
                    total += legal(T, S, W)
                if upto >= _OBSERVE and asked[at]:
                    observe(T, S, views, int(S.seat))
                if upto >= _ASK and asked[at]:
                    total += bot(T, V, W, params, memory)
                apply(T, S, int(actions[at]))
        if upto >= _SCORE:
            score(T, S, W, scores[0])
    return total


@cache
def _kernel() -> Any:
    return signed(_SIGNATURE, _replay)


def profile(rules_name: str = "europe", players: int = 2) -> tuple[list[Part], float]:
    """Return the parts of a random game and the microseconds of a whole one in the driver."""
    at = table(rules_name, *["random"] * players)
    recorded = _record(rules_name, players)
    states, views, work, scores = (new_record(kind) for kind in (STATE, STATE, WORK, SCORES))

    def replays(upto: int) -> float:
        def replay(games: int) -> None:
            _kernel()(
                upto, games, at.tables, recorded.actions, recorded.asked, recorded.offsets, states, views,
                work, scores, at.functions[0], at.params[0], at.memory[0],
            )  # fmt: skip

        return 1e6 / rate(replay, 10)

    upto = [replays(part) for part in range(len(_NAMES))]
    steps, asked = len(recorded.actions) / _GAMES, int(recorded.asked.sum()) / _GAMES
    times = (1, steps, steps, asked, asked, 1)
    before = [0.0, *upto[:-1]]
    parts = [Part(*row) for row in zip(_NAMES, times, np.subtract(upto, before).tolist(), strict=True)]
    return parts, 1e6 / rate(lambda n: play(at, n), 10)


def _record(rules_name: str, players: int) -> _Recorded:
    at = table(rules_name, *["random"] * players)
    result = play(at, _GAMES)
    actions: list[int] = []
    asked: list[bool] = []
    offsets = [0]
    for number in range(_GAMES):
        game = Game.new(at.board, at.rules, at.players, number + 1, auto=False)
        logged = iter(result.actions[result.offsets[number] : result.offsets[number + 1]].tolist())
        while not game.is_over:
            legal = game.legal()
            asked.append(len(legal) > 1)
            actions.append(next(logged) if asked[-1] else legal[0])
            game.step(actions[-1])
        offsets.append(len(actions))
    return _Recorded(np.array(actions, np.int16), np.array(asked), np.array(offsets, np.int64))
