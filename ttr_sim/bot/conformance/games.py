"""Checks on games as a run plays them: everywhere, fast enough, the same for a seed, no matter what was played before."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import _helperlib

from ttr_sim.bot.ask import Sitting
from ttr_sim.bot.conformance.check import Findings, Subject, greedy, logs, play, setting, tables
from ttr_sim.bot.play import open_table
from ttr_sim.engine import Game

_DETERMINISM = (("europe", 2), ("nordic", 3))
_GAMES = 3
_THOROUGH_GAMES = 10


def plays(subject: Subject, timing: dict[str, float]) -> Findings:
    """Play every preset and number of players: two copies, the other seats taken by greedy. Fills `timing`."""
    found = Findings()
    where = tables()
    games = _THOROUGH_GAMES if subject.thorough else 1
    think = decisions = slowest = done = 0
    limits = set()
    for preset, players in where:
        board, rules = setting(preset)
        rules, limit = subject.shortened(rules, len(where) * games)
        limits.add(limit)
        table = open_table(board, rules, [subject.spec] * 2 + [greedy()] * (players - 2))
        for seed in range(1, games + 1):
            subject.alive()
            result = play(table, [seed])
            for reason in result.forfeits.values():
                seat = int(result.played[0]["forfeit_seat"])
                found.add(f"{preset}, {players} players, seed {seed}, seat {seat}", reason)
            think += int(result.seats("think_ns")[:, :2].sum())
            decisions += int(result.seats("seat_decisions")[:, :2].sum())
            slowest = max(slowest, int(result.seats("slowest_ns")[:, :2].max()))
        done += games
    timing["mean_ms"] = think / max(1, decisions) / 1e6
    timing["slowest_ms"] = slowest / 1e6
    timing["decisions"] = decisions
    short = f", of {max(limits)} turns each as the bot is slow" if any(limits) else ""
    found.detail = (
        f"{done} games{short}: {len({p for p, _ in where})} presets, every number of players, "
        f"{decisions} decisions"
    )
    return found


def speed(subject: Subject, timing: dict[str, float]) -> Findings:
    """Time per decision in those games."""
    if not timing:
        return Findings("not measured: no game was played")
    mean, slowest = timing["mean_ms"], timing["slowest_ms"]
    found = Findings(f"{_duration(mean)} per decision, the slowest {_duration(slowest)}")
    if mean > subject.max_ms:
        found.add("mean time per decision", f"{_duration(mean)}; must be at most {_duration(subject.max_ms)}")
    return found


def _duration(ms: float) -> str:
    for unit, size in (("s", 1e3), ("ms", 1.0), ("µs", 1e-3)):
        if ms >= size:
            return f"{ms / size:.3g} {unit}"
    return f"{ms * 1e6:.3g} ns"


def same_games(subject: Subject) -> list[list[int]]:
    """The games whose actions must be the same in every process and in every order."""
    found = []
    for preset, players in _DETERMINISM:
        subject.alive()
        board, rules = setting(preset)
        rules, _ = subject.shortened(rules, 4 * _GAMES * len(_DETERMINISM))
        found += logs(play(subject.table(board, rules, players), list(range(1, _GAMES + 1))))
    return found


def determinism(subject: Subject, elsewhere: Callable[[float], list[list[int]]]) -> Findings:
    """Play the same games again, in another order, and in another process.

    elsewhere: gives what `same_games` gives in another process, for a bot that takes so many seconds for a decision.
    """
    found = Findings()
    first = same_games(subject)
    again = []
    for preset, players in _DETERMINISM:
        subject.alive()
        board, rules = setting(preset)
        rules, _ = subject.shortened(rules, 4 * _GAMES * len(_DETERMINISM))
        table = subject.table(board, rules, players)
        again += logs(play(table, list(range(_GAMES, 0, -1))))[::-1]
    if first != again:
        found.add(
            _where(first, again),
            "played again after other games it goes another way; take chance from the bot's own "
            "generator (self.rng, W.rng), keep nothing from game to game, do not look at the clock",
        )
    elif first != (other := elsewhere(subject.decision_s)):
        found.add(
            _where(first, other),
            "in another process it goes another way; do not depend on the order of sets of texts, "
            "on hash(), id() or the clock",
        )
    found.detail = f"{len(first)} games played again in another order and in another process"
    return found


def _where(one: list[list[int]], other: list[list[int]]) -> str:
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            preset, players = _DETERMINISM[i // _GAMES]
            at = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            return f"{preset}, {players} players, seed {i % _GAMES + 1}, decision {at + 1}"
    return "a game"


def copies(subject: Subject) -> Findings:
    """Play two games at once, decision by decision, and each alone: copies of the bot must not touch each other."""
    found = Findings()
    board, rules = setting("europe")
    left = subject.until()

    def sitting(seed: int) -> Sitting:
        return Sitting(subject.table(board, rules, 3), Game.new(board, rules, 3, seed), seed)

    alone = []
    for seed in (1, 2):
        taken: list[int] = []
        with sitting(seed) as one:
            while not one.game.is_over and len(taken) < 200 and (len(taken) < 4 or left()):
                taken.append(one.decide())
                one.step(taken[-1])
        alone.append(taken)
    with sitting(1) as first, sitting(2) as second:
        for step in range(max(map(len, alone))):
            subject.alive()
            for number, one, taken in ((1, first, alone[0]), (2, second, alone[1])):
                if step < len(taken):
                    if one.decide() != taken[step]:
                        found.add(
                            f"europe, 3 players, seed {number}, decision {step + 1}",
                            "another decision while another copy plays; keep what a game needs in self, not in the "
                            "class or the module",
                        )
                        return found
                    one.step(taken[step])
    found.detail = f"{sum(map(len, alone))} decisions of games played in turn"
    return found


def random_states() -> dict[str, Any]:
    """The states of the generators that everything in a process shares."""
    states: dict[str, Any] = {"random": random.getstate(), "numpy.random": repr(np.random.get_state())}
    numba: Any = _helperlib
    with contextlib.suppress(AttributeError):  # Numba's own, where this version shows them
        states["numpy.random in compiled code"] = numba.rnd_get_state(numba.rnd_get_np_state_ptr())
        states["random in compiled code"] = numba.rnd_get_state(numba.rnd_get_py_state_ptr())
    return states


def shared_chance(before: dict[str, Any], after: dict[str, Any]) -> Findings:
    """Compare the shared generators before and after all other checks."""
    found = Findings(f"{len(before)} shared generators untouched")
    for name in _changed(before, after):
        found.add(name, "was used or seeded; take chance from the bot's own generator (self.rng, W.rng)")
    return found


def _changed(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    return (name for name in before if before[name] != after.get(name))
