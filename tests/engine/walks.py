"""Plays a few games and prints what came of them as JSON: run with other settings of Numba, it must say the same.

python -m tests.engine.walks
"""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np

from ttr_sim.engine import Game, faces
from ttr_sim.engine.layout import STATE, new_record

from .games import POLICIES, fields, new_game

GAMES = (
    ("europe", 3, "builder"),
    ("europe-zh", 2, "collector"),
    ("nordic", 2, "digger"),
    ("nordic-zh", 2, "hoarder"),
    ("usa", 2, "builder"),
    ("usa", 5, "uniform"),
)


def walk(preset: str, players: int, policy: str) -> dict[str, Any]:
    """Hashes on the way and the result of one game, with a view and a re-dealt world now and then."""
    game, rng, hashes, worlds = new_game(preset, players, 2**63 + players), Random(policy), [], []
    for i in range(10_000):
        if game.is_over:
            break
        if i % 25 == 0:
            hashes.append(game.state_hash())
            worlds.append(world(game, i % players, i))
        game.step(POLICIES[policy](rng, game, game.legal()))
    hashes.append(game.state_hash())
    return {"hashes": hashes, "worlds": worlds, "result": json.loads(json.dumps(asdict(game.result())))}


def world(game: Game, seat: int, start: int) -> str:
    """Hash of a re-dealt world of a seat."""
    view, state = new_record(STATE), new_record(STATE)
    faces.observe_game(game.tables, game.state, view, seat)
    faces.redeal_view(game.tables, view, state, np.zeros(64, np.int64), np.uint64(start))
    other = Game(game.board, game.rules, game.players, state)
    assert fields(view)["viewer"] == seat
    return other.state_hash()


def play_all() -> list[dict[str, Any]]:
    """All walks, in order."""
    return [walk(*game) for game in GAMES]


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # random numbers overflow on purpose; NumPy says so
    print(json.dumps(play_all()))
