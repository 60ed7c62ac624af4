"""The field of bots: each plays everything, plays in its style, and the planner is the strongest of those without search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_sim import paths
from ttr_sim.board import load_board
from ttr_sim.bot.play import BatchResult, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.rules import load_rules

STYLES = ("one_step", "long_route", "path", "hungry")
FIELD = (*STYLES, "greedy", "planner")
TEMPLATE = Path(paths.shipped_root()) / "configs" / "templates" / "board"


def play(bots: list[str], preset: str, games: int, board: Any = None, timed: bool = False) -> BatchResult:
    """Games in blocks: the same deal with every bot in every seat."""
    rules = load_rules(preset)
    table = open_table(board or load_board(rules.board), rules, [parse_spec(bot) for bot in bots])
    seeds = np.arange(games, dtype=np.uint64) // np.uint64(len(bots)) + np.uint64(1)
    return table.play(seeds, seeds + np.uint64(7), np.arange(games) % len(bots), timed=timed)


def of_first(result: BatchResult, values: Any) -> Any:
    """The column of the first bot, from values by seat, of games in blocks of two."""
    games = np.arange(len(values))
    return values[games, games % 2]  # in game i seat s is played by bot (s + i) % 2


@pytest.fixture(scope="module")
def against_greedy() -> dict[str, BatchResult]:
    return {bot: play([bot, "greedy"], "usa", 60) for bot in FIELD if bot != "greedy"}


@pytest.mark.parametrize("preset", sorted(paths.available(paths.RULES)))
def test_the_field_plays_every_preset_and_player_count(preset: str) -> None:
    low, high = load_rules(preset).players
    for players in range(low, high + 1):
        for first in range(len(FIELD)):
            bots = [FIELD[(first + i) % len(FIELD)] for i in range(players)]
            assert not play(bots, preset, players).forfeits, bots


@pytest.mark.parametrize("preset", sorted(paths.available(paths.RULES)))
@pytest.mark.parametrize("way", ["plan", "planner", "random"])
def test_each_way_of_search_plays_every_preset_and_player_count(way: str, preset: str) -> None:
    low, high = load_rules(preset).players
    for players in range(low, high + 1):
        bots = [f"mcts:iterations=2:playout={way}", *["greedy"] * (players - 1)]
        result = play(bots, preset, 1)
        assert not result.forfeits
        assert (result.actions == play(bots, preset, 1).actions).all()


@pytest.mark.parametrize("bot", FIELD)
def test_the_field_plays_a_board_of_ones_own(bot: str) -> None:
    result = play([bot, bot, bot], "europe", 6, load_board(TEMPLATE))
    assert not result.forfeits
    assert (result.played["turns"] > 5).all()


@pytest.mark.parametrize("bot", FIELD)
def test_the_same_seed_is_the_same_game(bot: str) -> None:
    once, again = (play([bot, "greedy"], "europe", 4) for _ in range(2))
    assert (once.actions == again.actions).all()


@pytest.mark.parametrize("bot", STYLES)
def test_a_style_beats_chance(bot: str) -> None:
    result = play([bot, "random"], "usa", 40)
    assert (of_first(result, result.seats("rank")) == 1).mean() > 0.9


def test_styles_show(against_greedy: dict[str, BatchResult]) -> None:
    def mean(bot: str, name: str) -> float:
        return float(of_first(against_greedy[bot], against_greedy[bot].seats(name)).mean())

    kept = {bot: mean(bot, "tickets_kept") for bot in STYLES}
    length = {bot: (45 - mean(bot, "trains_left")) / mean(bot, "tracks") for bot in STYLES}
    assert kept["hungry"] >= 5
    assert kept["path"] == kept["long_route"] == 2  # as few as the rules allow
    assert max(length, key=lambda bot: length[bot]) == "long_route"
    assert mean("path", "completed") > mean("long_route", "completed") + 0.5


def test_the_planner_beats_greedy() -> None:
    # 85 % on this board in 2,000 games; the margin of 200 is 5 %.
    result = play(["planner", "greedy"], "usa", 200)
    assert (of_first(result, result.seats("rank")) == 1).mean() > 0.75


def test_the_planner_scores_over_105_against_itself() -> None:
    assert play(["planner", "planner"], "usa", 200).seats("score").mean() > 105


def test_the_planner_builds_no_station_and_takes_no_ticket_for_nothing() -> None:
    result = play(["planner", "greedy"], "europe", 100)
    placed = of_first(result, result.seats("stations_placed"))
    assert placed.mean() < 0.3
    assert of_first(result, result.seats("tickets_lost")).mean() < 4
