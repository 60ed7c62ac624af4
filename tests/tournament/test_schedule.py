"""Properties every schedule must have."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.errors import TtrError
from ttr_sim.tournament.schedule import (
    FORMATS,
    Format,
    Match,
    Schedule,
    ScheduledGame,
    line_ups,
    whole_cycles,
)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    players = draw(st.integers(2, 5))
    bots = draw(st.integers(players, 6))
    shape = draw(st.sampled_from(FORMATS))
    settings = draw(st.integers(1, 3))
    matches = tuple(Match(s, bots_) for s in range(settings) for bots_ in line_ups(bots, players, shape))
    games = whole_cycles(draw(st.integers(1, 200)), matches)
    return Schedule(matches, draw(st.integers(0, 2**64 - 1)), games)


@given(schedules())
def test_every_block_is_one_deal_in_every_rotation(schedule: Schedule) -> None:
    blocks: dict[int, list[ScheduledGame]] = {}
    for game in schedule:
        blocks.setdefault(game.block, []).append(game)
    assert len(blocks) == schedule.blocks
    assert set(blocks) == set(range(schedule.blocks))
    for games in blocks.values():
        bots = schedule.matches[games[0].match].bots
        assert len({(game.match, game.seed) for game in games}) == 1
        assert [game.rotation for game in games] == list(range(len(bots)))
        for seat in range(len(bots)):
            assert {game.seats[seat] for game in games} == set(bots)


@given(schedules())
def test_all_matches_play_the_same_deals_equally_often(schedule: Schedule) -> None:
    deals: dict[int, list[int]] = {}
    for game in schedule:
        deals.setdefault(game.match, []).append(game.seed)
    sets = [Counter(seeds).keys() for seeds in deals.values()]
    assert len(deals) == len(schedule.matches)
    assert all(seeds == sets[0] for seeds in sets)
    assert len(sets[0]) == schedule.games // schedule.cycle_games


@given(schedules())
def test_a_game_does_not_depend_on_the_length_of_the_run(schedule: Schedule) -> None:
    longer = Schedule(schedule.matches, schedule.seed, schedule.games + 5 * schedule.cycle_games)
    assert [longer.game(n) for n in range(len(schedule))] == list(schedule)


@given(schedules(), st.data())
def test_any_choice_of_games_gives_the_same_rows(schedule: Schedule, data: st.DataObject) -> None:
    whole = schedule.rows(np.arange(schedule.games))
    numbers = data.draw(st.lists(st.integers(0, schedule.games - 1), min_size=1, unique=True).map(sorted))
    some = schedule.rows(np.array(numbers))
    for name in ("number", "cycle", "block", "match", "rotation", "players", "seed", "bot_seed"):
        assert np.array_equal(getattr(some, name), getattr(whole, name)[numbers])
    assert len(np.unique(whole.bot_seed)) == schedule.games


def test_rotation_seats() -> None:
    schedule = Schedule((Match(0, (4, 7, 9)),), 1, 3)
    assert [game.seats for game in schedule] == [(4, 7, 9), (7, 9, 4), (9, 4, 7)]


def test_formats() -> None:
    assert line_ups(4, 2, "round-robin") == list(combinations(range(4), 2))
    assert line_ups(4, 2, "gauntlet") == [(0, 1), (0, 2), (0, 3)]
    assert line_ups(4, 3, "gauntlet") == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    assert line_ups(4, 4, "table") == [(0, 1, 2, 3)]
    assert len(line_ups(7, 5, "table")) == 21


@pytest.mark.parametrize("shape", FORMATS)
def test_every_bot_plays_equally_often(shape: Format) -> None:
    counts = Counter(bot for line_up in line_ups(6, 3, shape) for bot in line_up)
    if shape == "gauntlet":
        counts.pop(0)
    assert len(set(counts.values())) == 1


def test_games_are_rounded_up_to_whole_blocks_of_every_match() -> None:
    pairs = [Match(0, pair) for pair in line_ups(3, 2, "round-robin")]
    assert [whole_cycles(n, pairs) for n in (1, 6, 7, 10_000)] == [6, 6, 12, 10_002]


def test_too_few_bots_and_too_many_line_ups() -> None:
    with pytest.raises(TtrError, match="--bots names 1 of the 2 players"):
        line_ups(1, 2, "round-robin")
    with pytest.raises(TtrError, match="more than 100000 line-ups"):
        line_ups(60, 5, "round-robin")
