"""Where the time of a random game goes: a kernel that repeats one part of it on recorded positions."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from ttr_sim.bench.games import play, table
from ttr_sim.bench.measure import rate
from ttr_sim.bot.compiled import POLICY_T, STATE_T, TABLES_T, WORK_T
from ttr_sim.bot.play import Table
from ttr_sim.engine import Game
from ttr_sim.engine.apply import apply
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import signed
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import observe
from ttr_sim.engine.scoring import SCORES, score

_GAMES = 30
_COPY, _LEGAL, _APPLY, _OBSERVE, _ASK, _SCORE, _DEAL = range(7)

_STATES_T = types.Array(STATE_T, 1, "C")
_WORK_ARRAY_T = types.Array(WORK_T, 1, "C")
_SIGNATURE = types.int64(
    types.int64,
    types.int64,
    types.Array(TABLES_T, 1, "C"),
    _STATES_T,
    types.int64[::1],
    _STATES_T,
    _WORK_ARRAY_T,
    types.Array(numba.from_dtype(SCORES), 1, "C"),
    POLICY_T,
    types.float64[::1],
    types.int64[::1],
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a game: how often a game has it, what it takes each time and in a whole game."""

    name: str
    times: float
    nanoseconds: float

    @property
    def microseconds(self) -> float:
        """Time in a whole game."""
        return self.times * self.nanoseconds / 1000


@dataclass(frozen=True)
class _Recorded:
    """Positions of random games: those with actions to take (forced ones too), those asked, the last ones."""

    steps: Any
    actions: Any
    asked: Any
    last: Any


def _repeat(part, times, tables, positions, actions, states, work, scores, bot, params, memory):
    T, W = tables[0], work[0]
    sum_up = 0
    for i in range(times):
        at = i % len(positions)
        if part == _LEGAL:
            sum_up += legal(T, positions[at], W)
        elif part == _APPLY:
            states[0] = positions[at]
            apply(T, states[0], actions[at])
        elif part == _OBSERVE:
            observe(T, positions[at], states, int(positions[at].seat))
        elif part == _ASK:
            legal(T, positions[at], W)
            sum_up += bot(T, positions[at], W, params, memory)
        elif part == _SCORE:
            score(T, positions[at], W, scores[0])
        elif part == _DEAL:
            deal(T, states[0], np.uint64(i))
        else:
            states[0] = positions[at]
    return sum_up


@cache
def _kernel() -> Any:
    return signed(_SIGNATURE, _repeat)


def profile(rules_name: str = "europe", players: int = 2) -> tuple[list[Part], float]:
    """Return the parts of a random game and the microseconds of a whole one, in the driver."""
    at = table(rules_name, *["random"] * players)
    recorded = _record(at)
    steps, asked = len(recorded.steps) / _GAMES, len(recorded.asked) / _GAMES
    every, choices, ends = recorded.steps, recorded.asked, recorded.last
    times = {part: _time(at, part, every, recorded.actions) for part in (_COPY, _LEGAL, _APPLY, _DEAL)}
    observe_time = _time(at, _OBSERVE, choices, recorded.actions)
    ask_time = _time(at, _ASK, choices, recorded.actions) - _time(at, _LEGAL, choices, recorded.actions)
    score_time = _time(at, _SCORE, ends, recorded.actions)
    parts = [
        Part("deal", 1, times[_DEAL]),
        Part("legal", steps + 1, times[_LEGAL]),
        Part("apply", steps, times[_APPLY] - times[_COPY]),
        Part("observe", asked, observe_time),
        Part("bot (random) and its call", asked, ask_time),
        Part("scoring", 1, score_time),
    ]
    whole = 1e6 / rate(lambda n: play(at, n), 10)
    return parts, whole


def _time(at: Table, part: int, positions: Any, actions: Any) -> float:
    """Return the nanoseconds of one part, averaged over the positions."""
    states, work, scores = new_record(STATE), new_record(WORK), new_record(SCORES)

    def repeat(times: int) -> None:
        _kernel()(
            part, times, at.tables, positions, actions, states, work, scores,
            at.functions[0], at.params[0], at.memory[0],
        )  # fmt: skip

    return 1e9 / rate(repeat, 1000)


def _record(at: Table) -> _Recorded:
    steps, actions, asked, last = [], [], [], []
    result = play(at, _GAMES)
    for number in range(_GAMES):
        game = Game.new(at.board, at.rules, at.players, number + 1, auto=False)
        logged = iter(result.actions[result.offsets[number] : result.offsets[number + 1]].tolist())
        while not game.is_over:
            legal = game.legal()
            if len(legal) > 1:
                asked.append(game.state.copy())
            action = legal[0] if len(legal) == 1 else next(logged)
            steps.append(game.state.copy())
            actions.append(action)
            game.step(action)
        last.append(game.state.copy())
    joined = [np.concatenate(states) for states in (steps, asked, last)]
    return _Recorded(joined[0], np.array(actions, np.int64), joined[1], joined[2])
