"""Checks in single positions: odd ones, random ones, and worlds that a seat cannot tell apart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle

import numpy as np

from ttr_sim.bot.ask import Sitting
from ttr_sim.bot.conformance.check import Findings, Subject, setting, tables
from ttr_sim.bot.conformance.odd import odd_positions
from ttr_sim.engine import Game, faces
from ttr_sim.engine.layout import STATE, new_record

_ODD_STEPS = 25  # decisions played on from an odd position
_WORLDS = 2
_AGAIN = 8  # times one is asked the same again before it is blamed
_HIDDEN = (("europe", 2), ("nordic", 3), ("usa", 4), ("europe-zh", 5))


def odd(subject: Subject) -> Findings:
    """Let the bot play on from positions that games seldom show."""
    found, left = Findings(), subject.until()
    positions = decisions = 0
    for name, game in odd_positions():
        positions += 1
        steps = _ODD_STEPS if left() else 1
        try:
            with Sitting(subject.table(game.board, game.rules, game.players), game, positions) as sitting:
                while not game.is_over and steps:
                    sitting.step(sitting.decide())
                    steps -= 1
                    decisions += 1
        except (Exception, SystemExit) as error:
            found.add(f"{game.rules.name}, {game.players} players, {name}, {game.phase}", error)
    found.detail = f"{positions} positions (nothing to draw, last turn, 1 train, closed market, ...), {decisions} decisions"
    return found


def random_walks(subject: Subject) -> Findings:
    """Ask the bot everywhere in games that are played at random: positions that good play never reaches."""
    found, left = Findings(), subject.until()
    rng = random.Random(7)
    asked = walks = 0
    for preset, players in cycle(rng.sample(tables(), len(tables()))):
        if (walks and not left()) or walks >= (400 if subject.thorough else 14):
            break
        walks += 1
        board, rules = setting(preset)
        seed = rng.getrandbits(32)
        game = Game.new(board, rules, players, seed)
        gap = 1 if subject.thorough else 7
        step = 0
        try:
            with Sitting(subject.table(board, rules, players), game, seed) as sitting:
                while not game.is_over:
                    if step % gap == 0 and left():
                        sitting.decide()
                        asked += 1
                    sitting.step(rng.choice(game.legal()))
                    step += 1
        except (Exception, SystemExit) as error:
            found.add(f"{preset}, {players} players, random game {seed}, step {step}", error)
    found.detail = f"{asked} decisions in {walks} games played at random"
    return found


def hidden(subject: Subject) -> Findings:
    """Change what the seat to move cannot know; it must decide as before."""
    found, left = Findings(), subject.until()
    asked = 0
    for seed, (preset, players) in enumerate(_HIDDEN, 1):
        board, rules = setting(preset)
        game = Game.new(board, rules, players, seed)
        with Sitting(subject.table(board, rules, players), game, seed) as sitting:
            step = 0
            while not game.is_over and step < 150 and not found.problems and (asked < 4 or left()):
                if step % (3 if subject.thorough else 9) == 0:
                    try:
                        answers = _in_other_worlds(sitting, 1000 * step)
                    except _Untestable as reason:
                        found.detail = f"not tested: {reason}"
                        return found
                    asked += len(answers) - 1
                    if len(set(answers)) > 1:
                        texts = " but ".join(map(game.describe, dict.fromkeys(answers)))
                        found.add(
                            f"{preset}, {players} players, seed {seed}, decision {step + 1}",
                            f"{texts} when only hidden cards and tickets differ",
                        )
                sitting.step(sitting.decide())
                step += 1
    found.detail = f"{asked} decisions with other hidden cards and tickets"
    return found


class _Untestable(Exception):
    """Why a bot cannot be asked the same twice."""


def _in_other_worlds(sitting: Sitting, rng: int) -> list[int]:
    """What the seat to move decides, and what its twins do where the hidden things differ."""
    same = sitting.game.copy()
    others = [other_world(sitting.game, rng + k) for k in range(_WORLDS)]
    control, action, *answers = [twin.decide() for twin in _twins(sitting, [same, same, *others])]
    controls = [control]
    if set(answers) - {action}:  # one that answers by chance may have hit upon the same twice
        controls += [twin.decide() for twin in _twins(sitting, [same] * _AGAIN)]
    if set(controls) - {action}:
        raise _Untestable("asked twice the same, it answers differently")
    return [action, *answers]


def _twins(sitting: Sitting, worlds: Sequence[Game]) -> list[Sitting]:
    try:
        return [sitting.twin(world) for world in worlds]
    except Exception as error:
        raise _Untestable(f"the bot cannot be copied ({type(error).__name__}: {error})") from None


def other_world(game: Game, rng: int) -> Game:
    """The game with all that is hidden from the seat to move dealt anew."""
    state, view = new_record(STATE), game.view(game.seat).array.copy()
    faces.redeal_view(game.tables, view, state, np.zeros(16, np.int64), np.uint64(rng))
    return Game(game.board, game.rules, game.players, state, tables=game.tables)
