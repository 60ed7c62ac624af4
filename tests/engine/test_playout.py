"""Random playouts keep the rules, whatever they are, and their quick scores are the exact ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ttr_sim.bench.games import _playouts
from ttr_sim.engine import Game, faces
from ttr_sim.engine.bits import GOLD
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.playout import draw_any
from ttr_sim.engine.scoring import SCORES

from .games import TABLES, board_of, check_conserved, new_game, rules_of


def played_out(game: Game, seed: int) -> tuple[Game, Any]:
    """The game after a random playout, and its quick scores."""
    state, work, scores = new_record(STATE), new_record(WORK), new_record(SCORES)
    work["rng"][0] = seed
    _playouts(game.tables, game.state, state, work, scores, 1)
    return Game(game.board, game.rules, game.players, state), scores[0]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_playouts_end_and_are_scored(preset: str, players: int) -> None:
    longest = 0
    for seed in range(40):
        game = new_game(preset, players, seed)
        end, quick = played_out(game, seed)
        assert end.is_over
        check_conserved(end)
        exact = new_record(SCORES)
        faces.score_game(end.tables, end.state, end.work, exact)
        for name in ("score", "longest_bonus", "globetrotter", "tickets_won", "tickets_lost"):
            assert quick[name][:players].tolist() == exact[name][0][:players].tolist()
        longest += int(exact["longest_bonus"][0].sum() > 0)
    assert longest > 30 or game.rules.longest_path_bonus == 0


@pytest.mark.parametrize(("cards", "words"), [(1, 0), (2, 1), (5, 1), (10, 3)])
def test_a_word_serves_for_four_cards_half_of_one_for_two(cards: int, words: int) -> None:
    """Else the third card would always be the first of the market."""
    rules = replace(rules_of("usa"), cards_per_draw=cards, face_up_locomotive="one_card")
    game = Game.new(board_of("usa"), rules, 2, 1)
    while game.phase == "KEEP_SETUP":
        game.step(game.legal()[-1])
    game.work["rng"][0] = 5
    held = int(game.state["hand_n"][0][0])
    draw_any(game.tables[0], game.state[0], game.work[0], np.uint64(0x9ABC_DEF0_0000_0000))
    assert int(game.state["hand_n"][0][0]) == held + cards
    assert game.work["rng"][0] == np.uint64((5 + words * int(GOLD)) % 2**64)
