"""Replay of logged games: the same results and the same course as when they were played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.play import BatchResult, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game
from ttr_sim.results.replay import EVENT, Replayer, steps
from ttr_sim.rules import load_rules

TABLES = [("europe", 2), ("europe-zh", 3), ("europe-fa", 5), ("nordic", 3), ("usa", 4)]
GAMES = 12


def play(preset: str, players: int) -> tuple[Replayer, Any, BatchResult]:
    rules = load_rules(preset)
    board = load_board(rules.board)
    table = open_table(board, rules, [parse_spec("random")] * players)
    seeds = np.arange(100, 100 + GAMES, dtype=np.uint64)
    return Replayer(board, rules, players), seeds, table.play(seeds, seeds, np.zeros(GAMES, np.int64))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_results_are_those_of_the_game(preset: str, players: int) -> None:
    replayer, seeds, result = play(preset, players)
    played, left = replayer.results(seeds, result.actions, result.offsets)
    assert (left == 0).all()
    assert (played["forfeit_action"] == -1).all()
    for name in (
        "scores",
        "reason",
        "turns",
        "decisions",
        "seat_decisions",
        "cards_drawn",
        "tickets_kept",
        "tracks",
    ):
        assert (played[name] == result.played[name]).all()


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_events_are_the_course_of_the_game(preset: str, players: int) -> None:
    replayer, seeds, result = play(preset, players)
    events = replayer.events(seeds, result.actions, result.offsets)
    assert events.dtype == EVENT
    assert sorted(set(events["game"].tolist())) == list(range(GAMES))
    for g in (0, GAMES - 1):
        game = Game.new(replayer.board, replayer.rules, players, int(seeds[g]), auto=False)
        rows = events[events["game"] == g]
        asked = rows["action"][~rows["forced"]].tolist()
        assert asked == result.actions[result.offsets[g] : result.offsets[g + 1]].tolist()
        for row in rows:
            state = game.state[0]
            assert (row["turn"], row["seat"], row["phase"]) == (state["turns"], state["seat"], state["phase"])
            assert row["forced"] == (len(game.legal()) == 1)
            for column, field in (("points", "points"), ("trains", "trains"), ("stations", "stations"),
                                  ("cards", "hand_n"), ("tickets", "ticket_n")):  # fmt: skip
                assert (row[column] == state[field]).all()
            game.step(int(row["action"]))
        assert game.is_over


def test_steps_are_the_events_as_text() -> None:
    replayer, seeds, result = play("europe", 2)
    log = result.actions[: result.offsets[1]]
    game = Game.new(replayer.board, replayer.rules, 2, int(seeds[0]), auto=False)
    taken = list(steps(game, log))
    events = replayer.events(seeds[:1], log, [0, len(log)])
    assert [(s.turn, s.seat, s.action, s.forced) for s in taken] == [
        (e["turn"], e["seat"], e["action"], e["forced"]) for e in events
    ]
    assert game.is_over
    notes = {step.text: step.note for step in taken}
    assert notes["draw blind"].startswith("gets ")
    assert notes["draw tickets"].startswith("sees ")
    assert any(step.note.startswith("revealed ") for step in taken)


def test_a_log_that_ends_early_or_goes_wrong() -> None:
    replayer, seeds, result = play("europe", 2)
    log = result.actions[: result.offsets[1]].copy()
    played, left = replayer.results(seeds[:1], log[:-5], [0, len(log) - 5])
    assert (played["reason"][0], played["forfeit_action"][0], left[0]) == (0, -1, 0)
    assert played["decisions"][0] == len(log) - 5
    log[4] = 11
    played, left = replayer.results(seeds[:1], log, [0, len(log)])
    assert played["forfeit_action"][0] == 11
    assert left[0] == len(log) - 4


def test_no_games() -> None:
    replayer, _, _ = play("europe", 2)
    assert len(replayer.events([], [], [0])) == 0
    assert len(replayer.results([], [], [0])[0]) == 0
