"""No built-in bot is moved by what its seat cannot know: other worlds behind the same view, the same decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ttr_sim import paths
from ttr_sim.board import load_board
from ttr_sim.bot.play import Table, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game, faces
from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.rules import load_rules

WORLDS = 3
TABLES = [("europe", 2), ("europe-zh", 3), ("europe-fa", 4), ("nordic", 3), ("nordic-zh", 2), ("usa", 5)]


def decision(table: Table, game: Game, bot_seed: int) -> int:
    """What the bot at the table does in the seat to move, with a random stream of that seed."""
    table.buffers.work[:] = game.work
    player = table.player(game.seat, np.uint64(bot_seed))
    return int(player.choose(game.view(game.seat).array.copy(), game.legal()))


def other_world(game: Game, rng: int) -> Game:
    """The game with all that is hidden from the seat to move dealt anew."""
    state = new_record(STATE)
    faces.redeal_view(
        game.tables, game.view(game.seat).array.copy(), state, np.zeros(16, np.int64), np.uint64(rng)
    )
    return Game(game.board, game.rules, game.players, state)


@pytest.mark.parametrize(
    "name", [*sorted(paths.available(paths.BOT)), "mcts:iterations=5:playout=planner:depth=0"]
)
@pytest.mark.parametrize(("preset", "players"), TABLES, ids=lambda value: str(value))
def test_hidden_things_never_change_a_decision(name: str, preset: str, players: int) -> None:
    rules = load_rules(preset)
    board = load_board(rules.board)
    table = open_table(board, rules, [parse_spec(name)] * players)
    changed = 0
    game = Game.new(board, rules, players, seed=11)
    step = 0
    while not game.is_over and step < 150:
        action = decision(table, game, step)
        if step % 5 == 0:
            for k in range(WORLDS):
                world = other_world(game, 1000 * step + k)
                changed += hidden_part(world) != hidden_part(game)
                assert world.legal() == game.legal()
                assert decision(table, world, step) == action
        game.step(action)
        step += 1
    assert changed > WORLDS  # else the other worlds were none


def hidden_part(game: Game) -> tuple[Any, ...]:
    state = game.state[0]
    return (bytes(state["deck"]), state["hands"].tolist(), state["tickets"].tolist())
